"""Drawing episodes (the paper's Algorithm 2) as fast as numpy can, and laying them out for a model.

All peers share this sampler: it never touches a dense row, so that PyTorch's time is the model's.
"""

from dataclasses import dataclass

import numpy as np
import torch

from .counts import Corpora, Document


@dataclass
class Draw:
    """The non-zero counts of a few documents, split in two: `row`, `term`, support and query count of each."""

    row: np.ndarray
    term: np.ndarray
    support: np.ndarray
    query: np.ndarray
    documents: int


class EpisodeSampler:
    """A corpus uniformly, documents of it without replacement, each word to the support with probability `rate`."""

    def __init__(self, corpora: Corpora, support_size: int, rate: float, seed: int):
        self.corpora = [documents for documents in corpora.documents if len(documents) >= support_size]
        if not self.corpora:
            raise SystemExit(f"no corpus has {support_size} documents")
        self.support_size = support_size
        self.rate = np.float32(rate)
        self.random = np.random.default_rng(seed)

    def handful(self) -> list[Document]:
        documents = self.corpora[int(self.random.integers(len(self.corpora)))]
        if len(documents) < 4 * self.support_size:
            return [documents[i] for i in self.random.permutation(len(documents))[: self.support_size]]
        # Rejecting repeats is the same distribution, and far quicker than `choice(replace=False)`.
        while True:
            chosen = self.random.integers(len(documents), size=self.support_size).tolist()
            if len(set(chosen)) == self.support_size:
                return [documents[i] for i in chosen]

    def draw(self) -> Draw:
        while True:
            draw = self.split(self.handful())
            if draw.query.any():
                return draw

    def split(self, documents: list[Document]) -> Draw:
        """One uniform number a word; sums over the words of a term give its binomial count."""
        whole = gather(documents)
        counts = np.concatenate([document.counts for document in documents])
        ends = np.cumsum(counts)
        to_support = self.random.random(ends[-1] if len(ends) else 0, dtype=np.float32) < self.rate
        running = np.zeros(len(to_support) + 1, dtype=np.int32)
        np.cumsum(to_support, out=running[1:])
        whole.support = (running[ends] - running[ends - counts]).astype(np.float32)
        whole.query -= whole.support
        return whole


def gather(documents: list[Document]) -> Draw:
    """The documents with every word in `query`, none in `support`."""
    row = np.repeat(np.arange(len(documents)), [len(document.terms) for document in documents])
    term = np.concatenate([document.terms for document in documents])
    counts = np.concatenate([document.counts for document in documents]).astype(np.float32)
    return Draw(row, term, np.zeros_like(counts), counts, len(documents))


def whole(documents: list[Document]) -> Draw:
    """The documents with every word in the support, as fitting wants them."""
    draw = gather(documents)
    draw.support, draw.query = draw.query, draw.support
    return draw


def dense_matrix(draw: Draw, values: np.ndarray, terms: int) -> torch.Tensor:
    """N x J."""
    matrix = np.zeros((draw.documents, terms), dtype=np.float32)
    matrix[draw.row, draw.term] = values
    return torch.from_numpy(matrix)


class Columns:
    """Finds the terms that a draw uses: a lookup over the vocabulary, cheaper than sorting."""

    def __init__(self, terms: int):
        self.used = np.zeros(terms, dtype=bool)
        self.place = np.empty(terms, dtype=np.int64)

    def of(self, draw: Draw) -> tuple[np.ndarray, np.ndarray]:
        """The used terms, ascending, and for each count of the draw its place among them."""
        self.used[draw.term] = True
        columns = np.flatnonzero(self.used)
        self.used[columns] = False
        self.place[columns] = np.arange(len(columns))
        return columns, self.place[draw.term]
