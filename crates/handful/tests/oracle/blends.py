"""A second program of `prior/handful/blends`: what each passage of some documents is about.

Literal and slow: every product of two passages is there, and the means that a document sees are summed anew for each document.

    python3 crates/handful/tests/oracle/blends.py     # needs NumPy; writes fixtures/blends.json
"""

import json
from pathlib import Path

import numpy as np


def softmax(x):
    z = np.exp(x - x.max(1, keepdims=True))
    return z / z.sum(1, keepdims=True)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def from_mean(x, lengths):
    x = x - np.average(x, axis=0, weights=lengths)
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def centroid_scores(views, scales, doc, weights, own):
    """L: passages x topics."""
    logits = np.zeros(weights.shape)
    for scale, y in zip(scales, views):
        products = y @ y.T
        for n in range(doc.max() + 1):
            mine = doc == n
            w = weights * np.where(mine, own, 1.0)[:, None]
            w = w / np.maximum(w.sum(0), 1e-9)
            w = w - w.mean(1, keepdims=True)
            w = w / np.sqrt(np.maximum(np.einsum("qk,qr,rk->k", w, products, w), 1e-12))
            logits[mine] += scale * products[mine] @ w
    return logits


def blend(views, doc, lengths, topics, group_of_documents=None, group_of_passages=None):
    """r: passages x topics."""
    views = [from_mean(x, lengths) for x in views]
    documents = doc.max() + 1
    alone = documents == 1
    number = np.bincount(doc)
    evidence = sum(w * y @ y.T for w, y in zip((2.0, 5.4, 5.7), views))
    weak = np.full(documents, 9.0)
    for n in range(documents):
        if number[n] > 1:
            own = evidence[np.ix_(doc == n, doc == n)]
            weak[n] = np.quantile(own[np.triu_indices(number[n], 1)], 0.2)
    pulls = np.clip(evidence - 0.5, -3, 3) * (doc[:, None] == doc[None])
    np.fill_diagonal(pulls, 0)
    pulls = pulls * (0.5 * np.minimum(1, 4 / np.maximum(number[doc] - 1, 1)))[:, None]

    if group_of_documents is not None:
        groups = np.eye(topics)[group_of_documents]
        r = groups[doc]
    else:
        r = np.eye(topics)[group_of_passages]
        groups = np.array([np.average(r[doc == n], axis=0, weights=lengths[doc == n]) for n in range(documents)])
    weight = np.maximum(0.3, 1 - sigmoid(-1.719 * weak + 10.931 / number - 1.621))[doc]
    scales = (0.5 if alone else 0.0, 4.0, 4.5)
    for _ in range(3):
        logits = centroid_scores(views, scales, doc, r * (weight * lengths)[:, None], 1.0 if alone else 0.1)
        mean = np.array([np.average(logits[doc == n], axis=0, weights=lengths[doc == n]) for n in range(documents)])
        best = np.array([np.average(logits[doc == n].max(1), weights=lengths[doc == n]) for n in range(documents)])
        gain = best - mean.max(1)
        squares = ((logits - mean[doc]) ** 2).sum(1)
        spread = np.sqrt([np.average(squares[doc == n], weights=lengths[doc == n]) for n in range(documents)])
        several = number > 1
        usual = [np.median(x[several]) if several.any() else 0.0 for x in (weak, spread)]
        z = -1.306 * weak + 8.806 / number + 1.515 * gain + 0.706 * spread + 0.443 * usual[0] - 1.071 * usual[1] - 1.941
        mixed = np.where(several, sigmoid(1.5 * z), 0.0)
        field = logits - 0.8 * mixed[doc][:, None] * mean[doc]
        if alone:
            mixed[:] = 1
            field = logits
        m = softmax(field)
        for _ in range(6):
            m = 0.5 * m + 0.5 * softmax(field + pulls @ m)
        whole = softmax(1.5 * mean + 1.5 * groups)
        r = mixed[doc][:, None] * m + (1 - mixed)[doc][:, None] * whole[doc]
        weight = np.ones(len(doc))
    return r


def case(rng, numbers, topics, by_document):
    """Passages of documents, some of which change their subject on the way."""
    doc = np.repeat(np.arange(len(numbers)), numbers)
    subject = np.array([n % topics if n % 3 < 2 else (n + i) % topics for n, many in enumerate(numbers) for i in range(many)])
    dimensions = (9, 5, 6)
    views = []
    for dimension in dimensions:
        centres = rng.normal(size=(topics, dimension))
        views.append(centres[subject] + rng.normal(size=(len(doc), dimension)) + 1.0)
    # Words are sparse and not negative.
    views[0] = np.where(views[0] > 0.8, views[0], 0.0)
    lengths = rng.integers(15, 26, size=len(doc)).astype(float)
    group = {"documents" if by_document else "passages": (np.arange(len(numbers)) % topics if by_document else subject).tolist()}
    r = blend(views, doc, lengths, topics, *((np.array(group["documents"]),) if by_document else (None, np.array(group["passages"]))))
    return {
        "topics": topics,
        "documents": doc.tolist(),
        "lengths": lengths.tolist(),
        "words": views[0].tolist(),
        "directions": views[1].tolist(),
        "themes": views[2].tolist(),
        "start": group,
        "shares": r.tolist(),
    }


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    cases = [
        case(rng, [3, 1, 4, 2, 5, 1], 2, True),
        case(rng, [2, 6, 3, 4, 2, 7, 1], 3, True),
        case(rng, [1, 1, 1, 2], 2, True),
        case(rng, [5, 4], 3, False),
        case(rng, [7], 2, False),
    ]
    path = Path(__file__).parent.parent / "fixtures" / "blends.json"
    path.write_text(json.dumps({"cases": cases}) + "\n")
