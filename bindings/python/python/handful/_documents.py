"""What can be fitted: lists, dictionaries, columns of tables, matrices of counts."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence

from . import _native
from ._counts import counts_of, is_matrix
from ._warnings import warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal

    FrameLibrary = Literal["pandas", "polars"]
    # Anything that texts can be taken from.
    Texts = Any


class Given:
    """Documents as they were given."""

    __slots__ = ("documents", "frames", "ids")

    def __init__(
        self, documents: _native.Documents, ids: Sequence[Any], frames: FrameLibrary | None
    ) -> None:
        self.documents = documents
        self.ids = ids
        """The identifiers, of the type they were given in."""
        self.frames = frames
        """The library of DataFrames that they came from."""

    def of_frames(self, frames: FrameLibrary | None) -> Given:
        """The same, from this library of DataFrames, if it is one."""
        return Given(self.documents, self.ids, frames or self.frames)


def read(
    texts: Texts,
    *,
    text: str | None = None,
    id: str | None = None,
    ids: Iterable[Any] | None = None,
    feature_names: Iterable[object] | None = None,
) -> Given:
    """Documents of whatever was given. Warns of texts that are missing."""
    given = _read(texts, text, id, None if ids is None else list(ids), feature_names)
    if len(given.documents) == 0:
        raise ValueError("documents: there are none; give at least one text")
    missing = given.documents.missing()
    if missing:
        one = len(missing) == 1
        warn(
            [
                f"{len(missing)} of {len(given.documents)} texts {'is' if one else 'are'} missing (None or "
                f"NaN), the first with id {given.ids[missing[0]]!r}; kept as {'an empty document' if one else 'empty documents'}"
            ]
        )
    return given


def _read(
    texts: Texts,
    text: str | None,
    id: str | None,
    ids: list[Any] | None,
    feature_names: Iterable[object] | None,
) -> Given:
    if isinstance(texts, (str, bytes)):
        kind = type(texts).__name__
        raise TypeError(f"documents: are one {kind}; give a list of texts, such as [text]")
    columns = _columns_of(texts)
    if columns is not None:
        return _of_table(texts, columns, text, id, ids, feature_names)
    if text is not None or id is not None:
        raise TypeError("text and id name columns of a DataFrame; give one, or leave them out")
    if getattr(texts, "ndim", 1) > 2:
        raise ValueError(
            f"documents: are an array of {texts.ndim} dimensions; give a list of texts, or a matrix of counts "
            "with a row a document"
        )
    if is_matrix(texts):
        return _of_matrix(texts, ids, feature_names)
    if feature_names is not None:
        raise TypeError("feature_names name the columns of a matrix of counts; give one")
    if isinstance(texts, Mapping):
        return _of_list(list(texts.values()), list(texts.keys()) if ids is None else ids)
    return _of_column(texts, ids)


def _columns_of(table: Any) -> list[Any] | None:
    """The names of the columns, if it is a table: pandas', polars', or Arrow's."""
    names = getattr(table, "column_names", None)
    if names is None and hasattr(table, "__getitem__"):
        names = getattr(table, "columns", None)
    return None if names is None or callable(names) else list(names)


def frame_library(value: Any) -> FrameLibrary | None:
    """The library that a DataFrame or Series is of."""
    library = type(value).__module__.partition(".")[0]
    return "pandas" if library == "pandas" else "polars" if library == "polars" else None


def column_of(table: Any, columns: list[Any], name: Any, role: str) -> Any:
    """A column of a table; an error that names those there are."""
    if name not in columns:
        there = ", ".join(repr(column) for column in columns) or "none"
        raise ValueError(f"{role}: there is no column {name!r}; the columns are {there}")
    return table[name]


def _of_table(
    table: Any,
    columns: list[Any],
    text: str | None,
    id: str | None,
    ids: list[Any] | None,
    feature_names: Iterable[object] | None,
) -> Given:
    if id is not None:
        if ids is not None:
            raise TypeError("id and ids both give identifiers; give one of them")
        ids = _listed(column_of(table, columns, id, "id"))
    frames = frame_library(table)
    if text is not None:
        given = _of_column(column_of(table, columns, text, "text"), ids)
        return given.of_frames(frames)
    rest = [column for column in columns if column != id]
    matrix = table[rest] if frames is not None and len(rest) < len(columns) else table
    if not _is_numeric(matrix):
        there = ", ".join(repr(column) for column in columns)
        raise ValueError(
            f"text: say which column has the texts, as in text={columns[0]!r}; the columns are {there}"
        )
    if ids is None:
        ids = _index_of(table)
    names = rest if feature_names is None else feature_names
    return _of_matrix(matrix.to_numpy(), ids, names).of_frames(frames)


def _is_numeric(table: Any) -> bool:
    if not hasattr(table, "to_numpy"):
        return False
    return table.to_numpy().dtype.kind in "biuf"


def _of_matrix(matrix: Any, ids: list[Any] | None, feature_names: Iterable[object] | None) -> Given:
    kept: Sequence[Any] = range(matrix.shape[0]) if ids is None else ids
    documents = counts_of(matrix, _names_of(kept), feature_names)
    return Given(documents, kept, None)


def _of_column(column: Any, ids: list[Any] | None) -> Given:
    """Documents of a column: by Arrow's C interface if it has it, else text by text."""
    frames = frame_library(column)
    if ids is None:
        ids = _index_of(column)
    if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
        named = None if ids is None else _names_of(ids)
        try:
            documents = _native.Documents.of_arrow(column, named)
        except (ImportError, NotImplementedError, TypeError, ValueError):
            # pandas needs pyarrow for it, and of mixed types pyarrow says less than we do. Whatever else goes
            # wrong in a column is not ours to hide.
            if not isinstance(column, Iterable):
                raise
        else:
            kept = range(len(documents)) if ids is None else ids
            return Given(documents, kept, frames)
    return _of_list(_listed(column), ids).of_frames(frames)


def _of_list(texts: list[Any], ids: list[Any] | None) -> Given:
    named = None if ids is None else _names_of(ids)
    documents = _native.Documents.of_texts(texts, named)
    return Given(documents, range(len(texts)) if ids is None else ids, None)


def _names_of(ids: Sequence[Any]) -> list[str]:
    """What the library calls the documents. Ids that differ must have names that differ: ``explain`` and
    ``quotes`` find documents by them. Equal ids are no error; the library warns of them."""
    names = [str(id) for id in ids]
    if isinstance(ids, range):
        return names
    first: dict[str, Any] = {}
    for name, id in zip(names, ids):
        other = first.setdefault(name, id)
        if other is not id and other != id and not (is_missing(other) and is_missing(id)):
            raise ValueError(
                f"ids: {other!r} and {id!r} differ, but both are written {name!r}; give ids that differ as text"
            )
    return names


def is_missing(value: Any) -> bool:
    """Whether it is nothing: None, NaN, or what pandas has for missing values."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    # Only NaN is unequal to itself. What cannot be hashed may compare to an array.
    return isinstance(value, Hashable) and bool(value != value)


def _index_of(column: Any) -> list[Any] | None:
    """The index of a pandas object, which has the identifiers."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(column, (pandas.Series, pandas.DataFrame)):
        return None
    index: list[Any] = column.index.tolist()
    return None if index == list(range(len(index))) else index


def _listed(column: Any) -> list[Any]:
    for method in ("to_list", "to_pylist", "tolist"):
        if hasattr(column, method):
            values = getattr(column, method)()
            return values if isinstance(values, list) else [values]
    if not isinstance(column, Iterable):
        raise TypeError(
            f"documents: are of type {type(column).__name__}; give a list of texts, a dictionary, a "
            "column of a table, or a matrix of counts"
        )
    return list(column)
