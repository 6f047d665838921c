"""Timing whole processes."""

import os
import time


def milliseconds(command: list[str]) -> float:
    """Milliseconds from before the process exists until it is gone; what it prints goes nowhere."""
    silence = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=silence)
    _, status = os.waitpid(child, 0)
    took = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {os.waitstatus_to_exitcode(status)}")
    return 1000 * took
