"""A PyTorch worker: loads its data, warms up, says it is ready, then times what it is told to run.

    python -m peers.worker train|fit dense|dense-fused|tuned DATA [--threads T] [--compile] [--warmup N] [--seed S]

It speaks the same protocol as Handful's worker: a line of JSON when ready, one for each `run N`, until `quit`.
"""

import argparse
import itertools
import json
import math
import sys
import time
from pathlib import Path

import torch

from .counts import read_corpora
from .dense import DenseFit, DenseTraining
from .episodes import EpisodeSampler, whole
from .settings import Settings
from .tuned import TunedFit, TunedTraining

HANDFULS = 64


class Train:
    """Episodes, drawing included."""

    def __init__(self, training, sampler: EpisodeSampler):
        self.training, self.sampler = training, sampler
        self.restarts = 0

    def run(self, units: int) -> float:
        """Seconds for so many episodes.

        The plain float32 model turns into NaN sooner or later. Training on would time arithmetic on NaN, and looking
        at all gradients before each step would cost time. So an episode with such a loss counts neither as time nor
        as work, and training starts afresh while the clock stands: nothing of it is held against PyTorch.
        """
        seconds, done = 0.0, 0
        while done < units:
            start = time.perf_counter()
            loss = self.training.step(self.sampler.draw())
            took = time.perf_counter() - start
            if math.isfinite(loss):
                seconds, done = seconds + took, done + 1
            else:
                self.training.start()
                self.restarts += 1
        return seconds


class Fit:
    """Fits of handfuls that were drawn before; each is laid out for the model from its sparse counts every time."""

    restarts = 0

    def __init__(self, model, sampler: EpisodeSampler):
        self.model = model
        self.handfuls = itertools.cycle([sampler.handful() for _ in range(HANDFULS)])

    def run(self, units: int) -> float:
        start = time.perf_counter()
        for _ in range(units):
            self.model.fit(whole(next(self.handfuls)))
        return time.perf_counter() - start


def work(arguments, settings: Settings):
    corpora = read_corpora(arguments.data)
    sampler = EpisodeSampler(corpora, settings.support_size, settings.support_rate, arguments.seed)
    training = {
        "dense": lambda: DenseTraining(corpora.terms, settings, fused=False),
        "dense-fused": lambda: DenseTraining(corpora.terms, settings, fused=True),
        "tuned": lambda: TunedTraining(corpora.terms, settings, arguments.compile),
    }
    fitting = {
        "dense": lambda: DenseFit(corpora.terms, settings),
        "tuned": lambda: TunedFit(corpora.terms, settings, arguments.compile),
    }
    if arguments.work == "fit":
        if arguments.peer not in fitting:
            raise SystemExit(f"{arguments.peer} is a way to train; fit with one of {', '.join(fitting)}")
        return corpora, Fit(fitting[arguments.peer](), sampler)
    return corpora, Train(training[arguments.peer](), sampler)


def main():
    parser = argparse.ArgumentParser(prog="peers.worker", description=__doc__.splitlines()[0])
    parser.add_argument("work", choices=["train", "fit"])
    parser.add_argument("peer", choices=["dense", "dense-fused", "tuned"])
    parser.add_argument("data", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compile", action="store_true", help="torch.compile the tuned model")
    parser.add_argument("--warmup", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    # Only what the driver reads may go to standard output.
    replies, sys.stdout = sys.stdout, sys.stderr
    # Before the first parallel loop: its threads inherit the number and the floating-point mode.
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    corpora, timed = work(arguments, Settings())
    timed.run(arguments.warmup)

    def reply(**facts):
        print(json.dumps(facts), file=replies, flush=True)

    reply(ready=True, version=f"torch {torch.__version__}", threads=torch.get_num_threads(), terms=corpora.terms)
    for line in sys.stdin:
        command, *rest = line.split() or [""]
        if command == "quit":
            break
        if command == "run":
            units = int(rest[0])
            reply(seconds=timed.run(units), units=units, restarts=timed.restarts)


if __name__ == "__main__":
    main()
