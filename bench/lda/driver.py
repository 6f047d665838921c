#!/usr/bin/env python3
"""Handful's LDA against tomotopy's, in one run, on the same counts. See README.md beside this file."""

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "speed"))

import lda_report  # noqa: E402
import machine  # noqa: E402
import peer  # noqa: E402
import quality  # noqa: E402
import report  # noqa: E402
from measure import Effort, alternate  # noqa: E402
from summary import against, spread  # noqa: E402
from workers import Configuration, WorkerFailed, handful  # noqa: E402

TOPICS = (10, 100)
# Times as many words a second as tomotopy, and by how much perplexity may be worse.
FASTER, WORSE = 1.5, 0.02
FULL = Effort(rounds=9, chunk_seconds=1.5, trial_seconds=0.7)
QUICK = Effort(rounds=2, chunk_seconds=0.3, trial_seconds=0.2, trials=1)
FULL_SCHEDULE = quality.Schedule(sweeps=200, burn_in=100, sample_every=10)
QUICK_SCHEDULE = quality.Schedule(sweeps=20, burn_in=10, sample_every=5)


def say(line: str):
    print(line, file=sys.stderr, flush=True)


def speed(data: Path, topics: int, effort: Effort) -> tuple[dict, dict]:
    flags = ("--topics", str(topics))
    contestants = {
        "handful": handful("lda", data, *flags, threads=[1]),
        "tomotopy": [Configuration((sys.executable, str(HERE / "peer.py"), str(data), *flags), 1)],
    }
    measured = alternate(contestants, effort, say=say)
    facts = measured["handful"].facts
    assert measured["tomotopy"].facts["words"] == facts["words"], "both must sample the same words"
    found = against(measured, {"tomotopy": FASTER})
    for row in found.values():
        row["words_per_second"] = spread([1000 * facts["words"] / one for one in row["rounds"]])
    return found, facts


def perplexities(data: Path, schedule: quality.Schedule) -> dict:
    words = quality.split(data)
    found = {}
    for topics in TOPICS:
        say(f"held-out perplexity, {topics} topics")
        with tempfile.TemporaryDirectory() as folder:
            ours = quality.handful(words, topics, schedule, Path(folder))
        theirs = quality.tomotopy(words, topics, schedule)
        difference = ours["averaged"] / theirs["averaged"] - 1
        judged = {"difference": difference, "goal": WORSE, "met": difference <= WORSE}
        found[str(topics)] = {"handful": ours, "tomotopy": theirs} | judged
    start = {"alpha": peer.ALPHA, "beta": peer.BETA}
    facts = {"words": words.words, "dropped": words.dropped, "schedule": vars(schedule), "start": start}
    return facts | {"perplexity": found}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=lambda path: Path(path).resolve(), help="JSON lines of word counts")
    parser.add_argument("--out", type=Path, default=Path("results/lda"))
    parser.add_argument("--quick", action="store_true", help="two short rounds and few sweeps: to try it out")
    arguments = parser.parse_args()
    effort, schedule = (QUICK, QUICK_SCHEDULE) if arguments.quick else (FULL, FULL_SCHEDULE)
    results = {
        "data": arguments.data.name.split(".")[0],
        "machine": machine.facts(),
        "load_at_start": machine.load(),
        "quick": arguments.quick,
        "effort": vars(effort),
        "speed": {},
    }
    try:
        for topics in TOPICS:
            say(f"sweeps, {topics} topics")
            results["speed"][str(topics)], facts = speed(arguments.data, topics, effort)
        results |= {name: facts[name] for name in ("documents", "words", "terms")}
        results["quality"] = perplexities(arguments.data, schedule)
    except WorkerFailed as failure:
        raise SystemExit(f"error: {failure}")
    results["load_at_end"] = machine.load()
    text = lda_report.markdown(results)
    report.write(arguments.out, "lda", results, text)
    print(text)
    say(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
