"""`linage-bot gtp` on pipes, files, a terminal and closed streams."""

import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.e2e.engine import COMMAND, ENVIRONMENT, PATIENCE_SECONDS, popen, run
from tests.examples import some_quick

# Far below the duration of these searches, far above the exit time on a busy machine.
SOON_SECONDS = 25
FULL = [">/dev/full"] if Path("/dev/full").exists() else []
FULL_STDERR = [f"2{each}" for each in FULL]
HOUR = ("--seconds", "3600", "--seed", "1")

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="terminals and /proc are POSIX")


def replies(done: subprocess.CompletedProcess) -> list[str]:
    """The answers of a process that ended well."""
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert text.endswith("\n\n") or not text
    return text.split("\n\n")[:-1]


def start_thinking(engine: subprocess.Popen, line: bytes = b"kata-genmove_analyze b 10\n") -> None:
    """Begin a search and wait until it is really under way."""
    engine.stdin.write(line)
    engine.stdin.flush()
    assert engine.stdout.readline() == b"= \n"
    assert engine.stdout.readline().startswith(b"info move ")


def rest_of(engine: subprocess.Popen) -> bytes:
    """All that is still said; the process must end soon and well."""
    output = engine.stdout.read()
    assert engine.wait(SOON_SECONDS) == 0
    engine.stdout.close()
    return output


def test_every_reply_goes_to_stdout_and_nothing_else_does():
    """Ids are repeated, blank lines get no reply, and commands after `quit` are ignored."""
    done = run(b"1 name\n\n2 foo\nboardsize 5\n3 genmove b\nquit\nname\n", "--visits", "30")
    first, second, size, move, end = replies(done)
    assert (first, second, size, end) == ("=1 linage-bot", "?2 unknown command: foo", "= ", "= ")
    assert move.startswith("=3 ")


@pytest.mark.thorough
def test_the_input_may_lack_its_last_newline_and_quit():
    """A script cut short is answered in full and ends with status 0, an empty one too."""
    assert replies(run(b"name\nversion"))[0] == "= linage-bot"
    assert len(replies(run(b"name\nversion"))) == 2
    assert replies(run(b"")) == []


@pytest.mark.thorough
def test_a_search_by_visits_piped_with_quit_behind_it_is_done_in_full():
    """A search limited by visits makes all 3000, even if `quit` follows in the script."""
    script = b"boardsize 5\ngenmove b\ngomill-explain_last_move\nquit\n"
    by_visits = ("--visits", "3000", "--seed", "1", "--solver", "off")
    for end in (b"", b"quit\n"):
        _, move, why, *_ = replies(run(script + end, *by_visits))
        assert f", 3000 visits: {move[2:]}" in why


@pytest.mark.thorough
def test_two_processes_with_a_seed_and_visits_play_the_same_game():
    """Sixteen moves and the SGF are equal; another seed gives another game."""
    script = b"boardsize 7\n" + b"genmove b\ngenmove w\n" * 8 + b"printsgf\n"
    first, second = (replies(run(script, "--visits", "200", "--seed", "3")) for _ in range(2))
    assert first == second
    other = replies(run(script, "--visits", "200", "--seed", "4"))
    assert other != first


def test_quit_ends_an_hour_of_thought():
    """The best move so far is still answered, then `quit`, all within 25 seconds."""
    engine = popen(*HOUR)
    start_thinking(engine)
    engine.stdin.write(b"quit\n")
    engine.stdin.flush()
    started = time.monotonic()
    output = rest_of(engine)
    assert time.monotonic() - started < SOON_SECONDS
    engine.stdin.close()
    assert b"\nplay " in output
    assert output.endswith(b"\n\n= \n\n")


@pytest.mark.thorough
@pytest.mark.parametrize("line", [b"kata-genmove_analyze b 10\n", b"kata-analyze b 10\n"])
def test_the_end_of_input_ends_a_search_after_the_replies_owed(line):
    """The command behind it is answered as well; a search for a move still plays one."""
    engine = popen(*HOUR)
    start_thinking(engine, line)
    engine.stdin.write(b"7 name\n")
    engine.stdin.close()
    output = rest_of(engine)
    assert output.endswith(b"\n=7 linage-bot\n\n")
    assert (b"\nplay " in output) == line.startswith(b"kata-genmove")


@pytest.mark.parametrize("stop", some_quick([b"stop\n", b"# interrupt\n"], b"stop\n"))
def test_an_interrupted_search_answers_its_move_and_the_session_goes_on(stop):
    """Whether by `stop` or by GoGui's comment: the move is played, and White is to move."""
    engine = popen(*HOUR)
    start_thinking(engine)
    engine.stdin.write(b"\n" + stop + b"gogui-rules_side_to_move\nquit\n")
    engine.stdin.flush()
    output = rest_of(engine)
    engine.stdin.close()
    assert b"\nplay " in output
    assert b"= white\n\n" in output


def test_while_it_thinks_a_process_still_hears_bad_input_and_answers_it_in_order():
    """An unknown word, broken UTF-8, a NUL and a line of 2 MB are one error each."""
    engine = popen(*HOUR)
    start_thinking(engine)
    engine.stdin.write(
        b"1 foo\n\xff\xfe\n2 na\0me\n" + b"x" * (1 << 21) + b"\n3 name\nstop\nquit\n"
    )
    engine.stdin.flush()
    answers = rest_of(engine).decode().split("\n\n")[1:-1]
    engine.stdin.close()
    assert [answer.split(":")[0] for answer in answers] == [
        *("?1 unknown command", "? syntax error", "?2 syntax error", "? syntax error"),
        *("=3 linage-bot", "= ", "= "),
    ]


def test_the_input_and_output_may_be_files(tmp_path):
    """Redirected from a script and into a file, all three commands are answered."""
    script, output = tmp_path / "script.gtp", tmp_path / "output.gtp"
    script.write_bytes(b"boardsize 5\ngenmove b\nquit\n")
    with script.open("rb") as stdin, output.open("wb") as stdout:
        engine = popen("--visits", "30", stdin=stdin, stdout=stdout)
        assert engine.wait(PATIENCE_SECONDS) == 0
    assert output.read_bytes().count(b"\n\n") == 3


@posix_only
def test_a_process_whose_replies_nobody_reads_ends_even_while_it_thinks():
    """A GUI that crashed leaves no engine behind that thinks for an hour."""
    engine = popen(*HOUR)
    start_thinking(engine, b"kata-analyze b 1\n")
    engine.stdout.close()
    engine.wait(SOON_SECONDS)
    engine.stdin.close()


@posix_only
@pytest.mark.parametrize("line", [b"linage-solve 600\n", b"reg_genmove b\n", b"pie_offer\n"])
def test_a_process_whose_controller_dies_amid_a_silent_command_ends(line):
    """Silent commands, which survive the end of a piped script, end when stdout is closed too."""
    engine = popen("--size", "11", "--visits", "1000000000", stderr=subprocess.PIPE)
    engine.stdin.write(b"name\n" + line)
    engine.stdin.flush()
    assert engine.stdout.readline() == b"= linage-bot\n"
    engine.stdin.close()
    engine.stdout.close()
    assert engine.wait(SOON_SECONDS) == 0
    assert engine.stderr.read() == b""
    engine.stderr.close()


@posix_only
@pytest.mark.parametrize("redirection", [">&-", "<&-", *FULL])
def test_streams_that_are_closed_or_full_end_the_process_without_a_word(redirection):
    """A closed stream or a full disk means status 0 and no traceback."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *COMMAND],
        input=b"name\nquit\n",
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)


@pytest.mark.skipif(not FULL, reason="no disk that is always full")
@pytest.mark.parametrize("words", [["games"], ["--help"], ["gtp", "--help"], ["picture", "-"]])
def test_other_commands_say_in_one_line_that_the_disk_is_full(words):
    """A full disk is one error line and status 1, for short and long output."""
    done = subprocess.run(
        ["/bin/sh", "-c", '"$@" >/dev/full', "sh", *COMMAND[:-1], *words],
        input=b"(;FF[4]GM[1]SZ[19]RU[Linage];B[aa])",
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.stderr == b"linage-bot: cannot write: No space left on device\n"
    assert done.returncode == 1


@posix_only
@pytest.mark.parametrize("redirection", ["2>&-", *FULL_STDERR])
def test_a_stderr_that_is_closed_or_full_changes_no_answer(redirection):
    """Graphics for a closed or full stderr are dropped and never mixed into the replies."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, "--visits", "100"],
        input=b"kata-set-param liveGraphics moves\nboardsize 5\ngenmove b\nquit\n",
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    *_, move, end = replies(done)
    assert re.fullmatch(r"= [A-E][1-5]", move)
    assert (end, done.stderr) == ("= ", b"")


@posix_only
def test_a_terminal_can_be_used_by_hand():
    """A person sees the board with the line ends that a terminal needs."""
    master, slave = pty.openpty()
    engine = popen("--visits", "30", stdin=slave, stdout=slave)
    os.write(master, b"boardsize 3\ngenmove b\nshowboard\nquit\n")
    try:
        assert engine.wait(PATIENCE_SECONDS) == 0
        seen = os.read(master, 10_000)
        assert b"\r\nLinage 3, white (Horizontal) to move\r\n" in seen
        assert b"\r\n    A B C\r\n" in seen
    finally:
        os.close(slave)
        os.close(master)


def test_ten_thousand_commands_in_one_go_are_answered_in_order():
    """The ids of the replies show that none is lost or exchanged."""
    lines = [f"{number} known_command play" for number in range(10_000)]
    answers = replies(run("\n".join(lines).encode()))
    assert answers == [f"={number} true" for number in range(10_000)]


def test_the_first_search_on_a_machine_says_on_stderr_that_it_compiles(tmp_path):
    """The first search reports compilation on stderr, and `quit` does not wait for it."""
    engine = subprocess.Popen(
        [*COMMAND, "--seconds", "3600"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "LINAGE_BOT_CACHE": str(tmp_path)},
    )
    engine.stdin.write(b"genmove b\n")
    engine.stdin.flush()
    said = engine.stderr.readline().decode()
    assert said == "linage-bot: compiling Linage for this machine, once: 5 to 15 seconds\n"
    engine.stdin.write(b"quit\n")
    engine.stdin.flush()
    output = rest_of(engine)
    engine.stdin.close()
    engine.stderr.close()
    assert output.startswith(b"= ")
    assert output.count(b"\n\n") == 2
