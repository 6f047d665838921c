"""The notebooks run, and the reference is up to date."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs" / "python"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def test_there_are_five_notebooks() -> None:
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(notebook: Path) -> None:
    book = nbformat.read(notebook, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "notebooks are kept without outputs"
    client = nbclient.NotebookClient(book, timeout=600, resources={"metadata": {"path": notebook.parent}})
    client.execute()
    assert any(
        "text/html" in output.get("data", {}) for cell in book.cells for output in cell.get("outputs", [])
    )


def _reference() -> Any:
    path = ROOT / "bindings" / "python" / "reference.py"
    spec = importlib.util.spec_from_file_location("reference", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_up_to_date() -> None:
    made = _reference()
    assert made.REFERENCE.read_text() == made.reference(), "run bindings/python/reference.py"


def test_the_reference_has_every_public_name() -> None:
    import handful

    listed = {name for names in _reference().SECTIONS.values() for name in names}
    assert set(handful.__all__) <= listed


def test_the_code_in_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    guide = (DOCS / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", guide, flags=re.DOTALL)
    assert len(blocks) >= 5
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "docs/python/README.md", "exec"), names)
