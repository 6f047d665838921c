"""Word counts of a wanted shape, for seeing how cost grows."""

import json
from collections import Counter
from pathlib import Path

import numpy as np

CORPORA = 10
LEAST_DOCUMENTS = 600
FREQUENT = 1000


def write_counts(path: Path, terms: int, words: int, seed: int = 1):
    """Documents of `words` words over exactly `terms` terms.

    Half of each document walks through the whole vocabulary, so that every term occurs; the other half is Zipf's law
    over the first thousand terms. A document's number of distinct terms thus depends on its length only, not on J.
    """
    random = np.random.default_rng(seed)
    walking = max(1, words // 2)
    documents = max(LEAST_DOCUMENTS, -(-terms // walking))
    walk = np.resize(random.permutation(terms), documents * walking).reshape(documents, walking)
    frequency = 1 / np.arange(1, FREQUENT + 1)
    frequent = random.choice(FREQUENT, size=(documents, words - walking), p=frequency / frequency.sum())
    with open(path, "w", encoding="utf-8") as file:
        for i in range(documents):
            counts = Counter(f"t{j:06}" for j in np.concatenate([walk[i], frequent[i]]).tolist())
            print(json.dumps({"corpus": f"corpus {i % CORPORA}", "id": str(i), "counts": counts}), file=file)
