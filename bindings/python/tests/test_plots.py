"""Plots are matplotlib's, in the report's colours."""

from __future__ import annotations

from typing import Any

import matplotlib.colors
import numpy as np
import pytest
from matplotlib import pyplot

import handful
from handful import _plots

from conftest import TEXTS


@pytest.fixture(autouse=True)
def _closed() -> Any:
    yield
    pyplot.close("all")


def test_topics_are_bars_of_their_terms(fit: handful.Fit) -> None:
    axes = fit.plot_topics(terms=5)
    assert len(axes) == 2
    for topic, ax in zip(fit.topics, axes):
        assert [label.get_text() for label in ax.get_yticklabels()] == topic.terms(5)[::-1]
        widths = [bar.get_width() for bar in ax.patches]
        assert widths == pytest.approx([term.probability for term in topic.weighted_terms(5)][::-1])
        assert matplotlib.colors.to_hex(ax.patches[0].get_facecolor()) == _plots.colour(topic.number - 1)


def test_colours_are_those_of_the_report(fit: handful.Fit) -> None:
    report = fit.report()
    assert report is not None and f"--c: {_plots.colour(0)}" in report


def test_documents_are_bars_of_their_shares(fit: handful.Fit) -> None:
    ax = fit.plot_documents()
    widths = np.array([[bar.get_width() for bar in bars] for bars in ax.containers])
    assert np.allclose(widths.T, fit.proportions)
    assert [label.get_text() for label in ax.get_yticklabels()] == list(TEXTS)


def test_the_tree_has_a_line_for_each_branch(fit: handful.Fit) -> None:
    ax = fit.plot_tree()
    assert len(ax.lines) == 3 * 3
    drawn = {matplotlib.colors.to_hex(line.get_color()) for line in ax.lines}
    assert {_plots.colour(0), _plots.colour(1)} <= drawn


def test_the_choice_shows_the_number_that_was_chosen(fit: handful.Fit) -> None:
    ax = fit.plot_choice()
    assert 2 in ax.get_xticks()
    with pytest.raises(ValueError, match="was given, not chosen"):
        handful.fit(TEXTS, topics=2).plot_choice()


def test_plots_go_into_axes_of_ones_own(fit: handful.Fit) -> None:
    _, (left, right) = pyplot.subplots(1, 2)
    assert fit.plot_documents(ax=left) is left
    assert fit.plot_tree(ax=right) is right
    with pytest.raises(ValueError, match="give one for each"):
        fit.plot_topics(axes=[left])


def test_few_and_many_topics_can_be_drawn() -> None:
    alone = handful.fit(["Bees and hives."])
    alone.plot_topics()
    alone.plot_documents()
    assert alone.infer(["Bread."]).tree is None
    with pytest.raises(ValueError, match="tree: there is none"):
        alone.infer(["Bread."]).plot_tree()
    many = handful.fit([text + f" $x_{n}$ " for n in range(5) for text in TEXTS.values()], topics=3)
    many.plot_documents().figure.canvas.draw()  # type: ignore[union-attr]
    many.plot_tree().figure.canvas.draw()  # type: ignore[union-attr]
