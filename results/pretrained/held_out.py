"""Asks twins for held-out words of corpora that none of them saw, and prints tables.

    python3 results/pretrained/held_out.py HANDFUL ASKED FREE OUT TASKS TWIN...

HANDFUL is the command. ASKED is the folder of that name that twins.py makes, and FREE the folder with the free sets, for whole books of
openstax. A TWIN is the directory of a compact model. OUT gets a line of JSON for each twin and corpus; what is there is not asked again.
"""

import gzip
import json
import math
import pathlib
import subprocess
import sys

import prepare

# Of the free sets: all that is left out of one, and of whole sets what earlier twins were asked.
NEW = [
    ("openstax", "Introduction to Business 2e"),
    ("openstax", "World History Volume 1, to 1500"),
    ("wikipedia", "personality"),
    ("wikipedia", "minuscule manuscript"),
    ("wikipedia", "bishop"),
    ("wikipedia", "drummer"),
    ("elife", "Medicine"),
    ("tidytuesday", "nsf/Social, Behavioral and Economic Sciences"),
    ("digital-gov", "public-policy"),
    ("medquad", "MPlus_Health_Topics"),
    ("factbook", "introduction"),
    ("mdn", "learn_web_development"),
    ("wikivoyage", "understand"),
    ("masc", "letters"),
    ("turing-way", "ethical-research"),
    ("foldoc", "mathematics"),
    ("stackexchange", "coffee"),
    ("stackexchange", "beer"),
    ("stackexchange", "ai"),
    ("wikinews", "aviation"),
    ("wikinews", "courts and trials"),
    ("wikinews", "crime"),
    ("wikinews", "elections"),
    ("recipes", "other recipes"),
    ("recipes", "dessert"),
]
# Of the older sets: the first four that are left out of each.
OLD = [
    ("20news", "comp.graphics"),
    ("20news", "misc.forsale"),
    ("20news", "rec.autos"),
    ("20news", "sci.space"),
    ("reuters", "crude"),
    ("reuters", "coffee"),
    ("reuters", "interest"),
    ("reuters", "ship"),
    ("ohsumed", "C04"),
    ("ohsumed", "C06"),
    ("ohsumed", "C08"),
    ("ohsumed", "C10"),
    ("nips", "Neuroscience"),
    ("nips", "Theory"),
    ("brown", "government"),
    ("brown", "religion"),
]
# All stories of wikinews as one corpus, for the share of its words that are new.
WHOLE = ("wikinews", "all of wikinews")


def main():
    handful, asked, free, out, tasks, *twins = sys.argv[1:]
    asked, free, out = map(pathlib.Path, (asked, free, out))
    out.mkdir(parents=True, exist_ok=True)
    whole = out / "all-of-wikinews.jsonl.gz"
    if not whole.exists():
        prepare.write(whole, [{**document, "corpus": WHOLE[1]} for document in read(asked / "wikinews.jsonl.gz")])
    names = [pathlib.Path(twin).name for twin in twins]
    answers = {}
    for name, twin in zip(names, twins):
        done = out / f"{name}.jsonl"
        answers[name] = {tuple(line.pop("of")): line for line in map(json.loads, done.open())} if done.exists() else {}
        for key in [*NEW, *OLD, WHOLE]:
            if key in answers[name]:
                continue
            folder = free if key[0] == "openstax" else asked
            path = whole if key == WHOLE else folder / f"{key[0]}.jsonl.gz"
            answer = evaluate(handful, path, key[1], twin, tasks)
            answers[name][key] = answer
            with done.open("a") as lines:
                lines.write(json.dumps({"of": key, **answer}) + "\n")
    for title, keys in [("Free sets", NEW), ("Older sets", OLD)]:
        print(table(title, keys, answers))
    for name in names:
        print(f"{name}: {100 * answers[name][WHOLE]['all_words']['new_share']:.1f}% of the words of wikinews are new")


def read(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def evaluate(handful, path, corpus, twin, tasks):
    command = [handful, "evaluate", str(path), "--target", corpus, "--model", twin, "--tasks", tasks, "--threads", "1", "--json", "--quiet"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def table(title, keys, answers):
    """Each twin's perplexity of known words, the smoothed unigram's of the same words, and new words; the geometric mean below."""
    names = list(answers)
    lines = [f"## {title}", ""]
    lines += ["| corpus | " + " | ".join(f"{name} | smoothed unigram | new words" for name in names) + " |"]
    lines += ["| --- |" + " ---: |" * 3 * len(names)]
    for key in keys:
        cells = []
        for name in names:
            answer = answers[name][key]
            share = 100 * answer["all_words"]["new_share"]
            cells += [f"{answer['perplexity']:.1f}", f"{answer['smoothed_unigram']:.1f}", f"{share:.1f}%"]
        lines += [f"| {'/'.join(key)} | " + " | ".join(cells) + " |"]
    for name in names:
        of_all = [answers[name][key] for key in keys]
        ratio = geometric_mean(answer["perplexity"] / answer["smoothed_unigram"] for answer in of_all)
        all_words = geometric_mean(answer["all_words"]["perplexity"] for answer in of_all)
        share = sum(answer["all_words"]["new_share"] for answer in of_all) / len(of_all)
        lines += ["", f"{name}: {100 * (1 - ratio):.1f}% below the smoothed unigram; all words {all_words:.1f}; new words {100 * share:.1f}%"]
    return "\n".join(lines) + "\n"


def geometric_mean(values):
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


if __name__ == "__main__":
    main()
