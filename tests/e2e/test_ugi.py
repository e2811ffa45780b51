"""`linage-bot ugi` as a process, used as the runner cutegames does.

Its way of speaking was read from its sources (github.com/kz04px/cutegames, commit 409ac9f): every
line is waited for, `bestmove` and `response` have to be exactly two words, the turn is queried
before each move, the end of the game from both engines, and the position is sent again for each
question.
"""

import contextlib
import os
import subprocess
import sys
import threading

import pytest

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, ROOT
from tests.examples import some_quick

COMMAND = [sys.executable, "-m", "linage_bot", "ugi"]


class RunnersEngine:
    """An engine as cutegames starts, asks and ends it."""

    def __init__(self, *arguments, options=()):
        self.said = []
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            text=True,
            bufsize=1,
        )
        # A hang becomes a failure: the process is killed, so reading its output ends.
        self._watchdog = threading.Timer(PATIENCE_SECONDS, self.process.kill)
        self._watchdog.start()
        self.send("ugi")
        self.wait_for("ugiok")
        for name, value in options:
            self.send(f"setoption name {name} value {value}")
        self.is_ready()

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self):
        line = self.process.stdout.readline()
        assert line, f"the engine ended: {self.process.stderr.read()}"
        self.said.append(line.rstrip("\n"))
        return self.said[-1]

    def wait_for(self, wanted):
        while self.read() != wanted:
            pass

    def wait_for_two_words(self, first):
        while True:
            words = self.read().split(" ")
            assert words[0] != first or len(words) == 2, words
            if words[0] == first:
                return words[1]

    def is_ready(self):
        self.send("isready")
        self.wait_for("readyok")

    def position(self, start, moves):
        line = "position startpos" if start == "startpos" else f"position fen {start}"
        self.send(line + " moves" * bool(moves) + "".join(f" {move}" for move in moves))

    def query(self, question):
        self.send(f"query {question}")
        return self.wait_for_two_words("response")

    def go(self, words):
        self.send(f"go {words}")
        return self.wait_for_two_words("bestmove")

    def end(self):
        self.send("quit")
        assert self.process.wait(PATIENCE_SECONDS) == 0
        assert self.process.stderr.read() == ""
        assert [line for line in self.said if "error" in line] == []

    def kill(self):
        self._watchdog.cancel()
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()


def play_game(engines, start, go):
    """A game as cutegames plays it; its result and moves."""
    for engine in engines:
        engine.is_ready()
    for engine in engines:
        engine.send("uginewgame")
    moves = []

    def asked(engine, question):
        engine.position(start, moves)
        return engine.query(question)

    while True:
        mover, other = engines if asked(engines[0], "p1turn") == "true" else reversed(engines)
        mover.is_ready()
        mover.position(start, moves)
        over = [asked(mover, "gameover"), asked(other, "gameover")]
        assert over[0] == over[1]
        if over[0] == "true":
            break
        mover.position(start, moves)
        moves.append(mover.go(go))
    results = {asked(engine, "result") for engine in engines}
    assert len(results) == 1
    return results.pop(), moves


GAMES_PLAYED = {
    "linage": ([("size", "4"), ("seed", "1")], "startpos", "nodes 40"),
    "linage-clock": (
        [("size", "3"), ("line", "2"), ("komi", "1.5"), ("button", "on")],
        "startpos",
        "p1time 5000 p2time 5000 p1inc 100 p2inc 100",
    ),
    "linage-two-color": ([("threads", "2")], "linage-two-color 3/1x1/3 o komi=0.5", "nodes 40"),
    "linage-parity": ([("size", "3"), ("passing", "false")], "startpos", "movetime 100"),
    "leblin": ([("size", "3"), ("pie", "true"), ("level", "5")], "startpos", "nodes 30"),
    "gardar": ([("size", "2"), ("pie", "true"), ("visits", "30")], "startpos", "depth 2"),
}


@pytest.mark.parametrize("case", some_quick(GAMES_PLAYED, "gardar"))
def test_two_engines_play_as_cutegames_has_them_play(case):
    """Two engines finish games with output that the runner understands."""
    options, start, go = GAMES_PLAYED[case]
    name = case.removesuffix("-clock")
    with contextlib.ExitStack() as stack:
        engines = [RunnersEngine(options=[*options, ("game", name)]) for _ in range(2)]
        for engine in engines:
            stack.callback(engine.kill)
        result, moves = play_game(engines, start, go)
        assert result in ("p1win", "p2win", "draw")
        assert len(moves) > 3
        for engine in engines:
            engine.end()


def test_ready_comes_before_anything_heavy():
    """A runner that starts many engines waits for none of them, and pays for none but who plays."""
    code = """
import sys
from linage_bot.rules import GAMES
from linage_bot.settings.playing import PlaySettings
from linage_bot.ugi import UgiEngine
from protocol.ugi.engine import UgiSession
import protocol.transport.serving
for game in GAMES.values():
    session = UgiSession(UgiEngine(game.configure(), PlaySettings()), print)
    lines = ["ugi", "setoption name size value 7", "isready", "position startpos moves D4",
             "query p1turn", "query gameover", "query result", "query fen", ""]
    said = session.receive_data("\\n".join(lines).encode())
    assert b"readyok" in said and b"error" not in said, said
print({"numba", "numpy", "scipy", "matplotlib"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout == "set()\n"


@pytest.mark.thorough
def test_a_script_on_a_pipe_is_answered_in_full_and_in_vain_by_a_closed_one():
    """A script gets all answers, and a closed output pipe ends the process."""
    script = b"ugi\nposition startpos moves C3\ngo nodes 50\nquery p1turn\nfoo\nquit\n"
    command = [*COMMAND, "--size", "5", "--seed", "1"]
    done = subprocess.run(
        command, input=script, capture_output=True, env=ENVIRONMENT, timeout=300, check=True
    )
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "id name linage-bot"
    assert sum(line.startswith("bestmove ") for line in lines) == 1
    assert "response false" in lines
    assert done.stderr == b""
    read, write = os.pipe()
    with contextlib.closing(open(write, "wb")) as output:  # noqa: PTH123
        os.close(read)
        done = subprocess.run(
            command, input=script, stdout=output, stderr=subprocess.PIPE, env=ENVIRONMENT,
            timeout=300, check=False,
        )  # fmt: skip
    assert done.stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no such shell")
def test_a_closed_stderr_changes_no_answer():
    """A closed stderr changes no answer, as some programs start engines so."""
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" 2>&-', "sh", *COMMAND],
        input=b"ugi\nquit\n",
        capture_output=True,
        env=ENVIRONMENT,
        timeout=300,
        check=True,
    )
    assert done.stdout.endswith(b"ugiok\n")


def test_a_bad_option_of_the_command_line_is_one_line():
    """A bad option ends the command with one line on stderr."""
    done = subprocess.run(
        [*COMMAND, "--size", "99"], capture_output=True, env=ENVIRONMENT, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"linage-bot: --size: ")
    assert done.stderr.count(b"\n") == 1
