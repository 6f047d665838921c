"""Prints the figures of several results folders of `handful compare --groups` on the same tasks, side by side.

    python3 results/pretrained/groups_table.py GROUPS WHO/TASK...

GROUPS/WHO/TASK is a results folder. Each TASK gets a table of all its methods; a method `model` is called by its WHO. Errors are over draws
of the corpora. The last columns are the difference from the first row, paired by draw.
"""

import csv
import math
import pathlib
import sys

MEASURES = ["purity", "ari"]


def main():
    groups, *folders = sys.argv[1:]
    tasks = {}
    for folder in folders:
        who, task = folder.split("/")
        with open(pathlib.Path(groups, who, task, "groups-by-repeat.csv"), newline="") as lines:
            for row in csv.DictReader(lines):
                name = who if row["method"] == "model" else row["method"]
                tasks.setdefault(task, {}).setdefault(name, {})[int(row["repeat"])] = row
    for task, methods in tasks.items():
        print(f"{task}\n\n{table(methods)}\n")


def table(methods):
    lines = ["| method | purity | adjusted Rand index | purity beside the first | adjusted Rand index beside the first |"]
    lines += ["| --- | ---: | ---: | ---: | ---: |"]
    first = next(iter(methods.values()))
    for name, draws in methods.items():
        cells = [shown([float(row[measure]) for row in draws.values()], "") for measure in MEASURES]
        for measure in MEASURES:
            differences = [float(row[measure]) - float(first[draw][measure]) for draw, row in draws.items()]
            cells.append("" if draws is first else shown(differences, "+"))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def shown(values, sign):
    """The mean and its standard error."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return f"{mean:{sign}.3f} ± {math.sqrt(variance / len(values)):.3f}"


if __name__ == "__main__":
    main()
