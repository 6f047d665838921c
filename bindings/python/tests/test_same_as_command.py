"""The same texts, settings and seed give the bits of the command, which the package brings."""

from __future__ import annotations

import json
import os
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
