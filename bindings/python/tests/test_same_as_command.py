"""The same texts, settings and seed give the bits of the command, which the package brings."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import handful

DOCUMENTS = Path(__file__).parents[3] / "examples" / "documents"
COMMAND = os.environ.get("HANDFUL_COMMAND", str(Path(sys.executable).parent / "handful"))


def command(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, check=False)


def texts_of(folder: str) -> dict[str, str]:
    return {file.name: file.read_text() for file in sorted((DOCUMENTS / folder).iterdir())}


@pytest.mark.parametrize("folder", ["hospital-and-orbit", "council-minutes", "letters"])
@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ([], {}),
        (["--topics", "auto"], {"topics": "auto"}),
        (["--topics", "3", "--seed", "7"], {"topics": 3, "seed": 7}),
        (["--granularity", "fine"], {"granularity": "fine"}),
        (["--until-converged"], {"until_converged": True}),
        (["--em-steps", "3", "--ignore-words", "the,school"], {"em_steps": 3, "ignore_words": ["the", "school"]}),
        (["--language", "de", "--stop-words", "english"], {"language": "de", "stop_words": "english"}),
    ],
)
def test_a_fit_has_the_bits_of_the_command(folder: str, flags: list[str], options: Any) -> None:
    printed = command("fit", DOCUMENTS / folder, "--json", "--words", "--quiet", *flags)
    assert printed.returncode == 0, printed.stderr
    fit = handful.fit(texts_of(folder), **options)
    # Numbers are written with all their digits, so equal text is equal bits.
    expected, got = json.loads(printed.stdout), json.loads(fit.to_json(words=True))
    expected["warnings"] = got["warnings"] = []
    assert got == expected


def test_an_inference_has_the_bits_of_the_command(tmp_path: Path) -> None:
    command("fit", DOCUMENTS / "hospital-and-orbit", "--out", tmp_path / "topics", "--quiet")
    printed = command(
        "infer", "--topic-model", tmp_path / "topics", DOCUMENTS / "letters", "--json", "--quiet"
    )
    inferred = handful.load(tmp_path / "topics").infer(texts_of("letters"))
    assert json.loads(inferred.to_json()) == json.loads(printed.stdout)


def test_the_command_keeps_its_exit_status_and_its_streams(tmp_path: Path) -> None:
    assert command("--version").stdout.startswith("handful ")
    helped = command("fit", "--help")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert "--granularity" in helped.stdout
    wrong = command("fit", tmp_path / "nothing")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("handful: ")
    assert command("fit", "--no-such-flag").returncode == 2


def test_text_is_what_the_command_prints() -> None:
    printed = command("fit", DOCUMENTS / "letters")
    assert str(handful.fit(texts_of("letters"))) == printed.stdout.rstrip("\n")


def test_ctrl_c_stops_a_training_of_the_command_in_order(tmp_path: Path) -> None:
    corpora = tmp_path / "corpora.jsonl"
    things = ["bee hive honey queen", "bread flour oven dough", "sail wind boat sea"]
    rows = [
        {"corpus": f"{c}", "id": f"{c}-{n}", "text": f"{things[(c + n % 2) % 3]} word{n % 3}. " * 4}
        for c in range(6)
        for n in range(8)
    ]
    corpora.write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["train", corpora, "-o", tmp_path / "model", "--max-steps", 1_000_000, "--patience", 1_000_000]
    process = subprocess.Popen([COMMAND, *map(str, words)], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    # Lines come at validations.
    assert any(line.startswith("step ") for line in process.stderr)
    process.send_signal(signal.SIGINT)
    said = process.stderr.read()
    assert process.wait(timeout=60) == 1
    assert "--resume" in said
    assert any("checkpoint" in path.name for path in tmp_path.iterdir())


def test_ctrl_c_ends_the_command_as_it_ends_any_program(tmp_path: Path) -> None:
    documents = tmp_path / "documents.jsonl"
    rows = [{"id": str(n), "text": f"bees {n} hive w{n % 977} bread x{n % 499}"} for n in range(60_000)]
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows))
    process = subprocess.Popen([COMMAND, "fit", str(documents)], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    # After a second it shows its progress.
    assert process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == -signal.SIGINT
