"""The ``handful`` command, the same as the Rust program's."""

import signal
import sys

from handful import _native


def main() -> None:
    """Runs the command with the words of the command line and ends with its exit status."""
    # Ctrl-C ends the command as it ends any program; Python's own handler would wait for the work to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.run_command(sys.argv))
