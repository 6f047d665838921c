#!/usr/bin/env python3
"""What the Python package costs, beside the command, the Rust library and other packages, in one run. See README.md."""

import argparse
import importlib.util
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(HERE.parent / "speed"))

import machine  # noqa: E402
from workers import RELEASE  # noqa: E402

LETTERS = ROOT / "examples" / "documents" / "letters"
# About 200 words each.
DOCUMENTS = [LETTERS / name for name in ("dog-at-the-lake.txt", "old-bicycle.txt", "ride-to-the-sea.txt")]
TOPICS = 3
# Sweeps of the rivals' samplers, or passes.
SWEEPS = 100

IMPORTS = {"nothing": "pass", "handful": "import handful", "gensim": "import gensim", "bertopic": "import bertopic"}
FIRST_FIT = f"""
import handful
texts = {{path: open(path, encoding="utf-8").read() for path in {[str(path) for path in DOCUMENTS]!r}}}
print(handful.fit(texts, topics={TOPICS}))
"""

GOALS = {"import": 0.1, "first fit": 1.3, "many": 0.9}


def cpu_and_wall(command: list[str]) -> tuple[float, float]:
    """Milliseconds of CPU and of the clock, from start to exit."""
    start = perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = perf_counter() - start
    if status != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
    return 1000 * (usage.ru_utime + usage.ru_stime), 1000 * wall


def in_rounds(commands: dict[str, list[str]], rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Every command once a round, in shuffled order; each has run before, so that files are in memory."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for command in commands.values():
        cpu_and_wall(command)
    order = random.Random(1)
    for _ in range(rounds):
        for name in order.sample(list(commands), len(commands)):
            found[name].append(cpu_and_wall(commands[name]))
    return found


def handfuls(number: int) -> list[list[str]]:
    """Handfuls of three texts of some fifty words, put together from sentences of the examples."""
    folders = [sorted(folder.glob("*.txt")) for folder in sorted((ROOT / "examples" / "documents").iterdir())]
    draw = random.Random(1)
    sentences = [
        [part.strip() for file in folder for part in file.read_text(encoding="utf-8").split(".") if part.strip()]
        for folder in folders
    ]

    def text() -> str:
        return ". ".join(draw.sample(draw.choice(sentences), 4)) + "."

    return [[text() for _ in range(3)] for _ in range(number)]


def by_package(groups: list[list[str]]) -> float:
    import handful

    # The model is open before the clock starts, here and in Rust.
    handful.fit(["bees", "bread"], topics=1)
    given = dict(enumerate(groups))
    start = perf_counter()
    many = handful.fit_many(given, topics=TOPICS, held_out=False, progress=False)
    seconds = perf_counter() - start
    assert len(many) == len(groups) and not many.errors
    return len(groups) / seconds


def by_library(groups: list[list[str]]) -> float:
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(group) + "\n" for group in groups)
        file.flush()
        command = [str(RELEASE / "handful-bench"), "handfuls", file.name, "--topics", str(TOPICS), "--without-held-out-words"]
        said = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert said["handfuls"] == len(groups)
    return said["handfuls"] / said["seconds"]


def sklearn_lda(texts: list[str]) -> int:
    from sklearn.decomposition import LatentDirichletAllocation
    from sklearn.feature_extraction.text import CountVectorizer

    counts = CountVectorizer(stop_words="english").fit_transform(texts)
    return LatentDirichletAllocation(TOPICS, max_iter=10, random_state=1).fit_transform(counts).shape[1]


def tomotopy_lda(texts: list[str]) -> int:
    import tomotopy

    model = tomotopy.LDAModel(k=TOPICS, seed=1)
    for text in texts:
        model.add_doc(text.lower().split())
    model.train(SWEEPS, workers=1)
    return len([[model.get_topic_words(k, top_n=10)] for k in range(TOPICS)])


def in_pool(fit, groups: list[list[str]]) -> float:
    """Fits a second of a pool with a process a core, which has imported what it needs."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(fit, groups[:8]))
        start = perf_counter()
        assert all(topics == TOPICS for topics in pool.map(fit, groups, chunksize=16))
        return len(groups) / (perf_counter() - start)


def many(groups: list[list[str]], rivals: int, rounds: int) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {"handful.fit_many": [], "the Rust library": []}
    for _ in range(rounds):
        found["the Rust library"].append(by_library(groups))
        found["handful.fit_many"].append(by_package(groups))
    found["scikit-learn LDA, process pool"] = [in_pool(sklearn_lda, groups[:rivals]) for _ in range(rounds)]
    found["tomotopy LDA, process pool"] = [in_pool(tomotopy_lda, groups[:rivals]) for _ in range(rounds)]
    return found


def ratios(ours: list[float], theirs: list[float]) -> list[float]:
    """The ratio within each round: its median, the lowest and the highest."""
    of = sorted(a / b for a, b in zip(ours, theirs))
    return [statistics.median(of), of[0], of[-1]]


def said(ratio: list[float]) -> str:
    digits = 2 if ratio[0] >= 0.1 else 4
    median, least, most = (f"{value:.{digits}f}" for value in ratio)
    return f"**{median}** ({least} to {most})"


def met(is_met: bool) -> str:
    return "yes" if is_met else "no"


def markdown(results: dict) -> str:
    imports, first, rates = results["imports"], results["first_fit"], results["many"]

    def median(rows: list, place: int) -> str:
        return f"{statistics.median(row[place] for row in rows):.0f}"

    lines = [
        "# The Python package",
        "",
        f"Written by `bench/python/run`; figures in `python.json`. {results['rounds']} rounds; in each, every process runs once, in shuffled order.",
        "Shown are medians, and of ratios within a round the median, the lowest and the highest.",
        "",
        "## Import",
        "",
        "| `python -c` | CPU ms | ms | of the time of gensim | of the time of BERTopic | goal | met |",
        "| --- | ---: | ---: | --- | --- | --- | --- |",
    ]
    for name, rows in imports.items():
        clock = [row[1] for row in rows]
        row = [f"`{IMPORTS[name]}`", median(rows, 0), median(rows, 1)]
        for rival in ("gensim", "bertopic"):
            row.append(said(ratios(clock, [it[1] for it in imports[rival]])) if rival in imports and rival != name else "")
        if name == "handful" and "bertopic" in imports:
            ratio = ratios(clock, [it[1] for it in imports["bertopic"]])[0]
            row += ["≤ 0.10 of BERTopic", met(ratio <= GOALS["import"])]
        else:
            row += ["", ""]
        lines.append(f"| {' | '.join(row)} |")
    if "bertopic" not in imports:
        lines += ["", "BERTopic was not installed for this run, so its import was not timed."]
    of_command = ratios([row[0] for row in first["package"]], [row[0] for row in first["command"]])
    bare = statistics.median(row[0] for row in imports["nothing"])
    above = ratios([row[0] - bare for row in first["package"]], [row[0] for row in first["command"]])
    lines += [
        "",
        "## The first fit",
        "",
        f"Three texts of about 200 words, {TOPICS} topics, from start to exit, texts printed: the command, and a Python program that imports `handful` and fits.",
        "",
        "| process | CPU ms | ms |",
        "| --- | ---: | ---: |",
        *(f"| {name} | {median(rows, 0)} | {median(rows, 1)} |" for name, rows in first.items()),
        "",
        f"CPU time of the package in that of the command: {said(of_command)}; without what Python takes to start and end ({bare:.0f} ms): {said(above)}. "
        f"Goal: at most {GOALS['first fit']}; met: {met(of_command[0] <= GOALS['first fit'])} with Python's start, {met(above[0] <= GOALS['first fit'])} without.",
        "",
        "## Many fits",
        "",
        f"{results['handfuls']:,} handfuls of three texts of some fifty words, {TOPICS} topics, no words held out, on {results['machine']['cores']} cores; the rivals on the first "
        f"{results['rivals']:,}, in a pool with a process a core. scikit-learn takes 10 passes, tomotopy {SWEEPS} sweeps.",
        "",
        "| who | handfuls a second |",
        "| --- | ---: |",
        *(f"| {name} | {statistics.median(found):.0f} |" for name, found in rates.items()),
        "",
    ]
    rate = ratios(rates["handful.fit_many"], rates["the Rust library"])
    lines += [
        f"`handful.fit_many` has {said(rate)} of the Rust library's rate. Goal: at least {GOALS['many']}; met: {met(rate[0] >= GOALS['many'])}.",
        "",
        *machine.section(results),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results/python"))
    parser.add_argument("--bertopic", action="store_true", help="time the import of BERTopic, too")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--handfuls", type=int, default=10_000)
    parser.add_argument("--rivals", type=int, default=500, help="handfuls for the rivals")
    parser.add_argument("--rounds-of-many", type=int, default=3)
    arguments = parser.parse_args()
    names = [name for name in IMPORTS if name != "bertopic" or importlib.util.find_spec(name)]
    results = {
        "machine": machine.facts()
        | {name: version(name) for name in ("gensim", "scikit-learn", "tomotopy", "bertopic") if importlib.util.find_spec(name.replace("scikit-learn", "sklearn"))},
        "load_at_start": machine.load(),
        "rounds": arguments.rounds,
        "handfuls": arguments.handfuls,
        "rivals": arguments.rivals,
        "imports": in_rounds({name: [sys.executable, "-c", IMPORTS[name]] for name in names}, arguments.rounds),
        "first_fit": in_rounds(
            {
                "command": [str(RELEASE / "handful"), "fit", *map(str, DOCUMENTS), "--topics", str(TOPICS), "--quiet"],
                "package": [sys.executable, "-c", FIRST_FIT],
            },
            arguments.rounds,
        ),
        "many": many(handfuls(arguments.handfuls), arguments.rivals, arguments.rounds_of_many),
    }
    results["load_at_end"] = machine.load()
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "python.json").write_text(json.dumps(results, indent=1) + "\n")
    (arguments.out / "README.md").write_text(markdown(results))
    print(markdown(results))


if __name__ == "__main__":
    main()
