"""How an episode's time and the process's memory grow with J, K, N, T and the words of a document.

One is varied, the others stay at a base point; one thread, one episode a step.
"""

import json
import math
import tempfile
from dataclasses import replace
from pathlib import Path

import machine
from measure import Effort, alternate
from report import number, table
from summary import spread
from svg import Panel, plot
from synthetic import write_counts
from workers import handful

BASE = {"terms": 5000, "topics": 10, "documents": 3, "em_steps": 10, "words": 100}
SWEEPS = {
    "terms": [1000, 3000, 10000, 30000, 100000],
    "topics": [2, 4, 8, 16, 32, 64],
    "documents": [1, 2, 5, 10, 20, 50],
    "em_steps": [0, 1, 2, 5, 10, 20, 50],
    "words": [10, 30, 100, 300, 1000, 3000, 5000],
}
LABELS = {
    "terms": "terms in the vocabulary, J",
    "topics": "topics, K",
    "documents": "documents of an episode, N",
    "em_steps": "EM steps, T",
    "words": "words a document",
}


def configurations(data: Path, point: dict):
    flags = {"--topics": point["topics"], "--em-steps": point["em_steps"], "--support-size": point["documents"]}
    return handful("train", data, *(str(word) for pair in flags.items() for word in pair), threads=[1])


def sweep(name: str, values: list[int], folder: Path, effort: Effort, say) -> list[dict]:
    contestants = {}
    for value in values:
        point = BASE | {name: value}
        data = folder / f"{point['terms']}-{point['words']}.jsonl"
        if not data.exists():
            write_counts(data, point["terms"], point["words"])
        contestants[str(value)] = configurations(data, point)
    measured = alternate(contestants, effort, say=say)
    points = [
        {"value": value, "milliseconds": spread(found.milliseconds), "peak_mb": found.peak_mb, "terms": found.facts.get("terms")}
        for value, found in zip(values, measured.values())
    ]
    for before, after in zip(points, points[1:]):
        if before["value"] > 0:
            longer = after["milliseconds"]["median"] / before["milliseconds"]["median"]
            after["exponent"] = math.log(longer) / math.log(after["value"] / before["value"])
    return points


def markdown(results: dict) -> str:
    base = ", ".join(f"{LABELS[name]} {value}" for name, value in results["base"].items())
    parts = [
        "# How the cost grows\n\nWritten by `bench/speed/run --growth`; figures in `growth.json`. One is varied, the others stay"
        f" at the base point:\n{base}. One thread. The exponent is that of a power law through a\npoint and the one before it:"
        " 1 is linear growth, 0 is none.\n"
    ]
    for name, points in results["sweeps"].items():
        rows = [
            [str(point["value"]), number(point["milliseconds"]["median"]), number(point["peak_mb"]),
             f"{point['exponent']:.2f}" if "exponent" in point else ""]
            for point in points
        ]  # fmt: skip
        heading = LABELS[name][0].upper() + LABELS[name][1:]
        parts.append(
            f"\n## {heading}\n\n![Time and memory](growth-{name}.svg)\n\n"
            + table([LABELS[name], "ms an episode", "peak MB", "exponent of time"], rows)
        )
    return "".join(parts)


def write(out: Path, effort: Effort, quick: bool, say):
    effort = replace(effort, rounds=min(effort.rounds, 3), chunk_seconds=min(effort.chunk_seconds, 0.5))
    results = {"machine": machine.facts(), "effort": vars(effort), "base": BASE, "quick": quick, "sweeps": {}}
    with tempfile.TemporaryDirectory() as folder:
        for name, values in SWEEPS.items():
            say(f"growth with {LABELS[name]}")
            points = sweep(name, values[:3] if quick else values, Path(folder), effort, say)
            results["sweeps"][name] = points
            shown = [point for point in points if point["value"] > 0]
            panels = [Panel("ms an episode", [(p["value"], p["milliseconds"]["median"]) for p in shown])]
            if all(p["peak_mb"] for p in shown):
                panels.append(Panel("peak memory, MB", [(p["value"], p["peak_mb"]) for p in shown]))
            (out / f"growth-{name}.svg").write_text(plot(LABELS[name], panels), encoding="utf-8")
    (out / "growth.json").write_text(json.dumps(results, indent=1) + "\n")
    (out / "growth.md").write_text(markdown(results), encoding="utf-8")
