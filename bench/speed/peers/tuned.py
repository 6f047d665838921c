"""The same mathematics, rewritten with every trick PyTorch has.

- EM runs over the episode's terms only. Elsewhere phi_kj = beta_kj / Z_k holds at every step, so sums over
  all terms enter through Z alone; theta's normaliser is the document's length plus the sum of its alpha.
- The first layers are one gather of stored rows and one small product P = X W. f_b's input alpha^T X is never built:
  (alpha^T X) W = alpha^T (X W). P is the leaf that autograd sees; the rows' gradient is X^T dP, written straight into
  a gradient buffer that is zero elsewhere and made zero again afterwards, so no J-wide buffer is allocated or cleared.
- f_r's last layer is linear, so the mean over documents is taken before it.
- The output layer is a product W h^T (term-major, twice as fast here as h W^T), and one call draws all dropout masks.
- Fused Adam; numbers too small for a normal float are flushed to zero; `torch.compile` if asked.

What is left out because PyTorch has no such thing: Adam that skips rows without a gradient and catches up exactly.
(`SparseAdam` skips them for good, which is another optimiser.)
"""

import numpy as np
import torch
from torch.nn.functional import linear, relu, softplus

from .dense import SMALLEST, DensePrior
from .episodes import Columns, Draw
from .layout import from_dense
from .settings import Settings


def prior_heads(w, first, masks):
    """From P (N x 3 hidden) to alpha (N x K) and the last hidden layer of f_b (K x hidden)."""
    of_r, of_a, of_b = first.chunk(3, dim=1)
    bias_r, bias_a, bias_b = w["first_bias"].chunk(3)
    mask = masks or [1.0] * 8

    hidden = relu(of_r + bias_r) * mask[0]
    hidden = relu(linear(hidden, w["r2"], w["r2_bias"])) * mask[1]
    hidden = linear(hidden.mean(dim=0, keepdim=True), w["r3"], w["r3_bias"])
    hidden = relu(linear(hidden, w["g1"], w["g1_bias"])) * mask[2]
    hidden = relu(linear(hidden, w["g2"], w["g2_bias"])) * mask[3]
    r = linear(hidden, w["g3"], w["g3_bias"])
    r_to_a, r_to_b = linear(r, w["of_r"]).chunk(2, dim=1)

    hidden = relu(of_a + (r_to_a + bias_a)) * mask[4]
    hidden = relu(linear(hidden, w["a2"], w["a2_bias"])) * mask[5]
    alpha = softplus(linear(hidden, w["a3"], w["a3_bias"]))

    hidden = relu(alpha.T @ of_b + (r_to_b + bias_b)) * mask[6]
    return alpha, relu(linear(hidden, w["b2"], w["b2_bias"])) * mask[7]


def all_beta(w, hidden):
    """beta, term-major (J x K)."""
    return softplus(w["b3"] @ hidden.T + w["b3_bias"][:, None])


def em_on_columns(support, alpha, beta, total, steps: int):
    """EM with beta (K x U) on the episode's terms and its `total` over all: theta, phi there, and Z."""
    alpha_total = alpha.sum(dim=1, keepdim=True)
    length = support.sum(dim=1, keepdim=True) + alpha_total
    theta, z = alpha / alpha_total, total[:, None]
    phi = beta / z
    for _ in range(steps):
        share = support / (theta @ phi).clamp_min(SMALLEST)
        of_topics = phi * (theta.T @ share)
        theta = (theta * (share @ phi.T) + alpha) / length
        z = of_topics.sum(dim=1, keepdim=True) + total[:, None]
        phi = (of_topics + beta) / z
    return theta, phi, z


def episode_loss(w, first, support, query, columns, masks, steps: int):
    alpha, hidden = prior_heads(w, first, masks)
    beta = all_beta(w, hidden)
    theta, phi, _ = em_on_columns(support, alpha, beta[columns].T, beta.sum(dim=0), steps)
    return -(query * (theta @ phi).clamp_min(SMALLEST).log()).sum() / query.sum()


def fitted(w, support, columns, steps: int):
    """theta (N x K) and all of phi, term-major (J x K)."""
    alpha, hidden = prior_heads(w, support @ w["first"][columns], None)
    beta = all_beta(w, hidden)
    theta, phi, z = em_on_columns(support, alpha, beta[columns].T, beta.sum(dim=0), steps)
    return theta, (beta / z.T).index_copy(0, columns, phi.T)


class EpisodeColumns:
    """An episode's terms, and its counts as N x U matrices over them."""

    def __init__(self, terms: int, compiled: bool):
        self.columns, self.compiled = Columns(terms), compiled

    def of(self, draw: Draw, *values: np.ndarray) -> list[torch.Tensor]:
        columns, place = self.columns.of(draw)
        matrices = torch.zeros(len(values), draw.documents, len(columns))
        for matrix, counts in zip(matrices.numpy(), values):
            matrix[draw.row, place] = counts
        tensors = [torch.from_numpy(columns), *matrices]
        if self.compiled:
            # One compilation for any number of terms; everything else has a fixed size.
            for tensor in tensors:
                torch._dynamo.mark_dynamic(tensor, tensor.ndim - 1)
        return tensors


class TunedTraining:
    """One episode a step, Adam on all weights."""

    def __init__(self, terms: int, settings: Settings, compiled: bool):
        self.terms, self.settings = terms, settings
        self.episode = EpisodeColumns(terms, compiled)
        self.loss = torch.compile(episode_loss) if compiled else episode_loss
        rows = (settings.support_size,) * 2 + (1,) * 2 + (settings.support_size,) * 2 + (settings.topics,) * 2
        self.mask_sizes = [settings.hidden * n for n in rows]
        torch.set_flush_denormal(True)
        self.start()

    def start(self):
        weights = from_dense(DensePrior(self.terms, self.settings))
        self.weights = {name: value.requires_grad_() for name, value in weights.items()}
        self.first = self.weights["first"]
        self.first.grad = torch.zeros_like(self.first)
        self.others = [value for name, value in self.weights.items() if name != "first"]
        self.adam = torch.optim.Adam(self.weights.values(), self.settings.learning_rate, fused=True)

    def masks(self) -> list[torch.Tensor]:
        kept = 1 - self.settings.dropout
        drawn = torch.empty(sum(self.mask_sizes)).bernoulli_(kept).mul_(1 / kept)
        return [mask.view(-1, self.settings.hidden) for mask in drawn.split(self.mask_sizes)]

    def backward(self, columns, support, query, masks) -> torch.Tensor:
        """The loss; its gradients are left in the weights' `grad`."""
        with torch.no_grad():
            product = support @ self.first[columns]
        product.requires_grad_()
        others = {name: value for name, value in self.weights.items() if name != "first"}
        loss = self.loss(others, product, support, query, columns, masks, self.settings.em_steps)
        for value in self.others:
            value.grad = None
        loss.backward()
        with torch.no_grad():
            self.first.grad[columns] = support.T @ product.grad
        return loss

    def step(self, draw: Draw) -> float:
        columns, support, query = self.episode.of(draw, draw.support, draw.query)
        loss = self.backward(columns, support, query, self.masks())
        self.adam.step()
        self.first.grad.index_fill_(0, columns, 0)
        return loss.item()


class TunedFit:
    def __init__(self, terms: int, settings: Settings, compiled: bool):
        self.settings = settings
        self.weights = from_dense(DensePrior(terms, settings))
        self.documents = EpisodeColumns(terms, compiled)
        self.fitted = torch.compile(fitted) if compiled else fitted
        torch.set_flush_denormal(True)

    @torch.inference_mode()
    def fit(self, draw: Draw):
        columns, support = self.documents.of(draw, draw.support)
        return self.fitted(self.weights, support, columns, self.settings.em_steps)
