"""Many fits at once have the numbers of each fit alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
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


def test_the_index_of_a_table_is_kept_as_in_a_fit() -> None:
    rows = {"client": ["a", "b", "a", "b"], "answer": list(TEXTS.values())}
    frame = pd.DataFrame(rows, index=["k1", "k2", "k3", "k4"])
    many = handful.fit_many(frame, group="client", text="answer", topics=2)
    assert many.columns.documents["document"] == ["k1", "k3", "k2", "k4"]
    alone = frame[frame.client == "b"]
    assert many.columns.documents["document"][2:] == handful.fit(alone, text="answer", topics=2).ids
    # Rows without an index are numbered through the table, so that they can be joined to it.
    numbered = handful.fit_many(pl.DataFrame(rows), group="client", text="answer", topics=2)
    assert numbered.columns.documents["document"] == [0, 2, 1, 3]


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


@pytest.mark.parametrize(
    "clients",
    [
        pd.Series([1.5, np.nan, np.nan]),
        pd.Series(["a", None, np.nan], dtype="object"),
        pd.Series(["a", pd.NA, pd.NA], dtype="string"),
        pd.Series([pd.Timestamp("2024-01-01"), pd.NaT, pd.NaT]),
        pl.Series(["a", None, None]),
        pl.Series([1.5, float("nan"), None]),
        pa.chunked_array([[1.5], [float("nan"), None]]),
    ],
    ids=lambda given: f"{type(given).__module__}.{type(given).__name__} of {getattr(given, 'dtype', None)}",
)
def test_a_row_without_a_group_is_named(clients: Any) -> None:
    columns = {"client": clients, "key": ["x", "y", "z"], "answer": ["Bees.", "Bread.", "Honey."]}
    kinds = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    frame = kinds[type(clients).__module__.partition(".")[0]](columns)
    sentence = "group: 2 of 3 rows have no value .None or NaN. in the column 'client', the first is row 1"
    with pytest.raises(ValueError, match=f"{sentence} .id 1.; give them the name of a group, or leave them out"):
        handful.fit_many(frame, group="client", text="answer")
    with pytest.raises(ValueError, match=f"{sentence} .id 'y'."):
        handful.fit_many(frame, group="client", text="answer", id="key")


def test_no_groups_are_no_error() -> None:
    assert len(handful.fit_many({})) == 0


def test_progress_is_shown_by_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    handful.fit_many({n: ["Bees.", "Bread."] for n in range(5)}, progress=True)
    assert "5/5" in capsys.readouterr().err
