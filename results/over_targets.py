#!/usr/bin/env python3
"""Compares two methods of a results folder, with targets as units.

    python3 results/over_targets.py results/20news iwata nn-e
    python3 results/over_targets.py results/20news-groups handful k-means

`handful compare --table` takes experiments as units. Repeats of one target share its documents, so
this script first averages the repeats of a target and then runs a paired t-test over targets. In a
folder of mixed handfuls the units are the repeats, each of which holds out other corpora.

Needs Python's standard library only.
"""

import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean, stdev

ORDERS = {"by_probability": "probability", "by_relevance": "relevance", "by_telling": "telling"}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder, method, other = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    if (folder / "groups.jsonl").exists():
        compare_groups(folder, method, other)
    elif (folder / "results.jsonl").exists():
        compare_predictions(folder, method, other)
    else:
        sys.exit(f"{folder} has neither results.jsonl nor groups.jsonl")


def compare_predictions(folder, method, other):
    experiments = experiments_of_every_method(folder)
    expect_known(next(iter(experiments.values())), method, other)
    a, b = ({key: row[name] for key, row in experiments.items()} for name in (method, other))
    targets = sorted({target for target, _ in experiments})
    print(f"{folder}: {method} and {other}, {len(experiments)} experiments on {len(targets)} targets")
    for name, value in [
        ("perplexity, pooled over the words of all tasks", lambda row: row["perplexity"]),
        ("perplexity, one for each task, averaged", mean_of_tasks),
    ]:
        print(f"  {name}: {mean(map(value, a.values())):.1f} and {mean(map(value, b.values())):.1f}")
    for name, value in [
        ("log perplexity", lambda row: math.log(row["perplexity"])),
        ("perplexity", lambda row: row["perplexity"]),
    ]:
        gaps = gaps_over_targets(a, b, value)
        ratio = f"ratio {math.exp(mean(gaps)):.4f}, " if name == "log perplexity" else ""
        print(f"  paired t-test of {name}: {ratio}p = {p_value(gaps):.2g}")
    for key, order in ORDERS.items():
        for measure in ("coherence", "diversity"):
            if not all(key in shown(row) for row in [*a.values(), *b.values()]):
                continue
            gaps = gaps_over_targets(a, b, lambda row: shown(row)[key][measure])
            error = stdev(gaps) / math.sqrt(len(gaps)) if len(gaps) > 1 else math.nan
            print(f"  {measure}, terms by {order}: {mean(gaps):+.3f} ± {error:.3f}, p = {p_value(gaps):.2g}")


def compare_groups(folder, method, other):
    purity = defaultdict(dict)
    for row in lines(folder / "groups.jsonl"):
        purity[row["method"]][row["repeat"]] = row["purity"]
    expect_known(purity, method, other)
    repeats = sorted(purity[method].keys() & purity[other].keys())
    gaps = [purity[method][repeat] - purity[other][repeat] for repeat in repeats]
    error = stdev(gaps) / math.sqrt(len(gaps))
    print(f"{folder}: {method} and {other}, {len(repeats)} repeats")
    print(f"  purity: {mean(gaps):+.3f} ± {error:.3f}, p = {p_value(gaps):.2g}")


def expect_known(known, *methods):
    for name in methods:
        if name not in known:
            sys.exit(f"there is no method {name}; the folder has {', '.join(sorted(known))}")


def experiments_of_every_method(folder):
    """The lines at the folder's K and T by (target, repeat) and method, where every method has one."""
    training = json.loads((folder / "settings.json").read_text())["settings"]["training"]
    rows = [row for row in lines(folder / "results.jsonl") if row["topics"] in (training["topics"], None)]
    with_em = {row["method"] for row in rows if row["em_steps"] == training["em_steps"]}
    experiments = defaultdict(dict)
    for row in rows:
        # A sweep has lines of methods with EM at other numbers of steps, 0 among them.
        if row["em_steps"] == training["em_steps"] or row["method"] not in with_em:
            experiments[row["target"], row["repeat"]][row["method"]] = row
    methods = {row["method"] for row in rows}
    return {key: by_method for key, by_method in experiments.items() if by_method.keys() == methods}


def gaps_over_targets(a, b, value):
    by_target = defaultdict(list)
    for target, repeat in a:
        by_target[target].append(value(a[target, repeat]) - value(b[target, repeat]))
    return [mean(gaps) for gaps in by_target.values()]


def shown(row):
    return {key: value for key, value in row.get("topics_shown", {}).items() if value}


def mean_of_tasks(row):
    tasks = zip(row["task_log_likelihoods"], row["task_words"])
    return mean(math.exp(-likelihood / words) for likelihood, words in tasks)


def lines(file):
    with file.open() as text:
        return [json.loads(line) for line in text]


def p_value(gaps):
    """Two-sided p of a t-test that the mean of `gaps` is 0."""
    if len(gaps) < 2 or stdev(gaps) == 0:
        return math.nan
    t = mean(gaps) / (stdev(gaps) / math.sqrt(len(gaps)))
    freedom = len(gaps) - 1
    return incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def incomplete_beta(x, a, b):
    """The regularised incomplete beta function, by its continued fraction."""
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / (1 + step * d)
            c = 1 + step / c
            fraction *= c * d
    return front * fraction / a


if __name__ == "__main__":
    main()
