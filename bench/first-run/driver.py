#!/usr/bin/env python3
"""What a user waits for the first topics, beside Python's import of gensim, in one run. See README.md beside this file."""

import argparse
import sys
from functools import partial
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "speed"))

import first_run_report  # noqa: E402
import machine  # noqa: E402
import report  # noqa: E402
from measure import Effort, alternate  # noqa: E402
from processes import milliseconds  # noqa: E402
from summary import judged, ratio, spread  # noqa: E402
from workers import RELEASE  # noqa: E402

# About 200 words each.
DOCUMENTS = [
    HERE.parent.parent / "examples" / "documents" / "letters" / name
    for name in ("dog-at-the-lake.txt", "old-bicycle.txt", "ride-to-the-sea.txt")
]
IMPORT = "import gensim"


def fit(binary: Path, topics: str) -> list:
    return [str(binary), "fit", *map(str, DOCUMENTS), "--quiet", "--topics", topics]


def release(text: str) -> tuple[str, Path]:
    """An older release as NAME=COMMAND, or as COMMAND alone, which is called `before`."""
    name, separator, command = text.rpartition("=")
    return (name if separator else "before", Path(command))


def commands(before: dict) -> dict:
    """What is timed, by name; of older releases, too, whose commands are given by name."""
    timed = {f"handful fit --topics {topics}": fit(RELEASE / "handful", topics) for topics in ("3", "auto")}
    for name, command in before.items():
        timed |= {f"{name}: handful fit --topics {topics}": fit(command, topics) for topics in ("3", "auto")}
    return timed | {IMPORT: [sys.executable, "-c", IMPORT]}


# Milliseconds, at most; and the import takes longer than either.
GOALS = {"handful fit --topics 3": 40, "handful fit --topics auto": 400}
TIMES_FASTER = 1


def timed(effort: Effort, before: dict) -> dict:
    """Every process's times; ours with their goals, and the import's ratio to them."""
    processes = commands(before)
    for command in processes.values():
        milliseconds(command)
    also = {name: partial(milliseconds, command) for name, command in processes.items()}
    _, rounds = alternate({}, effort, also=also)
    table = {}
    for name, found in rounds.items():
        table[name] = {"milliseconds": spread(found), "rounds": found}
        if name in GOALS:
            median, goal = table[name]["milliseconds"]["median"], GOALS[name]
            table[name] |= {"at_most": goal, "within": median <= goal}
            table[name] |= judged(ratio(rounds[IMPORT], found), TIMES_FASTER)
        of_before = {older: ratio(found, rounds[f"{older}: {name}"]) for older in before if f"{older}: {name}" in rounds}
        if of_before:
            table[name]["of_before"] = of_before
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results/first-run"))
    parser.add_argument("--before", type=release, action="append", default=[], metavar="[NAME=]COMMAND",
                        help="the command of an older release, to be timed beside (repeatable)")
    parser.add_argument("--quick", action="store_true", help="three rounds: to try it out")
    arguments = parser.parse_args()
    # Whole processes: there are no chunks to calibrate.
    effort = Effort(rounds=3 if arguments.quick else 25, chunk_seconds=0, trial_seconds=0)
    results = {
        "machine": machine.facts() | {"gensim": version("gensim")},
        "load_at_start": machine.load(),
        "quick": arguments.quick,
        "rounds": effort.rounds,
        "words": [len(document.read_text(encoding="utf-8").split()) for document in DOCUMENTS],
        "table": timed(effort, dict(arguments.before)),
    }
    results["load_at_end"] = machine.load()
    text = first_run_report.markdown(results)
    report.write(arguments.out, "first-run", results, text)
    print(text)


if __name__ == "__main__":
    main()
