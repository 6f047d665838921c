"""A fit as a small page for a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from . import _native

if TYPE_CHECKING:
    from ._fit import Document, Fit

_MOST_DOCUMENTS = 20
"""Of more documents the page says only how many each topic has."""

_LEAST_SHARE = 0.05
"""Smaller shares of a document have no room for their number."""

_STYLE = """
.handful { font: 15px/1.5 Georgia, "Iowan Old Style", Palatino, serif; max-width: 46rem; }
.handful table { border-collapse: collapse; width: 100%; margin: 0 0 .8rem; font: inherit; }
.handful td, .handful th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: middle; border: 0; }
.handful th { font-weight: 400; font-style: italic; opacity: .7; border-bottom: 1px solid #8886; }
.handful .share { white-space: nowrap; text-align: right; }
.handful .swatch { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
.handful .stack { display: flex; height: 1.3rem; gap: 1px; border-radius: 2px; overflow: hidden; }
.handful .stack span { font: 12px/1.3rem system-ui, sans-serif; color: #fff; padding-left: .3em; min-width: 0;
  overflow: hidden; white-space: nowrap; box-sizing: border-box; }
.handful .id { width: 35%; }
.handful p { margin: 0 0 .4rem; opacity: .75; }
"""


def page(fit: Fit) -> str:
    """The topics with their terms, and how the documents mix them. All texts are escaped."""
    topics, documents = fit.topics, fit.documents
    colours = [_colour(k) for k in range(len(topics))]
    rows = "".join(
        f'<tr><td class="share"><span class="swatch" style="background:{colour}"></span>'
        f"{topic.number}</td><td class=\"share\">{topic.share:.0%}</td>"
        f"<td><b>{escape(topic.name)}</b> {escape(', '.join(topic.terms()))}</td></tr>"
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


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _colour(topic: int) -> str:
    light, _ = _native.topic_colours(topic + 1)[topic]
    return "#" + "".join(f"{part:02x}" for part in light)


def _mixtures(documents: list[Document], colours: list[str]) -> str:
    rows = "".join(
        f'<tr><td class="id">{escape(document.title)}</td><td><div class="stack">'
        f"{_segments(document, colours)}</div></td></tr>"
        for document in documents
    )
    return f"<table><tr><th>document</th><th>how it mixes the topics</th></tr>{rows}</table>"


def _segments(document: Document, colours: list[str]) -> str:
    if document.words == 0:
        return "no words"
    shares = sorted(enumerate(document.topics.tolist()), key=lambda share: -share[1])
    return "".join(
        f'<span style="width:{share:.2%};background:{colours[k]}" title="topic {k + 1}: {share:.0%}">'
        f"{f'{share:.0%}' if share >= _LEAST_SHARE else ''}</span>"
        for k, share in shares
    )


def _numbers(documents: list[Document], topics: int) -> str:
    counts = [0] * topics
    for document in documents:
        if document.words > 0:
            counts[document.main_topic - 1] += 1
    said = ", ".join(f"topic {k + 1} in {count}" for k, count in enumerate(counts))
    return f"<p>Documents by the topic they have most of: {said}.</p>"
