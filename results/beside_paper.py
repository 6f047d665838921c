#!/usr/bin/env python3
"""Puts the paper's table of perplexities beside folders that `handful compare --protocol paper` wrote.

    python3 results/beside_paper.py 20News results/paper/20news
    python3 results/beside_paper.py 20News results/paper/20news --by mean_of_tasks --targets sci.med,talk.politics.guns

The first argument is the paper's name of the set: 20News, Digg or NeurIPS. A method is taken from the first folder that
has it; methods that do not depend on a setting need not be asked again for each of its values. --by is the mean that is shown:
perplexity (pooled over words), mean_of_tasks or mean_of_documents, which is the usual one. --median takes the median of
the experiments, which a single document cannot rule, in the place of their mean. --targets limits the targets,
--except leaves some out, and --topics takes the experiments with K topics where there are several. Experiments count if every method that the
folders have of the paper's was asked in them.

Needs Python's standard library only.
"""

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path
from statistics import mean, median, stdev

# Iwata, "Few-shot Learning for Topic Modeling", the table of test perplexities.
PAPER = {
    "iwata": {"20News": 2785.8, "Digg": 556.1, "NeurIPS": 606.7},
    "lda-ind": {"20News": 3239.1, "Digg": 613.4, "NeurIPS": 636.2},
    "lda-all": {"20News": 3542.8, "Digg": 631.7, "NeurIPS": 926.8},
    "maml": {"20News": 4748.2, "Digg": 645.9, "NeurIPS": 1404.6},
    "nn": {"20News": 2964.4, "Digg": 584.9, "NeurIPS": 746.6},
    "nn-r": {"20News": 2944.2, "Digg": 578.4, "NeurIPS": 827.7},
    "nn-f": {"20News": 4560.7, "Digg": 620.3, "NeurIPS": 742.3},
    "nn-rf": {"20News": 3994.2, "Digg": 589.7, "NeurIPS": 835.0},
    "nn-e": {"20News": 2831.7, "Digg": 568.8, "NeurIPS": 667.3},
    "dir": {"20News": 6142.0, "Digg": 699.6, "NeurIPS": 1725.6},
    "dir-f": {"20News": 5468.4, "Digg": 688.8, "NeurIPS": 988.4},
    "dir-e": {"20News": 4629.2, "Digg": 653.1, "NeurIPS": 873.7},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=sorted(PAPER["iwata"]))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--by", default="mean_of_documents", choices=["perplexity", "mean_of_tasks", "mean_of_documents"])
    parser.add_argument("--median", action="store_true")
    parser.add_argument("--targets", default="", type=names)
    parser.add_argument("--except", dest="left_out", default="", type=names)
    parser.add_argument("--topics", type=int)
    arguments = parser.parse_args()
    asked = experiments(arguments)
    theirs = {method: PAPER[method][arguments.set] for method in PAPER if method in asked}
    ours = {method: [row[arguments.by] for row in asked[method].values()] for method in theirs}
    targets = {target for target, _ in asked[next(iter(theirs))]}
    print(f"{len(ours[next(iter(ours))])} experiments on {len(targets)} targets, {'median' if arguments.median else 'mean'} of {arguments.by}\n")
    print("| method | paper | rank | here | rank | difference |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    centre = median if arguments.median else mean
    centres = {method: centre(values) for method, values in ours.items()}
    their_ranks, our_ranks = ranks(theirs), ranks(centres)
    for method, values in ours.items():
        difference = 100 * (centres[method] / theirs[method] - 1)
        error = "" if arguments.median else f" ± {standard_error(values):,.1f}"
        print(
            f"| `{method}` | {theirs[method]:,.1f} | {their_ranks[method]:g} | {centres[method]:,.1f}{error} "
            f"| {our_ranks[method]:g} | {difference:+.1f}% |"
        )
    distance = mean(abs(math.log(centres[method] / theirs[method])) for method in theirs)
    print(f"\nrank correlation {correlation(their_ranks, our_ranks):.3f}, mean |log ratio| {distance:.3f}")


def names(text):
    return {name for name in text.split(",") if name}


def experiments(arguments):
    """The rows of each method of the paper, by target and repeat, where all of them were asked."""
    found = {}
    for folder in arguments.folders:
        found = of_folder(folder, arguments) | found
    common = set.intersection(*(set(rows) for rows in found.values())) if found else set()
    if not common:
        raise SystemExit(f"{arguments.folders[0]} has no experiment in which every method was asked")
    return {method: {key: rows[key] for key in sorted(common)} for method, rows in found.items()}


def of_folder(folder, arguments):
    found = defaultdict(dict)
    with open(folder / "results.jsonl", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            wanted = not arguments.targets or row["target"] in arguments.targets
            right_size = arguments.topics in (None, row["topics"])
            if row["method"] in PAPER and wanted and right_size and row["target"] not in arguments.left_out:
                found[row["method"]][row["target"], row["repeat"]] = row
    return dict(found)


def standard_error(values):
    return stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def ranks(values):
    ordered = sorted(values, key=values.get)
    return {method: 1 + ordered.index(method) for method in ordered}


def correlation(a, b):
    """Spearman's, without ties."""
    n = len(a)
    if n < 2:
        return math.nan
    return 1 - 6 * sum((a[method] - b[method]) ** 2 for method in a) / (n * (n * n - 1))


if __name__ == "__main__":
    main()
