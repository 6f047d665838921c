"""Whatever texts come in, the numbers are the same and the ids are kept."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

import handful

from conftest import TEXTS
from test_same_as_command import command

IDS, LIST = list(TEXTS), list(TEXTS.values())


def numbers(fit: handful.Fit) -> Any:
    return fit.proportions.tolist(), [topic.terms() for topic in fit.topics]


@pytest.mark.parametrize(
    "given",
    [
        LIST,
        tuple(LIST),
        iter(LIST),
        np.array(LIST, dtype=object),
        np.array(LIST),
        pd.Series(LIST),
        pd.Series(LIST, dtype="object"),
        pd.Series(LIST, dtype="category"),
        pl.Series(LIST),
        pl.Series(LIST).cast(pl.Categorical),
        pa.array(LIST),
        pa.array(LIST, type=pa.large_string()),
        pa.array(LIST, type=pa.string_view()),
        pa.array(LIST).dictionary_encode(),
        pa.chunked_array([LIST[:1], LIST[1:]]),
    ],
    ids=lambda given: f"{type(given).__module__}.{type(given).__name__}",
)
def test_texts_of_every_kind_have_the_same_fit(given: Any, fit: handful.Fit) -> None:
    got = handful.fit(given)
    assert numbers(got) == numbers(fit)
    assert got.ids == [0, 1, 2, 3]


class Column:
    """A column whose Arrow interface raises."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __arrow_c_stream__(self, schema: object = None) -> object:
        raise self.error

    def __iter__(self) -> Any:
        return iter(LIST)


def test_a_column_that_has_no_arrow_is_read_text_by_text(fit: handful.Fit) -> None:
    for error in (ImportError("pyarrow is not there"), TypeError("mixed"), NotImplementedError("objects")):
        assert numbers(handful.fit(Column(error))) == numbers(fit)
    objects = pl.Series(LIST, dtype=pl.Object)
    assert numbers(handful.fit(objects)) == numbers(fit)


@pytest.mark.parametrize("error", [MemoryError(), OSError("the disk is gone"), RuntimeError("a bug")])
def test_what_goes_wrong_in_a_column_is_not_hidden(error: Exception) -> None:
    with pytest.raises(type(error)):
        handful.fit(Column(error))


def test_ids_are_kept_as_they_were_given() -> None:
    assert handful.fit(TEXTS).ids == IDS
    assert handful.fit({7: "Bees and hives.", ("a", 2): "Flour and bread."}).ids == [7, ("a", 2)]
    series = pd.Series(LIST, index=[10, 20, 30, 40])
    assert handful.fit(series).ids == [10, 20, 30, 40]
    dates = pd.date_range("2024-01-01", periods=4)
    assert handful.fit(pd.Series(LIST, index=dates)).ids == list(dates)
    assert handful.fit(LIST, ids=IDS).documents_frame()["document"].tolist() == IDS


def test_explanations_and_quotes_have_the_ids_that_were_given() -> None:
    dates = list(pd.date_range("2024-01-01", periods=4))
    fit = handful.fit(LIST, ids=dates, topics=2)
    assert fit.explain(dates[2])["document"] == dates[2]
    for quotes in fit.quotes(3):
        assert quotes and all(quote.text in LIST[dates.index(quote.document)] for quote in quotes)


@pytest.mark.parametrize("ids", [[1, "1", 2, 3], ["a", None, "None", 3], [dt.date(2024, 1, 1), 2, 3, "2024-01-01"]])
def test_ids_that_only_look_alike_are_refused(ids: list[Any]) -> None:
    # Documents are found by the text of their ids.
    for give in [
        lambda: handful.fit(LIST, ids=ids),
        lambda: handful.fit(pd.Series(LIST, index=pd.Index(ids, dtype="object"))),
        lambda: handful.fit(pa.array(LIST), ids=ids),
        lambda: handful.fit(np.ones((4, 1)), feature_names=["bees"], ids=ids),
        lambda: handful.fit(["Bees."]).infer(LIST, ids=ids),
        lambda: handful.fit_many({"a": dict(zip(ids, LIST))}),
    ]:
        with pytest.raises(ValueError, match="ids: .* and .* differ, but both are written .*; give ids that differ"):
            give()


def test_ids_that_are_equal_are_warned_of() -> None:
    for ids in ([1, 1, 2, 3], [np.nan, float("nan"), 1, 2]):
        with pytest.warns(handful.HandfulWarning, match="two documents have the id"):
            handful.fit(LIST, ids=ids)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_a_table_are_named(library: str, fit: handful.Fit) -> None:
    columns = {"key": IDS, "answer": LIST}
    tables = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
    table = tables[library](columns)
    got = handful.fit(table, text="answer", id="key")
    assert numbers(got) == numbers(fit)
    assert got.ids == IDS
    made = got.documents_frame()
    assert type(made).__module__.startswith("polars" if library == "polars" else "pandas")


def test_counts_are_taken_from_sparse_and_dense_matrices_and_tables() -> None:
    terms = ["bees", "hive", "honey", "bread", "flour", "dough"]
    rows = np.array([[3, 2, 1, 0, 0, 0], [1, 2, 2, 0, 0, 0], [0, 0, 0, 3, 2, 1], [0, 0, 0, 1, 1, 2]])
    by_pairs = handful.fit(rows, feature_names=terms, topics=2)
    assert by_pairs.proportions[:2].argmax(axis=1).tolist() != by_pairs.proportions[2:].argmax(axis=1).tolist()
    for given in [
        scipy.sparse.csr_matrix(rows),
        scipy.sparse.csc_array(rows),
        scipy.sparse.coo_array(rows),
        rows.astype(float),
        rows.astype("float32"),
    ]:
        assert numbers(handful.fit(given, feature_names=terms, topics=2)) == numbers(by_pairs)
    for frame in [pd.DataFrame(rows, columns=terms), pl.DataFrame(rows, schema=terms)]:
        assert numbers(handful.fit(frame, topics=2)) == numbers(by_pairs)


def test_a_cell_that_is_named_twice_has_the_sum() -> None:
    twice = scipy.sparse.csr_matrix(([1, 2], [0, 0], [0, 2]), shape=(1, 2))
    once = scipy.sparse.csr_matrix(([3], [0], [0, 1]), shape=(1, 2))
    fits = [handful.fit(one, feature_names=["bees", "hive"], topics=1) for one in (twice, once)]
    assert [fit.documents[0].words for fit in fits] == [3, 3]


def test_columns_of_one_name_have_the_sum_in_any_order() -> None:
    names = ["hive", "bees", "oven", "bees", "Äpfel"]
    rows = np.array([[0, 2, 0, 1, 0], [1, 0, 3, 4, 2], [0, 0, 0, 0, 0]])
    fit = handful.fit(rows, feature_names=names, topics=2)
    merged = np.array([[0, 3, 0, 0], [1, 4, 3, 2], [0, 0, 0, 0]])
    once = handful.fit(merged, feature_names=["hive", "bees", "oven", "Äpfel"], topics=2)
    assert numbers(fit) == numbers(once)
    assert [document.words for document in fit.documents] == [3, 10, 0]


def test_counts_of_a_matrix_have_the_fit_of_the_counts_of_a_file(tmp_path: Any) -> None:
    draw = np.random.default_rng(5)
    words = [f"{word}{n}" for word in ("bees", "hive", "bread", "flour") for n in ("", "s", "z")]
    names = [words[n] for n in draw.permutation(len(words))]
    rows = draw.integers(0, 4, (6, len(names)))
    lines = [
        json.dumps({"id": str(n), "counts": {name: int(count) for name, count in zip(names, row) if count}})
        for n, row in enumerate(rows)
    ]
    (tmp_path / "counts.jsonl").write_text("\n".join(lines))
    printed = command("fit", tmp_path / "counts.jsonl", "--json", "--quiet", "--topics", 2)
    expected = json.loads(printed.stdout)
    got = json.loads(handful.fit(scipy.sparse.csr_matrix(rows), feature_names=names, topics=2).to_json())
    expected["warnings"] = got["warnings"] = []
    assert got == expected


def test_real_numbers_count_in_proportion() -> None:
    halves = np.array([[0.5, 1.5], [1.0, 0.5]])
    fit = handful.fit(halves, feature_names=["bees", "bread"], topics=1)
    assert [document.words for document in fit.documents] == [4, 3]


def test_missing_texts_stay_as_empty_documents() -> None:
    for given in [
        [LIST[0], None, LIST[2], float("nan")],
        pd.Series([LIST[0], None, LIST[2], np.nan]),
        pd.Series([LIST[0], pd.NA, LIST[2], pd.NA], dtype="string"),
        pd.Series([LIST[0], pd.NA, LIST[2], pd.NA], dtype="object"),
        pl.Series([LIST[0], None, LIST[2], None]),
        pa.array([LIST[0], None, LIST[2], None]),
        pa.array([LIST[0], None, LIST[2], None]).dictionary_encode(),
    ]:
        with pytest.warns(handful.HandfulWarning, match="2 of 4 texts are missing"):
            fit = handful.fit(given)
        assert [document.words > 0 for document in fit.documents] == [True, False, True, False]


def test_a_column_of_nothing_is_a_column_of_empty_documents() -> None:
    with pytest.warns(handful.HandfulWarning, match="2 of 2"):
        assert [one.words for one in handful.fit(pa.nulls(2)).documents] == [0, 0]
    with pytest.warns(handful.HandfulWarning):
        nothing = pa.DictionaryArray.from_arrays(pa.array([None, None], pa.int8()), pa.array([], pa.string()))
        assert [one.words for one in handful.fit(nothing).documents] == [0, 0]
