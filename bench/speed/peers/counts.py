"""Word counts of many corpora, read once and kept as sparse rows. Reading is never timed."""

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass
class Document:
    """The terms of one document, ascending, and how often each stands in it."""

    terms: np.ndarray
    counts: np.ndarray


@dataclass
class Corpora:
    """Documents by corpus, over one vocabulary."""

    vocabulary: list[str]
    documents: list[list[Document]]

    @property
    def terms(self) -> int:
        return len(self.vocabulary)


def open_lines(path: Path):
    """A file of JSON lines, gzipped or not."""
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8")


def read_rows(path: Path) -> list[tuple[str, dict[str, int]]]:
    """Corpus and counts of each document of a file, in the file's order."""
    with open_lines(path) as lines:
        rows = [json.loads(line) for line in lines]
    return [(row["corpus"], row["counts"]) for row in rows]


def read_corpora(path: Path) -> Corpora:
    rows = read_rows(path)
    vocabulary = sorted({term for _, counts in rows for term in counts})
    index = {term: j for j, term in enumerate(vocabulary)}
    by_corpus: dict[str, list[Document]] = {}
    for corpus, counts in rows:
        pairs = sorted((index[term], count) for term, count in counts.items() if count > 0)
        terms, numbers = zip(*pairs) if pairs else ((), ())
        document = Document(np.array(terms, dtype=np.int64), np.array(numbers, dtype=np.int64))
        by_corpus.setdefault(corpus, []).append(document)
    return Corpora(vocabulary, list(by_corpus.values()))
