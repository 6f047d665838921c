#!/usr/bin/env python3
"""Compares EM with variational Bayes: the same methods in two folders of the same experiments.

    python3 results/inference/em_and_vb.py results/inference/debian-em results/inference/debian-vb

For each method: perplexity by EM and by variational Bayes (pooled over the words of a target's tasks, then averaged over targets), the
ratio as a geometric mean over targets with its standard error, and p of a paired t-test of log perplexity over targets. Then the
ratio on the third of a target's tasks with the fewest held-out words and on the third with the most, and the share of words
that probabilities misplace (calibration).

Needs Python's standard library only.
"""

import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean, stdev

sys.path.append(str(Path(__file__).parents[1]))
from over_targets import p_value  # noqa: E402


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    em, vb = (experiments(Path(folder)) for folder in sys.argv[1:])
    for key in sorted({(method, topics, steps) for method, topics, steps, _, _ in em}):
        pairs = [(em[of], vb[of]) for of in em if of[:3] == key and of in vb]
        if pairs:
            tell(key, pairs)


def tell(key, pairs):
    method, topics, steps = key
    ratios = over_targets(pairs, lambda a, b: math.log(b["perplexity"] / a["perplexity"]))
    print(f"{method}, K={topics}, T={steps}: {len(pairs)} experiments on {len(ratios)} targets")
    of_em, of_vb = (mean(pair[i]["perplexity"] for pair in pairs) for i in (0, 1))
    print(f"  perplexity: EM {of_em:.1f}, variational Bayes {of_vb:.1f}")
    print(f"  {ratio(ratios)}, p = {p_value(ratios):.2g}; better on {sum(r < 0 for r in ratios)} of {len(ratios)} targets")
    for name, third in [("shortest", 0), ("longest", 2)]:
        print(f"  {name} third of tasks: {ratio(over_targets(pairs, lambda a, b: of_third(a, b, third)))}")
    errors = [[misplaced(pair[i]) for pair in pairs if misplaced(pair[i]) is not None] for i in (0, 1)]
    if all(errors):
        gaps = over_targets(pairs, lambda a, b: misplaced(b) - misplaced(a))
        print(f"  words misplaced: EM {mean(errors[0]):.3f}, variational Bayes {mean(errors[1]):.3f}, p = {p_value(gaps):.2g}")
    print()


def experiments(folder):
    rows = map(json.loads, (folder / "results.jsonl").read_text().splitlines())
    return {(row["method"], row["topics"], row["em_steps"], row["target"], row["repeat"]): row for row in rows}


def over_targets(pairs, value):
    """The value of each target: the mean over its repeats."""
    values = defaultdict(list)
    for a, b in pairs:
        values[a["target"]].append(value(a, b))
    return [mean(of_target) for of_target in values.values()]


def ratio(logarithms):
    error = stdev(logarithms) / math.sqrt(len(logarithms)) if len(logarithms) > 1 else math.nan
    return f"ratio {math.exp(mean(logarithms)):.4f} ± {error:.4f}"


def of_third(a, b, third):
    """The log ratio of perplexities, pooled over a third of the tasks by their held-out words."""
    words = a["task_words"]
    ordered = sorted(range(len(words)), key=lambda task: words[task])
    asked = ordered[third * len(ordered) // 3 : (third + 1) * len(ordered) // 3]
    gap = sum(a["task_log_likelihoods"][task] - b["task_log_likelihoods"][task] for task in asked)
    return gap / sum(words[task] for task in asked)


def misplaced(row):
    """Half of the sum of differences between predicted and observed shares of words."""
    found = row.get("calibration")
    return found and sum(abs(p - o) for p, o in zip(found["predicted"], found["observed"])) / 2


if __name__ == "__main__":
    main()
