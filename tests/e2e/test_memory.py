"""Programs that are allowed too little memory say in a line what to ask less of."""

import subprocess
import sys

import pytest

from tests.e2e.engine import COMMAND, ENVIRONMENT, PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits a process as Linux does")
TOO_LITTLE = 500_000  # kilobytes of address space, to load a compiler and compiled code
LITTLE = 780_000  # to store a solver's results
LINE = (
    "out of memory: start with fewer --nodes or --threads,"
    " or raise the limit of the process (ulimit -v)"
)
QUERY = b'{"id":"a","rules":"linage","boardXSize":7,"boardYSize":7,"moves":[]}\n'


def run(kilobytes: int, *words: str, script: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run(
        ["/bin/sh", "-c", f'ulimit -v {kilobytes}; exec "$@"', "sh", *COMMAND[:-1], *words],
        input=script,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def test_an_engine_without_memory_to_search_refuses_what_needs_a_search_and_goes_on():
    """Each command fails in its own way, without a traceback, and the position is unchanged."""
    asked = b"genmove b\nlinage-solve 5\nlinage-visits\nkata-search_analyze b\nshowboard\n"
    done = run(TOO_LITTLE, "gtp", "--size", "11", "--visits", "50", script=asked)
    *refused, amid, board = done.stdout.decode().split("\n\n")[:-1]
    assert refused == [f"? {LINE}"] * 3
    assert amid == f"= \nerror: {LINE}"
    assert "to move" in board
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("solve", "--size", "5"), ("warm", "linage")])
def test_a_command_without_memory_to_compute_ends_in_a_line(words):
    """The last line names the options and `ulimit`; the exit status is 2."""
    done = run(TOO_LITTLE, *words)
    assert done.returncode == 2
    last = done.stderr.decode().splitlines()[-1]
    assert last.startswith("linage-bot: out of memory: lower --nodes, --memory or")
    assert b"Traceback" not in done.stderr


def test_an_analysis_without_memory_is_answered_by_an_error():
    """Without memory, the position's result is an error."""
    done = run(TOO_LITTLE, "analysis", "--threads", "1", script=QUERY)
    assert LINE in done.stdout.decode().splitlines()[-1]
    assert b"Traceback" not in done.stderr


@pytest.mark.thorough
def test_a_solver_that_runs_out_of_memory_tells_what_it_has_proven():
    """A solver without memory for its results ends without an internal error."""
    done = run(LITTLE, "gtp", "--size", "9", script=b"linage-solve 8\nname\n")
    solved, name = done.stdout.decode().split("\n\n")[:-1]
    assert solved.startswith('= {"exact": false, ')
    assert name == "= linage-bot"
    assert b"Traceback" not in done.stderr
