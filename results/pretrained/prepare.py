"""Prepares the free sets for `handful train`: English texts only, textbooks by chapter.

    python3 results/pretrained/prepare.py FOLDER_OF_SETS... OUT
"""

import collections
import gzip
import json
import pathlib
import sys

# The sets that are free without reservation and English, at least in part.
SETS = """
    amalgum debian debian-other digital-gov elife factbook foldoc genai-stackexchange masc mdn medquad openstax presidents
    programming-historian recipes scotus stackexchange tidytuesday turing-way un-general-debate wikinews wikipedia wikivoyage
""".split()
# A chapter with fewer documents stays with its book.
LEAST_DOCUMENTS_OF_CHAPTER = 6


def main():
    *folders, out = map(pathlib.Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for name in SETS:
        write(out / f"{name}.jsonl.gz", documents_of(name, folders))


def documents_of(name, folders):
    """The documents of a set, by finer corpora where ids allow."""
    documents = read(name, folders)
    if name == "programming-historian":
        documents = [document for document in documents if document["corpus"].endswith("-en")]
    if name == "openstax":
        documents = by_chapter(documents)
    return documents


def read(name, folders):
    paths = [folder / f"{name}.jsonl.gz" for folder in folders]
    path = next((path for path in paths if path.exists()), None)
    if path is None:
        sys.exit(f"{name}.jsonl.gz is in none of the folders")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def by_chapter(documents):
    """Makes a corpus of each chapter, which the id of a section begins with."""

    def chapter(document):
        return document["corpus"], document["id"].split("/")[0]

    sizes = collections.Counter(map(chapter, documents))
    for document in documents:
        key = chapter(document)
        if sizes[key] >= LEAST_DOCUMENTS_OF_CHAPTER:
            document["corpus"] = ": ".join(key)
    return documents


def write(path, documents):
    # Neither the time nor the name is written, so that the same documents give the same bytes.
    with open(path, "wb") as file, gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as out:
        for document in documents:
            out.write((json.dumps(document, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main()
