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


def test_empty_and_missing_texts_are_kept() -> None:
    found = fitter()(table([("a", 1, ""), ("a", 2, None), ("b", 3, "Bees fly to the hive.")]))
    documents = flat(found, "documents").to_pydict()
    assert documents["group"] == ["a", "a", "b"]
    assert documents["document"] == [1, 2, 3]
    assert documents["words"][:2] == [0, 0]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_row_without_a_group_is_named(missing: Any) -> None:
    rows = table([(1.0, 5, "Bees."), (missing, 6, "Bread."), (missing, 7, "Honey.")])
    sentence = "group: 2 of 3 rows have no value .None or NaN. in the column 'client', the first is that with"
    with pytest.raises(ValueError, match=f"{sentence} id 6; give them the name of a group, or leave them out"):
        fitter()(rows)
    with pytest.raises(ValueError, match=f"{sentence} the text 'Bread.'"):
        fitter(id=None)(rows)
    # As Spark hands them out: batches may end anywhere.
    batches = rows.to_batches(max_chunksize=1)
    with pytest.raises(ValueError, match="the first is that with id 6"):
        list(fitter().of_batches(iter(batches)))


def test_groups_and_ids_keep_their_types() -> None:
    rows = table([(4, "k", "Bees."), (4, "j", "Bread.")])
    rows = rows.set_column(1, "key", rows["key"].cast(pa.large_string()))
    found = fitter()(rows)
    assert found.schema.field("group").type == pa.int64()
    documents = flat(found, "documents")
    assert documents.schema.field("document").type == pa.large_string()
    assert documents["document"].to_pylist() == ["j", "k"]


def test_without_ids_rows_are_those_of_fit_many_on_sorted_texts() -> None:
    texts = [*TEXTS.values(), "Äpfel", "zebra", "", None]
    rows = [(group, 0, text) for group in ("b", "a") for text in texts]
    given: Any = {group: sorted(filter(None, texts)) for group in ("a", "b")}
    with pytest.warns(handful.HandfulWarning, match="missing"):
        many = handful.fit_many({group: ["", *known, None] for group, known in given.items()}, topics=2)
    for order in (rows, rows[::-1], rows[5:] + rows[:5]):
        found = fitter(id=None)(table(order))
        assert flat(found, "topics").to_pydict() == many.columns.topics
        assert flat(found, "documents").to_pydict() == many.columns.documents


def test_without_ids_fit_many_of_a_table_has_the_same_numbers_and_the_tables_rows() -> None:
    rows = table([(group, 0, text) for text in sorted(TEXTS.values()) for group in ("a", "b")])
    many = handful.fit_many(rows, group="client", text="answer", topics=2).columns.documents
    found = flat(fitter(id=None)(rows), "documents").to_pydict()
    assert (many.pop("document"), found.pop("document")) == ([0, 2, 4, 6, 1, 3, 5, 7], [0, 1, 2, 3] * 2)
    assert found == many


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
