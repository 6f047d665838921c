"""The tree of the documents."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from . import _native
    from ._records import Join


class Tree:
    """The tree of a fit's documents: which are most alike, which groups are next, until all are one.

    Nodes are numbered. Node ``n`` is document ``n``, from 0; the nodes after the documents are the
    joins, in their order.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Tree) -> None:
        self._native = native

    @property
    def joins(self) -> list[Join]:
        """The joins, one fewer than documents."""
        from ._records import Join

        return [Join(*join) for join in self._native.joins()]

    @property
    def topics(self) -> list[int | None]:
        """The node of each topic; ``None`` for a topic that no document has most of."""
        return self._native.topics()

    @property
    def cuts(self) -> dict[str, int] | None:
        """How many topics each granularity has; ``None`` if the number of topics was given."""
        cuts = self._native.cuts()
        return None if cuts is None else dict(zip(("coarse", "medium", "fine"), cuts))

    def groups(self, number: int) -> list[int]:
        """The group of each document in the cut into ``number`` groups."""
        return self._native.groups(number)

    def documents_of(self, node: int) -> list[int]:
        """The places of the documents below a node, in the order of the branches."""
        return self._native.documents_of(node)

    def to_linkage(self) -> NDArray[np.float64]:
        """The tree as SciPy's linkage matrix, for ``scipy.cluster.hierarchy``."""
        import numpy as np

        joins = self.joins
        documents = len(joins) + 1
        sizes = [1] * documents
        rows = np.zeros((len(joins), 4))
        for row, join in zip(rows, joins):
            sizes.append(sizes[join.first] + sizes[join.second])
            row[:] = (join.first, join.second, join.height, sizes[-1])
        return rows

    def __repr__(self) -> str:
        return f"<Tree of {len(self._native.joins()) + 1} documents>"
