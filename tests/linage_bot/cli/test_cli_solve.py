"""`linage-bot solve`: output, limits and mistakes."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from linage_bot.cli import main

pytestmark = pytest.mark.usefixtures("own_table")
GAME = "(;FF[4]GM[1]SZ[4:3]KM[0.5]RU[linage:edition=current];B[ab];W[cb];B[];W[])"


def solve(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("solve", *arguments), prog_name="linage-bot")


def values(*arguments: str) -> dict[str, object]:
    result = solve("--json", *arguments)
    assert result.exit_code == 0, result.stderr
    found: dict[str, object] = json.loads(result.stdout)
    return found


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.sgf"
    path.write_text(GAME)
    return str(path)


@pytest.mark.parametrize(
    ("arguments", "score", "best"),
    [
        (("--size", "3"), 4, ["A2", "C2"]),
        (("--size", "3", "--to-move", "white"), -4, ["B1", "B3"]),
        (("--size", "3", "--to-move", "Horizontal", "--set", "edition=2016"), -4, ["B1", "B3"]),
        (("--size", "5", "--komi", "7"), 7, ["C1", "C2", "C4", "C5"]),
    ],
)
def test_json_tells_score_and_best_moves(
    arguments: tuple[str, ...], score: int, best: list[str]
) -> None:
    """`--json` gives the exact score and the best moves, independent of komi."""
    found = values(*arguments)
    assert (found["exact"], found["score"], found["best"]) == (True, score, best)


def test_text_tells_the_winner_under_the_komi_and_what_mistakes_lose() -> None:
    """The text shows the winner under the komi, the best moves and the losses of the others."""
    text = solve("--size", "5", "--komi", "7").stdout
    assert "Vertical to move: V - H = +7" in text
    assert text.startswith("  5 . . * . .\n  4 . . * . .\n  3 . . . . .\n")
    assert "with komi 7: a draw" in text
    assert "\nfree region of 25 points at A1: Vertical first +7, Horizontal first -7\n" in text
    assert "best: C1, C2, C4, C5\n" in text
    assert "loses 15: C3\n" in text
    assert "with Horizontal to move: V - H = -7" in text
    assert "with komi 7.5: Horizontal wins by 0.5" in solve("--size", "5", "--komi", "7.5").stdout


def test_a_picture_shows_best_moves_and_what_others_lose(tmp_path: Path) -> None:
    """`--svg` draws circles on the best moves and the losses on the others."""
    file = tmp_path / "solved.svg"
    assert solve("--size", "5", "--svg", str(file)).exit_code == 0
    drawn = file.read_text()
    assert "<title>Linage 5, Vertical to move: V - H = +7</title>" in drawn
    assert drawn.count("M-7,0a7,7 0 1,0 14,0a7,7 0 1,0 -14,0Z") == 4
    assert drawn.count(">-11</text>") == 4
    assert solve("--size", "6", "--svg", str(file), "--json").exit_code == 0
    assert "V - H = +0; a pass is best, too" in file.read_text()


def test_solves_recorded_games(record: str) -> None:
    """A recorded game is solved after its last move, or before the move given by `--move`."""
    assert values(record)["moves"] == {}  # two passes: over
    first = values(record, "--move", "1")
    assert (first["to_move"], first["score"]) == ("black", -4)
    third = values(record, "--move", "3")
    assert third["to_move"] == "black"
    fourth = values(record, "--move", "4")
    assert fourth["to_move"] == "white"
    assert "A2" not in third["moves"]  # type: ignore[operator]  # a stone is there


def test_other_games_and_the_button_are_solved_on_small_boards() -> None:
    """Other games and the button are solved on small boards."""
    text = solve("--game", "linage-two-color", "--size", "3x4").stdout
    assert "Two-color Linage 3x4, Vertical to move: V - H = +2\n" in text
    assert "with komi 0.5: Vertical wins by 1.5\n" in text
    assert "best: B1, B2, B3, B4\nloses 1: " in text
    assert "with Horizontal to move: V - H = +2" in text
    assert "V - H = +3.5" in solve("--size", "3", "--set", "button=on").stdout
    text = solve("--game", "leblin", "--size", "3").stdout
    assert "Leblin 3, Black to move: Black wins\nbest: B1, A2, B2, C2, B3\nloses: A1" in text
    found = values("--game", "leblin", "--size", "3")
    assert found.keys() == values("--size", "3").keys()
    assert (found["exact"], found["score"]) == (True, 1)


def test_a_large_solved_board_is_answered_from_the_table_unless_it_is_to_be_solved_again() -> None:
    """A large solved board is answered from the table unless `--recompute` is given."""
    text = solve("--size", "10x3", "--komi", "-4").stdout
    assert "V - H = -4" in text
    assert "with komi -4: a draw" in text
    assert "from the table of solved boards, " in text
    assert "with Horizontal to move: V - H = -6" in text
    found = values("--size", "10x3", "--to-move", "white")
    assert (found["exact"], found["score"]) == (True, -6)
    again = values("--size", "10x3", "--recompute", "--seconds", "0")
    assert again["exact"] is False


def test_fair_komi_is_exact_where_solved_and_an_estimate_with_its_error_elsewhere() -> None:
    """`--fair-komi` is exact on solved boards and an estimate with its error elsewhere."""
    assert "fair komi 7, exact" in solve("--fair-komi", "--size", "5").stdout
    text = solve("--fair-komi", "--size", "9").stdout
    assert "an estimate: the mean of " in text
    assert "standard error" in text
    text = solve("--fair-komi", "--game", "leblin").stdout
    assert "of the engine against itself" in text
    assert "A1 J1 A9 J9" in text
    played = values("--fair-komi", "--size", "3", "--games", "4", "--visits", "20")
    assert (played["exact"], played["games"], played["visits"]) == (False, 4, 20)


def test_a_run_of_another_game_is_taken_up_from_its_checkpoint(tmp_path: Path) -> None:
    """A second run continues from the checkpoint of the first."""
    arguments = ("--game", "linage-parity", "--size", "4", "--checkpoint", str(tmp_path))
    first, second = values(*arguments), values(*arguments)
    assert (first["score"], second["score"]) == (1, 1)
    assert int(str(second["nodes"])) < int(str(first["nodes"])) / 10


def test_bounds_when_time_runs_out() -> None:
    """Only the proven bounds are reported once the time is over."""
    found = values("--size", "8", "--seconds", "0.3")
    assert (found["exact"], found["score"], found["best"]) == (False, None, [])
    assert "the winner is not proven" in solve("--size", "8", "--seconds", "0").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda each: each.name)
def test_an_interrupted_run_saves_all_that_it_found(number: signal.Signals, tmp_path: Path) -> None:
    """It ends with bounds and a checkpoint, from which the next run continues."""
    command = [sys.executable, "-m", "linage_bot", "solve", "--size", "8", "--json"]
    command += ["--checkpoint", str(tmp_path / "checkpoints")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b" gets " in process.stderr.readline()
        process.send_signal(number)
        found = json.loads(process.stdout.read())
    assert (process.returncode, found["exact"]) == (0, False)
    (saved,) = (tmp_path / "checkpoints").iterdir()
    assert saved.stat().st_size > found["nodes"]


LONG = ("solve", "--size", "8", "--seconds", "2.6", "--json")


@pytest.mark.thorough
@pytest.mark.timeout(250)
def test_its_seconds_begin_when_the_solver_is_compiled(tmp_path: Path) -> None:
    """The time limit starts when the solver is compiled."""
    command = "solve --game linage-parity --size 6 --recompute --seconds 0.5 --json"
    done = subprocess.run(
        [sys.executable, "-m", "linage_bot", *command.split()],
        env={**os.environ, "LINAGE_BOT_CACHE": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert b"compiling the solver of Parity Linage" in done.stderr
    assert json.loads(done.stdout)["nodes"] > 1000


@pytest.mark.thorough
def test_a_file_gets_a_line_of_progress_now_and_then() -> None:
    """Progress is written to a file as a line from time to time."""
    result = CliRunner().invoke(main, LONG)
    (line,) = result.stderr.splitlines()
    assert re.fullmatch(
        r"Vertical gets -\d+ to \+\d+, 2 s, \d+\.\d million nodes \(\d+/s\) of about \S+ million",
        line,
    )
    assert json.loads(result.stdout)["exact"] is False


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_a_terminal_gets_a_bar_that_is_gone_at_the_end() -> None:
    """A terminal gets a progress bar on stderr, which disappears at the end."""
    ours, theirs = os.openpty()
    told = {"TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(
        [sys.executable, "-m", "linage_bot", *LONG],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, **told},
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # no more: the other end is closed
            while more := os.read(ours, 1 << 16):
                shown += more
        assert process.stdout is not None
        found = json.loads(process.stdout.read())
    os.close(ours)
    text = shown.decode()
    assert "Vertical gets " in text
    assert "million nodes" in text
    assert "━" in text
    assert text.endswith("\x1b[2K")
    assert found["exact"] is False


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (
            ("--game", "leblin", "--to-move", "white"),
            "--to-move: in Leblin the earlier moves determine",
        ),
        (("--games", "20"), "--games: only --fair-komi plays games"),
        (("--fair-komi", "--game", "linage-parity"), "--fair-komi: Parity Linage has no pie"),
        (("--fair-komi", "--size", "25"), "--fair-komi: not known for Linage 25"),
        (("--fair-komi", "--to-move", "w"), "--fair-komi: needs the empty board"),
        (("--fair-komi", "--svg", "a.svg"), "--svg: --fair-komi finds no moves"),
        (("--fair-komi", "--memory", "64"), "--memory: --fair-komi solves nothing"),
        (("--size", "3", "--svg", "no/where.svg"), "no/where.svg: No such file"),
        (("--move", "3"), "--move: needs a FILE"),
        (("missing.sgf",), "missing.sgf: No such file or directory"),
        (("--size", "2"), "--size: a 2x2 board does not exist"),
        (("--seconds", "-1"), "Invalid value for '--seconds'"),
        (("--to-move", "red"), "Invalid value for '--to-move'"),
    ],
)
def test_what_a_user_can_fix_is_one_line_and_status_2(
    arguments: tuple[str, ...], complaint: str
) -> None:
    """A mistake is reported in one line on stderr, with status 2."""
    result = solve(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"linage-bot: {complaint}")
    assert result.stderr.count("\n") == 1


def test_bad_files_and_moves_are_refused(tmp_path: Path, record: str) -> None:
    """A bad file or move number is refused with a reason."""
    assert "--move: 6 is too large; the game has 4 moves" in solve(record, "--move", "6").stderr
    bad = tmp_path / "bad.sgf"
    bad.write_text("no game")
    assert solve(str(bad)).exit_code == 2
    bad.write_text(GAME.replace("W[cb]", "W[ab]"))
    result = solve(str(bad))
    assert result.exit_code == 2
    assert "move 2" in result.stderr


def test_memory_and_threads_change_no_value() -> None:
    """Limits of memory and threads do not change the result."""
    arguments = ("solve", "--size", "5x4", "--json", "--memory", "1", "--threads", "2")
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["exact"], told["score"]) == (True, 13)


def test_the_score_alone_takes_fewer_nodes_and_is_the_same() -> None:
    """`--score-only` proves the score and no moves, which takes less work."""
    alone, whole = values("--size", "5", "--score-only"), values("--size", "5")
    assert (alone["exact"], alone["score"]) == (True, whole["score"])
    assert (alone["best"], alone["moves"], alone["regions"]) == ([], {}, [])
    assert int(str(alone["nodes"])) < 0.8 * int(str(whole["nodes"]))
    text = solve("--size", "4", "--score-only", "--game", "linage-parity").stdout
    assert "First to move: First wins\n" in text
    assert "best" not in text


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--seconds", "1"), "does not support --seconds or --checkpoint; leave them out"),
        (("--score-only",), "its workers solve moves; leave out --score-only"),
    ],
)
def test_what_a_cluster_cannot_do_is_refused(arguments: tuple[str, ...], complaint: str) -> None:
    """Options that a cluster cannot serve are refused in one line."""
    result = solve("--cluster", "tcp://nobody:1", *arguments)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1] == f"linage-bot: --cluster: {complaint}"
