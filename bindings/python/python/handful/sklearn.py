"""Handful as estimators of scikit-learn."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _counts, _documents
from ._fit import Fit
from ._model import Model
from ._settings import settings_of
from ._warnings import warn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ._settings import Granularity

__all__ = ["HandfulTextTopicModel", "HandfulTopicModel"]


class _TopicModel(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """What both estimators share."""

    def __init__(
        self,
        n_topics: int | Literal["auto"] = "auto",
        *,
        granularity: Granularity = "medium",
        em_steps: int | None = None,
        until_converged: bool = False,
        ignore_words: Iterable[str] = (),
        language: str | None = None,
        stop_words: str | Iterable[str] | None = None,
        held_out: bool = False,
        model: str | os.PathLike[str] | Model | None = None,
        random_state: int = 1,
    ) -> None:
        self.n_topics = n_topics
        self.granularity = granularity
        self.em_steps = em_steps
        self.until_converged = until_converged
        self.ignore_words = ignore_words
        self.language = language
        self.stop_words = stop_words
        self.held_out = held_out
        self.model = model
        self.random_state = random_state

    def _fit_documents(self, given: _documents.Given) -> None:
        settings = settings_of(
            # What the documents choose by themselves, also with models that cannot choose.
            topics=None if self.n_topics == "auto" else self.n_topics,
            granularity=self.granularity,
            em_steps=self.em_steps,
            until_converged=self.until_converged,
            ignore_words=self.ignore_words,
            language=self.language,
            stop_words=self.stop_words,
            held_out=self.held_out,
            seed=self.random_state,
        )
        model = self.model
        if model is None:
            model = Model.pretrained()
        elif not isinstance(model, Model):
            model = Model.open(model)
        self.fit_ = Fit(model._native.fit(given.documents, settings), given.ids, given.frames)
        self.n_topics_ = len(self.fit_.topics)
        self.topic_names_ = [topic.name for topic in self.fit_.topics]
        warn(self.fit_.warnings)

    @property
    def components_(self) -> NDArray[np.float64]:
        """How probable each column's term is in each topic: a row a topic."""
        check_is_fitted(self)
        return self._components()

    def _components(self) -> NDArray[np.float64]:
        raise NotImplementedError

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """The names of the columns that ``transform`` gives: ``topic_1``, ``topic_2``."""
        check_is_fitted(self)
        return np.asarray([f"topic_{k + 1}" for k in range(self.n_topics_)], dtype=object)

    def _shares(self, given: _documents.Given) -> NDArray[np.float64]:
        shares: NDArray[np.float64] = np.asarray(
            self.fit_._native.infer(given.documents).proportions(), dtype=np.float64
        )
        return shares


class HandfulTopicModel(_TopicModel):
    """A topic model of word counts, as an estimator of scikit-learn.

    ``fit`` takes a matrix with a row a document and a column a term, sparse or dense. The terms are the
    columns of a DataFrame, or ``feature_names``; columns without names are taken for words that the model
    does not know, with a warning. Values may be any non-negative numbers: if they are not whole, they are
    scaled so that the smallest counts 1, unless then the largest would count more than 50.

    Parameters
    ----------
    n_topics
        The number of topics, or ``"auto"`` for as many as the documents have subjects.
    feature_names
        The terms of the columns, for example ``vectorizer.get_feature_names_out()``.
    granularity, em_steps, until_converged, ignore_words, language, stop_words, held_out
        As in :func:`handful.fit`. ``held_out`` is off by default: nothing here shows what it says.
    model
        A model, or its directory. By default the built-in one.
    random_state
        The seed of everything random.

    Attributes
    ----------
    fit_
        The :class:`handful.Fit`, with all that it can show. Its proportions are those of the documents
        together; ``transform`` reads each document by itself, as scikit-learn wants it.
    components_
        How probable each column's term is in each topic: a row a topic. What is left of 1 has terms that no
        column stands for.
    n_topics_, topic_names_
        The number of topics, and their names.
    n_features_in_, feature_names_in_
        The number of columns, and their names if they have any.
    """

    def __init__(
        self,
        n_topics: int | Literal["auto"] = "auto",
        *,
        feature_names: Iterable[str] | None = None,
        granularity: Granularity = "medium",
        em_steps: int | None = None,
        until_converged: bool = False,
        ignore_words: Iterable[str] = (),
        language: str | None = None,
        stop_words: str | Iterable[str] | None = None,
        held_out: bool = False,
        model: str | os.PathLike[str] | Model | None = None,
        random_state: int = 1,
    ) -> None:
        super().__init__(
            n_topics,
            granularity=granularity,
            em_steps=em_steps,
            until_converged=until_converged,
            ignore_words=ignore_words,
            language=language,
            stop_words=stop_words,
            held_out=held_out,
            model=model,
            random_state=random_state,
        )
        self.feature_names = feature_names

    def fit(self, X: Any, y: object = None) -> HandfulTopicModel:
        """Finds the topics of the rows of ``X``."""
        X = self._validated(X, reset=True)
        names = self.feature_names
        if names is None:
            names = getattr(self, "feature_names_in_", None)
        self.terms_ = _counts.terms_of(names, X.shape[1])
        self.factor_ = _counts.factor_of(np.asarray(X.data if hasattr(X, "tocsr") else X).ravel())
        self._fit_documents(self._given(X))
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The proportions of the topics in each row of ``X``, by itself."""
        check_is_fitted(self)
        return self._shares(self._given(self._validated(X, reset=False)))

    def _components(self) -> NDArray[np.float64]:
        places = {term: place for place, term in enumerate(self.fit_.vocabulary)}
        found = [places.get(term, -1) for term in self.terms_]
        chosen: NDArray[np.float64] = self.fit_.word_probabilities[:, found].astype(np.float64)
        # Terms that occur in no document are no terms of the fit, unless the model knows them.
        chosen[:, [place < 0 for place in found]] = 0.0
        return chosen

    def _validated(self, X: Any, *, reset: bool) -> Any:
        return validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=np.float64,
            ensure_non_negative=True,
            reset=reset,
        )

    def _given(self, X: Any) -> _documents.Given:
        ids = range(X.shape[0])
        documents = _counts.counts_of(X, [str(n) for n in ids], self.terms_, self.factor_)
        return _documents.Given(documents, ids, None)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


class HandfulTextTopicModel(_TopicModel):
    """A topic model of texts, as an estimator of scikit-learn: the first step of a pipeline, or the only one.

    ``fit`` takes what :func:`handful.fit` takes: a list of texts, a Series, a column. Parameters and
    attributes are those of :class:`HandfulTopicModel`, except for ``feature_names``; the columns of
    ``components_`` are the terms of ``fit_.vocabulary``.
    """

    def fit(self, X: Any, y: object = None) -> HandfulTextTopicModel:
        """Finds the topics of the texts ``X``."""
        self._fit_documents(_documents.read(_flat(X)))
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
        """The proportions of the topics in each text of ``X``, by itself."""
        check_is_fitted(self)
        return self._shares(_documents.read(_flat(X)))

    def _components(self) -> NDArray[np.float64]:
        return self.fit_.word_probabilities.astype(np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def _flat(X: Any) -> Any:
    """Texts of a table with one column, as grid search and column transformers give them."""
    if len(getattr(X, "shape", ())) != 2 or hasattr(X, "tocsr"):
        return X
    columns = _documents._columns_of(X)
    if X.shape[1] == 1:
        return X[:, 0] if columns is None else X[columns[0]]
    if columns is None and X.dtype.kind in "biuf" or columns is not None and _documents._is_numeric(X):
        return X
    first = "X[:, 0]" if columns is None else f"X[{columns[0]!r}]"
    raise ValueError(f"X: has {X.shape[1]} columns; give one column of texts, such as {first}")
