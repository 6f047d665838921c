"""Measuring fairly on a noisy machine: calibrated chunks, in alternation, compared within a round only."""

import random
import statistics
import time
from contextlib import ExitStack
from dataclasses import dataclass, field

from workers import Configuration, Worker, WorkerFailed


@dataclass(frozen=True)
class Effort:
    rounds: int
    chunk_seconds: float
    trial_seconds: float
    trials: int = 3
    seed: int = 1


@dataclass
class Measured:
    """One implementation: milliseconds a unit, round by round, and with what it was run."""

    configuration: Configuration
    milliseconds: list[float] = field(default_factory=list)
    trials: list[dict] = field(default_factory=list)
    peak_mb: float | None = None
    facts: dict = field(default_factory=dict)
    restarts: int = 0


class Chunked:
    """A worker with the number of units that fills a chunk."""

    def __init__(self, worker: Worker, seconds: float, multiple: int):
        self.worker, self.multiple = worker, multiple
        units = multiple
        while (took := worker.run(units)) < seconds / 4:
            units *= 2
        self.units = max(1, round(units / multiple * seconds / took)) * multiple

    def milliseconds(self) -> float:
        """A unit's time over one chunk, after a few units that bring the worker's memory back into the caches."""
        # Threads of the worker before may spin for a moment after their work.
        time.sleep(0.05)
        self.worker.run(max(1, self.units // 20 // self.multiple) * self.multiple)
        return 1000 * self.worker.run(self.units) / self.units


def choose(candidates: list[Configuration], effort: Effort, multiple: int) -> tuple[Worker, list[dict]]:
    """The quickest configuration, started, and what every candidate took."""
    if len(candidates) == 1:
        return Worker(candidates[0]), []
    started = []
    with ExitStack() as stack:
        trials = []
        for candidate in candidates:
            try:
                worker = Worker(candidate)
            except WorkerFailed as failure:
                # `torch.compile` needs a C++ compiler: without one the others compete.
                if not candidate.compiled:
                    raise
                trials.append({"threads": candidate.threads, "compiled": True, "failed": str(failure).splitlines()[-1]})
                continue
            stack.callback(worker.quit)
            started.append(Chunked(worker, effort.trial_seconds, multiple))
        times = [[] for _ in started]
        for _ in range(effort.trials):
            for chunked, found in zip(started, times):
                found.append(chunked.milliseconds())
        medians = [statistics.median(found) for found in times]
        for chunked, median in zip(started, medians):
            setting = chunked.worker.configuration
            trials.append({"threads": setting.threads, "compiled": setting.compiled, "milliseconds": median})
        best = started[medians.index(min(medians))].worker
        stack.pop_all()
        for chunked in started:
            if chunked.worker is not best:
                chunked.worker.quit()
    return best, trials


def alternate(contestants: dict[str, list[Configuration]], effort: Effort, multiple: int = 1, say=print, also=None):
    """Each contestant in its best configuration, all of them once a round in shuffled order.

    `also` maps further names to functions that give the milliseconds of something that is no worker.
    """
    shuffle = random.Random(effort.seed).shuffle
    with ExitStack() as stack:
        measured, chunks = {}, {}
        for name, candidates in contestants.items():
            worker, trials = choose(candidates, effort, multiple)
            stack.callback(worker.quit)
            measured[name] = Measured(worker.configuration, trials=trials, facts=worker.facts)
            chunks[name] = Chunked(worker, effort.chunk_seconds, multiple)
            say(f"    {name}: {describe(worker.configuration)}, {chunks[name].units} units a round")
        others = {name: [] for name in also or {}}
        for _ in range(effort.rounds):
            order = [*chunks, *others]
            shuffle(order)
            for name in order:
                if name in others:
                    others[name].append(also[name]())
                else:
                    measured[name].milliseconds.append(chunks[name].milliseconds())
        for name, chunked in chunks.items():
            measured[name].peak_mb = chunked.worker.peak_mb()
            measured[name].restarts = chunked.worker.last.get("restarts", 0)
    return (measured, others) if also else measured


def describe(configuration: Configuration) -> str:
    threads = f"{configuration.threads} thread{'s' if configuration.threads > 1 else ''}"
    return threads + (", compiled" if configuration.compiled else "")
