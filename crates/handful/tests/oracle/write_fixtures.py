#!/usr/bin/env python3
"""Writes `tests/fixtures/handful_*.json`: episodes of Handful's own prior, their outputs and exact gradients (float64).

    python3 crates/handful/tests/oracle/write_fixtures.py     # needs PyTorch

The same files in every run; another version of PyTorch may end numbers in other digits.
"""

import json
import pathlib
from dataclasses import dataclass

import torch

import handful_prior as model

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
TERMS, DIMENSION, HIDDEN, THEMES = 20, 4, 5, 3
HEADS = {
    "concentration": (model.LEAST_LOG_CONCENTRATION, model.MOST_LOG_CONCENTRATION),
    "theme_share": (-model.MOST_SHARE_LOGIT, model.MOST_SHARE_LOGIT),
}
LEARNING_RATE = 1e-3
# What the learning rate is multiplied by.
RATES = {"words.weight": 0.1, "words.bias": 0.1, "words.importance": 0.1, "words.evidence": 2.0}


@dataclass
class Case:
    """An episode. Seeds are such that `assert_reaches_what_it_should` holds."""

    documents: int
    topics: int
    em_steps: int
    seed: int
    empty: bool = False
    # Whether concentrations and shares of themes are driven beyond their bounds.
    bounds: bool = False
    adam: bool = False
    inference: str = "em"


CASES = {
    "handful_fewer_documents_than_topics": Case(documents=2, topics=4, em_steps=10, seed=4, adam=True),
    "handful_as_many_documents_as_topics": Case(documents=3, topics=3, em_steps=1, seed=10),
    # Documents are grouped otherwise without any one of the three cosines, where all count alike, where words have
    # the squares of their weights, where cosines are not taken from the mean, without moves of single documents, or
    # by average linkage.
    "handful_more_documents_than_topics": Case(documents=7, topics=3, em_steps=10, seed=235, empty=True),
    "handful_one_topic": Case(documents=3, topics=1, em_steps=3, seed=4, empty=True),
    "handful_at_the_bounds": Case(documents=3, topics=6, em_steps=5, seed=19, bounds=True),
    "handful_by_variational_bayes": Case(documents=3, topics=4, em_steps=6, seed=3, inference="vb"),
}


def distributions(count, generator):
    """Columns of thousandths that sum to 1: J x `count`."""
    columns = []
    for _ in range(count):
        cuts = torch.randperm(999, generator=generator)[: TERMS - 1].sort().values + 1
        columns.append(torch.diff(cuts, prepend=torch.tensor([0]), append=torch.tensor([1000])) / 1000)
    return torch.stack(columns, dim=1)


def weights(generator):
    """Trained weights and kept ones. Three decimals each, which keeps the files small."""

    def normal(*shape, mean=0.0, deviation=0.7):
        return (mean + deviation * torch.randn(*shape, generator=generator)).round(decimals=3)

    def affine(name, inputs, outputs, **distribution):
        weight = normal(outputs, inputs, deviation=inputs**-0.5)
        return {f"{name}.weight": weight, f"{name}.bias": normal(outputs, **distribution)}

    def network(name, inputs):
        return affine(f"{name}.0", inputs, HIDDEN) | affine(f"{name}.3", HIDDEN, DIMENSION)

    trained = {
        "words.weight": normal(TERMS, DIMENSION),
        "words.bias": normal(TERMS),
        # Some are negative; those do not count where documents are grouped.
        "words.importance": normal(TERMS, mean=0.8),
        "words.evidence": normal(TERMS),
        "counts.evidence": normal(model.MOST_OCCURRENCES),
        **network("document", DIMENSION),
        **network("corpus", DIMENSION),
        **network("topic", 3 * DIMENSION),
        **affine("concentration", DIMENSION, 1, mean=2.0),
        **affine("theme_share", DIMENSION, 1),
        **affine("theme_choice", DIMENSION, THEMES),
        "affinity.weight": normal(DIMENSION, DIMENSION),
        **affine("commonness", DIMENSION, 1),
        "slots": normal(model.MOST_TOPICS + 1, DIMENSION),
        "background": normal(1, DIMENSION),
        "membership": normal(1, 1, mean=2.0),
    }
    half = normal(DIMENSION, DIMENSION)
    kept = {
        "words.unigram": distributions(1, generator)[:, 0],
        "themes.words": distributions(THEMES, generator),
        "themes.alpha": normal(THEMES).abs() + 0.1,
        "metric.whitening": half + half.T,
    }
    return {name: value.requires_grad_() for name, value in trained.items()}, kept


def as_in_files(kept):
    """Psi as model files have it: what every term has of a theme, and of each term the themes that have more of it."""
    kept = dict(kept)
    psi = kept.pop("themes.words")
    floor = psi.min(dim=0).values
    more = psi > floor
    sparse = {
        "floor": floor, "counts": more.sum(dim=1), "index": more.nonzero()[:, 1], "above": (psi - floor)[more],
    }  # fmt: skip
    return kept | {f"themes.{name}": value for name, value in sparse.items()}


@torch.no_grad()
def drive_beyond_bounds(trained, topics):
    """Makes the heads' values for these topics half as far apart again as their bounds, around the bounds' middle."""
    for head, (least, most) in HEADS.items():
        weight, bias = trained[f"{head}.weight"], trained[f"{head}.bias"]
        lowest, highest = torch.aminmax(topics @ weight.T)
        scale = 1.5 * (most - least) / (highest - lowest)
        weight.mul_(scale).round_(decimals=3)
        bias.fill_((least + most) / 2 - scale * (lowest + highest) / 2).round_(decimals=3)


def documents(case, generator):
    """Support and query. Few terms occur often, some in a query only, some nowhere."""
    frequency = 1.0 / torch.arange(1, TERMS + 1) ** 1.2

    def halves():
        words = torch.multinomial(frequency, 40, replacement=True, generator=generator)
        return [torch.bincount(half, minlength=TERMS).double() for half in words.split([28, 12])]

    support, query = map(torch.stack, zip(*(halves() for _ in range(case.documents))))
    if case.empty:
        support[1] = 0
    return support, query


def assert_reaches_what_it_should(case, trained, support, query, topics):
    """A fixture that misses what it is for would say nothing."""
    assert (support > model.MOST_OCCURRENCES).any(), "some term is to occur oftener than evidence tells apart"
    assert query[:, ~support.any(dim=0)].any(), "some term is to occur in a query only"
    used_slots = 1 + max(case.topics - case.documents, 0)
    for name, value in trained.items():
        moves = value.grad[:used_slots] if name == "slots" else value.grad
        assert moves.any(), f"{name} does nothing"
    for head, (least, most) in HEADS.items():
        values = model.affine(trained, head, topics)
        inside = (values > least) & (values < most)
        beyond_both = (values < least).any() and (values > most).any()
        expected = beyond_both and inside.any() if case.bounds else inside.all()
        assert expected, f"{head} is {values.flatten().tolist()}"


def nested(tensors):
    return {name: value.tolist() for name, value in tensors.items()}


def record(case):
    generator = torch.Generator().manual_seed(case.seed)
    trained, kept = weights(generator)
    support, query = documents(case, generator)
    _, topics, _ = model.topic_vectors(trained | kept, support, case.topics)
    if case.bounds:
        drive_beyond_bounds(trained, topics)

    def run():
        for value in trained.values():
            value.grad = None
        *outputs, log_likelihood = model.episode(trained | kept, support, query, case.topics, case.inference, case.em_steps)
        loss = -log_likelihood / query.sum()
        loss.backward()
        return outputs, log_likelihood, loss

    (alpha, beta, theta, phi), log_likelihood, loss = run()
    assert_reaches_what_it_should(case, trained, support, query, topics)
    fixture = {
        "kind": "handful", "terms": TERMS, "topics": case.topics, "dimension": DIMENSION, "hidden": HIDDEN,
        "themes": THEMES, "em_steps": case.em_steps, "weights": nested(trained), "kept": nested(as_in_files(kept)),
        "support": support.long().tolist(), "query": query.long().tolist(),
        **nested({"alpha": alpha, "beta": beta, "theta": theta, "phi": phi}),
        **nested({"log_likelihood": log_likelihood, "loss": loss, "perplexity": loss.exp()}),
        "gradients": {name: value.grad.tolist() for name, value in trained.items()},
    }  # fmt: skip
    if case.inference != "em":
        fixture["inference"] = case.inference
    if case.adam:
        rates = [{"params": [value], "lr": LEARNING_RATE * RATES.get(name, 1.0)} for name, value in trained.items()]
        adam, losses = torch.optim.Adam(rates), []
        for _ in range(3):
            losses.append(run()[-1].item())
            adam.step()
        fixture |= {"adam_losses": losses, "weights_after_adam": nested(trained)}
    return fixture


def main():
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    for name, case in CASES.items():
        (FIXTURES / f"{name}.json").write_text(json.dumps(record(case), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
