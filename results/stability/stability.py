"""Asks whether a handful has the same groups for other seeds and for another order of its files.

    python3 results/stability/stability.py HANDFUL DATA OUT

HANDFUL is the command, DATA the folder that holds the sets as JSON lines, OUT a file of JSON lines that gets one line for
each handful as it is done. The same command goes on where a stopped one ended. Prints a table.
"""

import gzip
import itertools
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SETS = ["reuters", "ohsumed", "20news"]
SHAPES = [(3, 2), (5, 6)]  # corpora, and documents of each
HANDFULS = 20  # of each shape; the sets take turns
SEEDS = 10
ORDERS = 3
LEAST_WORDS = 30
CALLS_AT_ONCE = 2


def corpora(path, least):
    """The texts of each corpus that has at least `least` of 30 words."""
    found = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for document in map(json.loads, lines):
            if len(document["text"].split()) >= LEAST_WORDS:
                found.setdefault(document["corpus"], []).append(document["text"])
    return {name: texts for name, texts in sorted(found.items()) if len(texts) >= least}


def draw(sets, shape, number):
    """The texts of a handful."""
    name = SETS[number % len(SETS)]
    among = {corpus: texts for corpus, texts in sets[name].items() if len(texts) >= shape[1]}
    drawn = random.Random(f"{name} {shape} {number}")
    texts = [t for corpus in drawn.sample(sorted(among), shape[0]) for t in drawn.sample(among[corpus], shape[1])]
    drawn.shuffle(texts)
    return name, texts


def groups(handful, folder, order, seed, topics):
    """The largest topic of each document, in the order of their names."""
    files = [str(folder / f"{n}.txt") for n in order]
    command = [handful, "fit", *files, "--json", "--quiet", "--seed", str(seed), "--topics", topics, "--threads", "1"]
    fit = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    largest = [max(range(len(d["topics"])), key=d["topics"].__getitem__) for d in fit["documents"]]
    return [group for _, group in sorted(zip(order, largest))]


def adjusted_rand_index(left, right):
    def pairs(counts):
        return sum(math.comb(count, 2) for count in counts)

    def sizes(labels):
        return [labels.count(label) for label in set(labels)]

    together, all_pairs = pairs(sizes(list(zip(left, right)))), math.comb(len(left), 2)
    by_left, by_right = pairs(sizes(left)), pairs(sizes(right))
    expected, most = by_left * by_right / all_pairs, (by_left + by_right) / 2
    return 1.0 if most == expected else (together - expected) / (most - expected)


def ask(handful, texts, topics, number):
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(CALLS_AT_ONCE) as at_once:
        folder = Path(folder)
        for n, text in enumerate(texts):
            (folder / f"{n}.txt").write_text(text, encoding="utf-8")
        usual = list(range(len(texts)))
        orders = [random.Random(f"{number} {i}").sample(usual, len(usual)) for i in range(ORDERS)]
        asked = [(usual, seed) for seed in range(1, SEEDS + 1)] + [(order, 1) for order in orders]
        found = list(at_once.map(lambda it: groups(handful, folder, *it, topics), asked))
    seeds, orders = found[:SEEDS], found[SEEDS:]
    return {
        "seeds": [adjusted_rand_index(a, b) for a, b in itertools.combinations(seeds, 2)],
        "orders": [adjusted_rand_index(seeds[0], order) for order in orders],
        "topics": [len(set(found)) for found in seeds],
    }


def mean(values):
    return f"{statistics.mean(values):.3f} ± {statistics.stdev(values) / math.sqrt(len(values)):.3f}"


def table(lines):
    print("| documents | topics | set | handfuls | ARI between seeds | all seeds the same | ARI of orders | all orders the same |")
    print("| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for (size, shape), topics in itertools.product(enumerate(SHAPES), ["auto", "given"]):
        for name in ["all", *SETS]:
            of = [l for l in lines if l["shape"] == size and l["asked"] == topics and name in ("all", l["set"])]
            if len(of) < 2:
                continue
            seeds, orders = ([l[of_what] for l in of] for of_what in ("seeds", "orders"))
            cells = [math.prod(shape), topics, name, len(of)]
            for aris in (seeds, orders):
                same = sum(min(values) > 1 - 1e-9 for values in aris)
                cells += [mean([statistics.mean(values) for values in aris]), f"{same} of {len(of)}"]
            print("| " + " | ".join(map(str, cells)) + " |")


def main():
    handful, data, out = sys.argv[1:]
    out = Path(out)
    lines = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    done = {(l["shape"], l["number"], l["asked"]) for l in lines}
    sets = {name: corpora(f"{data}/{name}.jsonl.gz", SHAPES[0][1]) for name in SETS}
    with out.open("a") as file:
        for number, (size, shape) in itertools.product(range(HANDFULS), enumerate(SHAPES)):
            name, texts = draw(sets, shape, number)
            for topics, asked in [("auto", "auto"), (str(shape[0]), "given")]:
                if (size, number, asked) in done:
                    continue
                line = {"shape": size, "number": number, "set": name, "asked": asked}
                line |= ask(handful, texts, topics, number)
                file.write(json.dumps(line) + "\n")
                file.flush()
                lines.append(line)
    table(lines)


if __name__ == "__main__":
    main()
