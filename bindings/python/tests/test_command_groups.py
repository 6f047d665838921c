"""`handful fit --group-column` reads the Parquet that others write, writes what others read, and has the rows of
`fit_many`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import handful
from handful._arrow import flat

from conftest import TEXTS
from test_same_as_command import command

COLUMNS = {
    "client": ["b", "b", "a", "b", "b", "a"],
    "key": ["k1", "k2", "k3", "k4", "k5", "k6"],
    "answer": [*TEXTS.values(), "", None],
}
FLAGS = ["--group-column", "client", "--text-column", "answer", "--id-column", "key", "--topics", "2"]


def table_of(data: Path, out: Path) -> pa.Table:
    said = command("fit", data, *FLAGS, "--out", out)
    assert said.returncode == 0, said.stderr
    assert "topics of 6 documents in 2 groups" in said.stderr
    assert "1 of 6 texts" in said.stderr
    return pq.read_table(out)


def expected() -> Any:
    with pytest.warns(handful.HandfulWarning):
        return handful.fit_many(pl.DataFrame(COLUMNS), group="client", text="answer", id="key", topics=2)


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "lz4"])
def test_parquet_of_any_compression_has_the_rows_of_fit_many(tmp_path: Path, compression: str) -> None:
    data, out = tmp_path / "data.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table(COLUMNS), data, compression=compression)
    found = table_of(data, out)
    many = expected()
    assert found["group"].to_pylist() == many.groups == ["b", "a"]
    assert flat(found, "topics").to_pydict() == many.columns.topics
    assert flat(found, "documents").to_pydict() == many.columns.documents
    # The sentences name flags here and keywords there.
    assert [len(said) for said in found["warnings"].to_pylist()] == list(map(len, many.columns.groups["warnings"]))
    assert found["error"].to_pylist() == [None, None]
    # Other readers agree.
    assert pl.read_parquet(out).to_dicts() == found.to_pylist()


def test_polars_dictionaries_and_folders_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    frame = pl.DataFrame(COLUMNS, schema_overrides={"client": pl.Categorical})
    frame.head(2).write_parquet(folder / "part-0.parquet")
    frame.tail(4).write_parquet(folder / "part-1.parquet", row_group_size=1)
    (folder / "_SUCCESS").touch()
    said = command("fit", folder, *FLAGS, "--out", tmp_path / "out.parquet")
    assert said.returncode == 0, said.stderr
    assert flat(pq.read_table(tmp_path / "out.parquet"), "documents").to_pydict() == expected().columns.documents


def test_groups_may_be_numbers(tmp_path: Path) -> None:
    table = pa.table({"client": [7, 7, 8], "text": ["Bees.", "A hive.", "Bread."]})
    pq.write_table(table, tmp_path / "data.parquet")
    said = command("fit", tmp_path / "data.parquet", "--group-column", "client", "--out", tmp_path / "out.parquet")
    assert said.returncode == 0, said.stderr
    found = flat(pq.read_table(tmp_path / "out.parquet"), "documents")
    assert found["group"].to_pylist() == ["7", "7", "8"]
    assert found["document"].to_pylist() == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"group": ["a"], "text": ["x"]}, 'has no column "client", but the columns group, text'),
        ({"client": ["a"], "body": ["x"]}, 'has no column "text", but the columns client, body'),
        ({"client": ["a", None], "text": ["x", "y"]}, 'row 2: "client" is missing or empty'),
        ({"client": [["a"]], "text": ["x"]}, 'row 1: "client" is no text or number'),
        ({"client": ["a"], "text": [5]}, 'row 1: "text" is no text'),
        ({"client": ["a"], "text": [b"\xff"]}, 'row 1: "text" is no UTF-8'),
        ({"client": pa.array([], pa.string()), "text": pa.array([], pa.string())}, "holds no documents"),
    ],
)
def test_bad_parquet_is_named(tmp_path: Path, columns: Any, sentence: str) -> None:
    pq.write_table(pa.table(columns), tmp_path / "data.parquet")
    said = command("fit", tmp_path / "data.parquet", "--group-column", "client", "--out", tmp_path / "out.parquet")
    assert said.returncode == 2
    assert sentence in said.stderr
    assert len(said.stderr.splitlines()) == 1
    assert not (tmp_path / "out.parquet").exists()


def test_damaged_parquet_is_refused_and_never_crashes(tmp_path: Path) -> None:
    pq.write_table(pa.table(COLUMNS), tmp_path / "data.parquet")
    whole = (tmp_path / "data.parquet").read_bytes()
    for at in range(0, len(whole), 61):
        for damaged in (whole[:at], whole[:at] + b"\xff" + whole[at + 1 :]):
            (tmp_path / "data.parquet").write_bytes(damaged)
            said = command("fit", tmp_path / "data.parquet", *FLAGS, "--force", "--out", tmp_path / "out.jsonl")
            assert said.returncode in (0, 2), said.stderr
            assert "panicked" not in said.stderr
