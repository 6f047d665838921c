"""tomotopy's LDA, set up as Handful's is by default, and a worker that speaks bench/speed's protocol.

    python peer.py DATA --topics K [--warmup N]

A line of JSON when ready, one for each `run N` (N sweeps), until `quit`.
"""

import argparse
import json
import sys
import time
import warnings
from pathlib import Path

import tomotopy

sys.path.append(str(Path(__file__).resolve().parent.parent / "speed"))
from peers.counts import read_rows  # noqa: E402

# Handful's own; both optimise α every ten sweeps from the first.
ALPHA, BETA, OPTIMISE_EVERY = 0.1, 0.01, 10


def model(documents: list[dict[str, int]], topics: int, seed: int) -> tomotopy.LDAModel:
    found = tomotopy.LDAModel(k=topics, alpha=ALPHA, eta=BETA, seed=seed)
    found.optim_interval = OPTIMISE_EVERY
    for counts in documents:
        found.add_doc([term for term, count in counts.items() for _ in range(count)])
    return found


def train(found: tomotopy.LDAModel, sweeps: int):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found.train(sweeps, workers=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--topics", type=int, default=10)
    parser.add_argument("--warmup", type=int, default=20)
    arguments = parser.parse_args()
    replies, sys.stdout = sys.stdout, sys.stderr

    found = model([counts for _, counts in read_rows(arguments.data)], arguments.topics, seed=1)
    train(found, arguments.warmup)

    def reply(**facts):
        print(json.dumps(facts), file=replies, flush=True)

    version = f"tomotopy {tomotopy.__version__}, {tomotopy.isa}"
    reply(ready=True, version=version, threads=1, terms=len(found.used_vocabs), words=found.num_words)
    for line in sys.stdin:
        command, *rest = line.split() or [""]
        if command == "quit":
            break
        if command == "run":
            start = time.perf_counter()
            train(found, int(rest[0]))
            reply(seconds=time.perf_counter() - start, units=int(rest[0]))


if __name__ == "__main__":
    main()
