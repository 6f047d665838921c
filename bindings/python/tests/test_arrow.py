"""The function from Arrow tables to Arrow tables, which Ray and Spark share."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import handful
from handful._arrow import GroupFitter, flat

from conftest import TEXTS

ROWS = [(group, n, text) for group in ("b", "a") for n, text in enumerate(TEXTS.values())]


def fitter(**changed: Any) -> GroupFitter:
    given: dict[str, Any] = {"group": "client", "text": "answer", "id": "key", "model": None}
    return GroupFitter(**(given | {"terms": 10, "threads": 0, "settings": {"topics": 2}} | changed))


def table(rows: list[tuple[Any, Any, Any]]) -> pa.Table:
    return pa.table(dict(zip(("client", "key", "answer"), map(list, zip(*rows)))))


def test_rows_are_those_of_fit_many_in_any_order() -> None:
    given = sorted(ROWS)
    many = handful.fit_many(table(given), group="client", text="answer", id="key", topics=2)
    for rows in (given, given[::-1], ROWS[3:] + ROWS[:3]):
        found = fitter()(table(rows))
        assert found["group"].to_pylist() == ["a", "b"]
        assert flat(found, "topics").to_pydict() == many.columns.topics
        assert flat(found, "documents").to_pydict() == many.columns.documents


def test_empty_and_missing_texts_and_groups_are_kept() -> None:
    found = fitter()(table([("a", 1, ""), ("a", 2, None), (None, 3, "Bees fly to the hive.")]))
    documents = flat(found, "documents").to_pydict()
    assert documents["group"] == ["a", "a", None]
    assert documents["document"] == [1, 2, 3]
    assert documents["words"][:2] == [0, 0]


def test_groups_and_ids_keep_their_types() -> None:
    rows = table([(4, "k", "Bees."), (4, "j", "Bread.")])
    rows = rows.set_column(1, "key", rows["key"].cast(pa.large_string()))
    found = fitter()(rows)
    assert found.schema.field("group").type == pa.int64()
    documents = flat(found, "documents")
    assert documents.schema.field("document").type == pa.large_string()
    assert documents["document"].to_pylist() == ["j", "k"]


def test_without_ids_documents_are_numbered_in_the_order_of_their_texts() -> None:
    rows = [("a", None, text) for text in ("Rye bread.", "Bees.", "Honey.")]
    found = flat(fitter(id=None)(table(rows)), "documents")
    alone = handful.fit(["Bees.", "Honey.", "Rye bread."], topics=2)
    assert found["document"].to_pylist() == [0, 1, 2]
    assert found["proportions"].to_pylist() == alone.proportions.tolist()


def test_no_rows_are_no_groups() -> None:
    empty = table(ROWS).slice(0, 0)
    found = fitter()(empty)
    assert found.num_rows == 0
    assert flat(found, "topics").num_rows == 0


def test_bad_input_is_named() -> None:
    with pytest.raises(ValueError, match="text: there is no column 'text'; the columns are 'client', 'key', 'answer'"):
        fitter(text="text")(table(ROWS))
    with pytest.raises(TypeError, match="group 'a': document 0: is of type int, not str"):
        fitter()(table([("a", 1, 5)]))
    with pytest.raises(ValueError, match="topics is 99"):
        fitter(settings={"topics": 99})


def test_a_process_opens_a_model_once_however_often_it_is_sent(tmp_path: Path) -> None:
    handful.Model.pretrained().save(tmp_path / "model")
    sent = fitter(model=handful.Model.open(tmp_path / "model"))
    first, second = (pickle.loads(pickle.dumps(sent)) for _ in range(2))
    assert first.model.opened() is second.model.opened()
    assert first(table(ROWS)) == fitter()(table(ROWS))


def test_words_of_a_file_are_sent_along(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("bees\nhive\nhoney\n")
    sent = pickle.dumps(fitter(settings={"topics": 2, "stop_words": str(path)}))
    here = handful.fit_many(table(sorted(ROWS)), group="client", text="answer", id="key", topics=2, stop_words=str(path))
    path.unlink()
    found = pickle.loads(sent)(table(ROWS))
    assert flat(found, "topics").to_pydict() == here.columns.topics
