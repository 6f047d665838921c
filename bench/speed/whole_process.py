"""`handful fit` of three text files, from start to exit.

The data sets are word counts, and a model trained on counts reads counts only. To time what a user does, fitting text
files, the counts are rendered as text (each word as often as it is counted), a model is trained on that text, and
documents of it are written as text files. Reading, tokenising and looking up words are thus part of the time.
"""

import json
import statistics
import subprocess
from pathlib import Path

import numpy as np

from peers.counts import read_rows
from processes import milliseconds
from workers import RELEASE

STEPS = 50
KEEP_ALL_WORDS = ("--stop-words", "none", "--min-documents", "1", "--min-document-words", "1", "--min-length", "1")


def as_text(counts: dict[str, int], random: np.random.Generator) -> str:
    words = np.repeat(list(counts), list(counts.values()))
    random.shuffle(words)
    return " ".join(words.tolist())


class WholeProcess:
    def __init__(self, data: Path, folder: Path, documents: int = 3, seed: int = 1):
        random = np.random.default_rng(seed)
        rows = read_rows(data)
        self.model = folder / "model"
        self.train(rows, folder / "corpora.jsonl", random)
        corpus = rows[0][0]
        chosen = random.permutation([i for i, row in enumerate(rows) if row[0] == corpus])[:documents]
        self.files = []
        for n, i in enumerate(chosen):
            self.files.append(folder / f"document-{n}.txt")
            self.files[-1].write_text(as_text(rows[i][1], random) + "\n", encoding="utf-8")
        self.words = sum(sum(rows[i][1].values()) for i in chosen)

    def train(self, rows, text: Path, random):
        with open(text, "w", encoding="utf-8") as file:
            for i, (corpus, counts) in enumerate(rows):
                print(json.dumps({"corpus": corpus, "id": str(i), "text": as_text(counts, random)}), file=file)
        command = [str(RELEASE / "handful"), "train", str(text), "-o", str(self.model), "--prior", "iwata", "--max-steps", str(STEPS)]
        subprocess.run([*command, "--validation-corpora", "0", "--quiet", *KEEP_ALL_WORDS], check=True)

    @property
    def terms(self) -> int:
        return len((self.model / "vocabulary.txt").read_text(encoding="utf-8").splitlines())

    def once(self) -> float:
        return milliseconds([str(RELEASE / "handful"), "fit", *map(str, self.files), "--model", str(self.model), "--quiet"])

    def milliseconds(self, times: int = 15) -> float:
        self.once()
        return statistics.median(self.once() for _ in range(times))
