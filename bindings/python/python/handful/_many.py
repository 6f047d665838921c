"""Many small fits at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from . import _documents, _native
from ._frames import frame_of
from ._model import Model
from ._progress import bar
from ._settings import settings_of
from ._warnings import log, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from typing_extensions import Unpack

    from ._documents import FrameLibrary, Given, Texts
    from ._fit import Library
    from ._records import Columns
    from ._settings import FitOptions


class ManyFits:
    """The topics of many groups of documents, each fitted by itself, as tables.

    A group's numbers are those that :func:`handful.fit` gives for its documents alone. The fits themselves
    are not kept: each would take a megabyte.
    """

    __slots__ = ("_frames", "columns")

    def __init__(self, columns: Columns, frames: FrameLibrary | None = None) -> None:
        self.columns = columns
        """All results as plain lists."""
        self._frames = frames

    @property
    def groups(self) -> list[Any]:
        """The names of the groups, as they were given."""
        return list(self.columns.groups["group"])

    @property
    def errors(self) -> dict[Any, str]:
        """Why groups have no topics, of those that have none."""
        rows = zip(self.columns.groups["group"], self.columns.groups["error"])
        return {group: error for group, error in rows if error is not None}

    def groups_frame(self, *, library: Library | None = None) -> Any:
        """A DataFrame with a row a group: group, documents, topics, warnings, error."""
        return frame_of(self.columns.groups, library, self._frames)

    def topics_frame(self, *, library: Library | None = None) -> Any:
        """A DataFrame with a row a topic: group, topic, name, share, terms, probabilities."""
        return frame_of(self.columns.topics, library, self._frames)

    def documents_frame(self, *, library: Library | None = None) -> Any:
        """A DataFrame with a row a document: group, document, words, unknown words, background, main topic,
        proportions."""
        return frame_of(self.columns.documents, library, self._frames)

    def __len__(self) -> int:
        return len(self.columns.groups["group"])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.groups)

    def __repr__(self) -> str:
        return (
            f"<ManyFits of {len(self)} groups: {len(self.columns.topics['topic'])} topics of "
            f"{len(self.columns.documents['document'])} documents>"
        )


def fit_many(
    groups: Mapping[Any, Texts] | Any,
    *,
    group: str | None = None,
    text: str | None = None,
    id: str | None = None,
    model: Model | None = None,
    terms: int = 10,
    progress: bool | None = None,
    **settings: Unpack[FitOptions],
) -> ManyFits:
    """Fits many groups of documents, each by itself, on all cores.

    Parameters
    ----------
    groups
        A dictionary of the groups' names and their documents, each of which may be whatever
        :func:`handful.fit` takes; or a DataFrame, of which ``group``, ``text`` and ``id`` name the columns.
        Each row must have a group; one without (None or NaN) is an error.
        Without ``id``, documents have the index of a pandas DataFrame, or the number of their row from 0.
    model
        The model to use. By default the built-in one.
    terms
        How many terms of each topic to keep.
    progress
        Whether to show a progress bar by tqdm. By default where somebody looks.
    settings
        The settings of :func:`handful.fit`: ``topics``, ``seed`` and so on, the same for each group.

    A group that cannot be fitted, for example because it has no documents, has a sentence in
    :attr:`ManyFits.errors`; the others are not lost.
    """
    checked = settings_of(**settings)
    given, frames = _given(groups, group, text, id)
    used = model or Model.pretrained()
    shown = bar(progress, len(given), "fits")
    try:
        tell = None if shown is None else lambda done: shown.update(done - shown.n)
        many = ManyFits(fitted(given, used, checked, terms, tell), frames)
    finally:
        if shown is not None:
            shown.close()
    log("fitted %d groups", len(many))
    if many.errors:
        first, error = next(iter(many.errors.items()))
        warn([f"{len(many.errors)} of {len(many)} groups have no topics, the first is {first!r}: {error}"])
    return many


def fitted(
    given: Mapping[Any, Given],
    model: Model,
    settings: _native.FitSettings,
    terms: int,
    tell: Callable[[int], Any] | None = None,
) -> Columns:
    """The results of these groups. ``tell`` hears how many are done."""
    documents = [one.documents for one in given.values()]
    return _columns(given, *_native.fit_many(model._native, documents, settings, terms, tell))


def _given(
    groups: Any, group: str | None, text: str | None, id: str | None
) -> tuple[dict[Any, Given], FrameLibrary | None]:
    """The documents of each group, and the library of DataFrames that they came from."""
    columns = _documents._columns_of(groups)
    if columns is None:
        if not isinstance(groups, Mapping):
            raise TypeError(
                f"groups: are of type {type(groups).__name__}; give a dictionary of names and texts, "
                "or a DataFrame with group= and text="
            )
        if not (group is None and text is None and id is None):
            raise TypeError("group, text and id name columns of a DataFrame; give one, or leave them out")
        return {name: read_group(name, texts) for name, texts in groups.items()}, None
    if group is None or text is None:
        there = ", ".join(repr(column) for column in columns)
        raise ValueError(
            f"groups: say with group= and text= which columns to take; the columns are {there}"
        )
    names = _documents._listed(_documents.column_of(groups, columns, group, "group"))
    texts = _documents._listed(_documents.column_of(groups, columns, text, "text"))
    ids = _ids(groups, columns, id, len(texts))
    expect_groups(names, group, lambda n: f"row {n} (id {ids[n]!r})")
    rows: dict[Any, tuple[list[Any], list[Any]]] = {}
    for name, one_id, one in zip(names, ids, texts):
        of_group = rows.setdefault(name, ([], []))
        of_group[0].append(one_id)
        of_group[1].append(one)
    given = {name: read_group(name, of, ids) for name, (ids, of) in rows.items()}
    return given, _documents.frame_library(groups)


def _ids(table: Any, columns: list[Any], id: str | None, rows: int) -> Sequence[Any]:
    """The identifiers of a table's rows: of the column, else the index of pandas, else 0, 1, 2."""
    if id is not None:
        return _documents._listed(_documents.column_of(table, columns, id, "id"))
    index = _documents._index_of(table)
    return range(rows) if index is None else index


def expect_groups(names: list[Any], column: str, said: Callable[[int], str]) -> None:
    """An error if a row belongs to no group. ``said`` names a row.

    NaN is equal to nothing, so each would be a group of its own; and documents that nobody put together are no
    handful.
    """
    missing = [n for n, name in enumerate(names) if _documents.is_missing(name)]
    if missing:
        have, them = ("has", "it") if len(missing) == 1 else ("have", "them")
        raise ValueError(
            f"group: {len(missing)} of {len(names)} rows {have} no value (None or NaN) in the column {column!r}, "
            f"the first is {said(missing[0])}; give {them} the name of a group, or leave {them} out"
        )


def read_group(name: Any, texts: Any, ids: list[Any] | None = None) -> Given:
    """The documents of a group. A group without documents is no error here: the others are fitted."""
    if isinstance(texts, (list, tuple, Mapping)) and len(texts) == 0:
        return _documents.Given(_native.Documents.of_texts([], None), [], None)
    try:
        return _documents.read(texts, ids=ids)
    except (TypeError, ValueError) as error:
        raise type(error)(f"group {name!r}: {error}") from None


def _columns(
    given: Mapping[Any, Given],
    group_rows: list[_native._ManyGroup],
    topic_rows: list[_native._ManyTopic],
    document_rows: list[_native._ManyDocument],
) -> Columns:
    names, documents = list(given), list(given.values())
    counted = [0] * len(names)
    topics: dict[str, list[Any]] = {
        name: [] for name in ("group", "topic", "name", "share", "terms", "probabilities")
    }
    for place, name, share, terms, probabilities in topic_rows:
        counted[place] += 1
        row = (names[place], counted[place], name, share, terms, probabilities)
        for column, value in zip(topics.values(), row):
            column.append(value)
    groups = {
        "group": names,
        "documents": [len(one.documents) for one in documents],
        "topics": counted,
        "warnings": [warnings for warnings, _ in group_rows],
        "error": [error for _, error in group_rows],
    }
    of_documents: dict[str, list[Any]] = {
        name: []
        for name in (
            "group",
            "document",
            "words",
            "unknown_words",
            "background",
            "main_topic",
            "proportions",
        )
    }
    for place, n, words, unknown, background, main, shares in document_rows:
        row_of = (names[place], documents[place].ids[n], words, unknown, background, main, shares)
        for column, value in zip(of_documents.values(), row_of):
            column.append(value)
    from ._records import Columns

    return Columns(groups, topics, of_documents)
