"""A fit: topics, documents, words, and ways to look at them."""

from __future__ import annotations

import os
import time

from . import _documents, _native
from ._frames import frame_of
from ._tree import Tree
from ._warnings import log, warn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Literal

    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from ._documents import FrameLibrary, Texts
    from ._records import Document, NewWord, Quote, Term

    Library = Literal["pandas", "polars"]


class Topic:
    """A topic of a fit. The first has the largest share of all words."""

    __slots__ = ("_fit", "has_own_name", "name", "number", "share")

    def __init__(self, fit: Fit, number: int, name: str, has_own_name: bool, share: float) -> None:
        self._fit = fit
        self.number = number
        """Its number, from 1. Column ``number - 1`` of the proportions is its."""
        self.name = name
        """Its name: one that was given to it, or its first terms."""
        self.has_own_name = has_own_name
        """Whether the name was given to it."""
        self.share = share
        """Its share of all words."""

    def terms(self, most: int = 10, *, relevance: float | None = None) -> list[str]:
        """The terms that tell most of the topic, at most ``most``."""
        return [term.term for term in self.weighted_terms(most, relevance=relevance)]

    def weighted_terms(self, most: int = 10, *, relevance: float | None = None) -> list[Term]:
        """The same terms with their probabilities.

        With ``relevance`` they are ordered by it: 1 shows the likeliest terms, 0 those that are rare
        elsewhere.
        """
        from ._records import Term

        _, _, _, terms = self._fit._native.topics(most, relevance)[self.number - 1]
        return [Term(*term) for term in terms]

    def __repr__(self) -> str:
        return f"<Topic {self.number}, {self.share:.0%}: {self.name}>"


class Fit:
    """Topics of some documents, how the documents mix them, and all that is known of them.

    :func:`handful.fit` makes one, :meth:`infer` gives further documents the same topics, :meth:`save`
    and :func:`handful.load` keep it. It can be pickled, and then is as after saving and loading: it has the
    numbers of its documents, but not their texts.
    """

    __slots__ = ("__weakref__", "_frames", "_ids", "_native", "_vocabulary")

    def __init__(
        self, native: _native.Fit, ids: Sequence[Any], frames: FrameLibrary | None = None
    ) -> None:
        self._native = native
        self._ids = ids
        self._frames = frames
        self._vocabulary: list[str] | None = None

    # Topics, documents and words.

    @property
    def topics(self) -> list[Topic]:
        """The topics, the one with the largest share of all words first."""
        rows = enumerate(self._native.topics(0, None), start=1)
        return [Topic(self, number, name, own, share) for number, (name, own, share, _) in rows]

    @property
    def documents(self) -> list[Document]:
        """The documents, in the order in which they were given."""
        from ._records import Document

        rows = zip(self._ids, self._native.documents(), self.proportions)
        return [
            Document(id, title, shares, background, words, unknown, ignored, outside)
            for id, (_, title, words, unknown, ignored, background, outside), shares in rows
        ]

    @property
    def ids(self) -> list[Any]:
        """The identifiers of the documents, as they were given."""
        return list(self._ids)

    @property
    def proportions(self) -> NDArray[np.float32]:
        """How the documents mix the topics: a row a document, a column a topic. Not a copy, so read-only."""
        import numpy as np

        return np.asarray(self._native.proportions())

    @property
    def word_probabilities(self) -> NDArray[np.float32]:
        """How probable each term is in each topic: a row a topic, a column a term of :attr:`vocabulary`.

        Not a copy, so read-only.
        """
        import numpy as np

        return np.asarray(self._native.word_probabilities()).T

    @property
    def vocabulary(self) -> list[str]:
        """The terms: those of the model, and the new words of the documents."""
        if self._vocabulary is None:
            self._vocabulary = self._native.vocabulary()
        return self._vocabulary

    @property
    def language(self) -> str | None:
        """The two-letter code of the language that the texts were read in."""
        return self._native.language()

    @property
    def warnings(self) -> list[str]:
        """What a person should know before using the result."""
        return self._native.warnings()

    @property
    def new_words(self) -> list[NewWord]:
        """Words of the documents that the model does not know, the most frequent first."""
        from ._records import NewWord

        return [NewWord(*word) for word in self._native.new_words()]

    @property
    def tree(self) -> Tree | None:
        """The tree of the documents.

        ``None`` for more than 1,000 documents, for a model that cannot tell subjects, and for documents
        that were inferred.
        """
        tree = self._native.tree()
        return None if tree is None else Tree(tree)

    def quotes(self, most: int = 3) -> list[list[Quote]]:
        """For each topic at most ``most`` sentences of the documents that speak for it."""
        from ._records import Quote

        ids = self._ids_by_name()
        return [
            [Quote(ids.get(document, document), text, share) for document, text, share in quotes]
            for quotes in self._native.quotes(most)
        ]

    def explain(self, id: Any) -> dict[str, Any]:
        """Why a document is where it is: for each of its topics the words and sentences that decided."""
        import json

        explanation: dict[str, Any] = json.loads(self._native.explain(str(id)))
        explanation["document"] = id
        return explanation

    def name_topic(self, topic: int, name: str) -> None:
        """Calls topic ``topic``, counted from 1, by a name of yours, in every view.

        An empty name gives it its first terms for a name again.
        """
        if topic < 1:
            raise ValueError(f"topic {topic}: is no topic; give a number from 1 to {len(self.topics)}")
        self._native.name_topic(topic - 1, name)

    def forget_texts(self) -> None:
        """Forgets the documents' texts and words, for texts that are confidential: reports, files and frames
        then have no sentence of them. Topics, their terms and the proportions stay."""
        self._native.forget_texts()

    # DataFrames.

    def topics_frame(
        self, terms: int = 10, *, relevance: float | None = None, library: Library | None = None
    ) -> Any:
        """A DataFrame with a row a term of a topic: topic, name, share, rank, term, probability, relevance,
        forms.

        It is of the library that the documents came from, else of pandas if that is there, else of
        polars; ``library`` says which.
        """
        columns: dict[str, list[Any]] = {
            name: []
            for name in ("topic", "name", "share", "rank", "term", "probability", "relevance", "forms")
        }
        rows = self._native.topics(terms, relevance)
        for number, (name, _, share, weighted) in enumerate(rows, start=1):
            for rank, term in enumerate(weighted, start=1):
                row = (number, name, share, rank, *term[:3], " ".join(term[3]))
                for column, value in zip(columns.values(), row):
                    column.append(value)
        return frame_of(columns, library, self._frames)

    def documents_frame(self, *, library: Library | None = None) -> Any:
        """A DataFrame with a row a document: its id, words, unknown words, background, the proportion of each
        topic, and the number and the name of the topic that it has most of.

        Documents that were inferred also have ``outside``: whether they are about none of the topics.
        """
        import numpy as np

        rows = self._native.documents()
        shares = self.proportions
        main = shares.argmax(axis=1) if len(rows) else np.zeros(0, dtype=int)
        names = [topic.name for topic in self.topics]
        columns: dict[str, Any] = {
            "document": list(self._ids),
            "words": [row[2] for row in rows],
            "unknown_words": [row[3] for row in rows],
        }
        if any(row[5] is not None for row in rows):
            columns["background"] = [row[5] for row in rows]
        for k in range(shares.shape[1]):
            columns[f"topic_{k + 1}"] = shares[:, k]
        columns["main_topic"] = main + 1
        columns["main_topic_name"] = [names[k] for k in main]
        if any(row[6] is not None for row in rows):
            columns["outside"] = [row[6] for row in rows]
        return frame_of(columns, library, self._frames)

    def words_frame(self, *, library: Library | None = None) -> Any:
        """A DataFrame with a row a word of the texts: document, term, where it starts and ends in the text, in
        characters, whether it is new to the model, the topic that has most of it, and the share of the
        background and of each topic.

        ``topic`` is 0 where the background has most, and for words that take no part in the fit.
        Documents that were given as counts have no words in order, and a loaded fit has no texts.
        """
        import numpy as np

        of, terms, starts, ends, new, native_shares, background = self._native.words()
        shares = np.asarray(native_shares)
        behind = np.asarray(background, dtype=float)
        main = shares.argmax(axis=1) + 1 if len(of) else np.zeros(0, dtype=int)
        most = shares.max(axis=1) if len(of) else behind
        main = np.where((most > behind) & (most > 0), main, 0)
        columns: dict[str, Any] = {
            "document": [self._ids[n] for n in of],
            "term": terms,
            "start": starts,
            "end": ends,
            "is_new": new,
            "topic": main,
            "background": behind,
        }
        for k in range(shares.shape[1]):
            columns[f"topic_{k + 1}"] = shares[:, k]
        return frame_of(columns, library, self._frames)

    # Further documents, files and views.

    def infer(
        self,
        texts: Texts,
        *,
        text: str | None = None,
        id: str | None = None,
        ids: Iterable[Any] | None = None,
        feature_names: Iterable[object] | None = None,
    ) -> Fit:
        """The same topics with other documents. Each gets its proportions by itself.

        Takes what :func:`handful.fit` takes. A document that is about none of the topics has proportions all
        the same; its ``outside`` is true, and a warning says so.
        """
        given = _documents.read(texts, text=text, id=id, ids=ids, feature_names=feature_names)
        start = time.perf_counter()
        inferred = Fit(self._native.infer(given.documents), given.ids, given.frames or self._frames)
        log("inferred %d documents in %.3f s", len(given.documents), time.perf_counter() - start)
        warn(inferred.warnings)
        return inferred

    def save(self, directory: str | os.PathLike[str], *, replace: bool = False) -> None:
        """Writes the topics to a directory, whole or not at all. It must not exist, unless ``replace`` is set
        and Handful wrote it."""
        self._native.save(os.fspath(directory), replace)
        log("saved a fit of %d documents to %s", len(self._ids), os.fspath(directory))

    def report(
        self,
        file: str | os.PathLike[str] | None = None,
        *,
        terms: int = 10,
        relevance: float | None = None,
        replace: bool = False,
    ) -> str | None:
        """Writes a page to look at, which needs nothing else: topics, documents word by word, their tree, a
        map. Without ``file`` it returns the HTML."""
        if file is None:
            return self._native.report(terms, relevance)
        self._native.write_report(os.fspath(file), terms, relevance, replace)
        log("wrote a report of %d documents to %s", len(self._ids), os.fspath(file))
        return None

    def to_json(
        self,
        *,
        terms: int = 10,
        relevance: float | None = None,
        sentences: int | None = None,
        words: bool = False,
    ) -> str:
        """What ``handful fit --json`` prints: one line of JSON."""
        return self._native.to_json(terms, relevance, sentences, words)

    def to_text(self, *, all_documents: bool = False, colours: bool = False) -> str:
        """What ``handful fit`` prints, with ANSI colours if you like."""
        return self._native.to_text(all_documents, colours)

    def to_pyldavis(self) -> dict[str, Any]:
        """The arguments of ``pyLDAvis.prepare``: ``pyLDAvis.prepare(**fit.to_pyldavis())``."""
        import numpy as np

        lengths, frequencies = self._native.frequencies()
        return {
            # pyLDAvis checks that rows sum to 1 in 64 bits.
            "topic_term_dists": _normalised(self.word_probabilities),
            "doc_topic_dists": _normalised(self.proportions),
            "doc_lengths": np.asarray(lengths),
            "vocab": self.vocabulary,
            "term_frequency": np.asarray(frequencies),
        }

    def to_octis(self, terms: int = 10) -> dict[str, Any]:
        """The dictionary that OCTIS's measures take."""
        return {
            "topics": [topic.terms(terms) for topic in self.topics],
            "topic-word-matrix": self.word_probabilities,
            "topic-document-matrix": self.proportions.T,
            "vocabulary": self.vocabulary,
        }

    # Names that users of BERTopic know.

    def get_topic(self, topic: int) -> list[tuple[str, float]]:
        """The terms of a topic, counted from 1, with their probabilities: BERTopic's name."""
        topics = self.topics
        if not 1 <= topic <= len(topics):
            raise ValueError(f"topic {topic}: is no topic; give a number from 1 to {len(topics)}")
        return [(term.term, term.probability) for term in topics[topic - 1].weighted_terms()]

    def get_topic_info(self, *, library: Library | None = None) -> Any:
        """A DataFrame with a row a topic, in BERTopic's columns: Topic, Count, Name, Representation,
        Representative_Docs.

        Topics are counted from 1, and there is no topic -1: each document counts for the topic that it has most
        of. Of documents that were inferred, ``outside`` says whether they are about none of the topics.
        """
        documents = self.documents
        columns: dict[str, list[Any]] = {
            "Topic": [],
            "Count": [],
            "Name": [],
            "Representation": [],
            "Representative_Docs": [],
        }
        quotes = self.quotes(3)
        for topic in self.topics:
            columns["Topic"].append(topic.number)
            columns["Count"].append(
                sum(one.main_topic == topic.number and one.words > 0 for one in documents)
            )
            columns["Name"].append(topic.name)
            columns["Representation"].append(topic.terms())
            said = quotes[topic.number - 1] if quotes else []
            columns["Representative_Docs"].append([quote.text for quote in said])
        return frame_of(columns, library, self._frames)

    def get_document_info(self, docs: Sequence[str], *, library: Library | None = None) -> Any:
        """A DataFrame with a row a document, in BERTopic's columns: Document, Topic, Name, Representation,
        Top_n_words, Probability. ``docs`` are the texts that were fitted."""
        documents, topics = self.documents, self.topics
        texts = list(docs)
        if len(texts) != len(documents):
            raise ValueError(
                f"docs: are {len(texts)} texts, but {len(documents)} documents were fitted; give the same"
            )
        terms = [topic.terms() for topic in topics]
        main = [document.main_topic - 1 for document in documents]
        columns: dict[str, Any] = {
            "Document": texts,
            "Topic": [k + 1 for k in main],
            "Name": [topics[k].name for k in main],
            "Representation": [terms[k] for k in main],
            "Top_n_words": [" - ".join(terms[k]) for k in main],
            "Probability": [float(one.topics[k]) for one, k in zip(documents, main)],
        }
        return frame_of(columns, library, self._frames)

    # Plots.

    def plot_topics(self, terms: int = 8, *, axes: Sequence[Axes] | None = None) -> list[Axes]:
        """Draws the terms of each topic as bars, one plot a topic. Needs matplotlib."""
        from . import _plots

        return _plots.topics(self, terms, axes)

    def plot_documents(self, *, ax: Axes | None = None) -> Axes:
        """Draws how the documents mix the topics: a bar a document. Needs matplotlib."""
        from . import _plots

        return _plots.documents(self, ax)

    def plot_tree(self, *, ax: Axes | None = None) -> Axes:
        """Draws the tree of the documents, in the colours of their topics. Needs matplotlib."""
        from . import _plots

        return _plots.tree(self, ax)

    def plot_choice(self, *, ax: Axes | None = None) -> Axes:
        """Draws why there are as many topics as there are: how probable each number of topics is, or how well
        it predicts held-out words. Needs matplotlib."""
        from . import _plots

        return _plots.choice(self, ax)

    # What Python asks of an object.

    def __repr__(self) -> str:
        return self.to_text().rstrip("\n")

    def _repr_html_(self) -> str:
        from . import _html

        return _html.page(self)

    def __copy__(self) -> Fit:
        return Fit(self._native.copy(), self._ids, self._frames)

    def __deepcopy__(self, memo: dict[int, Any]) -> Fit:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._native.to_files(), self._ids, self._frames)

    def _ids_by_name(self) -> dict[str, Any]:
        return {str(id): id for id in self._ids}


def _restored(
    files: dict[str, bytes], ids: Sequence[Any], frames: FrameLibrary | None
) -> Fit:
    return Fit(_native.Fit.of_files(files), ids, frames)


def load(directory: str | os.PathLike[str]) -> Fit:
    """Opens a directory that :meth:`Fit.save` or ``handful fit --out`` wrote.

    It has the numbers of the documents, but not their texts: further documents can be inferred, but there is
    no report. Identifiers are strings.
    """
    native = _native.open_fit(os.fspath(directory))
    ids = [row[0] for row in native.documents()]
    log("loaded a fit of %d documents from %s", len(ids), os.fspath(directory))
    return Fit(native, ids)


def _normalised(rows: NDArray[np.float32]) -> NDArray[np.float64]:
    import numpy as np

    exact = rows.astype(np.float64)
    normalised: NDArray[np.float64] = exact / exact.sum(axis=1, keepdims=True)
    return normalised
