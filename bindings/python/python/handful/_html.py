"""A fit as a small page for a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from ._fit import Fit, Topic
    from ._records import Document

_MOST_DOCUMENTS = 20
"""Of more documents the page says only how many each topic has."""

_LEAST_SHARE = 0.05
"""Smaller shares of a document have no room for their number."""

_LEAST_SEEN = 0.005
"""Smaller ones cannot be seen."""

_STYLE = """
.handful { font: 15px/1.5 Georgia, "Iowan Old Style", Palatino, serif; max-width: 46rem; }
.handful table { border-collapse: collapse; width: 100%; margin: 0 0 .8rem; font: inherit; }
.handful td, .handful th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: middle; border: 0; }
.handful th { font-weight: 400; font-style: italic; opacity: .7; border-bottom: 1px solid #8886; }
.handful .share { white-space: nowrap; text-align: right; }
.handful .swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.handful .stack { display: flex; height: 1.3rem; gap: 1px; border-radius: 2px; overflow: hidden; }
.handful .stack span { font: 12px/1.3rem system-ui, sans-serif; min-width: 0; overflow: hidden; white-space: nowrap; }
.handful .id { width: 35%; }
.handful p { margin: 0 0 .4rem; opacity: .75; }
"""


def page(fit: Fit) -> str:
    """The topics with their terms, and how the documents mix them. All texts are escaped."""
    topics, documents = fit.topics, fit.documents
    colours = [_colour(k) for k in range(len(topics))]
    rows = "".join(
        f'<tr><td class="share"><span class="swatch" style="{colour}"></span>'
        f"{topic.number}</td><td class=\"share\">{topic.share:.0%}</td>"
        f"<td>{_named(topic)}{escape(', '.join(topic.terms()))}</td></tr>"
        for topic, colour in zip(topics, colours)
    )
    counted = f"{_counted(len(topics), 'topic')} of {_counted(len(documents), 'document')}"
    table = f"<table><tr><th>topic</th><th>share</th><th>{counted}</th></tr>{rows}</table>"
    said = "".join(f"<p>{escape(warning)}</p>" for warning in fit.warnings)
    of_documents = (
        _mixtures(documents, colours)
        if len(documents) <= _MOST_DOCUMENTS
        else _numbers(documents, len(topics))
    )
    return f'<style>{_STYLE}</style><div class="handful">{table}{of_documents}{said}</div>'


def _named(topic: Topic) -> str:
    """A name that somebody gave. Others are the terms, which stand beside it."""
    return f"<b>{escape(topic.name)}</b>: " if topic.has_own_name else ""


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _colour(topic: int) -> str:
    """The colour of a topic, and what can be read on it."""
    (red, green, blue), _ = _native.topic_colours(topic + 1)[topic]
    brightness = 0.299 * red + 0.587 * green + 0.114 * blue
    on = "#000" if brightness > 128 else "#fff"
    return f"background:#{red:02x}{green:02x}{blue:02x};color:{on}"


def _mixtures(documents: list[Document], colours: list[str]) -> str:
    rows = "".join(
        f'<tr><td class="id">{escape(document.title)}{_outside(document)}</td><td><div class="stack">'
        f"{_segments(document, colours)}</div></td></tr>"
        for document in documents
    )
    return f"<table><tr><th>document</th><th>how it mixes the topics</th></tr>{rows}</table>"


def _outside(document: Document) -> str:
    return "<br><i>about none of the topics</i>" if document.outside else ""


def _segments(document: Document, colours: list[str]) -> str:
    if document.words == 0:
        return "no words"
    shares = sorted(enumerate(document.topics.tolist()), key=lambda share: -share[1])
    return "".join(
        f'<span style="width:{share:.2%};{colours[k]}" title="topic {k + 1}: {share:.0%}">'
        f"{f'&nbsp;{share:.0%}' if share >= _LEAST_SHARE else ''}</span>"
        for k, share in shares
        if share >= _LEAST_SEEN
    )


def _numbers(documents: list[Document], topics: int) -> str:
    counts = [0] * topics
    for document in documents:
        if document.words > 0:
            counts[document.main_topic - 1] += 1
    said = ", ".join(f"topic {k + 1} in {count}" for k, count in enumerate(counts))
    outside = sum(document.outside is True for document in documents)
    # They have a topic that they have most of all the same.
    beside = f" About none of the topics: {_counted(outside, 'document')}." if outside else ""
    return f"<p>Documents by the topic they have most of: {said}.{beside}</p>"
