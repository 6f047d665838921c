"""Makes very short texts: the first sentence of every document, at most twenty words of it.

    python3 results/pretrained/first_sentences.py SET... OUT

A SET is gzipped JSON lines with corpus, id and text, whose first line is a title. The title is left out, and so are headings, which do not
end like a sentence. OUT gets a file of each SET's name. Documents whose first sentence has fewer than five words are left out.
"""

import gzip
import json
import pathlib
import re
import sys

import prepare

MOST_WORDS = 20
LEAST_WORDS = 5
# A full stop after a capital is an initial, and one within a word ends no sentence.
SENTENCE = re.compile(r"(.+?(?<![A-Z])[.!?])(?=\s|$)")
# An empty line, or one with a dot alone, as in Debian's descriptions.
BETWEEN_PARAGRAPHS = re.compile(r"\n\s*\.?\s*\n")


def main():
    *sets, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for path in sets:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            documents = [json.loads(line) for line in lines]
        shortened = [{**document, "text": first_sentence(document["text"])} for document in documents]
        long_enough = [document for document in shortened if len(document["text"].split()) >= LEAST_WORDS]
        prepare.write(out / path.name, long_enough)
        print(f"{path.name}: {len(long_enough)} of {len(documents)} documents")


def first_sentence(text):
    """The first sentence below the title, cut after twenty words; an empty text if there is none."""
    below_title = text.strip().partition("\n")[2]
    for paragraph in BETWEEN_PARAGRAPHS.split(below_title):
        sentence = SENTENCE.match(" ".join(paragraph.split()))
        if sentence:
            return " ".join(sentence[1].split()[:MOST_WORDS])
    return ""


if __name__ == "__main__":
    main()
