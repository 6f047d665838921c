"""Bad input is an exception with a remedy, and never a crash."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import handful

FRAME = pd.DataFrame({"answer": ["Bees.", "Bread."], "age": [3, 4]})


@pytest.mark.parametrize(
    ("given", "options", "kind", "sentence"),
    [
        ([], {}, ValueError, "there are none; give at least one text"),
        ({}, {}, ValueError, "give at least one text"),
        (pd.Series([], dtype="object"), {}, ValueError, "give at least one text"),
        (np.zeros((0, 3)), {"feature_names": ["a", "b", "c"]}, ValueError, "give at least one text"),
        ("one text", {}, TypeError, "give a list of texts"),
        (b"one text", {}, TypeError, "give a list of texts"),
        ([b"bytes"], {}, TypeError, r"document 0: is of type bytes, not str; decode it"),
        (["text", 7], {}, TypeError, "document 1: is of type int, not str; give texts as str"),
        ([["a", "b"]], {}, TypeError, "document 0: is of type list"),
        (pd.Series([b"bytes", b"more"]), {}, TypeError, "document 0: is of type bytes"),
        (pl.Series([1, 2]), {}, TypeError, "document 0: is of type int"),
        (pa.array([1.5]), {}, TypeError, "document 0"),
        (["\ud800"], {}, ValueError, "document 0: has characters that are no Unicode"),
        (7, {}, TypeError, "are of type int; give a list of texts"),
        (None, {}, TypeError, "are of type NoneType; give a list of texts"),
        (["a"], {"ids": ["x", "y"]}, ValueError, "2 ids for 1 documents"),
        (["a"], {"text": "answer"}, TypeError, "name columns of a DataFrame"),
        (["a"], {"feature_names": ["b"]}, TypeError, "columns of a matrix of counts"),
        (FRAME, {"text": "text"}, ValueError, "no column 'text'; the columns are 'answer', 'age'"),
        (FRAME, {"text": "answer", "id": "key"}, ValueError, "no column 'key'; the columns are"),
        (FRAME, {}, ValueError, "text='answer'; the columns are 'answer', 'age'"),
        (pl.DataFrame({"a": ["x"]}), {"text": "b"}, ValueError, "the columns are 'a'"),
        (pa.table({"a": ["x"]}), {"text": "b"}, ValueError, "the columns are 'a'"),
        (np.array([[1, -1]]), {"feature_names": ["a", "b"]}, ValueError, "row 0 has the value -1.0"),
        (np.array([[1], [np.inf]]), {"feature_names": ["a"]}, ValueError, "row 1 has the value inf"),
        (np.array([[1, 2]]), {"feature_names": ["a"]}, ValueError, "has 1 names for 2 columns"),
        (np.array([["a", "b"]]), {"feature_names": ["a", "b"]}, ValueError, "give a matrix of numbers"),
        (np.ones((2, 2, 2)), {}, ValueError, "an array of 3 dimensions; give a list of texts, or a matrix"),
        (np.full((1, 1, 1), "Bees."), {}, ValueError, "an array of 3 dimensions"),
        (
            scipy.sparse.csr_matrix(np.array([[0, 1], [0, -2]])),
            {"feature_names": ["a", "b"]},
            ValueError,
            "row 1 has the value -2.0",
        ),
        (["a b"], {"topics": 0}, ValueError, "topics is 0"),
        (["a b"], {"topics": -1}, ValueError, "topics is -1"),
        (["a b"], {"topics": 51}, ValueError, "topics is 51; it must be"),
        (["a b"], {"topics": "many"}, ValueError, 'a number or "auto"'),
        (["a b"], {"topics": 2.5}, TypeError, "must be a whole number"),
        (["a b"], {"topics": True}, TypeError, "must be a whole number"),
        (["a b"], {"granularity": "huge"}, ValueError, '"coarse", "medium" or "fine"'),
        (["a b"], {"em_steps": -1}, ValueError, "em_steps is -1"),
        (["a b"], {"em_steps": 5, "until_converged": True}, ValueError, "contradict each other"),
        (["a b"], {"language": "german"}, ValueError, "language is german; it must be"),
        (["a b"], {"stop_words": "nosuchlist"}, ValueError, "stop_words is nosuchlist"),
        (["a b"], {"ignore_words": [7]}, TypeError, "ignore_words has 7"),
        (["a b"], {"seed": -1}, ValueError, "seed is -1"),
        (["a b"], {"topic": 3}, TypeError, "topic"),
    ],
)
def test_bad_input_has_a_remedy(given: Any, options: Any, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        handful.fit(given, **options)


def test_more_topics_than_documents_hold_are_said() -> None:
    with pytest.warns(handful.HandfulWarning, match="of 9 topics are given"):
        fit = handful.fit(["Bees and their hives.", "Bread needs flour."], topics=9)
    assert len(fit.topics) < 9


def test_columns_without_names_are_new_words_with_a_warning() -> None:
    with pytest.warns(handful.HandfulWarning, match="the 2 columns have no names"):
        fit = handful.fit(np.array([[2, 0], [0, 3]]))
    assert [document.unknown_words for document in fit.documents] == [2, 3]


def test_files_have_exceptions_of_their_kind(tmp_path: Any, fit: handful.Fit) -> None:
    with pytest.raises(FileNotFoundError, match="nothing there"):
        handful.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        handful.Model.open(tmp_path / "nowhere")
    fit.save(tmp_path / "topics")
    with pytest.raises(FileExistsError, match="`replace=True`"):
        fit.save(tmp_path / "topics")
    fit.save(tmp_path / "topics", replace=True)
    with pytest.raises(ValueError, match=r"`handful\.load`"):
        handful.Model.open(tmp_path / "topics")
    tensors = tmp_path / "topics" / "topics.safetensors"
    tensors.write_bytes(tensors.read_bytes()[:100])
    with pytest.raises(handful.ModelError, match="truncated"):
        handful.load(tmp_path / "topics")
    fit.report(tmp_path / "report.html")
    with pytest.raises(FileExistsError):
        fit.report(tmp_path / "report.html")
    fit.report(tmp_path / "report.html", replace=True)
    with pytest.raises(OSError):
        fit.report(tmp_path)


def test_a_topic_or_document_that_is_not_there_is_named(fit: handful.Fit) -> None:
    for topic in (0, 3, -1):
        with pytest.raises(ValueError, match="from 1 to 2"):
            fit.name_topic(topic, "x")
        with pytest.raises(ValueError, match="from 1 to 2"):
            fit.get_topic(topic)
    with pytest.raises(ValueError, match="did you mean"):
        fit.explain("hives")
    with pytest.raises(ValueError, match="the same"):
        fit.get_document_info(["one"])


def test_a_loaded_fit_says_what_it_cannot_do(tmp_path: Any, fit: handful.Fit) -> None:
    fit.save(tmp_path / "topics")
    loaded = handful.load(tmp_path / "topics")
    with pytest.raises(ValueError, match="keeps no documents"):
        loaded.report()
    with pytest.raises(ValueError, match="keeps no documents"):
        loaded.to_pyldavis()


def test_odd_texts_have_a_fit() -> None:
    for texts in [[""], ["", ""], ["x"], ["\x00\x01"], ["🐝" * 1000], ["a" * 100_000], ["蜂蜜と花"], ["\n"]]:
        fit = handful.fit(texts)
        assert len(fit.documents) == len(texts)
        assert np.allclose(fit.proportions.sum(axis=1), 1)
        assert fit._repr_html_()
