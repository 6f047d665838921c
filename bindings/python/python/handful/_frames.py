"""DataFrames of pandas or polars, whichever is there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from ._documents import FrameLibrary


def frame_of(columns: Mapping[str, Any], library: str | None, usual: FrameLibrary | None) -> Any:
    """A DataFrame of these columns: of ``library``, else of the ``usual`` one, else of one that is there."""
    if library not in (None, "pandas", "polars"):
        raise ValueError(f'library is {library!r}; it must be "pandas" or "polars"')
    import importlib
    import importlib.util

    wanted = library or usual
    for name in [wanted] if wanted else ["pandas", "polars"]:
        if importlib.util.find_spec(name) is not None:
            return importlib.import_module(name).DataFrame(dict(columns))
    missing = wanted or "pandas or polars"
    raise ImportError(f"a DataFrame needs {missing}; install it with pip install {wanted or 'pandas'}")
