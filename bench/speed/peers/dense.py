"""The paper's model as its author would write it: dense rows, autograd, `torch.optim.Adam`."""

import torch
from torch import nn
from torch.nn.functional import softplus

from .episodes import Draw, dense_matrix
from .settings import Settings

SMALLEST = 1e-30


def network(inputs: int, outputs: int, settings: Settings) -> nn.Sequential:
    """Three linear layers, ReLU and dropout after the first two."""
    hidden, rate = settings.hidden, settings.dropout
    return nn.Sequential(
        nn.Linear(inputs, hidden), nn.ReLU(), nn.Dropout(rate),
        nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(rate),
        nn.Linear(hidden, outputs),
    )  # fmt: skip


class DensePrior(nn.Module):
    """From documents to Dirichlet parameters: corpus representation r, then alpha of documents, beta of topics."""

    def __init__(self, terms: int, settings: Settings):
        super().__init__()
        hidden, topics = settings.hidden, settings.topics
        self.f_r = network(terms, hidden, settings)
        self.g_r = network(hidden, hidden, settings)
        self.f_a = network(terms + hidden, topics, settings)
        self.f_b = network(terms + hidden, terms, settings)

    def forward(self, documents):
        r = self.g_r(self.f_r(documents).mean(dim=0))
        alpha = softplus(self.f_a(beside(documents, r)))
        beta = softplus(self.f_b(beside(alpha.T @ documents, r)))
        return alpha, beta


def beside(rows, r):
    """Each row with r after it."""
    return torch.cat([rows, r.expand(rows.shape[0], -1)], dim=1)


def normalised(rows):
    return rows / rows.sum(dim=1, keepdim=True)


def em(documents, alpha, beta, steps: int):
    """The EM layers over all J terms: proportions theta (N x K) and topics phi (K x J)."""
    theta, phi = normalised(alpha), normalised(beta)
    for _ in range(steps):
        share = documents / (theta @ phi).clamp_min(SMALLEST)
        of_documents = theta * (share @ phi.T)
        of_topics = phi * (theta.T @ share)
        theta, phi = normalised(of_documents + alpha), normalised(of_topics + beta)
    return theta, phi


def episode_loss(prior: nn.Module, support, query, steps: int):
    """Mean negative log-likelihood of a query word."""
    theta, phi = em(support, *prior(support), steps)
    return -(query * (theta @ phi).clamp_min(SMALLEST).log()).sum() / query.sum()


class DenseTraining:
    """One episode a step, Adam on all weights."""

    def __init__(self, terms: int, settings: Settings, fused: bool):
        self.terms, self.settings, self.fused = terms, settings, fused
        self.start()

    def start(self):
        self.prior = DensePrior(self.terms, self.settings)
        # `fused=None` is what a plain `Adam(parameters)` does.
        self.adam = torch.optim.Adam(self.prior.parameters(), self.settings.learning_rate, fused=self.fused or None)

    def step(self, draw: Draw) -> float:
        support = dense_matrix(draw, draw.support, self.terms)
        query = dense_matrix(draw, draw.query, self.terms)
        loss = episode_loss(self.prior, support, query, self.settings.em_steps)
        self.adam.zero_grad()
        loss.backward()
        self.adam.step()
        return loss.item()


class DenseFit:
    def __init__(self, terms: int, settings: Settings):
        self.terms, self.settings = terms, settings
        self.prior = DensePrior(terms, settings).eval()

    @torch.inference_mode()
    def fit(self, draw: Draw):
        documents = dense_matrix(draw, draw.support, self.terms)
        return em(documents, *self.prior(documents), self.settings.em_steps)
