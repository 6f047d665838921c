"""Word counts from matrices: which values they may have, and what the columns are called."""

from __future__ import annotations

from . import _native
from ._warnings import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

# Values that are not whole are scaled so that the smallest counts 1, unless then the largest counted more.
_LARGEST_OF_REALS = 50.0


def is_matrix(given: Any) -> bool:
    """Whether it is a sparse matrix, or an array of two dimensions."""
    return hasattr(given, "tocsr") or getattr(given, "ndim", 1) == 2 and hasattr(given, "dtype")


def factor_of(values: NDArray[np.float64]) -> float:
    """What values are multiplied by to become counts: 1 if they are whole."""
    import numpy as np

    positive = values[values > 0]
    if positive.size == 0 or bool(np.all(positive == np.floor(positive))):
        return 1.0
    return float(min(1.0 / positive.min(), _LARGEST_OF_REALS / positive.max()))


def counts_of(
    matrix: Any,
    ids: Sequence[str],
    feature_names: Iterable[object] | None,
    factor: float | None = None,
) -> _native.Documents:
    """A document of each row of a matrix: sparse, or an array of two dimensions."""
    import numpy as np

    if hasattr(matrix, "tocsr"):
        rows = matrix.tocsr()
        # A matrix may name a cell twice; it then has the sum.
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        values, columns, ends = rows.data, rows.indices, rows.indptr[1:]
    else:
        dense = np.asarray(matrix)
        if dense.dtype.kind not in "biuf":
            raise ValueError(
                f"counts: are of type {dense.dtype}, not numbers; give a matrix of numbers"
            )
        filled = dense != 0
        values, columns = dense[filled], np.nonzero(filled)[1]
        ends = np.cumsum(filled.sum(axis=1))
    values = _checked(np.asarray(values, dtype=np.float64), ends)
    scaled = values * (factor_of(values) if factor is None else factor)
    # What is there counts, however little it is.
    whole = np.where(values > 0, np.maximum(np.rint(scaled), 1), 0)
    return _native.Documents.of_counts(
        np.asarray(ends, dtype="<u8").tobytes(),
        np.asarray(columns, dtype="<u4").tobytes(),
        np.minimum(whole, 2**32 - 1).astype("<u4").tobytes(),
        terms_of(feature_names, int(matrix.shape[1])),
        list(ids),
    )


def _checked(values: NDArray[np.float64], ends: Any) -> NDArray[np.float64]:
    import numpy as np

    wrong = np.flatnonzero(~(np.isfinite(values) & (values >= 0)))
    if wrong.size:
        row = int(np.searchsorted(ends, wrong[0], side="right"))
        raise ValueError(
            f"counts: row {row} has the value {values[wrong[0]]}; counts must be finite and 0 or more"
        )
    return values


def terms_of(feature_names: Iterable[object] | None, columns: int) -> list[str]:
    """The term of each column. Columns without names are words that no model knows."""
    if feature_names is None:
        warn(
            [
                f"the {columns} columns have no names, so they are taken for words that the model "
                "does not know; say with feature_names which words they are"
            ]
        )
        return nameless(columns)
    terms = [str(name) for name in feature_names]
    if len(terms) != columns:
        raise ValueError(
            f"feature_names: has {len(terms)} names for {columns} columns; give one for each"
        )
    return terms


def nameless(columns: int) -> list[str]:
    """Names of columns that have none. No word is spelled like them, nor they like each other."""
    return [chr(0xE000 + column // 6400) + chr(0xE000 + column % 6400) for column in range(columns)]
