"""Programs that are allowed too little memory say in a line what to ask less of."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.engine import COMMAND, ENVIRONMENT, PATIENCE_SECONDS, popen

resource = pytest.importorskip("resource", reason="limits a process")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits a process as Linux does")
TOO_LITTLE = 500_000  # kilobytes of address space, to load a compiler and compiled code
ALMOST_ENOUGH = range(500_000, 860_000, 60_000)  # up to what a compiler and a solver's code take
RESULTS_BYTES = 40_000_000  # left for a solver's results
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
    *refused, analysis, board = done.stdout.decode().split("\n\n")[:-1]
    assert refused == [f"? {LINE}"] * 3
    # An analysis is refused where not even its thread starts; else its reply has begun.
    assert analysis in {f"? {LINE}", f"= \nerror: {LINE}"}
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
@pytest.mark.parametrize("kilobytes", ALMOST_ENOUGH)
def test_a_solver_that_does_not_fit_is_refused_in_a_line(kilobytes):
    """Whichever library or code is the first that does not fit, the answer is the same."""
    done = run(kilobytes, "gtp", "--size", "4", script=b"linage-solve 8\nname\n")
    assert done.stdout.decode() == f"? {LINE}\n\n= linage-bot\n\n"


@pytest.mark.thorough
def test_a_solver_that_runs_out_of_memory_tells_what_it_has_proven():
    """A solver without memory for its results ends without an internal error."""
    with popen("--size", "4", stderr=subprocess.PIPE) as engine:
        assert ask(engine, b"linage-solve 60").startswith('= {"exact": true, ')
        used = Path(f"/proc/{engine.pid}/statm").read_text().split()[0]
        limit = int(used) * resource.getpagesize() + RESULTS_BYTES
        resource.prlimit(engine.pid, resource.RLIMIT_AS, (limit, limit))
        assert ask(engine, b"boardsize 9") == "= "
        assert ask(engine, b"linage-solve 4").startswith('= {"exact": false, ')
        _, errors = engine.communicate(b"quit\n")
    assert b"Traceback" not in errors


def ask(engine: subprocess.Popen, command: bytes) -> str:
    """Return the engine's answer to a command, which has one line."""
    engine.stdin.write(command + b"\n")
    engine.stdin.flush()
    answer = engine.stdout.readline().decode().rstrip("\n")
    assert engine.stdout.readline() == b"\n"
    return answer
