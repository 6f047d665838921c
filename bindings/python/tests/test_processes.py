"""Pickling, threads, forks, and Ctrl-C."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import handful

from conftest import TEXTS


def shares(seed: int) -> list[list[float]]:
    return handful.fit(TEXTS, seed=seed, topics=2).proportions.tolist()  # type: ignore[no-any-return]


def test_a_pickled_fit_has_its_numbers_and_ids() -> None:
    fit = handful.fit({1: "Bees and hives.", ("b", 2): "Bread and flour."}, topics=2)
    fit.name_topic(1, "mine")
    again = pickle.loads(pickle.dumps(fit))
    assert np.array_equal(again.proportions, fit.proportions)
    assert np.array_equal(again.word_probabilities, fit.word_probabilities)
    assert again.ids == [1, ("b", 2)]
    assert again.topics[0].name == "mine"
    assert np.array_equal(again.infer(["hives"]).proportions, fit.infer(["hives"]).proportions)
    assert np.array_equal(pickle.loads(pickle.dumps(again)).proportions, fit.proportions)


def test_a_damaged_pickle_is_a_model_error(fit: handful.Fit) -> None:
    restore, (files, ids, frames) = fit.__reduce__()
    with pytest.raises(handful.ModelError):
        restore({**files, "topics.safetensors": b"short"}, ids, frames)
    with pytest.raises(FileNotFoundError, match="give all files"):
        restore({name: files[name] for name in files if name != "vocabulary.txt"}, ids, frames)


def test_the_built_in_model_is_pickled_by_name() -> None:
    model = handful.Model.pretrained()
    assert len(pickle.dumps(model)) < 200
    assert pickle.loads(pickle.dumps(model)) is model


def test_threads_share_one_model() -> None:
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(shares, range(16)))
    assert got == [shares(seed) for seed in range(16)]


@pytest.mark.parametrize("threads_first", [False, True])
def test_a_fork_after_import_works(threads_first: bool) -> None:
    # In a process of its own, because here threads were started already.
    program = textwrap.dedent(
        f"""
        import multiprocessing, sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import handful
        from test_processes import shares
        if {threads_first}:
            shares(0)
        with multiprocessing.get_context("fork").Pool(2) as pool:
            got = pool.map(shares, range(4))
        assert got == [shares(seed) for seed in range(4)]
        """
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=120)


def test_a_fork_of_a_process_that_works_with_threads_works() -> None:
    shares(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(shares, range(4)) == [shares(seed) for seed in range(4)]


SOME = "texts = [f'bees {n} hive w{n % 977} x{n % 499} bread' for n in range(5_000)]"
BIG = f"{SOME}; fit = handful.fit(texts, topics=3, held_out=False)"

# What is prepared, and the call that is interrupted.
LONG = {
    "fit": ("texts = [f'bees {n} hive w{n % 977} x{n % 499} bread' for n in range(60_000)]", "handful.fit(texts)"),
    "infer": (
        "fit = handful.fit(['bees hive', 'bread flour']); texts = [f'bees w{n % 977} bread ' * 40 for n in range(40_000)]",
        "fit.infer(texts)",
    ),
    "fit_many": (
        "groups = {n: ['bees hive', f'bread {n}', 'x'] for n in range(50_000)}",
        "handful.fit_many(groups, progress=False)",
    ),
    "train": (
        "corpora = {str(c): [f'w{(n * 7 + c) % 50} bees w{n % 40} bread hive ' * 9 for n in range(40)] for c in range(30)}",
        "handful.train(corpora, progress=False)",
    ),
    "report": (BIG, "fit.report()"),
    "report to a file": (BIG, "fit.report('report.html', replace=True)"),
    "save": (BIG, "fit.save('topics', replace=True)"),
    "load": (f"{BIG}; fit.save('topics', replace=True)", "handful.load('topics')"),
    "text": (BIG, "fit.to_text(all_documents=True)"),
    "json": (BIG, "fit.to_json(words=True, sentences=3)"),
    "words": (BIG, "fit.words_frame()"),
    "quotes": (BIG, "fit.quotes(3)"),
    "pickle": (BIG, "pickle.loads(pickle.dumps(fit))"),
    "sklearn": (
        f"{SOME}; from handful import HandfulTextTopicModel as Topics",
        "Topics(n_topics=3).fit(texts).transform(texts)",
    ),
}


def seconds_to_end(prepare: str, call: str, folder: Path) -> float:
    """How long a call goes on after Ctrl-C. It may write to the folder."""
    program = textwrap.dedent(
        f"""
        import pickle, time
        import handful
        {prepare}
        print("ready", flush=True)
        try:
            # Again and again: however fast the machine is, the signal comes during a call.
            while True:
                {call}
        except KeyboardInterrupt:
            print(time.monotonic(), flush=True)
            # Without waiting for threads, as a notebook would go on.
            import os; os._exit(7)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", program], stdout=subprocess.PIPE, text=True, cwd=folder
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.7)
    assert process.poll() is None
    asked = time.monotonic()
    process.send_signal(signal.SIGINT)
    ended = float(process.stdout.readline())
    assert process.wait(timeout=60) == 7
    return ended - asked


@pytest.mark.parametrize("call", LONG)
def test_ctrl_c_ends_every_long_call_at_once(call: str, tmp_path: Path) -> None:
    # A busy machine may take long to wake the thread, but not each time.
    took = []
    for _ in range(4):
        took.append(seconds_to_end(*LONG[call], tmp_path))
        if took[-1] < 0.2:
            return
    assert min(took) < 0.3, took


def test_after_ctrl_c_the_next_call_does_not_wait_for_what_was_left() -> None:
    program = textwrap.dedent(
        """
        import os, signal, threading, time
        import handful
        from handful import _documents
        fit = handful.fit(["bees hive", "bread flour"])
        # Read before, so that the signal comes while the work is done, which takes many seconds.
        further = _documents.read([f"bees w{n % 977} bread " * 40 for n in range(200_000)]).documents
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            fit._native.infer(further)
        except KeyboardInterrupt:
            start = time.monotonic()
            handful.fit(["bees hive", "bread flour"])
            print(time.monotonic() - start, len(os.listdir("/proc/self/task")), flush=True)
        os._exit(0)
        """
    )
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True)
    seconds, threads = ran.stdout.split()
    # The threads that were left still work: there are those of two pools.
    assert int(threads) >= 2 * multiprocessing.cpu_count()
    assert float(seconds) < 5


def test_importing_starts_no_threads_and_no_heavy_modules() -> None:
    program = textwrap.dedent(
        """
        import os, sys
        before = set(sys.modules)
        import handful
        handful.__version__
        assert len(os.listdir("/proc/self/task")) == 1
        heavy = {"numpy", "pandas", "polars", "sklearn", "scipy", "matplotlib", "pyarrow", "logging", "tqdm", "typing"}
        imported = set(sys.modules) - before
        assert not heavy & imported, heavy & imported
        """
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_the_number_of_threads_changes_no_bit() -> None:
    program = textwrap.dedent(
        f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import handful
        from test_processes import shares
        handful.set_threads(int(sys.argv[1]))
        print(shares(3))
        """
    )
    got = {
        subprocess.run(
            [sys.executable, "-c", program, threads], check=True, capture_output=True, text=True
        ).stdout
        for threads in ("1", "2", "5")
    }
    assert len(got) == 1
    with pytest.raises(ValueError, match="threads is -1"):
        handful.set_threads(-1)
