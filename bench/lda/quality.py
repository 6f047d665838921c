"""Held-out perplexity, for both from θ and φ by the same few lines."""

import json
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import peer
from peers.counts import read_rows
from workers import RELEASE

HELD_OUT = 0.2


@dataclass
class Schedule:
    sweeps: int
    burn_in: int
    sample_every: int


@dataclass
class Split:
    """Documents whose words are split in two; `query` only has terms that occur in some support."""

    vocabulary: list[str]
    support: list[dict[str, int]]
    query: list[dict[str, int]]
    dropped: int

    @property
    def words(self) -> int:
        return sum(sum(counts.values()) for counts in self.query)


def split(data: Path, seed: int = 1) -> Split:
    """Each word by itself is held out with probability 0.2; a document that keeps no word is left out."""
    draw = random.Random(seed).random
    support, query = [], []
    for _, counts in read_rows(data):
        kept = {term: sum(draw() >= HELD_OUT for _ in range(count)) for term, count in counts.items()}
        if any(kept.values()):
            support.append({term: count for term, count in kept.items() if count})
            query.append({term: counts[term] - count for term, count in kept.items() if counts[term] > count})
    known = {term for counts in support for term in counts}
    unknown = sum(count for counts in query for term, count in counts.items() if term not in known)
    query = [{term: count for term, count in counts.items() if term in known} for counts in query]
    return Split(sorted(known), support, query, unknown)


def perplexity(words: Split, theta: np.ndarray, phi: np.ndarray) -> float:
    """exp(-Σ x log Σ_k θ_nk φ_kj / Σ x); θ is documents × topics, φ terms × topics."""
    assert np.allclose(theta.sum(axis=1), 1, atol=1e-3) and np.allclose(phi.sum(axis=0), 1, atol=1e-3)
    index = {term: j for j, term in enumerate(words.vocabulary)}
    total = 0.0
    for proportions, counts in zip(theta.astype(np.float64), words.query, strict=True):
        rows = phi[[index[term] for term in counts]].astype(np.float64)
        total += np.log(rows @ proportions) @ np.array(list(counts.values()), dtype=np.float64)
    return float(np.exp(-total / words.words))


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    found = {}
    for name, entry in json.loads(content[8:start]).items():
        if name != "__metadata__":
            first, last = entry["data_offsets"]
            found[name] = np.frombuffer(content[start + first : start + last], "<f4").reshape(entry["shape"])
    return found


def handful(words: Split, topics: int, schedule: Schedule, folder: Path) -> dict:
    data, out = folder / "support.jsonl", folder / "fit.safetensors"
    lines = (json.dumps({"corpus": "all", "id": str(n), "counts": one}) for n, one in enumerate(words.support))
    data.write_text("\n".join(lines) + "\n")
    flags = {"topics": topics, "sweeps": schedule.sweeps, "burn-in": schedule.burn_in, "sample-every": schedule.sample_every}
    command = [str(RELEASE / "handful-bench"), "lda-fit", str(data), "--out", str(out)]
    command += [part for name, value in flags.items() for part in (f"--{name}", str(value))]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = read_safetensors(out)
    return {"averaged": perplexity(words, found["theta"], found["phi"])}


def tomotopy(words: Split, topics: int, schedule: Schedule) -> dict:
    """As it is read out after the last sweep, and averaged over the same sweeps as Handful's."""
    model = peer.model(words.support, topics, seed=1)
    peer.train(model, schedule.burn_in)
    index = {term: j for j, term in enumerate(model.used_vocabs)}
    order = [index[term] for term in words.vocabulary]
    thetas, phis = [], []
    for _ in range((schedule.sweeps - schedule.burn_in) // schedule.sample_every):
        peer.train(model, schedule.sample_every)
        thetas.append(np.array([document.get_topic_dist() for document in model.docs]))
        phis.append(np.array([model.get_topic_word_dist(k)[order] for k in range(topics)]).T)
    return {
        "last": perplexity(words, thetas[-1], phis[-1]),
        "averaged": perplexity(words, np.mean(thetas, axis=0), np.mean(phis, axis=0)),
    }
