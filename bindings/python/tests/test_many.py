"""Many fits at once have the numbers of each fit alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import handful

from conftest import TEXTS

GROUPS: dict[Any, Any] = {
    "a": TEXTS,
    2: list(TEXTS.values())[:2],
    ("c", 1): pl.Series(list(TEXTS.values())[1:]),
}


def test_each_group_has_the_numbers_of_its_fit() -> None:
    many = handful.fit_many(GROUPS, seed=3)
    assert many.groups == list(GROUPS)
    documents, topics = many.documents_frame(), many.topics_frame()
    for name, texts in GROUPS.items():
        alone = handful.fit(texts, seed=3)
        own = documents[[group == name for group in documents.group]]
        assert np.array_equal(np.array(own.proportions.tolist(), dtype=np.float32), alone.proportions)
        assert own.document.tolist() == alone.ids
        assert own.main_topic.tolist() == [one.main_topic for one in alone.documents]
        told = topics[[group == name for group in topics.group]]
        assert told.terms.tolist() == [topic.terms() for topic in alone.topics]
        assert told.share.tolist() == [topic.share for topic in alone.topics]


def test_a_table_is_grouped_by_a_column() -> None:
    rows = [(group, key, text) for group in "ab" for key, text in TEXTS.items()]
    columns = dict(zip(["client", "key", "answer"], map(list, zip(*rows))))
    expected = handful.fit_many({"a": TEXTS, "b": TEXTS}).columns
    for table in [pd.DataFrame(columns), pl.DataFrame(columns)]:
        many = handful.fit_many(table, group="client", text="answer", id="key")
        assert many.columns == expected
        assert type(many.topics_frame()) is type(table)
    with pytest.raises(ValueError, match="the columns are 'client', 'key', 'answer'"):
        handful.fit_many(table, group="clients", text="answer")
    with pytest.raises(ValueError, match="the columns are"):
        handful.fit_many(table)


def test_a_group_that_cannot_be_fitted_loses_no_other() -> None:
    with pytest.warns(handful.HandfulWarning, match="1 of 2 groups have no topics, the first is 'empty'"):
        many = handful.fit_many({"empty": [], "full": TEXTS})
    assert list(many.errors) == ["empty"]
    assert many.groups_frame().topics.tolist() == [0, 2]


def test_bad_groups_are_named() -> None:
    with pytest.raises(TypeError, match="group 'b': document 0: is of type bytes"):
        handful.fit_many({"a": ["x"], "b": [b"x"]})
    with pytest.raises(TypeError, match="give a dictionary"):
        handful.fit_many([["x"]])
    with pytest.raises(ValueError, match="topics is 0"):
        handful.fit_many({"a": ["x"]}, topics=0)
    with pytest.raises(TypeError, match="name columns"):
        handful.fit_many({"a": ["x"]}, text="y")


def test_no_groups_are_no_error() -> None:
    assert len(handful.fit_many({})) == 0


def test_progress_is_shown_by_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    handful.fit_many({n: ["Bees.", "Bread."] for n in range(5)}, progress=True)
    assert "5/5" in capsys.readouterr().err
