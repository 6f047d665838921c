"""The tuned model's weights, and how they correspond to the dense model's, both ways.

First layers are stored term-major and side by side (J x 3 hidden), so that one gather fetches what f_r, f_a and f_b
need of a term. What f_a and f_b do with r is one matrix (2 hidden x hidden).
"""

import torch

from .dense import DensePrior

# Layers that both models store alike: the tuned name, and the dense module.
SHARED = {
    "r2": "f_r.3", "r3": "f_r.6", "g1": "g_r.0", "g2": "g_r.3", "g3": "g_r.6",
    "a2": "f_a.3", "a3": "f_a.6", "b2": "f_b.3", "b3": "f_b.6",
}  # fmt: skip


def from_dense(prior: DensePrior) -> dict[str, torch.Tensor]:
    """The tuned model's weights for a dense model."""
    dense = {name: value.detach() for name, value in prior.named_parameters()}
    terms, hidden = dense["f_r.0.weight"].shape[1], dense["f_r.0.weight"].shape[0]
    first = [dense[f"{network}.0.weight"] for network in ("f_r", "f_a", "f_b")]
    tuned = {
        "first": torch.cat([weight[:, :terms].T for weight in first], dim=1),
        "first_bias": torch.cat([dense[f"{network}.0.bias"] for network in ("f_r", "f_a", "f_b")]),
        "of_r": torch.cat([weight[:, terms:] for weight in first[1:]]),
    }
    assert tuned["of_r"].shape == (2 * hidden, hidden)
    for name, module in SHARED.items():
        tuned[name] = dense[f"{module}.weight"].clone()
        tuned[f"{name}_bias"] = dense[f"{module}.bias"].clone()
    return tuned


def to_dense(tuned: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Tuned tensors (weights or their gradients) under the dense model's names and shapes."""
    first, bias = tuned["first"].chunk(3, dim=1), tuned["first_bias"].chunk(3)
    of_r = (None, *tuned["of_r"].chunk(2))
    dense = {}
    for i, network in enumerate(("f_r", "f_a", "f_b")):
        dense[f"{network}.0.weight"] = first[i].T if i == 0 else torch.cat([first[i].T, of_r[i]], dim=1)
        dense[f"{network}.0.bias"] = bias[i]
    for name, module in SHARED.items():
        dense[f"{module}.weight"] = tuned[name]
        dense[f"{module}.bias"] = tuned[f"{name}_bias"]
    return dense
