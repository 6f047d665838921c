"""Handful as an estimator of scikit-learn."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

import handful
from handful import HandfulTextTopicModel, HandfulTopicModel

from conftest import TEXTS

LIST = list(TEXTS.values())


@pytest.fixture(scope="module")
def counted() -> tuple[Any, list[str]]:
    vectorizer = CountVectorizer(stop_words="english")
    return vectorizer.fit_transform(LIST), list(vectorizer.get_feature_names_out())


@pytest.mark.parametrize("n_topics", ["auto", 2])
def test_check_estimator_passes_with_no_check_expected_to_fail(n_topics: Any) -> None:
    with warnings.catch_warnings():
        # The checks' columns have no names.
        warnings.simplefilter("ignore")
        results = check_estimator(HandfulTopicModel(n_topics=n_topics), on_fail=None)
    failed = [(one["check_name"], one["exception"]) for one in results if one["status"] == "failed"]
    assert not failed
    assert sum(one["status"] == "passed" for one in results) >= 40


def test_counts_have_the_fit_of_the_same_counts(counted: Any) -> None:
    matrix, names = counted
    model = HandfulTopicModel(n_topics=2, feature_names=names, random_state=5).fit(matrix)
    fit = handful.fit(matrix, feature_names=names, topics=2, seed=5, held_out=False)
    assert np.array_equal(model.fit_.proportions, fit.proportions)
    shares = model.transform(matrix)
    assert shares.shape == (4, 2) and np.allclose(shares.sum(axis=1), 1)
    main = shares.argmax(axis=1)
    assert main[0] == main[1] != main[2] == main[3]
    assert np.array_equal(model.fit_transform(matrix), shares)


def test_components_are_the_probabilities_of_the_columns(counted: Any) -> None:
    matrix, names = counted
    model = HandfulTopicModel(n_topics=2, feature_names=names).fit(matrix)
    assert model.components_.shape == (2, len(names))
    bees, bread = names.index("bees"), names.index("bread")
    of_bees = model.transform(matrix)[0].argmax()
    assert model.components_[of_bees, bees] > model.components_[1 - of_bees, bees]
    assert model.components_[of_bees, bread] < model.components_[1 - of_bees, bread]
    place = model.fit_.vocabulary.index("bees")
    assert np.allclose(model.components_[:, bees], model.fit_.word_probabilities[:, place])


def test_the_columns_of_a_table_are_its_terms(counted: Any) -> None:
    matrix, names = counted
    table = pd.DataFrame(matrix.toarray(), columns=names)
    by_table = HandfulTopicModel(n_topics=2).fit(table)
    by_names = HandfulTopicModel(n_topics=2, feature_names=names).fit(matrix)
    assert list(by_table.feature_names_in_) == names
    assert np.array_equal(by_table.transform(table), by_names.transform(matrix))
    # New words of the fit need not come up in every document that is transformed.
    zeros = scipy.sparse.csr_matrix((1, len(names)))
    assert np.allclose(by_names.transform(zeros).sum(), 1)


def test_real_numbers_are_accepted() -> None:
    vectorizer = TfidfVectorizer(stop_words="english")
    matrix = vectorizer.fit_transform(LIST)
    model = HandfulTopicModel(n_topics=2, feature_names=vectorizer.get_feature_names_out()).fit(matrix)
    main = model.transform(matrix).argmax(axis=1)
    assert main[0] == main[1] != main[2] == main[3]


def test_columns_without_names_are_warned_of() -> None:
    with pytest.warns(handful.HandfulWarning, match="have no names"):
        HandfulTopicModel(n_topics=1).fit(np.array([[1, 2], [3, 4]]))


def test_output_can_be_a_table(counted: Any) -> None:
    matrix, names = counted
    model = HandfulTopicModel(n_topics=2, feature_names=names).set_output(transform="pandas")
    made = model.fit_transform(matrix)
    assert isinstance(made, pd.DataFrame) and list(made.columns) == ["topic_1", "topic_2"]
    assert list(model.get_feature_names_out()) == ["topic_1", "topic_2"]


@pytest.mark.parametrize("kind", [HandfulTopicModel, HandfulTextTopicModel])
def test_estimators_are_cloned_and_pickled(kind: Any, counted: Any) -> None:
    matrix, names = counted
    made = kind(n_topics=2, random_state=4)
    given: Any = LIST
    if kind is HandfulTopicModel:
        made.set_params(feature_names=names)
        given = matrix
    made.fit(given)
    assert clone(made).get_params() == made.get_params()
    again = pickle.loads(pickle.dumps(made))
    assert np.array_equal(again.transform(given), made.transform(given))
    assert np.array_equal(again.components_, made.components_)


def test_texts_go_through_a_pipeline() -> None:
    for given in [LIST, pd.Series(LIST), np.array(LIST, dtype=object), pd.DataFrame({"text": LIST})]:
        pipeline = make_pipeline(HandfulTextTopicModel(n_topics=2), LogisticRegression())
        pipeline.fit(given, [0, 0, 1, 1])
        assert pipeline.predict(given).tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="give at least one text"):
        HandfulTextTopicModel().fit([])


@pytest.mark.parametrize(
    "given",
    [
        np.array(LIST, dtype=object).reshape(-1, 1),
        np.array(LIST).reshape(-1, 1),
        pd.DataFrame({"text": LIST}),
        pl.DataFrame({"text": LIST}),
        pa.table({"text": LIST}),
    ],
    ids=lambda given: f"{type(given).__module__}.{type(given).__name__}",
)
def test_one_column_of_texts_is_a_list_of_texts(given: Any) -> None:
    made = HandfulTextTopicModel(n_topics=2)
    assert np.array_equal(made.fit_transform(given), made.fit(LIST).transform(LIST))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (np.array([LIST[:2], LIST[2:]]), r"X: has 2 columns; give one column of texts, such as X\[:, 0\]"),
        (np.array([LIST[:2], LIST[2:]], dtype=object), "X: has 2 columns"),
        (pd.DataFrame({"a": LIST, "b": LIST}), r"give one column of texts, such as X\['a'\]"),
        (pl.DataFrame({"a": LIST, "b": LIST}), r"such as X\['a'\]"),
        (np.array(LIST).reshape(2, 2, 1), "an array of 3 dimensions"),
        (LIST[0], "give a list of texts"),
    ],
)
def test_more_than_one_column_of_texts_is_refused(given: Any, sentence: str) -> None:
    made = HandfulTextTopicModel(n_topics=2)
    for method in (made.fit, made.fit(LIST).transform):
        with pytest.raises((TypeError, ValueError), match=sentence):
            method(given)


def test_missing_texts_keep_their_rows() -> None:
    for given in [
        [LIST[0], None, LIST[2], float("nan")],
        pd.Series([LIST[0], pd.NA, LIST[2], pd.NA], dtype="string"),
        np.array([[LIST[0]], [None], [LIST[2]], [np.nan]], dtype=object),
        pl.DataFrame({"text": [LIST[0], None, LIST[2], None]}),
    ]:
        made = HandfulTextTopicModel(n_topics=2)
        with pytest.warns(handful.HandfulWarning, match="2 of 4 texts are missing"):
            made.fit(given)
        with pytest.warns(handful.HandfulWarning, match="2 of 4 texts are missing"):
            shares = made.transform(given)
        assert shares.shape == (4, 2) and np.allclose(shares.sum(axis=1), 1)
        assert np.array_equal(shares[[0, 2]], made.transform([LIST[0], LIST[2]]))
        assert np.array_equal(shares[1], shares[3])


@pytest.mark.parametrize("kind", [HandfulTopicModel, HandfulTextTopicModel])
def test_output_can_be_a_table_of_polars(kind: Any, counted: Any) -> None:
    matrix, names = counted
    made = kind(n_topics=2).set_output(transform="polars")
    given: Any = LIST
    if kind is HandfulTopicModel:
        made.set_params(feature_names=names)
        given = matrix
    table = made.fit_transform(given)
    assert isinstance(table, pl.DataFrame) and table.columns == ["topic_1", "topic_2"]
    assert np.array_equal(table.to_numpy(), made.set_output(transform="default").transform(given))


def test_a_text_estimator_that_is_not_fitted_says_so() -> None:
    from sklearn.exceptions import NotFittedError

    for question in [
        lambda: HandfulTextTopicModel().transform(LIST),
        lambda: HandfulTextTopicModel().components_,
        lambda: HandfulTextTopicModel().get_feature_names_out(),
    ]:
        with pytest.raises(NotFittedError):
            question()


def test_texts_have_the_fit_of_the_same_texts(fit: handful.Fit) -> None:
    made = HandfulTextTopicModel().fit(LIST)
    assert np.array_equal(made.fit_.proportions, fit.proportions)
    assert made.n_topics_ == 2 and made.topic_names_ == [topic.name for topic in fit.topics]
    assert np.array_equal(made.transform(LIST[:1]), made.fit_.infer(LIST[:1]).proportions.astype(float))
    assert list(made.set_output(transform="pandas").transform(LIST).columns) == ["topic_1", "topic_2"]


@pytest.mark.parametrize("kind", [HandfulTopicModel, HandfulTextTopicModel])
def test_the_number_of_topics_is_searched(kind: Any, counted: Any) -> None:
    matrix, names = counted
    given: Any = scipy.sparse.vstack([matrix] * 3) if kind is HandfulTopicModel else LIST * 3
    model = kind(feature_names=names) if kind is HandfulTopicModel else kind()
    search = GridSearchCV(
        make_pipeline(model, LogisticRegression()), {f"{kind.__name__.lower()}__n_topics": [1, 2, "auto"]}, cv=2
    )
    search.fit(given, [0, 0, 1, 1] * 3)
    assert search.best_score_ == 1.0
    assert search.best_params_[f"{kind.__name__.lower()}__n_topics"] != 1


def test_a_model_of_ones_own_is_given_by_its_directory(tmp_path: Any) -> None:
    handful.Model.pretrained().save(tmp_path / "model")
    by_name = HandfulTextTopicModel(n_topics=2, model=tmp_path / "model").fit(LIST)
    assert np.array_equal(by_name.transform(LIST), HandfulTextTopicModel(n_topics=2).fit(LIST).transform(LIST))
