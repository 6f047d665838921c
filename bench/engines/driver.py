#!/usr/bin/env python3
"""What Ray and Spark cost beside fit_many, in one run. See README.md."""

import argparse
import importlib.util
import json
import os
import statistics
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "speed"))

import machine  # noqa: E402
import pandas as pd  # noqa: E402

import handful  # noqa: E402

TOPICS = 3
COLUMNS = {"group": "client", "text": "answer", "id": "key"}
SETTINGS = {"topics": TOPICS, "held_out": False}
# Of time that goes to the engine.
GOAL = 0.25
CLIENTS, CORES = 1_000_000, 100
# Partitions for each worker.
PARTITIONS = 8


def bench_python():
    """The driver of bench/python, which makes the handfuls."""
    spec = importlib.util.spec_from_file_location("bench_python", HERE.parent / "python" / "driver.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(handfuls: list[list[str]]) -> pd.DataFrame:
    rows = [(f"client {n:07}", 10 * n + k, text) for n, texts in enumerate(handfuls) for k, text in enumerate(texts)]
    return pd.DataFrame(rows, columns=["client", "key", "answer"])


def by_fit_many(frame: pd.DataFrame, threads: int, **settings) -> float:
    handful.set_threads(threads)
    start = perf_counter()
    many = handful.fit_many(frame, progress=False, **COLUMNS, **(settings or SETTINGS))
    seconds = perf_counter() - start
    assert not many.errors
    return len(many) / seconds


def by_ray(frame: pd.DataFrame, workers: int) -> tuple[float, float]:
    """Handfuls a second, and the seconds of the start."""
    import ray

    import handful.ray

    start = perf_counter()
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def fitted(some: pd.DataFrame) -> int:
        dataset = ray.data.from_pandas(some)
        return handful.ray.fit_many(dataset, partitions=PARTITIONS * workers, **COLUMNS, **SETTINGS).materialize().count()

    fitted(frame.head(3 * PARTITIONS * workers))
    started = perf_counter()
    number = fitted(frame)
    seconds = perf_counter() - started
    ray.shutdown()
    assert number == frame.client.nunique()
    return number / seconds, started - start


def by_spark(frame: pd.DataFrame, workers: int) -> tuple[float, float]:
    """Handfuls a second, from Parquet to Parquet, and the seconds of the start."""
    from pyspark.sql import SparkSession

    import handful.spark

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": f"{folder}/work",
            "SPARK_LOCAL_DIRS": f"{folder}/local",
        }
        start = perf_counter()
        spark = (
            SparkSession.builder.master(f"local-cluster[{workers},1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("OFF")

        def fitted(some: pd.DataFrame, name: str) -> None:
            some.to_parquet(f"{folder}/{name}.parquet")
            answers = spark.read.parquet(f"{folder}/{name}.parquet")
            fits = handful.spark.fit_many(answers, partitions=PARTITIONS * workers, **COLUMNS, **SETTINGS)
            fits.write.parquet(f"{folder}/{name}-fits")

        fitted(frame.head(3 * PARTITIONS * workers), "first")
        started = perf_counter()
        fitted(frame, "all")
        seconds = perf_counter() - started
        number = spark.read.parquet(f"{folder}/all-fits").count()
        spark.stop()
    assert number == frame.client.nunique()
    return number / seconds, started - start


def median(values: list[float]) -> float:
    return statistics.median(values)


def overheads(ours: list[float], theirs: list[float]) -> list[float]:
    """The share of time that an engine adds, in each round: its median, the lowest and the highest."""
    of = sorted(base / rate - 1 for rate, base in zip(ours, theirs))
    return [median(of), of[0], of[-1]]


def rounds(number: int) -> str:
    if number == 1:
        return "1 round, in which everything runs once."
    return f"{number} rounds, in each of which everything runs once. Shown are medians; of overheads within a round the median, the lowest and the highest."


def markdown(results: dict) -> str:
    rates, starts = results["rates"], results["starts"]
    lines = [
        "# Ray and Spark",
        "",
        f"Written by `bench/engines/run`; figures in `engines.json`. {results['handfuls']:,} handfuls of three texts of some fifty words, {TOPICS} topics, no words held out; "
        + rounds(results["rounds"]),
        "",
        "| who | workers of one core | handfuls a second | time added to that of `fit_many` | start, seconds |",
        "| --- | ---: | ---: | --- | ---: |",
    ]
    worst = {}
    for workers in ("1", "2"):
        base = rates["fit_many"][workers]
        lines.append(f"| `handful.fit_many` | {workers} | {median(base):.1f} | | |")
        for engine in ("ray", "spark"):
            rate = rates[engine][workers]
            added = overheads(rate, base)
            worst[engine, workers] = added[0]
            said = "{:.0%} ({:.0%} to {:.0%})".format(*added) if results["rounds"] > 1 else f"{added[0]:.0%}"
            lines.append(f"| `handful.{engine}.fit_many` | {workers} | {median(rate):.1f} | {said} | {median(starts[engine][workers]):.0f} |")
    met = {key: value < GOAL for key, value in worst.items()}
    lines += ["", f"Goal: less than {GOAL:.0%} of time added. Met: {', '.join(f'{engine} with {workers}: ' + ('yes' if is_met else 'no') for (engine, workers), is_met in met.items())}."]
    paper = results["paper"]
    lines += [
        "",
        f"## On paper: {CLIENTS:,} clients of five documents on {CORES} cores",
        "",
        f"`handful.fit_many` with one thread, on {paper['handfuls']:,} handfuls of five texts of some fifty words:",
        "",
        "| topics | handfuls a second and core | core-hours | minutes on 100 cores | dollars |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    added = max(0.0, *worst.values())
    for name, rate in paper["rates"].items():
        hours = CLIENTS / rate * (1 + added) / 3600
        lines.append(f"| {name} | {rate:.1f} | {hours:.1f} | {60 * hours / CORES:.1f} | {hours * paper['price']:.2f} |")
    lines += [
        "",
        f"Assumptions: the {CORES} cores are as fast as this machine's were in this run; the engine adds {added:.0%}, the largest median above, whatever the number of workers; "
        f"texts are as long as these; no worker waits for another, since no group is larger than the rest; a core costs {paper['price']} dollars an hour, which is an assumption and not a "
        "measurement. Starting the machines, and storing and moving the data, are not counted.",
        "",
        *machine.section(results),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("results/engines"))
    parser.add_argument("--handfuls", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--paper", type=int, default=1_000, help="handfuls of five texts")
    parser.add_argument("--price", type=float, default=0.05, help="dollars that a core costs an hour")
    arguments = parser.parse_args()
    results = {
        "machine": machine.facts() | {name: version(name) for name in ("ray", "pyspark", "pyarrow")},
        "load_at_start": machine.load(),
        "handfuls": arguments.handfuls,
        "rounds": arguments.rounds,
    }
    threes = bench_python().handfuls(2 * arguments.handfuls)
    frame = table(threes[: arguments.handfuls])
    fives = table([one + other[:2] for one, other in zip(threes, threes[arguments.handfuls :])][: arguments.paper])
    handful.Model.pretrained()
    rates = {name: {"1": [], "2": []} for name in ("fit_many", "ray", "spark")}
    starts = {name: {"1": [], "2": []} for name in ("ray", "spark")}
    for number in range(arguments.rounds):
        for workers in (1, 2):
            rates["fit_many"][str(workers)].append(by_fit_many(frame, workers))
            for name, fit in (("ray", by_ray), ("spark", by_spark)):
                rate, start = fit(frame, workers)
                rates[name][str(workers)].append(rate)
                starts[name][str(workers)].append(start)
            print(f"round {number + 1}, {workers} workers: {({name: found[str(workers)][-1] for name, found in rates.items()})}", file=sys.stderr)
    results |= {"rates": rates, "starts": starts}
    results["paper"] = {
        "handfuls": fives.client.nunique(),
        "price": arguments.price,
        "rates": {
            str(TOPICS): by_fit_many(fives, 1),
            "as many as there are subjects": by_fit_many(fives, 1, held_out=False),
        },
    }
    results["load_at_end"] = machine.load()
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "engines.json").write_text(json.dumps(results, indent=1) + "\n")
    (arguments.out / "README.md").write_text(markdown(results))
    print(markdown(results))


if __name__ == "__main__":
    main()
