#!/usr/bin/env python3
"""Time and memory of `handful fit` against the number of documents. See README.md beside this file."""

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "speed"))

import machine  # noqa: E402
from svg import Panel, plot  # noqa: E402
from workers import RELEASE  # noqa: E402

NUMBERS = [3, 10, 30, 100, 300, 1_000, 2_000, 3_000, 10_000, 30_000, 100_000]
WORDS = 50
# Seconds and megabytes, at most.
GOALS = {10_000: (20, 1_000), 100_000: (300, None)}


def snippets(files: list[Path]) -> list[str]:
    """Every 50 words of all texts, in an order that is the same in every run."""
    found = []
    for file in files:
        opened = gzip.open(file, "rt") if file.suffix == ".gz" else file.open()
        with opened as lines:
            for line in lines:
                words = json.loads(line)["text"].split()
                found += [" ".join(words[at:at + WORDS]) for at in range(0, len(words) - WORDS, WORDS)]
    random.Random(1).shuffle(found)
    return found


# Runs a command and says how it went. A process of its own, since a child counts the memory of who starts it.
MEASURE = """
import json, os, subprocess, sys, time
start = time.monotonic()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
seconds = time.monotonic() - start
print(json.dumps([status, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]))
"""


def measured(command: list) -> list[float]:
    """Seconds from start to exit, seconds of CPU, and the most megabytes that were resident."""
    said = subprocess.run([sys.executable, "-c", MEASURE, *command], capture_output=True, text=True, check=True).stdout
    status, *figures = json.loads(said)
    if status != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    return figures


def median(values: list) -> float:
    return sorted(values)[len(values) // 2]


def page(rows: list[dict], report_bytes: int, files: list[Path]) -> str:
    lines = [
        "# Many documents", "",
        "Written by `bench/many/run`; figures in `many.json`. `handful fit FILE --topics auto --json -q` with the built-in model, from",
        f"start to exit, on documents of {WORDS} words: every {WORDS} words of the texts of",
        f"{', '.join(file.name.split('.')[0] for file in files)}, in random order.",
        "Medians of three runs, above 10,000 documents one run. Where others work on the same machine (the load is below), seconds are more",
        "than it would take alone; CPU seconds are not.", "",
        "![Time and memory against documents](many.svg)", "",
        "| documents | seconds | CPU seconds | MB | goal | met |", "| ---: | ---: | ---: | ---: | --- | --- |",
    ]
    for row in rows:
        seconds, megabytes = GOALS.get(row["documents"], (None, None))
        goal = "" if seconds is None else f"{seconds} s" + ("" if megabytes is None else f", {megabytes} MB")
        met = "" if seconds is None else row["seconds"] <= seconds and (megabytes is None or row["megabytes"] <= megabytes)
        met = met if met == "" else ("yes" if met else "no")
        lines.append(f"| {row['documents']:,} | {row['seconds']:.2f} | {row['cpu']:.2f} | {row['megabytes']:.0f} | {goal} | {met} |")
    lines += [
        "", f"The report of 2,000 of these documents has {report_bytes / 1e6:.1f} MB (goal: less than 5).", "",
        "Up to 1,000 documents each two are compared. With more, a sample of 1,000 is, and every document is brought to the nearest group",
        "([decision 71](../../docs/decisions/71-many-documents.md)). How well it groups them is in [groups.md](groups.md).", "", "## Machine", "", "",
    ]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", type=Path, nargs="+", help="JSON lines with a `text` each, gzipped or not")
    parser.add_argument("--out", type=Path, default=Path("results/many"))
    parser.add_argument("--most", type=int, default=NUMBERS[-1], help="the largest number of documents")
    parser.add_argument("--quick", action="store_true", help="one run each: to try it out")
    arguments = parser.parse_args()
    texts, binary = snippets(arguments.texts), str(RELEASE / "handful")
    numbers = [number for number in NUMBERS if number <= min(arguments.most, len(texts))]
    rows, start = [], machine.load()
    with tempfile.TemporaryDirectory() as folder:
        def written(number: int) -> str:
            file = Path(folder) / f"{number}.jsonl"
            file.write_text("".join(json.dumps({"id": str(n), "text": text}) + "\n" for n, text in enumerate(texts[:number])))
            return str(file)

        for number in numbers:
            command = [binary, "fit", written(number), "--topics", "auto", "--json", "-q"]
            runs = [measured(command) for _ in range(1 if arguments.quick or number > 10_000 else 3)]
            seconds, cpu, megabytes = (median(list(values)) for values in zip(*runs))
            rows.append({"documents": number, "seconds": seconds, "cpu": cpu, "megabytes": megabytes, "runs": runs})
            print(f"{number:,} documents: {seconds:.2f} s, {megabytes:.0f} MB", flush=True)
        report = Path(folder) / "report.html"
        measured([binary, "fit", written(min(2_000, len(texts))), "-q", "--report", str(report)])
        report_bytes = report.stat().st_size
    arguments.out.mkdir(parents=True, exist_ok=True)
    about = machine.facts() | {"load_at_start": round(start, 1), "load_at_end": round(machine.load(), 1)}
    figures = {"words": WORDS, "rows": rows, "report_bytes_of_2000": report_bytes, "machine": about}
    (arguments.out / "many.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    panels = [
        Panel("seconds", [(row["documents"], row["seconds"]) for row in rows]),
        Panel("CPU seconds", [(row["documents"], row["cpu"]) for row in rows]),
        Panel("megabytes", [(row["documents"], row["megabytes"]) for row in rows]),
    ]
    (arguments.out / "many.svg").write_text(plot("documents", panels), encoding="utf-8")
    text = page(rows, report_bytes, arguments.texts)
    text += "; ".join(f"{name.replace('_', ' ')}: {value}" for name, value in about.items()) + "\n"
    (arguments.out / "README.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
