#!/usr/bin/env python3
"""Handful against PyTorch, in one run, on the same counts and the same work. See README.md beside this file."""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import goals
import growth
import machine
import report
from measure import Effort, alternate
from summary import against, figures, judged, ratio, spread
from whole_process import STEPS, WholeProcess
from workers import RELEASE, WorkerFailed, handful, peer, thread_counts

FULL = Effort(rounds=7, chunk_seconds=1.5, trial_seconds=0.7)
QUICK = Effort(rounds=2, chunk_seconds=0.3, trial_seconds=0.2, trials=1)
EPISODES_A_STEP = 8


def say(line: str):
    print(line, file=sys.stderr, flush=True)


def name_of(data: Path) -> str:
    """`20news` for `20news.counts.jsonl.gz`."""
    return data.name.split(".")[0]


def train(data: Path, effort: Effort) -> dict:
    contestants = {"handful": handful("train", data)}
    contestants |= {name: peer("train", name, data) for name in ("dense", "dense-fused", "tuned")}
    return against(alternate(contestants, effort, say=say), goals.TRAIN.get(name_of(data), {}))


def best(table: dict) -> str:
    """The peer that comes nearest."""
    peers = [name for name in table if name != "handful"]
    return min(peers, key=lambda name: table[name]["milliseconds"]["median"])


def fit(data: Path, effort: Effort) -> dict:
    contestants = {"handful": handful("fit", data)}
    contestants |= {name: peer("fit", name, data) for name in ("dense", "tuned")}
    table = against(alternate(contestants, effort, say=say), {})
    name = best(table)
    table[name] |= judged(table[name]["ratio"], goals.FIT)
    return table


def process(data: Path, effort: Effort) -> dict:
    """The whole process against one forward pass of each peer."""
    with tempfile.TemporaryDirectory() as folder:
        whole = WholeProcess(data, Path(folder))
        contestants = {name: peer("fit", name, data) for name in ("dense", "tuned")}
        measured, others = alternate(contestants, effort, say=say, also={"handful fit": whole.milliseconds})
        ours = others["handful fit"]
        table = {"handful fit": {"milliseconds": spread(ours), "rounds": ours}}
        for name, one in measured.items():
            table[name] = figures(one) | judged(ratio(one.milliseconds, ours), goals.WHOLE_PROCESS)
        return {"terms": whole.terms, "words": whole.words, "model_steps": STEPS, "table": table}


def scaling(data: Path, effort: Effort) -> dict:
    flags = ("--episodes-per-step", str(EPISODES_A_STEP))
    contestants = {str(n): handful("train", data, *flags, threads=[n]) for n in thread_counts() if n <= 2}
    measured = alternate(contestants, effort, multiple=EPISODES_A_STEP, say=say)
    table = {name: figures(one) for name, one in measured.items()}
    if "2" in table:
        found = ratio(measured["1"].milliseconds, measured["2"].milliseconds)
        table["2"] |= judged(found, goals.SCALING)
    return {"episodes_per_step": EPISODES_A_STEP, "table": table}


def roofline(data: Path, effort: Effort) -> dict:
    """One thread's episode over the least it could take; the bound is measured again every round."""
    bounds = []

    def bound() -> float:
        command = [str(RELEASE / "handful-bench"), "roofline", str(data)]
        bounds.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
        return bounds[-1]["bound_ms"]

    contestants = {"handful": handful("train", data, threads=[1])}
    measured, others = alternate(contestants, effort, say=say, also={"bound": bound})
    ours = measured["handful"]
    found = {key: spread([one[key] for one in bounds]) for key in bounds[0]}
    return {"handful": figures(ours), "bound": found} | judged(
        ratio(ours.milliseconds, others["bound"]), goals.ROOFLINE, at_most=True
    )


def compare(arguments, effort: Effort) -> dict:
    paths = arguments.data[:1] if arguments.quick else arguments.data
    # The goals besides training are stated for 20 Newsgroups.
    main_data = next((path for path in paths if name_of(path) == "20news"), paths[0])
    results = {
        "machine": machine.facts(),
        "load_at_start": machine.load(),
        "quick": arguments.quick,
        "effort": vars(effort),
        "main_data": name_of(main_data),
        "train": {},
    }
    for path in paths:
        say(f"one training episode, {name_of(path)}")
        results["train"][name_of(path)] = train(path, effort)
    for title, work in (("fit", fit), ("whole_process", process), ("scaling", scaling), ("roofline", roofline)):
        say(f"{title}, {name_of(main_data)}")
        results[title] = work(main_data, effort)
    results["load_at_end"] = machine.load()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="*", type=lambda path: Path(path).resolve(), help="JSON lines of word counts")
    parser.add_argument("--out", type=Path, default=Path("results/speed"))
    parser.add_argument("--growth", action="store_true", help="how an episode's cost grows, on counts made here")
    parser.add_argument("--quick", action="store_true", help="one data set, two short rounds: to try it out")
    arguments = parser.parse_args()
    if not arguments.data and not arguments.growth:
        parser.error("give at least one file of word counts, or --growth")
    effort = QUICK if arguments.quick else FULL
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        if arguments.growth:
            growth.write(arguments.out, effort, arguments.quick, say)
        if arguments.data:
            results = compare(arguments, effort)
            report.write(arguments.out, "speed", results, report.markdown(results))
    except WorkerFailed as failure:
        raise SystemExit(f"error: {failure}")
    say(f"written to {arguments.out}")


if __name__ == "__main__":
    main()
