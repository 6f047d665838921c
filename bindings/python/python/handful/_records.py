"""What fits give in records.

Apart from the classes that use them, so that the first fit need not wait until ``typing`` is imported, which takes
as long as the rest of the package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Term(NamedTuple):
    """A term of a topic: a word or a phrase."""

    term: str
    """The term, in the form that the topic says most."""
    probability: float
    """How probable it is in the topic, in any form."""
    relevance: float
    """How probable it is, and how much more so than usual."""
    forms: list[str]
    """Its other forms in the documents, and the words of a phrase or the phrases of a word that are listed with it."""


class Quote(NamedTuple):
    """A sentence of a document that speaks for a topic."""

    document: Any
    """The document's identifier."""
    text: str
    share: float
    """How much of it belongs to the topic."""


class NewWord(NamedTuple):
    """A word that the model does not know, and where it was placed."""

    term: str
    occurrences: int
    topics: list[float]
    """The share of its occurrences that is each topic's; what is left is the background's."""


class Document(NamedTuple):
    """A document of a fit."""

    id: Any
    """Its identifier, as it was given."""
    title: str
    """What people call it: its identifier, with its first words if that is a number."""
    topics: NDArray[np.float32]
    """Its proportions of the topics, which sum to 1."""
    background: float | None
    """The share of words that come up whatever a text is about; ``None`` for models without a background."""
    words: int
    """The number of its words, without stop words and ignored words."""
    unknown_words: int
    """The number of its words that are new to the model."""
    ignored_words: int
    outside: bool | None = None
    """Whether it is about none of the topics. ``None`` for a document that the topics were made of, and where
    it cannot be told."""

    @property
    def main_topic(self) -> int:
        """The number of the topic that it has most of, from 1."""
        return int(self.topics.argmax()) + 1


class Join(NamedTuple):
    """Two nodes of the tree that are joined."""

    first: int
    """The node that has the earliest document of both."""
    second: int
    height: float
    """How unlike the two are. Heights never fall from one join to the next."""


class Columns(NamedTuple):
    """Columns of many fits: plain lists, one entry a row, for tables of whatever kind."""

    groups: dict[str, list[Any]]
    """A row a group: group, documents, topics, warnings, error."""
    topics: dict[str, list[Any]]
    """A row a topic: group, topic, name, share, terms, probabilities."""
    documents: dict[str, list[Any]]
    """A row a document: group, document, words, unknown_words, background, main_topic, proportions."""
