"""Workers: processes that load, warm up and then run what they are told, one line at a time."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
RELEASE = Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target")).resolve() / "release"


@dataclass(frozen=True)
class Configuration:
    """How one implementation is started: its command, and what may be chosen to make it fast."""

    command: tuple[str, ...]
    threads: int
    compiled: bool = False


def thread_counts() -> list[int]:
    """1, 2, 4, ... and all cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return sorted({1 << i for i in range(cores.bit_length()) if 1 << i <= cores} | {cores})


def handful(work: str, data: Path, *flags: str, threads: list[int] | None = None) -> list[Configuration]:
    command = (str(RELEASE / "handful-bench"), work, str(data), *flags)
    return [Configuration((*command, "--threads", str(n)), n) for n in threads or thread_counts()]


def peer(work: str, name: str, data: Path) -> list[Configuration]:
    command = (sys.executable, "-m", "peers.worker", work, name, str(data))
    found = []
    for n in thread_counts():
        found.append(Configuration((*command, "--threads", str(n)), n))
        if name == "tuned":
            found.append(Configuration((*command, "--threads", str(n), "--compile"), n, compiled=True))
    return found


class WorkerFailed(Exception):
    pass


class Worker:
    """A running worker. It computes only between `run` and its reply, so others have the machine meanwhile."""

    def __init__(self, configuration: Configuration):
        self.configuration = configuration
        self.messages = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            configuration.command, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.messages, text=True
        )
        self.last: dict = {}
        self.facts = self.reply()
        if not self.facts.get("ready"):
            raise self.failure("it did not say that it is ready")

    def failure(self, what: str) -> WorkerFailed:
        self.messages.seek(0)
        tail = "".join(self.messages.readlines()[-12:])
        return WorkerFailed(f"{' '.join(self.configuration.command)}: {what}\n{tail}")

    def reply(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            raise self.failure(f"ended with status {self.process.wait()}")
        return json.loads(line)

    def run(self, units: int) -> float:
        """Seconds for so many units of work."""
        self.process.stdin.write(f"run {units}\n")
        self.process.stdin.flush()
        self.last = self.reply()
        if self.last["units"] != units:
            raise self.failure(f"was asked for {units} units and did {self.last['units']}")
        return self.last["seconds"]

    def peak_mb(self) -> float | None:
        """The most memory the process ever held (VmHWM), where the system tells."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return None
        sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM:")]
        return int(sizes[0]) / 1024 if sizes else None

    def quit(self):
        if self.process.poll() is None:
            try:
                self.process.communicate("quit\n", timeout=30)
            except (subprocess.TimeoutExpired, BrokenPipeError):
                self.process.kill()
                self.process.wait()
        self.messages.close()
