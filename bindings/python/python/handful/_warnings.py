"""Warnings and log messages, told to the caller's line."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(__file__)


class HandfulWarning(UserWarning):
    """What a person should know before using a result."""


def warn(sentences: list[str]) -> None:
    """Warns with each of the sentences, at the line outside this package that called it."""
    if not sentences:
        return
    level = 1
    while (
        level < _depth() and os.path.dirname(sys._getframe(level).f_code.co_filename) == _PACKAGE
    ):
        level += 1
    for sentence in sentences:
        warnings.warn(sentence, HandfulWarning, stacklevel=level + 1)


def _depth() -> int:
    frame, depth = sys._getframe(1), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def log(message: str, *values: object) -> None:
    """Logs to the logger ``handful``, at the level of information.

    Nobody listens who has not imported ``logging``, which takes as long to import as this package.
    """
    logging = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("handful").info(message, *values)
