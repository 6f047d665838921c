"""Real use of the package, which mypy checks in strict mode. It is never run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import handful


def fits(texts: list[str]) -> None:
    fit: handful.Fit = handful.fit(texts, topics="auto", granularity="fine", seed=3)
    fit = handful.fit({"a": "text"}, topics=3, ignore_words=["um"], stop_words="de", language=None)
    shares: NDArray[np.float32] = fit.proportions
    names: list[str] = [topic.name for topic in fit.topics]
    terms: list[str] = fit.topics[0].terms(5)
    probability: float = fit.topics[0].weighted_terms(5, relevance=0.6)[0].probability
    main: list[int] = [document.main_topic for document in fit.documents]
    later: handful.Fit = fit.infer(["one more"])
    outside: list[bool | None] = [document.outside for document in later.documents]
    fit.name_topic(1, "Housing")
    fit.save(Path("topics"))
    fit.report("report.html")
    loaded: handful.Fit = handful.load("topics")
    tree: handful.Tree | None = loaded.tree
    if tree is not None:
        heights: list[float] = [join.height for join in tree.joins]
        print(heights, tree.cuts)
    print(shares, names, terms, probability, main, outside, fit.quotes(2)[0][0].text, fit.warnings)


def models(corpora: dict[str, list[str]]) -> None:
    model: handful.Model = handful.train(corpora, max_steps=10, checkpoint="checkpoint", progress=False)
    model.save("model", replace=True)
    fit: handful.Fit = handful.Model.open("model").fit(["text"], topics=2, held_out=False)
    print(fit, handful.Model.pretrained().card)


def many(groups: dict[str, list[str]]) -> None:
    results: handful.ManyFits = handful.fit_many(groups, topics=2, terms=5)
    shares: list[float] = results.columns.topics["share"]
    errors: dict[object, str] = results.errors
    print(len(results), shares, errors)
    handful.set_threads(2)


def estimators(texts: list[str]) -> None:
    made = handful.HandfulTextTopicModel(n_topics=2)
    shares: NDArray[np.float64] = made.fit(texts).transform(texts)
    print(shares, made.components_, made.get_feature_names_out())


def on_engines(dataset: object, frame: object) -> None:
    import handful.ray
    import handful.spark

    fits = handful.ray.fit_many(dataset, group="client", text="answer", id="key", workers=2, topics=3)
    print(handful.ray.topics(fits), handful.ray.documents(fits))
    fits = handful.spark.fit_many(frame, group="client", text="answer", partitions=8, seed=2)
    print(handful.spark.topics(fits), handful.spark.documents(fits))
