"""Plots of a fit, with the report's colours. They need matplotlib."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ._fit import Fit
    from ._tree import Tree

_INK, _QUIET, _PAPER = "#1b1b19", "#5d5c56", "#fffff8"
_LONGEST = 40
_FONT = {
    "font.family": "serif",
    "font.serif": ["Iowan Old Style", "Palatino", "Georgia", "DejaVu Serif"],
    "text.color": _INK,
    "axes.labelcolor": _QUIET,
    "xtick.color": _QUIET,
    "ytick.color": _INK,
    "hatch.color": _PAPER,
    "hatch.linewidth": 1.5,
}
# Colours repeat from the ninth topic on; the patterns then tell topics apart.
_PATTERNS = ("", "//", "\\\\", "||", "--", "..", "xx")


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib; install it with pip install matplotlib") from None
    return pyplot


def colour(topic: int) -> str:
    """The colour of a topic, counted from 0, on light paper: that of the report."""
    light, _ = _native.topic_colours(topic + 1)[topic]
    return "#" + "".join(f"{part:02x}" for part in light)


def _look(topic: int) -> dict[str, Any]:
    pattern = _PATTERNS[(topic // 8) % len(_PATTERNS)]
    return {"color": colour(topic), "hatch": pattern, "edgecolor": _PAPER if pattern else colour(topic)}


def _bare(ax: Axes) -> None:
    """Leaves of a plot only what says something."""
    for side in ("top", "right", "left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0)


def _short(text: str) -> str:
    # matplotlib reads what stands between dollar signs as mathematics.
    text = text.replace("$", r"\$")
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is not None:
        return ax
    pyplot = _pyplot()
    _, made = pyplot.subplots(figsize=(width, height), layout="constrained")
    own: Axes = made
    return own


def topics(fit: Fit, terms: int, axes: Sequence[Axes] | None) -> list[Axes]:
    """A plot a topic, with a bar a term."""
    pyplot = _pyplot()
    shown = fit.topics
    with pyplot.rc_context(_FONT):
        if axes is None:
            columns = min(3, len(shown))
            rows = -(-len(shown) // columns)
            size = (3.4 * columns, 0.4 + (0.26 * terms + 0.9) * rows)
            _, grid = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
            drawn: list[Axes] = list(grid.flat)
            for empty in drawn[len(shown) :]:
                empty.remove()
            drawn = drawn[: len(shown)]
        else:
            drawn = list(axes)
            if len(drawn) != len(shown):
                raise ValueError(f"axes: are {len(drawn)} for {len(shown)} topics; give one for each")
        for topic, ax in zip(shown, drawn):
            weighted = topic.weighted_terms(terms)[::-1]
            places = range(len(weighted))
            look = _look(topic.number - 1)
            ax.barh(places, [term.probability for term in weighted], height=0.6, **look)
            ax.set_yticks(places, [_short(term.term) for term in weighted])
            ax.set_xticks([])
            ax.set_title(f"topic {topic.number}, {topic.share:.0%}", loc="left", style="italic")
            _bare(ax)
    return drawn


def documents(fit: Fit, ax: Axes | None) -> Axes:
    """A bar a document, cut into the shares of the topics."""
    pyplot = _pyplot()
    given = fit.documents
    with pyplot.rc_context(_FONT):
        ax = _axes(ax, 7.5, 1.1 + 0.3 * len(given))
        shares, places = fit.proportions, list(range(len(given)))[::-1]
        has_words = [float(document.words > 0) for document in given]
        start = [0.0] * len(given)
        for topic in fit.topics:
            width = (shares[:, topic.number - 1] * has_words).tolist()
            name = f"topic {topic.number}: {_short(topic.name)}"
            ax.barh(places, width, left=start, height=0.75, label=name, **_look(topic.number - 1))
            start = [before + more for before, more in zip(start, width)]
        ax.set_yticks(places, [_short(document.title) for document in given])
        ax.set_xlim(0, 1)
        ax.set_xticks([0, 0.5, 1], ["0%", "50%", "100%"])
        ax.legend(loc="upper left", bbox_to_anchor=(0, -0.12 / max(1.0, 0.3 * len(given))), frameon=False)
        _bare(ax)
    return ax


def tree(fit: Fit, ax: Axes | None) -> Axes:
    """The tree of the documents, from left to right. Branches within a topic have its colour."""
    found = fit.tree
    if found is None:
        raise ValueError(
            "tree: there is none of more than 1,000 documents, of inferred documents, and with models that "
            "cannot tell subjects; fit fewer documents with the built-in model"
        )
    pyplot = _pyplot()
    titles = [_short(document.title) for document in fit.documents]
    with pyplot.rc_context(_FONT):
        ax = _axes(ax, 7.5, 0.8 + 0.3 * len(titles))
        _draw_branches(ax, found, len(titles))
        order = found.documents_of(2 * len(titles) - 2)
        ax.set_yticks(range(len(titles)), [titles[n] for n in order])
        ax.yaxis.tick_right()
        ax.invert_yaxis()
        ax.set_xticks([])
        _bare(ax)
    return ax


def _draw_branches(ax: Axes, found: Tree, documents: int) -> None:
    joins = found.joins
    # As in the report: square roots, so that the first joins can be seen beside the last.
    heights = [0.0] * documents + [join.height**0.5 for join in joins]
    top = max(heights) or 1.0
    colours = _colours_of_nodes(found, documents)
    place: dict[int, float] = dict(enumerate(_places(found, documents)))
    for node, join in enumerate(joins, start=documents):
        x = -heights[node] / top
        for child in (join.first, join.second):
            ax.plot(
                [x, -heights[child] / top], [place[child]] * 2, color=colours[child], solid_capstyle="butt"
            )
        ends = (place[join.first], place[join.second])
        ax.plot([x, x], ends, color=colours[node], solid_capstyle="projecting")
        place[node] = sum(ends) / 2
    if not joins:
        ax.plot([-1, 0], [0, 0], color=colours[0])
    ax.margins(y=0.5 / max(1, documents - 1))


def _places(found: Tree, documents: int) -> list[int]:
    places = [0] * documents
    for place, n in enumerate(found.documents_of(2 * documents - 2)):
        places[n] = place
    return places


def _colours_of_nodes(found: Tree, documents: int) -> list[str]:
    """The colour of each node: its topic's if all of it is within the topic's node."""
    nodes = 2 * documents - 1
    colours = [_QUIET] * nodes
    joins = found.joins
    for topic, root in enumerate(found.topics):
        below = [] if root is None else [root]
        while below:
            node = below.pop()
            colours[node] = colour(topic)
            if node >= documents:
                below += joins[node - documents][:2]
    return colours


def choice(fit: Fit, ax: Axes | None) -> Axes:
    """How probable each number of topics is, or the perplexity of held-out words with it."""
    found = json.loads(fit.to_json(terms=1)).get("choice")
    if found is None:
        raise ValueError(
            "choice: the number of topics was given, not chosen; leave topics out to let documents choose"
        )
    pyplot = _pyplot()
    likely = found.get("numbers", [])
    by = "probability" if likely else "perplexity"
    rows = likely or found["tried"]
    if not rows:
        raise ValueError("choice: the documents have too few words to try numbers of topics; give more text")
    # What is next to impossible is left out, but never what is left and right of the choice.
    chosen = len(fit.topics)
    shown = [row for row in rows if by == "perplexity" or row[by] > 0.005 or abs(row["topics"] - chosen) < 2]
    numbers, values = [row["topics"] for row in shown], [row[by] for row in shown]
    with pyplot.rc_context(_FONT):
        ax = _axes(ax, 5.5, 3.2)
        if by == "probability":
            looks = [_INK if number == chosen else "#b9b7ae" for number in numbers]
            ax.bar(numbers, values, width=0.6, color=looks)
            ax.set_yticks([])
            for number, value in zip(numbers, values):
                ax.annotate(f"{value:.0%}", (number, value), ha="center", va="bottom", color=_QUIET)
        else:
            ax.plot(numbers, values, color=_QUIET, marker="o")
            if chosen in numbers:
                ax.plot([chosen], [values[numbers.index(chosen)]], color=_INK, marker="o", markersize=9)
            ax.set_ylabel("perplexity of held-out words")
        ax.set_xticks(numbers)
        ax.set_xlabel("topics")
        title = "How probable each number of topics is" if by == "probability" else "Numbers of topics tried"
        ax.set_title(title, loc="left", style="italic", pad=14)
        _bare(ax)
    return ax
