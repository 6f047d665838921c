"""`handful.spark` on a Spark cluster of two workers."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from conftest import SETTINGS, Killer, in_order, need, run_guide
from conftest import rows as as_rows

COLUMNS: Any = {"group": "client", "text": "answer", "id": "key"}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    need("pyspark", program="java")
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_LOCAL_DIRS": str(folder / "local"),
    }
    spark = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.sql.shuffle.partitions", "16")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    yield spark
    spark.stop()


def rows(frame: Any) -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in frame.collect()]


@pytest.fixture(scope="module")
def table(engine: Any, answers: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The answers as a folder of Parquet."""
    folder = tmp_path_factory.mktemp("answers")
    answers.to_parquet(folder / "answers.parquet")
    return str(folder)


def test_results_are_those_of_fit_many_and_a_killed_worker_loses_nothing(
    engine: Any, table: str, expected: dict[str, list[dict[str, Any]]], tmp_path: Any
) -> None:
    import handful.spark

    out = str(tmp_path / "fits")
    fits = handful.spark.fit_many(engine.read.parquet(table), **COLUMNS, **SETTINGS)
    with Killer(lambda line: b"pyspark.daemon" in line, after=2) as killer:
        fits.write.parquet(out)
    assert killer.killed, "no worker was killed, so the test shows nothing"
    fits = engine.read.parquet(out)
    assert in_order(rows(handful.spark.topics(fits)), "topic") == expected["topics"]
    assert in_order(rows(handful.spark.documents(fits)), "document") == expected["documents"]


def test_a_killed_executor_and_other_partitions_change_nothing(
    engine: Any, answers: pd.DataFrame, expected: dict[str, list[dict[str, Any]]]
) -> None:
    import handful.spark

    clients = sorted(set(answers.client))[:200]
    some = answers[answers.client.isin(clients)].sample(frac=1, random_state=3)
    frame = engine.createDataFrame(some).repartition(5)
    fits = handful.spark.fit_many(frame, partitions=7, **COLUMNS, **SETTINGS)
    with Killer(lambda line: b"CoarseGrainedExecutorBackend" in line, after=1) as killer:
        found = in_order(rows(handful.spark.documents(fits)), "document")
    assert killer.killed, "no executor was killed, so the test shows nothing"
    assert found == [row for row in expected["documents"] if row["group"] in clients]


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_row_without_a_group_is_named(engine: Any, missing: Any) -> None:
    import handful.spark

    frame = engine.createDataFrame([(missing, 4, "Bees."), (3.0, 5, "Bread.")], "client double, key int, answer string")
    with pytest.raises(Exception, match="rows has no value .None or NaN. in the column 'client', the first is that with id 4"):
        handful.spark.fit_many(frame, **COLUMNS).collect()


def test_without_ids_rows_are_those_of_fit_many_on_sorted_texts(engine: Any, answers: pd.DataFrame) -> None:
    import handful
    import handful.spark

    some = answers[answers.answer.notna()].head(60)
    many = handful.fit_many({client: sorted(of.answer) for client, of in some.groupby("client")}, **SETTINGS)
    columns: Any = {"group": "client", "text": "answer"}
    found = handful.spark.documents(handful.spark.fit_many(engine.createDataFrame(some), **columns, **SETTINGS))
    assert in_order(rows(found), "document") == in_order(as_rows(many.columns.documents), "document")


def test_the_code_in_the_guide_runs(engine: Any, answers: pd.DataFrame, tmp_path: Path) -> None:
    run_guide("spark", {"spark": engine}, answers, tmp_path)


def test_bad_input_is_said_before_any_work(engine: Any) -> None:
    import handful.spark

    frame = engine.createDataFrame([("a", 1, "Bees.")], "client string, key int, answer string")
    with pytest.raises(ValueError, match="no column 'clients'; the columns are 'client', 'key', 'answer'"):
        handful.spark.fit_many(frame, group="clients", text="answer")
    with pytest.raises(ValueError, match="topics is 0"):
        handful.spark.fit_many(frame, topics=0, **COLUMNS)


def test_a_group_of_bad_data_is_named(engine: Any) -> None:
    import handful.spark

    frame = engine.createDataFrame([("a", 1, 5)], "client string, key int, answer int")
    with pytest.raises(Exception, match="group 'a': document 0: is of type int, not str"):
        handful.spark.fit_many(frame, **COLUMNS).collect()
