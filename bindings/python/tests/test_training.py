"""Training a model, stopping it, and going on."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import handful

THINGS = ["bee hive honey queen", "bread flour oven dough", "sail wind boat sea"]
CORPORA = {
    f"corpus {c}": [f"{THINGS[(c + n % 2) % 3]} word{n % 3}. " * 4 for n in range(8)] for c in range(6)
}
TEXTS = ["The bee and its honey.", "The boat in the wind."]


@pytest.fixture(scope="module")
def model() -> handful.Model:
    return handful.train(CORPORA, max_steps=20, validation_corpora=1, progress=False)


def test_a_trained_model_fits_and_is_kept(model: handful.Model, tmp_path: Path) -> None:
    expected = model.fit(TEXTS, topics=2).proportions
    model.save(tmp_path / "model")
    assert np.array_equal(handful.Model.open(tmp_path / "model").fit(TEXTS, topics=2).proportions, expected)
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.fit(TEXTS, topics=2).proportions, expected)
    assert np.array_equal(handful.fit(TEXTS, topics=2, model=again).proportions, expected)
    assert again.terms == model.terms and "handful" in model.card.lower()


def test_corpora_are_read_from_folders(model: handful.Model, tmp_path: Path) -> None:
    for name, texts in CORPORA.items():
        (tmp_path / name).mkdir()
        for n, text in enumerate(texts):
            (tmp_path / name / f"{n}.txt").write_text(text)
    read = handful.train(tmp_path, max_steps=20, validation_corpora=1, progress=False)
    assert np.array_equal(read.fit(TEXTS, topics=2).proportions, model.fit(TEXTS, topics=2).proportions)


def test_progress_is_shown_by_tqdm(capsys: pytest.CaptureFixture[str]) -> None:
    handful.train(CORPORA, max_steps=20, validation_corpora=1, progress=True)
    assert "steps" in capsys.readouterr().err


def test_bad_trainings_have_a_remedy(tmp_path: Path) -> None:
    for corpora, kind, sentence in [
        ({}, ValueError, "there are none"),
        (tmp_path / "nothing", FileNotFoundError, "nothing"),
        ({"a": []}, ValueError, "give at least one text"),
        ({"a": ["x"]}, ValueError, ";"),
    ]:
        with pytest.raises(kind, match=sentence):
            handful.train(corpora, progress=False)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_steps is 0"):
        handful.train(CORPORA, max_steps=0)
    with pytest.raises(ValueError, match="exclude"):
        handful.train(CORPORA, exclude=["no such"], progress=False)


def test_a_training_that_was_stopped_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    program = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import handful
        from test_training import CORPORA
        print("ready", flush=True)
        model = handful.train(CORPORA, max_steps=1500, validation_corpora=1, progress=False,
                              checkpoint=sys.argv[1], checkpoint_every=50)
        model.save(sys.argv[2])
        """
    )

    def run(checkpoint: str, out: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-c", program, str(tmp_path / checkpoint), str(tmp_path / out)]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    whole = run("whole.checkpoint", "whole")
    assert whole.wait(timeout=300) == 0
    stopped = run("checkpoint", "model")
    assert stopped.stdout is not None and stopped.stdout.readline()
    until = time.monotonic() + 60
    while not (tmp_path / "checkpoint").exists() and time.monotonic() < until:
        time.sleep(0.01)
    stopped.send_signal(signal.SIGINT)
    _, said = stopped.communicate(timeout=60)
    assert "KeyboardInterrupt" in said
    assert (tmp_path / "checkpoint").exists() and not (tmp_path / "model").exists()
    assert run("checkpoint", "model").wait(timeout=300) == 0
    for name in ("model.safetensors", "vocabulary.txt"):
        assert (tmp_path / "model" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
