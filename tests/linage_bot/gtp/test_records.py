"""Game records over GTP."""

import itertools
import os
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linage_bot.records.reading import from_sgf
from linage_bot.rules import GAMES
from tests.examples import examples
from tests.linage_bot.gtp.conversation import Conversation

GAME = "tests/linage_bot/gtp/game.sgf"


@pytest.fixture(autouse=True)
def _in_the_repository(pytestconfig, monkeypatch):
    monkeypatch.chdir(pytestconfig.rootpath)


def test_a_loaded_game_goes_on_where_it_ended():
    """A loaded game continues with its rules and komi, and its moves can be undone."""
    client = Conversation("leblin", "9")
    assert client.ok(f"loadsgf {GAME}") == "black"
    assert client.ok("gogui-title") == "Linage 5, komi 0.5"
    assert client.fails("play b C3").startswith("illegal move")
    client.all(["play b A1", "gg-undo 3"])
    assert client.fails("undo").startswith("cannot undo")


@pytest.mark.parametrize(("number", "mover", "stones"), [(1, "black", 0), (2, "white", 1)])
def test_a_game_is_loaded_up_to_the_position_before_a_move(number, mover, stones):
    """A game can be loaded up to a move number, where 1 is the empty board."""
    client = Conversation()
    assert client.ok(f"loadsgf {GAME} {number}") == mover
    assert client.ok("gogui-rules_board").count("X") == stones


def test_what_was_said_of_moves_taken_back_is_no_longer_printed():
    """Comments on undone moves are not printed, and those on the other moves are."""
    client = Conversation()
    client.ok(f"loadsgf {GAME}")
    assert "an answer" in client.ok("printsgf")
    client.ok("undo")
    assert "an answer" not in client.ok("printsgf")
    assert "a centre stone" in client.ok("printsgf")


def test_the_result_of_a_file_is_not_that_of_another_game(tmp_path):
    """A file's result is dropped after another move."""
    file = tmp_path / "resigned.sgf"
    file.write_text("(;FF[4]GM[1]SZ[5]RU[linage]RE[W+R];B[cc];W[bb])")
    client = Conversation()
    client.ok(f"loadsgf {file}")
    assert "RE[W+R]" in client.ok("printsgf")
    client.ok("play b A1")
    assert "RE[" not in client.ok("printsgf")


def test_a_finished_game_is_printed_with_its_result():
    """A finished game is printed with its result."""
    client = Conversation()
    client.all(["play b pass", "play w pass"])
    assert "RE[W+0.5]" in client.ok("printsgf")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_written_to_a_file_is_loaded_again_as_it_was(game, tmp_path):
    """A saved game of any kind is loaded with the same board, rules and legal moves."""
    client = Conversation(game, "5")
    for ply in range(6):
        client.ok(f"genmove {'bw'[ply % 2]}")
    file = tmp_path / "game.sgf"
    assert client.ok(f"printsgf {file}") == ""
    other = Conversation()
    other.ok(f"loadsgf {file}")
    for line in ("showboard", "kata-get-rules", "gogui-rules_legal_moves"):
        assert other.ok(line) == client.ok(line)
    assert from_sgf(file.read_bytes()).moves == client.engine.record.moves


def test_what_is_odd_about_a_file_is_told_on_stderr(tmp_path, caplog):
    """A warning about a file is logged, and the response is the side to move alone."""
    file, client = tmp_path / "two.sgf", Conversation()
    file.write_text("(;SZ[9]RU[linage](;AB[aa];W[ee];B[cc]))(;SZ[5]RU[leblin]", encoding="ascii")
    assert client.ok(f"loadsgf {file}") == "white"
    assert client.ok("gogui-rules_board").count("X") == 3
    assert caplog.messages == [f"{file}: SGF: 2 games; only the first is read"]


def test_a_game_that_breaks_the_rules_is_not_loaded(tmp_path):
    """The error names the illegal move, so that the user can fix the file."""
    file = tmp_path / "cheat.sgf"
    file.write_text("(;FF[4]GM[1]SZ[5]RU[linage];B[cc];W[cc])")
    error = Conversation().fails(f"loadsgf {file}")
    assert error.startswith("cannot load file")
    assert "move 2" in error


MIB = 1 << 20
PROCESSOR_SECONDS = 10  # reading each part once takes one or two


def timed(client: Conversation, line: str) -> str:
    """Return the response; check that it takes little work and that a failure changes nothing."""
    before, began = client.state(), time.process_time()
    answer = client.ask(line)
    assert time.process_time() - began < PROCESSOR_SECONDS
    if not answer.startswith("= "):
        assert answer.startswith("? cannot load file: ")
        assert "\n" not in answer
        assert client.state() == before
    return answer


@pytest.mark.parametrize(
    "repeated",
    [b"AB[aa:yy]", b"[aa:yy]", b"C[x]", b"C[" + b"x" * 90 + b"]", b";C[x]", b"PB[x]", b";", b"(;"],
    ids=bytes.decode,
)
def test_a_large_file_is_loaded_or_refused_in_time_that_grows_with_it_alone(repeated, tmp_path):
    """A large file is loaded or refused quickly, because reading cannot be interrupted."""
    file, client = tmp_path / "large.sgf", Conversation("leblin")
    repeated *= 2 * MIB // len(repeated)
    closing = b")" * (1 + repeated.count(b"("))
    file.write_bytes(b"(;SZ[25]RU[leblin]AB[aa]" + repeated + closing)
    timed(client, f"loadsgf {file}")


_PIECES = (
    *(
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b":",
        b"\n",
        b" ",
        b"B",
        b"W",
        b"C",
        b"AB",
        b"AW",
        b"AE",
    ),
    *(b"[aa]", b"[aa:yy]", b"[yy:aa]", b"[]", b"[tt]", b";B[]", b";W[cc]", b"PL[W]", b"C[x\\]x]"),
    *(b"SZ[9:7]", b"SZ[25]", b"RU[gardar]", b"RU[linage:line=4]", b"KM[1e9]", b"CA[gbk]", b"\xff"),
    *("é".encode(), b"(;", b"LongName", b"RE[B+R]", b";line=3", b"=" * 50, b"x" * 1000),
)
_pieces = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=4).map(b"".join)


@pytest.mark.thorough
@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(_pieces, _pieces, _pieces, st.sampled_from([1, 10, MIB]), st.sampled_from([b"", b")"]))
def test_no_file_however_repetitive_takes_long_or_does_worse_than_be_refused(
    tmp_path, first, repeated, last, length, end
):
    """Any file, however repetitive, is loaded or refused quickly."""
    file = tmp_path / "any.sgf"
    body = repeated * (length // len(repeated) or 1)
    file.write_bytes(b"(;SZ[5]RU[linage]" + first + body + last + end)
    client = Conversation("gardar", "3")
    if timed(client, f"loadsgf {file}").startswith("= "):
        client.state()


@settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_a_damaged_game_is_loaded_or_refused_in_one_line(tmp_path, data):
    """A damaged file is refused in one line, or loaded and printed again unchanged."""
    good = Path(GAME).read_bytes()
    edges = sorted(data.draw(st.lists(st.integers(0, len(good)), max_size=6)))
    pieces = [good[start:end] for start, end in itertools.pairwise([0, *edges, len(good)])]
    kept = st.lists(st.sampled_from([*pieces, *_PIECES]), max_size=len(pieces) + 3)
    file = tmp_path / "damaged.sgf"
    file.write_bytes(b"".join(data.draw(st.permutations(pieces) | kept)))
    client = Conversation("leblin", "4")
    if timed(client, f"loadsgf {file}").startswith("= "):
        shown = client.state()
        client.ok(f"printsgf {file}")
        client.ok(f"loadsgf {file}")
        assert client.state() == shown


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_or_a_device_is_refused_at_once(tmp_path):
    """A pipe or device is refused at once, for reading and for writing."""
    pipe, client = tmp_path / "pipe.sgf", Conversation()
    os.mkfifo(pipe)
    for name in (pipe, "/dev/zero"):
        error = client.fails(f"loadsgf {name}")
        assert error == f"cannot load file: {name}: not a regular file"
        error = client.fails(f"printsgf {name}")
        assert error == f"cannot write file: {name}: not a regular file"
    for command in ("loadsgf", "printsgf"):
        assert len(client.fails(f"{command} {'x' * 5000}")) < 300
    assert client.fails(f"loadsgf {tmp_path}") == f"cannot load file: {tmp_path}: Is a directory"


def test_files_are_for_local_users_only():
    """A guest may print a game, but may not read or write files on the server."""
    client = Conversation(local=False)
    assert client.fails(f"loadsgf {GAME}").startswith("cannot load file")
    assert client.fails("printsgf /tmp/never-written.sgf").startswith("cannot write file")
    assert client.ok("printsgf").startswith("(;FF[4]")


def test_a_game_on_cgos_is_printed_with_its_opponent_and_result():
    """The last reported rating counts, and the next game starts without a result."""
    client = Conversation()
    client.all(["cgos-opponent_name rival", "cgos-opponent_rating 1700", "clear_board"])
    client.all(["cgos-opponent_rating 1800?", "play b A1", "cgos-gameover W+Time"])
    record = from_sgf(client.ok("printsgf").encode())
    assert (record.event, record.result) == ("CGOS, against rival (1800?)", "W+T")
    client.all(["clear_board", "play b A1"])
    assert from_sgf(client.ok("printsgf").encode()).result is None
