"""`handful.ray` on a local Ray with two workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from conftest import SETTINGS, Killer, in_order, need, rows, run_guide

COLUMNS: Any = {"group": "client", "text": "answer", "id": "key"}


@pytest.fixture(scope="module")
def engine() -> Iterator[Any]:
    need("ray")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


def test_results_are_those_of_fit_many_and_a_killed_worker_loses_nothing(
    engine: Any, answers: pd.DataFrame, expected: dict[str, list[dict[str, Any]]]
) -> None:
    import handful.ray

    dataset = engine.data.from_pandas(answers)
    with Killer(lambda line: line.startswith(b"ray::") and b"fit_groups" in line, after=1) as killer:
        fits = handful.ray.fit_many(dataset, workers=2, partitions=16, **COLUMNS, **SETTINGS).materialize()
    assert killer.killed, "no worker was killed, so the test shows nothing"
    assert in_order(handful.ray.topics(fits).take_all(), "topic") == expected["topics"]
    assert in_order(handful.ray.documents(fits).take_all(), "document") == expected["documents"]


def test_blocks_and_partitions_change_nothing(
    engine: Any, answers: pd.DataFrame, expected: dict[str, list[dict[str, Any]]], tmp_path: Any
) -> None:
    import handful.ray

    clients = sorted(set(answers.client))[:40]
    some = answers[answers.client.isin(clients)].sample(frac=1, random_state=3)
    dataset = engine.data.from_pandas(some).repartition(7)
    handful.ray.fit_many(dataset, partitions=3, **COLUMNS, **SETTINGS).write_parquet(str(tmp_path))
    found = in_order(handful.ray.documents(engine.data.read_parquet(str(tmp_path))).take_all(), "document")
    assert found == [row for row in expected["documents"] if row["group"] in clients]


def test_without_ids_rows_are_those_of_fit_many_on_sorted_texts(engine: Any, answers: pd.DataFrame) -> None:
    import handful
    import handful.ray

    some = answers[answers.answer.notna()].head(60)
    many = handful.fit_many({client: sorted(of.answer) for client, of in some.groupby("client")}, **SETTINGS)
    columns: Any = {"group": "client", "text": "answer"}
    found = handful.ray.documents(handful.ray.fit_many(engine.data.from_pandas(some), **columns, **SETTINGS))
    assert in_order(found.take_all(), "document") == in_order(rows(many.columns.documents), "document")


def test_the_code_in_the_guide_runs(engine: Any, answers: pd.DataFrame, tmp_path: Path) -> None:
    run_guide("ray", {}, answers, tmp_path)


def test_bad_input_is_said_before_any_work(engine: Any, answers: pd.DataFrame) -> None:
    import handful.ray

    dataset = engine.data.from_pandas(answers.head(3))
    with pytest.raises(ValueError, match="no column 'clients'; the columns are 'client', 'key', 'answer'"):
        handful.ray.fit_many(dataset, group="clients", text="answer")
    with pytest.raises(ValueError, match="topics is 0"):
        handful.ray.fit_many(dataset, topics=0, **COLUMNS)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_row_without_a_group_is_named(engine: Any, missing: Any) -> None:
    import handful.ray

    given = pa.table({"client": [missing, 3.0], "key": [4, 5], "answer": ["Bees.", "Bread."]})
    with pytest.raises(Exception, match="rows has no value .None or NaN. in the column 'client', the first is that with id 4"):
        handful.ray.fit_many(engine.data.from_arrow(given), **COLUMNS).materialize()


def test_a_group_of_bad_data_is_named(engine: Any) -> None:
    import handful.ray

    dataset = engine.data.from_pandas(pd.DataFrame({"client": ["a"], "key": [1], "answer": [5]}))
    with pytest.raises(Exception, match="group 'a': document 0: is of type int, not str"):
        handful.ray.fit_many(dataset, **COLUMNS).materialize()
