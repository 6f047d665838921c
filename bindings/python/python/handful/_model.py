"""Trained models, and the function that fits with the built-in one."""

from __future__ import annotations

import os
import time

from . import _documents, _native
from ._fit import Fit
from ._settings import settings_of
from ._warnings import log, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal

    from typing_extensions import Unpack

    from ._documents import Texts
    from ._settings import FitOptions, Granularity


class Model:
    """A trained model: it reads a few documents and gives their topics.

    A model never changes. Many threads may fit with one model at a time.
    """

    __slots__ = ("__weakref__", "_native", "is_pretrained")

    _built_in: Model | None = None

    def __init__(self, native: _native.Model, is_pretrained: bool = False) -> None:
        self._native = native
        self.is_pretrained = is_pretrained
        """Whether it is the built-in model."""

    @classmethod
    def pretrained(cls) -> Model:
        """The built-in model, trained on English of many kinds. It is opened once."""
        if cls._built_in is None:
            cls._built_in = cls(_native.Model.pretrained(), is_pretrained=True)
        return cls._built_in

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> Model:
        """Opens a directory that :meth:`save` or ``handful train`` wrote."""
        opened = cls(_native.Model.open(os.fspath(directory)))
        log("opened the model of %s", os.fspath(directory))
        return opened

    def fit(
        self,
        texts: Texts,
        *,
        text: str | None = None,
        id: str | None = None,
        ids: Iterable[Any] | None = None,
        feature_names: Iterable[object] | None = None,
        **settings: Unpack[FitOptions],
    ) -> Fit:
        """Finds the topics of documents. Takes what :func:`handful.fit` takes, except ``model``."""
        checked = settings_of(**settings)
        given = _documents.read(texts, text=text, id=id, ids=ids, feature_names=feature_names)
        start = time.perf_counter()
        fitted = Fit(self._native.fit(given.documents, checked), given.ids, given.frames)
        seconds = time.perf_counter() - start
        log("fitted %d documents in %.3f s", len(given.documents), seconds)
        warn(fitted.warnings)
        return fitted

    def save(self, directory: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes the model to a directory, whole or not at all. It must not exist, unless ``replace`` is set
        and Handful wrote it."""
        self._native.save(os.fspath(directory), replace)
        log("saved a model to %s", os.fspath(directory))

    @property
    def name(self) -> str:
        """The name that results give for it: that of its directory."""
        return self._native.name

    @property
    def terms(self) -> int:
        """The number of terms that it knows."""
        return self._native.terms

    @property
    def card(self) -> str:
        """The model card, in Markdown: what a person should know of the model."""
        return self._native.card

    def __repr__(self) -> str:
        return f"<Model {self.name!r}, {self.terms} terms>"

    def __reduce__(self) -> tuple[Any, ...]:
        if self.is_pretrained:
            return Model.pretrained, ()
        return _restored, (self._native.to_files(), self.name)


def _restored(files: dict[str, bytes], name: str) -> Model:
    return Model(_native.Model.of_files(files, name))


def fit(
    texts: Texts,
    *,
    text: str | None = None,
    id: str | None = None,
    ids: Iterable[Any] | None = None,
    feature_names: Iterable[object] | None = None,
    model: Model | None = None,
    topics: int | Literal["auto"] | None = None,
    granularity: Granularity = "medium",
    em_steps: int | None = None,
    until_converged: bool = False,
    ignore_words: Iterable[str] = (),
    language: str | None = None,
    stop_words: str | Iterable[str] | None = None,
    held_out: bool = True,
    seed: int = 1,
) -> Fit:
    """Finds the topics of documents.

    The same documents and settings give the same numbers, to the last bit, as the command ``handful fit``
    and on any number of threads.

    Parameters
    ----------
    texts
        A list or another iterable of texts, a dictionary of ids and texts, a column of pandas, polars,
        pyarrow or anything with Arrow's C interface, a DataFrame, or word counts: a SciPy sparse matrix
        or a numpy array with a row a document. ``None`` and NaN are kept as empty documents.
    text, id
        Of a DataFrame, the names of the columns with the texts and the ids.
    ids
        The ids of the documents. By default the keys of a dictionary, the index of a pandas object, or
        0, 1, 2.
    feature_names
        The terms of the columns of a matrix of counts.
    model
        The model to use. By default the built-in one.
    topics
        The number of topics. ``None`` for as many as the documents have subjects; ``"auto"`` for the same with
        models that would not try how many by themselves.
    granularity
        How finely documents are told apart if they choose the number of topics: ``"coarse"``,
        ``"medium"`` or ``"fine"``.
    em_steps, until_converged
        How many EM steps to take, or to take them until the posterior stops rising. By default as many as
        the model was trained with.
    ignore_words
        Words to leave out of the documents.
    language
        The two-letter code of the texts' language. By default it is detected.
    stop_words
        Words to leave out as stop words: ``"none"``, the code of a language, a file with one word a line,
        or the words. By default those of the language.
    held_out
        Whether to hold words out and say how much better topics predict them than no topics do. Without, a
        fit is faster.
    seed
        The seed of everything random.
    """
    return (model or Model.pretrained()).fit(
        texts,
        text=text,
        id=id,
        ids=ids,
        feature_names=feature_names,
        topics=topics,
        granularity=granularity,
        em_steps=em_steps,
        until_converged=until_converged,
        ignore_words=ignore_words,
        language=language,
        stop_words=stop_words,
        held_out=held_out,
        seed=seed,
    )
