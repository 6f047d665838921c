#!/usr/bin/env python3
"""Warm fits a second from one loaded model, beside an older release if its binary is given. See README.md."""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(HERE.parent / "speed"))

import machine  # noqa: E402
import report  # noqa: E402

# About 200 words each.
DOCUMENTS = [
    str(ROOT / "examples" / "documents" / "letters" / name)
    for name in ("dog-at-the-lake.txt", "old-bicycle.txt", "ride-to-the-sea.txt")
]
WORK = {
    "K = 3": ["--topics", "3"],
    "K = 3, no words held out": ["--topics", "3", "--without-held-out-words"],
    "K chosen": [],
}


def rate(binary: Path, flags: list, threads: int, seconds: float) -> float:
    command = [binary, "fits", *DOCUMENTS, *flags, "--threads", str(threads), "--seconds", str(seconds)]
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["fits_per_second"]


def measured(arguments) -> dict:
    """The rates of each round; who is measured alternates within a round."""
    found = {name: {"now": [], "two threads": [], "before": []} for name in WORK}
    for _ in range(arguments.rounds):
        for name, flags in WORK.items():
            rates = found[name]
            rates["now"].append(rate(arguments.now, flags, 1, arguments.seconds))
            if arguments.before:
                rates["before"].append(rate(arguments.before, flags, 1, arguments.seconds))
            rates["two threads"].append(rate(arguments.now, flags, 2, arguments.seconds))
    return found


def ratio(some: list, others: list) -> str:
    ratios = sorted(a / b for a, b in zip(some, others))
    return f"**{statistics.median(ratios):.2f} x** ({ratios[0]:.2f} to {ratios[-1]:.2f})" if ratios else ""


def markdown(results: dict) -> str:
    head = "| fits a second | before | now | now / before | two threads | two / one |\n| --- | ---: | ---: | --- | ---: | --- |\n"
    median = lambda rates: f"{statistics.median(rates):.1f}" if rates else ""  # noqa: E731
    rows = "".join(
        f"| {name} | {median(r['before'])} | {median(r['now'])} | {ratio(r['now'], r['before'])} "
        f"| {median(r['two threads'])} | {ratio(r['two threads'], r['now'])} |\n"
        for name, r in results["rates"].items()
    )
    facts = "; ".join(f"{key}: {value}" for key, value in results["machine"].items())
    return f"""# Warm fits

Written by `bench/fits/run`; figures in `fits.json`. {results["rounds"]} rounds of {results["seconds"]} s for each cell, in alternation;
shown are medians, and of ratios within a round the median, the lowest and the highest. A fit reads three texts of about 200 words,
from text to the ten terms of each topic, with the built-in model in memory. "Before" is commit {results["before"] or "none"}: the
steps of its command called in a loop, in one process and on one thread.

{head}{rows}
## Machine

{facts}; load at start: {results["load_at_start"]}, at end: {results["load_at_end"]}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--now", type=Path, required=True)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--before-name", default="")
    parser.add_argument("--out", type=Path, default=Path("results/fits"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=3.0)
    arguments = parser.parse_args()
    results = {"machine": machine.facts(), "load_at_start": machine.load(), "before": arguments.before_name}
    results |= {"rounds": arguments.rounds, "seconds": arguments.seconds, "rates": measured(arguments)}
    results["load_at_end"] = machine.load()
    text = markdown(results)
    report.write(arguments.out, "fits", results, text)
    print(text)


if __name__ == "__main__":
    main()
