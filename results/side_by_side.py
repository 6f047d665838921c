"""Prints the tables of results/blends and results/number from the folders of their sets.

    python3 results/side_by_side.py results/blends openstax elife 20news debian reuters ohsumed
    python3 results/side_by_side.py results/number openstax elife 20news debian reuters ohsumed

Needs Python's standard library only.
"""

import csv
import sys
from pathlib import Path

BLENDS = {
    "model": "Handful",
    "passages-given": "k-means on a sentence transformer's passages",
    "model-told": "Handful, told the pure documents",
    "passages-told": "sentence transformer, told",
    "iwata": "`iwata`",
    "even": "even",
}
NUMBER = {"model": "Handful", "silhouette-given": "silhouette, sentence transformer", "best-guess": "best guess"}


def main():
    folder, sets = Path(sys.argv[1]), sys.argv[2:]
    (table,) = {path.name for name in sets for path in (folder / name).glob("*-summary.csv")}
    blends(folder, sets, table) if table.startswith("blends") else number(folder, sets, table)


def blends(folder, sets, table):
    print("| set, K | method | error | correlation | pure | words | one alone |\n| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in sets:
        of_set = rows(folder / name / table)
        for setting in ["K=2", "K=3"]:
            for method in BLENDS:
                if row := of_set.get((setting, method)):
                    figures = [figure(row, column) for column in ["correlation", "pure_error", "words_placed", "words_placed_alone"]]
                    cells = [f"{name}, {setting[2:]}", BLENDS[method], with_error(row, "error"), *figures]
                    print("|", " | ".join(cells), "|")


def number(folder, sets, table):
    print("| set | method | exactly right | within one | mean K | adjusted Rand index | the same, K given | ratio | one subject, one topic | several, one topic |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in sets:
        of_set = rows(folder / name / table)
        for method in NUMBER:
            if row := of_set.get(("All", method)):
                errors = [with_error(row, column) for column in ["exact", "within_one"]]
                aris = [with_error(row, column) for column in ["ari", "ari_given"]]
                others = [figure(row, column) for column in ["ari_ratio", "one_of_one", "one_of_several"]]
                print("|", " | ".join([name, NUMBER[method], *errors, figure(row, "topics"), *aris, *others]), "|")


def rows(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return {(row["setting"], row["method"]): row for row in csv.DictReader(lines)}


def figure(row, column):
    return f"{float(row[column]):.3f}" if row[column] else ""


def with_error(row, column):
    return f"{figure(row, column)} ± {figure(row, column + '_standard_error')}"


if __name__ == "__main__":
    main()
