"""Progress bars by tqdm, if it is there."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MUCH = 100
"""Fewer pieces of work need no bar."""


def bar(shown: bool | None, total: int, what: str) -> Any | None:
    """A progress bar of tqdm's, or ``None``.

    By default there is one where there is much to do and somebody looks: in a notebook, or if standard error
    is a terminal.
    """
    import importlib.util

    in_notebook = "ipykernel" in sys.modules
    if shown is None:
        is_there = importlib.util.find_spec("tqdm") is not None
        shown = is_there and total >= _MUCH and (in_notebook or sys.stderr.isatty())
    if not shown:
        return None
    if importlib.util.find_spec("tqdm") is None:
        raise ImportError("progress needs tqdm; install it with pip install tqdm")
    if in_notebook and importlib.util.find_spec("ipywidgets") is not None:
        from tqdm.notebook import tqdm
    else:
        from tqdm import tqdm
    return tqdm(total=total, desc=what)
