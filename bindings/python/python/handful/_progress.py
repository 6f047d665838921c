"""Progress bars by tqdm, if it is there."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any


def bar(shown: bool | None, total: int, what: str) -> Any | None:
    """A progress bar of tqdm's, or ``None``.

    By default there is one where somebody looks: in a notebook, or if standard error is a terminal.
    """
    if shown is None:
        in_notebook = "ipykernel" in sys.modules
        shown = importlib.util.find_spec("tqdm") is not None and (in_notebook or sys.stderr.isatty())
    if not shown:
        return None
    if importlib.util.find_spec("tqdm") is None:
        raise ImportError("progress needs tqdm; install it with pip install tqdm")
    from tqdm.auto import tqdm

    return tqdm(total=total, desc=what)
