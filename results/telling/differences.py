"""Prints by how much the terms of `model` tell better than those of the other methods, over repeats of the same tasks.

    python3 results/telling/differences.py FOLDER...

FOLDER is a folder of `handful compare --telling`.
"""

import csv
import math
import statistics
import sys
from pathlib import Path


def main():
    print("| set | setting | `model` less | mean and standard error over repeats |")
    print("| --- | --- | --- | ---: |")
    for folder in map(Path, sys.argv[1:]):
        with open(folder / "telling-by-repeat.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        told = {(row["setting"], row["method"], row["repeat"]): float(row["telling"]) for row in rows}
        settings, methods = (list(dict.fromkeys(row[name] for row in rows)) for name in ("setting", "method"))
        repeats = sorted({row["repeat"] for row in rows})
        for setting in settings:
            for rival in methods:
                if rival == "model":
                    continue
                less = [told[setting, "model", repeat] - told[setting, rival, repeat] for repeat in repeats]
                error = statistics.stdev(less) / math.sqrt(len(less))
                print(f"| {folder.name} | {setting} | `{rival}` | {statistics.mean(less):+.3f} ± {error:.3f} |")


main()
