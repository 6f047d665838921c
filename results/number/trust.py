"""Asks which statistic of a fit tells right groups from wrong ones.

    python3 results/number/trust.py FOLDER...

FOLDER is a folder of `handful compare --number` with the method `model`. For each statistic it prints the probability that a fit with right
groups (adjusted Rand index at least 0.8) has a higher value than one with wrong groups, ties counted half: 0.5 is chance. Then it prints, for
fits in quarters by the statistic, the share with right groups. Fits of one topic, of which no groups are said, are left out.
"""

import json
import sys

RIGHT = 0.8


def fits(folders):
    for folder in folders:
        for line in open(f"{folder}/number.jsonl", encoding="utf-8"):
            record = json.loads(line)
            asked = zip(record.get("task_trust", []), record["task_aris"], record["task_topics"])
            for trust, ari, topics in asked:
                if topics > 1 and "halves" in trust:
                    yield trust, ari >= RIGHT


STATISTICS = {
    "halves with the same groups": lambda trust: trust["halves"]["same"],
    "documents that stayed": lambda trust: trust["halves"]["stayed"],
    "probability of the number": lambda trust: trust["probability"],
    "gain over the unigram": lambda trust: 1 - trust["gain"]["perplexity"] / trust["gain"]["smoothed_unigram"],
    "documents that stayed times probability": lambda trust: trust["halves"]["stayed"] * trust["probability"],
}


def main():
    found = [fit for fit in fits(sys.argv[1:]) if "gain" in fit[0]]
    print(f"{len(found)} fits of several topics, {sum(right for _, right in found)} with right groups\n")
    print("| statistic | right above wrong | lowest quarter | second | third | highest quarter |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, statistic in STATISTICS.items():
        values = sorted(((statistic(trust), right) for trust, right in found), key=lambda value: value[0])
        good, bad = ([value for value, is_right in values if is_right is of] for of in (True, False))
        above = sum((a > b) + (a == b) / 2 for a in good for b in bad) / (len(good) * len(bad))
        cuts = [len(values) * i // 4 for i in range(5)]
        quarters = [values[a:b] for a, b in zip(cuts, cuts[1:])]
        shares = [sum(right for _, right in quarter) / len(quarter) for quarter in quarters]
        print(f"| {name} | {above:.3f} | " + " | ".join(f"{share:.3f}" for share in shares) + " |")


main()
