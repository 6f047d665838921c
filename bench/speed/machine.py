"""What was measured on what: facts that help to read the figures, none that name a machine or a person."""

import os
import platform
import subprocess
from pathlib import Path


def field(path: str, name: str) -> str | None:
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return None
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), None)


def output(*command: str) -> str | None:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parent).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def facts() -> dict:
    memory = field("/proc/meminfo", "MemTotal")
    return {
        "processor": field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(int(memory.split()[0]) / 2**20, 1) if memory else None,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "rustc": output("rustc", "--version"),
        "commit": output("git", "rev-parse", "--short", "HEAD"),
        "uncommitted_changes": bool(output("git", "status", "--porcelain", "--untracked-files=no")),
    }


def section(results: dict) -> list[str]:
    """The last lines of a report: the machine, and how busy it was."""
    return [
        "## Machine",
        "",
        "; ".join(f"{name}: {value}" for name, value in results["machine"].items())
        + f"; load at start: {results['load_at_start']:.1f}, at end: {results['load_at_end']:.1f}",
    ]


def load() -> float | None:
    """How many processes wanted to run in the last minute: others' work shows here."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None
