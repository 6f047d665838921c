#!/usr/bin/env python3
"""Is the tuned peer the same model? In float64 its loss, gradients and fit must equal the dense peer's.

Both start from the same weights and see the same episodes and the same dropout masks. Needs no data: the corpora are
drawn here. Ends with status 1 if anything differs by more than 1e-9.
`--compile` checks what `torch.compile` makes of the tuned peer.
"""

import sys

import numpy as np
import torch

from peers import dense, tuned
from peers.counts import Corpora, Document
from peers.episodes import EpisodeSampler, dense_matrix, whole
from peers.layout import from_dense, to_dense
from peers.settings import Settings

TOLERANCE = 1e-9
TERMS = 400


class FixedMask(torch.nn.Module):
    """Dropout that was drawn beforehand."""

    def __init__(self, mask):
        super().__init__()
        self.mask = mask

    def forward(self, rows):
        return rows * self.mask.view(rows.shape)


def corpora(random) -> Corpora:
    """Documents with Zipf-like words, one of them with a single word."""

    def document(words):
        terms, counts = np.unique(np.minimum(random.zipf(1.3, words), TERMS) - 1, return_counts=True)
        return Document(terms, counts)

    lengths = [[1, 40, 300], [5, 80, 200, 1000]]
    return Corpora([str(j) for j in range(TERMS)], [[document(n) for n in corpus] for corpus in lengths])


def worst(ours: torch.Tensor, theirs: torch.Tensor) -> float:
    """The largest difference, relative to the tensor's largest value."""
    return float((ours - theirs).abs().max() / theirs.abs().max().clamp_min(1e-12))


def compare_training(training, sampler, settings, scale) -> dict[str, float]:
    """One episode through both; the weights are first scaled up, so that priors span orders of magnitude."""
    prior = dense.DensePrior(TERMS, settings)
    with torch.no_grad():
        for value in prior.parameters():
            value *= scale
    with torch.no_grad():
        for name, value in from_dense(prior).items():
            training.weights[name].copy_(value)
    masks = training.masks()
    for network, pair in zip((prior.f_r, prior.g_r, prior.f_a, prior.f_b), zip(masks[0::2], masks[1::2])):
        network[2], network[5] = FixedMask(pair[0]), FixedMask(pair[1])

    draw = sampler.draw()
    columns, support, query = training.episode.of(draw, draw.support, draw.query)
    loss = training.backward(columns, support, query, masks)
    rows = [dense_matrix(draw, values, TERMS).double() for values in (draw.support, draw.query)]
    expected = dense.episode_loss(prior, *rows, settings.em_steps)
    expected.backward()

    gradients = to_dense({name: value.grad for name, value in training.weights.items()})
    differences = {name: worst(gradients[name], value.grad) for name, value in prior.named_parameters()}
    training.first.grad.index_fill_(0, columns, 0)
    assert not training.first.grad.any(), "the gradient buffer must be zero between episodes"
    return {"loss": worst(loss.detach(), expected.detach()), **differences}


def compare_fit(fit, sampler, settings) -> dict[str, float]:
    plain = dense.DenseFit(TERMS, settings)
    fit.weights = from_dense(plain.prior)
    draw = whole(sampler.handful())
    documents = dense_matrix(draw, draw.support, TERMS).double()
    columns, support = fit.documents.of(draw, draw.support)
    with torch.inference_mode():
        theta, phi = fit.fitted(fit.weights, support, columns, settings.em_steps)
        expected = dense.em(documents, *plain.prior(documents), settings.em_steps)
    return {"theta": worst(theta, expected[0]), "phi": worst(phi.T, expected[1])}


def main():
    compiled = "--compile" in sys.argv[1:]
    torch.manual_seed(3)
    torch.set_default_dtype(torch.float64)
    settings = Settings(topics=5, hidden=16)
    sampler = EpisodeSampler(corpora(np.random.default_rng(3)), settings.support_size, settings.support_rate, seed=3)
    training = tuned.TunedTraining(TERMS, settings, compiled)
    fit = tuned.TunedFit(TERMS, settings, compiled)
    found: dict[str, float] = {}
    for episode in range(20):
        scale = (1.0, 1.5, 2.0)[episode % 3]
        for name, difference in compare_training(training, sampler, settings, scale).items():
            found[name] = max(found.get(name, 0.0), difference)
        for name, difference in compare_fit(fit, sampler, settings).items():
            found[name] = max(found.get(name, 0.0), difference)
    for name, difference in found.items():
        print(f"{name:16} {difference:.1e}")
    if not all(difference <= TOLERANCE for difference in found.values()):
        raise SystemExit(f"the tuned peer differs from the dense one by more than {TOLERANCE}")
    print(f"20 episodes and fits: all within {TOLERANCE}")


if __name__ == "__main__":
    main()
