"""One function from an Arrow table to an Arrow table: whole groups of documents in, a row a group out.

Engines that hand out tables, such as Ray and Spark, call it in their workers.
"""

from __future__ import annotations

import warnings

try:
    import pyarrow as pa
    import pyarrow.compute as pc
except ImportError as error:
    raise ImportError('Ray and Spark need pyarrow; install "handful[ray]" or "handful[spark]"') from error

from . import _documents, _native
from ._many import expect_groups, fitted, read_group
from ._model import Model
from ._settings import settings_of
from ._warnings import HandfulWarning

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from typing_extensions import Unpack

    from ._documents import Given
    from ._records import Columns
    from ._settings import FitOptions

TOPIC_FIELDS = {
    "topic": pa.int64(),
    "name": pa.string(),
    "share": pa.float64(),
    "terms": pa.list_(pa.string()),
    "probabilities": pa.list_(pa.float32()),
}


def document_fields(id_type: Any) -> dict[str, Any]:
    """The fields of a document whose identifier is of this type."""
    return {
        "document": id_type,
        "words": pa.int64(),
        "unknown_words": pa.int64(),
        "background": pa.float32(),
        "main_topic": pa.int64(),
        "proportions": pa.list_(pa.float32()),
    }


class GroupFitter:
    """Fits every group of a table by itself. Can be sent to other processes; each opens the model once."""

    def __init__(
        self,
        *,
        group: str,
        text: str,
        id: str | None,
        model: Model | None,
        terms: int,
        threads: int,
        settings: FitOptions,
    ) -> None:
        self.group, self.text, self.id = group, text, id
        self.terms, self.threads = terms, threads
        self.settings = settings_of(**settings)
        used = model or Model.pretrained()
        self.model = SentModel(used)
        # What no group can be fitted with is said here, and not by a worker.
        fitted({}, used, self.settings, terms)

    def expect_columns(self, columns: list[str]) -> None:
        """An error that names the columns there are, if one is missing."""
        named = {"group": self.group, "text": self.text, "id": self.id}
        for role, name in named.items():
            if name is not None and name not in columns:
                there = ", ".join(repr(column) for column in columns) or "none"
                raise ValueError(f"{role}: there is no column {name!r}; the columns are {there}")

    def __call__(self, table: pa.Table) -> pa.Table:
        """A row a group, in the order of the groups: group, topics, documents, warnings, error.

        Engines hand rows out in any order. So the documents of a group are taken in the order of their
        ids, and of their texts where ids are equal or there are none. Without ids they are numbered within
        their group: there are no rows of a whole table that could be counted.
        """
        self.expect_columns(table.column_names)
        use_threads(self.threads)
        columns = [name for name in (self.group, self.id, self.text) if name is not None]
        ordered = table.sort_by([(name, "ascending") for name in dict.fromkeys(columns)])
        with warnings.catch_warnings():
            # A worker's log would have one for every group.
            warnings.simplefilter("ignore", HandfulWarning)
            results = fitted(self._groups(ordered), self.model.opened(), self.settings, self.terms)
        id_type = pa.int64() if self.id is None else table.schema.field(self.id).type
        return table_of(results, table.schema.field(self.group).type, id_type)

    def of_batches(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The same for batches in which the rows of a group stand together. A batch may end within a group."""
        rest: pa.Table | None = None
        for batch in batches:
            table = pa.Table.from_batches([batch])
            rest = table if rest is None else pa.concat_tables([rest, table])
            names = rest[self.group].to_pylist()
            begun = len(names)
            while begun > 0 and names[begun - 1] == names[-1]:
                begun -= 1
            if begun > 0:
                yield from self(rest.slice(0, begun)).to_batches()
                rest = rest.slice(begun)
        if rest is not None and rest.num_rows > 0:
            yield from self(rest).to_batches()

    def _groups(self, ordered: pa.Table) -> dict[Any, Given]:
        """The documents of each group. The rows of a group stand together."""
        names = ordered[self.group].to_pylist()
        ids = None if self.id is None else ordered[self.id].to_pylist()
        # An engine's rows have no numbers.
        expect_groups(names, self.group, lambda n: self._named(ordered, n))
        starts = [n for n in range(len(names)) if n == 0 or names[n] != names[n - 1]]
        groups = {}
        for start, end in zip(starts, [*starts[1:], len(names)]):
            texts = ordered[self.text].slice(start, end - start)
            own = range(end - start) if ids is None else ids[start:end]
            groups[names[start]] = read_group(names[start], texts, list(own))
        return groups


    def _named(self, ordered: pa.Table, n: int) -> str:
        """What a row is called in an error: by its identifier, or by how its text begins."""
        if self.id is not None:
            return f"that with id {ordered[self.id][n].as_py()!r}"
        return f"that with the text {str(ordered[self.text][n].as_py())[:40]!r}"


class SentModel:
    """A model on its way to other processes, which open it once each."""

    _opened: dict[str, Model] = {}

    def __init__(self, model: Model) -> None:
        self.name = model.name
        self.files: dict[str, bytes] | None = None
        self.digest = ""
        if not model.is_pretrained:
            import hashlib

            self.files = model._native.to_files()
            whole = hashlib.sha256(self.name.encode())
            for name, content in sorted(self.files.items()):
                whole.update(name.encode() + b"\0" + content)
            self.digest = whole.hexdigest()

    def opened(self) -> Model:
        """The model; in one process always the same."""
        if self.files is None:
            return Model.pretrained()
        if self.digest not in self._opened:
            self._opened[self.digest] = Model(_native.Model.of_files(self.files, self.name))
        return self._opened[self.digest]


_threads: int | None = None


def use_threads(threads: int) -> None:
    """Lets this process work with so many threads: an engine gives a worker its share of the cores."""
    global _threads
    if _threads != threads:
        _native.set_threads(threads)
        _threads = threads


def table_of(columns: Columns, group_type: Any, id_type: Any) -> pa.Table:
    """Results as a table with a row a group."""
    groups = columns.groups
    # A group without topics has no documents among the results.
    sizes = [0 if error else size for size, error in zip(groups["documents"], groups["error"])]
    return pa.table(
        {
            "group": pa.array(groups["group"], type=group_type),
            "topics": _lists(columns.topics, groups["topics"], TOPIC_FIELDS),
            "documents": _lists(columns.documents, sizes, document_fields(id_type)),
            "warnings": pa.array(groups["warnings"], type=pa.list_(pa.string())),
            "error": pa.array(groups["error"], type=pa.string()),
        }
    )


def _lists(columns: dict[str, list[Any]], sizes: list[int], fields: dict[str, Any]) -> Any:
    """A list of records for each group, whose sizes are given."""
    arrays = [pa.array(columns[name], type=kind) for name, kind in fields.items()]
    ends = [0]
    for size in sizes:
        ends.append(ends[-1] + size)
    records = pa.StructArray.from_arrays(arrays, fields=[pa.field(*field) for field in fields.items()])
    return pa.ListArray.from_arrays(pa.array(ends, type=pa.int32()), records)


def flat(table: pa.Table, column: str) -> pa.Table:
    """The records of a column of lists, a row each, with their group before them."""
    lists = table[column].combine_chunks()
    groups = table["group"].combine_chunks().take(pc.list_parent_indices(lists))
    records = lists.flatten()
    names = [field.name for field in lists.type.value_type]
    return pa.table({"group": groups} | {name: records.field(name) for name in names})
