"""Prepares the sets of three twins of the built-in model, which did not see what they are asked.

    python3 results/pretrained/twins.py FOLDER_OF_SETS... OUT [--words N]

OUT/new holds the free sets, OUT/old those of the model before, OUT/both all of them, each without what is left out below.
OUT/asked holds what was left out, a file for each set. With --words, twins get the first N words of each document, so that they train in a
fraction of the time.
"""

import argparse
import pathlib

import prepare

# No twin sees anything of these.
WHOLE_SETS = ["stackexchange", "wikinews", "recipes", "debian", "debian-other", "openstax", "elife"]
NEW = [name for name in prepare.SETS if name not in WHOLE_SETS]
OLD = ["20news", "nips", "reuters", "ohsumed", "brown", "foldoc"]
# No twin sees these corpora of other sets.
CORPORA = {
    "wikipedia": ["personality", "minuscule manuscript", "bishop", "drummer"],
    "tidytuesday": ["nsf/Social, Behavioral and Economic Sciences"],
    "digital-gov": ["public-policy"],
    "medquad": ["MPlus_Health_Topics"],
    "factbook": ["introduction"],
    "mdn": ["learn_web_development"],
    "wikivoyage": ["understand"],
    "masc": ["letters"],
    "turing-way": ["ethical-research"],
    "foldoc": ["mathematics"],
    "20news": [
        "comp.graphics", "misc.forsale", "rec.autos", "sci.space", "soc.religion.christian", "talk.politics.mideast",
    ],
    "reuters": ["crude", "coffee", "interest", "ship", "gold", "jobs"],
    "ohsumed": ["C04", "C06", "C08", "C10", "C11", "C14"],
    "nips": ["Neuroscience", "Theory"],
    "brown": ["government", "religion"],
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folders", nargs="+", type=pathlib.Path, help="folders of sets")
    parser.add_argument("out", type=pathlib.Path, help="the folder to write")
    parser.add_argument("--words", type=int, help="how many words of a document twins get at most")
    arguments = parser.parse_args()
    folders, out = arguments.folders, arguments.out
    for folder in ["old", "new", "both", "asked"]:
        (out / folder).mkdir(parents=True, exist_ok=True)
    for name in sorted({*NEW, *OLD, *WHOLE_SETS}):
        documents = prepare.documents_of(name, folders)
        asked = [document for document in documents if is_asked(name, document["corpus"])]
        seen = [document for document in documents if not is_asked(name, document["corpus"])]
        if arguments.words:
            seen = [cut(name, document, arguments.words) for document in seen]
        prepare.write(out / "asked" / f"{name}.jsonl.gz", asked)
        twins = [twin for twin, sets in [("old", OLD), ("new", NEW)] if name in sets]
        for twin in twins + ["both"] * bool(twins):
            prepare.write(out / twin / f"{name}.jsonl.gz", seen)


def cut(name, document, words):
    """The first words of a document; of a message those after its header."""
    text = document["text"].partition("\n\n")[2] if name == "20news" else document["text"]
    return {**document, "text": " ".join(text.split()[:words])}


def is_asked(name, corpus):
    return name in WHOLE_SETS or corpus in CORPORA.get(name, [])


if __name__ == "__main__":
    main()
