"""The settings of a fit, by their keywords."""

from __future__ import annotations

from . import _native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal, TypedDict

    Granularity = Literal["coarse", "medium", "fine"]

    class FitOptions(TypedDict, total=False):
        """The keywords of :func:`handful.fit` that say how documents are fitted."""

        topics: int | Literal["auto"] | None
        granularity: Granularity
        em_steps: int | None
        until_converged: bool
        ignore_words: Iterable[str]
        language: str | None
        stop_words: str | Iterable[str] | None
        held_out: bool
        seed: int


def settings_of(
    *,
    topics: int | Literal["auto"] | None = None,
    granularity: Granularity = "medium",
    em_steps: int | None = None,
    until_converged: bool = False,
    ignore_words: Iterable[str] = (),
    language: str | None = None,
    stop_words: str | Iterable[str] | None = None,
    held_out: bool = True,
    seed: int = 1,
) -> _native.FitSettings:
    """The settings for the native part."""
    if isinstance(topics, bool) or not (topics is None or isinstance(topics, (int, str))):
        topics = _whole("topics", topics)
    return _native.FitSettings(
        topics=topics,
        granularity=granularity,
        em_steps=None if em_steps is None else _whole("em_steps", em_steps),
        until_converged=until_converged,
        ignore_words=words_of("ignore_words", ignore_words),
        language=language,
        stop_words=stop_words
        if stop_words is None or isinstance(stop_words, str)
        else words_of("stop_words", stop_words),
        held_out=held_out,
        seed=_whole("seed", seed),
    )


def _whole(name: str, number: object) -> int:
    """A whole number of whatever type, such as numpy's."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{name} is {number!r}; it must be a whole number")
    return int(number.__index__())


def words_of(name: str, words: Iterable[str]) -> list[str]:
    """Words as a list; a text is one word."""
    listed = [words] if isinstance(words, str) else list(words)
    for word in listed:
        if not isinstance(word, str):
            raise TypeError(f"{name} has {word!r}, which is no str; give words as str")
    return listed
