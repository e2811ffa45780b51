"""Helpers to run an engine as a child process, kill it and describe its end.

They work with a reactor (`process.py`) or without.
"""

import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_TRAMPOLINE: Final = Path(__file__).with_name("trampoline.py")


def find_program(argv: Sequence[str], path: str | None) -> list[str]:
    """Return the command line with its program found on the path, or else beside this Python.

    A virtual environment that is used without being activated has `linage-bot` only there.
    """
    program, *rest = argv
    if os.path.dirname(program) == "" and shutil.which(program, path=path) is None:  # noqa: PTH120
        beside = shutil.which(program, path=str(Path(sys.executable).parent))
        program = beside or program
    return [program, *rest]


def through_trampoline(argv: Sequence[str], error_fd: int) -> list[str]:
    """Return the command line that becomes `argv`, as the leader of a group that dies with us.

    The descriptor is closed when the engine runs; if it cannot, the reason is written there first.
    Not on Windows.
    """
    us = (sys.executable, "-I", "-S", str(_TRAMPOLINE))
    return [*us, str(os.getpid()), str(error_fd), *argv]


def kill_group(pid: int, exited: bool) -> None:
    """Kill an engine and all processes that it started; `exited` if the engine itself has ended.

    Not on Windows.
    """
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        if not exited:  # the engine does not lead its group yet
            os.kill(pid, signal.SIGKILL)
    except PermissionError:
        pass  # macOS raises this for a group of zombies


def exit_reason(status: int) -> str:
    """Return how a process ended: `exited with status 3`, or `killed by SIGSEGV` for -11."""
    if status >= 0:
        return f"exited with status {status}"
    known = -status in set(signal.Signals)
    return f"killed by {signal.Signals(-status).name if known else f'signal {-status}'}"
