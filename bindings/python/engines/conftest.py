"""Handfuls for engines, what is expected of them, and who is missing where they cannot run."""

from __future__ import annotations

import importlib.util
import os
import random
import re
import shutil
import signal
import threading
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

import handful

IN_CI = os.environ.get("CI") == "true"
# How many handfuls: as many as CI asks for, or as many as somebody likes to wait for.
HANDFULS = int(os.environ.get("HANDFUL_ENGINE_HANDFULS", "2000" if IN_CI else "200"))
SETTINGS: Any = {"topics": 2, "held_out": False, "seed": 7}
# Processes that are started from here inherit it, so that only our own are ever killed.
MARK = f"HANDFUL_ENGINE_TEST={uuid.uuid4()}"

SENTENCES = [
    "The bees left the hive in May, and half of the workers went with the queen",
    "A beekeeper found the swarm in an apple tree, and the honey was lost",
    "Mites weaken the bees, so the beekeeper looks at the brood in autumn",
    "Knead flour, water, salt and yeast until the dough is smooth",
    "A hot oven and a little steam make a better crust",
    "Rye flour needs more water than wheat flour, and a longer rest",
    "The train was late again, and nobody told the passengers why",
    "A ticket for the express costs more than the ticket for the bus",
    "The landlord raised the rent, and the tenants looked for another flat",
    "The heating broke in winter, and no repair came for weeks",
]


def need(module: str, program: str | None = None) -> None:
    """Skips the test where the engine is missing; fails in CI."""
    missing = module if importlib.util.find_spec(module) is None else None
    if missing is None and program is not None and shutil.which(program) is None:
        missing = program
    if missing is not None:
        said = f"{missing} is not installed"
        pytest.fail(said) if IN_CI else pytest.skip(said)


@pytest.fixture(scope="session")
def answers() -> pd.DataFrame:
    """Handfuls of three texts, in no order; some texts are empty or missing."""
    draw = random.Random(1)
    rows: list[tuple[str, int, str | None]] = []
    for number in range(HANDFULS):
        for place in range(3):
            text: str | None = ". ".join(draw.sample(SENTENCES, 2)) + "."
            if number % 50 == 1 and place == 2:
                text = "" if number % 100 == 1 else None
            rows.append((f"client {number}", 10 * number + place, text))
    draw.shuffle(rows)
    return pd.DataFrame(rows, columns=["client", "key", "answer"])


@pytest.fixture(scope="session")
def expected(answers: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """What `fit_many` gives for the same handfuls, in the order of clients and keys."""
    ordered = answers.sort_values(["client", "key"])
    with pytest.warns(handful.HandfulWarning, match="missing"):
        many = handful.fit_many(ordered, group="client", text="answer", id="key", progress=False, **SETTINGS)
    columns = many.columns
    return {"topics": rows(columns.topics), "documents": rows(columns.documents)}


def rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row)) for row in zip(*columns.values())]


def in_order(found: list[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return sorted(found, key=lambda row: (row["group"], row[key]))


def run_guide(engine: str, names: dict[str, Any], answers: pd.DataFrame, folder: Path) -> None:
    """Runs the guide's code for an engine on some answers, and compares the tables it writes with `fit_many`."""
    guide = (Path(__file__).parents[3] / "docs" / "python" / "README.md").read_text()
    (code,) = re.findall(rf"```python {engine}\n(.*?)```", guide, flags=re.DOTALL)
    # Workers need not have the working folder of the test.
    code = re.sub(r'"(answers|fits|topics|documents)"', lambda found: repr(str(folder / found[1])), code)
    (folder / "answers").mkdir()
    some = answers[answers.answer.notna()].head(30)
    some.to_parquet(folder / "answers" / "answers.parquet")
    exec(compile(code, "docs/python/README.md", "exec"), names)
    ordered = some.sort_values(["client", "key"])
    many = handful.fit_many(ordered, group="client", text="answer", id="key", topics=3).columns
    for name, key, columns in (("topics", "topic", many.topics), ("documents", "document", many.documents)):
        found = pq.read_table(folder / name).to_pylist()
        assert in_order(found, key) == in_order(rows(columns), key)


def own_processes(is_worker: Callable[[bytes], bool]) -> list[int]:
    """Processes that were started from here and whose command line is a worker's."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if is_worker((folder / "cmdline").read_bytes()) and MARK.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


class Killer:
    """Kills one worker, some seconds after the first is seen at work."""

    def __init__(self, is_worker: Callable[[bytes], bool], after: float) -> None:
        self.killed: list[int] = []
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(is_worker, after), daemon=True)

    def _run(self, is_worker: Callable[[bytes], bool], after: float) -> None:
        seen: float | None = None
        while not self._done.wait(0.05):
            there = own_processes(is_worker)
            if there and seen is None:
                seen = time.monotonic()
            if there and seen is not None and time.monotonic() - seen > after:
                os.kill(there[0], signal.SIGKILL)
                self.killed.append(there[0])
                return

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


@pytest.fixture(scope="session", autouse=True)
def _marked() -> None:
    name, _, value = MARK.partition("=")
    os.environ[name] = value
