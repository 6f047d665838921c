"""Asks what a new user meets first: how many topics handfuls of articles get, how right their groups are, and whether `fit` and
`infer` see the same background.

    python3 results/number/first_look.py HANDFUL MODEL wikinews.jsonl.gz

HANDFUL is the command, MODEL a model that was trained on nothing of the set. Sixty handfuls of each kind: six documents, two of each of
three corpora; six of one corpus; thirty, six of each of five. Documents have a hundred words at least. Prints a table.
Needs Python's standard library only.
"""

import json
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "stability"))
import stability  # noqa: E402

KINDS = [(3, 2), (1, 6), (5, 6)]  # corpora, and documents of each
HANDFULS = 60
LEAST_WORDS = 100


def main():
    handful, model, path = sys.argv[1:]
    stability.LEAST_WORDS = LEAST_WORDS
    among = stability.corpora(path, max(documents for _, documents in KINDS))
    print("| documents | mean number of topics | exactly right | adjusted Rand index | the same, K given | background: fit, infer | apart |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for corpora, documents in KINDS:
        asked = [ask(handful, model, *draw(among, corpora, documents, number)) for number in range(HANDFULS)]
        topics, chosen, given, of_fit, of_infer, apart = map(list, zip(*asked))
        right = statistics.mean(number == corpora for number in topics)
        ari = [f"{statistics.mean(values):.3f}" if corpora > 1 else "" for values in (chosen, given)]
        shares = f"{statistics.mean(of_fit):.3f}, {statistics.mean(of_infer):.3f}"
        row = [f"{corpora * documents} of {corpora}", f"{statistics.mean(topics):.2f}", f"{right:.2f}", *ari, shares]
        print("|", " | ".join(row), f"| {statistics.mean(apart):.3f}, at most {max(apart):.3f} |")


def draw(among, corpora, documents, number):
    """The texts of a handful, and the corpus of each."""
    drawn = random.Random(f"{corpora} {documents} {number}")
    names = drawn.sample(sorted(among), corpora)
    pairs = [(text, name) for name in names for text in drawn.sample(among[name], documents)]
    drawn.shuffle(pairs)
    return zip(*pairs)


def ask(handful, model, texts, names):
    """Number of topics, adjusted Rand index with it chosen and given, mean background in fit and infer, and how far they are apart."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{n}.txt") for n in range(len(texts))]
        for file, text in zip(files, texts):
            file.write_text(text, encoding="utf-8")
        saved = str(Path(folder, "topics"))
        fit = run(handful, "fit", "--model", model, "--out", saved, *files)
        given = run(handful, "fit", "--model", model, "--topics", len(set(names)), *files)
        inferred = run(handful, "infer", "--topic-model", saved, *files)
    backgrounds = [[document["background"] for document in one["documents"]] for one in (fit, inferred)]
    apart = max(abs(a - b) for a, b in zip(*backgrounds))
    aris = [stability.adjusted_rand_index(groups(one), list(names)) for one in (fit, given)]
    return len(fit["topics"]), *aris, *map(statistics.mean, backgrounds), apart


def run(handful, command, *arguments):
    call = [handful, command, *map(str, arguments), "--json", "--quiet", "--threads", "1"]
    return json.loads(subprocess.run(call, check=True, capture_output=True).stdout)


def groups(fit):
    return [max(range(len(d["topics"])), key=d["topics"].__getitem__) for d in fit["documents"]]


if __name__ == "__main__":
    main()
