"""Training a model on corpora."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterable, Mapping

from . import _documents, _native
from ._model import Model
from ._progress import bar
from ._settings import words_of
from ._warnings import log, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._documents import Texts

    Path = str | os.PathLike[str]

# A training that was stopped may still be writing its checkpoint when Python ends.
atexit.register(_native.finish_trainings)


def train(
    corpora: Mapping[str, Texts] | Path | Iterable[Path],
    *,
    max_steps: int | None = None,
    seed: int = 1,
    validation_corpora: int = 3,
    exclude: Iterable[str] = (),
    min_documents: int | None = None,
    min_document_words: int | None = None,
    max_terms: int | None = None,
    language: str | None = None,
    stop_words: str | Iterable[str] | None = None,
    checkpoint: Path | None = None,
    checkpoint_every: int = 1000,
    resume: bool = True,
    progress: bool | None = None,
) -> Model:
    """Trains a model on corpora: groups of documents that belong together.

    Ctrl-C stops it. With ``checkpoint`` the same call goes on where it was, and ends with the same weights, to
    the last bit.

    Parameters
    ----------
    corpora
        A dictionary of the corpora's names and their texts, or folders and files of corpora as
        ``handful train`` takes them.
    max_steps
        How many steps to take at most.
    seed
        The seed of everything random.
    validation_corpora
        How many corpora, drawn at random, decide when to stop.
    exclude
        Corpora to leave out.
    min_documents, max_terms
        In how many documents a term must be, and how many terms to keep at most.
    min_document_words
        How many words a document must have.
    language, stop_words
        As in :func:`handful.fit`.
    checkpoint, checkpoint_every, resume
        The file to write a checkpoint to, after how many steps each, and whether to go on from one that is
        there.
    progress
        Whether to show a progress bar by tqdm. By default where somebody looks.
    """
    given: list[tuple[str, _native.Documents]] = []
    inputs: list[str] = []
    if isinstance(corpora, Mapping):
        for name, texts in corpora.items():
            given.append((str(name), _documents.read(texts).documents))
    elif isinstance(corpora, (str, os.PathLike)):
        inputs = [os.fspath(corpora)]
    else:
        inputs = [os.fspath(path) for path in corpora]
    if not given and not inputs:
        raise ValueError("corpora: there are none; give a dictionary of names and texts, or folders")
    shown = _Shown(progress)
    try:
        native, warnings = _native.train(
            given,
            inputs,
            max_steps=max_steps,
            seed=seed,
            validation_corpora=validation_corpora,
            exclude=words_of("exclude", exclude),
            min_documents=min_documents,
            min_document_words=min_document_words,
            max_terms=max_terms,
            language=language,
            stop_words=stop_words
            if stop_words is None or isinstance(stop_words, str)
            else words_of("stop_words", stop_words),
            checkpoint=None if checkpoint is None else os.fspath(checkpoint),
            checkpoint_every=checkpoint_every,
            resume=resume,
            progress=shown.show,
        )
    finally:
        shown.close()
    warn(warnings)
    return Model(native)


class _Shown:
    """The progress of a training, as bars and in the log."""

    def __init__(self, progress: bool | None) -> None:
        self._progress = progress
        self._part = ""
        self._bar: Any = None
        self._perplexity: float | None = None

    def show(
        self, part: str, done: int, of: int, loss: float | None, perplexity: float | None
    ) -> None:
        if part != self._part:
            self.close()
            self._part, self._bar = part, bar(self._progress, of, part)
            log("training: %s", part)
        if perplexity is not None and perplexity != self._perplexity:
            self._perplexity = perplexity
            log("validation perplexity %.1f after step %d", perplexity, done)
        if self._bar is not None:
            said = {"loss": loss, "perplexity": perplexity}
            self._bar.set_postfix({key: f"{value:.3g}" for key, value in said.items() if value})
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
