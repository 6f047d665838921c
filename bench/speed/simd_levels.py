"""Where an episode's time goes at each SIMD level, before and after a change: measures, or prints tables of what was measured.

    python3 bench/speed/simd_levels.py measure FIGURES DATA... --program before=PATH --program after=PATH
    python3 bench/speed/simd_levels.py tables FIGURES
    python3 bench/speed/simd_levels.py pairs FIGURES DATA... --program before=PATH --program after=PATH

`measure` times stages and kernels; programs and levels alternate, `--repeats` times, and `tables` shows the least of
all repeats, stage by stage. Stages add up to an episode that no run had, so `pairs` decides whether a change is a gain:
whole episodes of `iwata`, all programs and levels running side by side and taking turns, in `--repeats` launches, because
where a process lies in memory changes its speed. It prints every launch.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import statistics
import subprocess

STAGES = ["draw", "catch_up", "prior_forward", "em_forward", "likelihood", "em_backward", "prior_backward", "adam"]
LEVELS = ["avx512", "avx2"]


def measure(arguments):
    programs = [program.split("=", 1) for program in arguments.program]
    with open(arguments.figures, "w", encoding="utf-8") as figures:
        for _ in range(arguments.repeats):
            for level in LEVELS:
                for name, path in programs:
                    for work in [["stages", "--rounds", "8", "--steps", "60", *arguments.data], ["kernels", "--rounds", "60"]]:
                        environment = {**os.environ, "HANDFUL_SIMD": level}
                        done = subprocess.run([path, *work], env=environment, check=True, capture_output=True, text=True)
                        for line in done.stdout.splitlines():
                            found = {"program": name, "work": work[0], **json.loads(line)}
                            if "data" in found:
                                found["data"] = pathlib.Path(found["data"]).name
                            figures.write(json.dumps(found) + "\n")


def least(path):
    """The least milliseconds, by (work, data set, program, level) and name."""
    found = collections.defaultdict(dict)
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        figures = json.loads(line)
        data = figures.get("data", "").split(".")[0]
        of = found[figures["work"], data, figures["program"], figures["simd"]]
        for name, value in figures.items():
            if name.endswith("_ms"):
                name = name.removesuffix("_ms")
                of[name] = min(value, of.get(name, value))
    return found


def table(found, work, data, names, total):
    columns = [(program, level) for level in LEVELS for program in dict.fromkeys(key[2] for key in found)]
    print("|  | " + " | ".join(f"{level}, {program}" for program, level in columns) + " |")
    print("| --- " * (len(columns) + 1) + "|")
    sums = [sum(found[work, data, *column].values()) for column in columns]
    for name in names:
        values = [found[work, data, *column][name] for column in columns]
        shares = [f" ({100 * value / all:.0f}%)" if total else "" for value, all in zip(values, sums)]
        print(f"| {name} | " + " | ".join(f"{value:.3f}{share}" for value, share in zip(values, shares)) + " |")
    if total:
        print("| all | " + " | ".join(f"{value:.2f}" for value in sums) + " |")
    print()


ROUNDS = 7
EPISODES = 100


class Worker:
    def __init__(self, path, level, data):
        command = [path, "train", "--clip-norm", "1", "--warmup", "200", data]
        environment = {**os.environ, "HANDFUL_SIMD": level}
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        self.process.stdout.readline()
        self.milliseconds = []

    def round(self):
        self.process.stdin.write(f"run {EPISODES}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.milliseconds.append(1000 * answer["seconds"] / answer["units"])

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def pairs(arguments):
    """The median episode of every program and level in each launch, and the ratio of the last program to the first."""
    programs = [program.split("=", 1) for program in arguments.program]
    with open(arguments.figures, "w", encoding="utf-8") as figures:
        for data in arguments.data:
            ratios = collections.defaultdict(list)
            for launch in range(arguments.repeats):
                workers = {(level, name): Worker(path, level, data) for level in LEVELS for name, path in programs}
                order = list(workers)
                for _ in range(ROUNDS):
                    random.Random(launch).shuffle(order)
                    for key in order:
                        workers[key].round()
                found = {f"{level} {name}": statistics.median(worker.milliseconds) for (level, name), worker in workers.items()}
                for worker in workers.values():
                    worker.end()
                for level in LEVELS:
                    ratios[level].append(found[f"{level} {programs[-1][0]}"] / found[f"{level} {programs[0][0]}"])
                figures.write(json.dumps({"data": pathlib.Path(data).name, "launch": launch, **found}) + "\n")
            for level, of in ratios.items():
                every = ", ".join(f"{ratio:.3f}" for ratio in of)
                print(f"{pathlib.Path(data).name} {level}: {statistics.median(of):.3f} ({every})", flush=True)


def tables(arguments):
    found = least(arguments.figures)
    for data in dict.fromkeys(key[1] for key in found if key[0] == "stages"):
        print(f"### {data}\n")
        table(found, "stages", data, STAGES, total=True)
    print("### Kernels\n")
    kernels = next(of for key, of in found.items() if key[0] == "kernels")
    table(found, "kernels", "", list(kernels), total=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    for name, run, repeats in [("measure", measure, 4), ("pairs", pairs, 6)]:
        command = commands.add_parser(name)
        command.add_argument("figures")
        command.add_argument("data", nargs="+")
        command.add_argument("--program", action="append", required=True, metavar="NAME=PATH")
        command.add_argument("--repeats", type=int, default=repeats)
        command.set_defaults(run=run)
    command = commands.add_parser("tables")
    command.add_argument("figures")
    command.set_defaults(run=tables)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
