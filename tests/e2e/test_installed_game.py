"""A game of another installed package is everywhere that our games are."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from linage_bot.rules.linage import Linage
from tests.e2e.engine import ROOT
from tests.installed_game import declare, install_col


def run(folder: Path, *arguments: str, script: str = "") -> subprocess.CompletedProcess:
    """Run Python where the packages in the folder are installed."""
    path = os.pathsep.join((str(ROOT), str(folder)))
    return subprocess.run(
        [sys.executable, *arguments],
        input=script,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        timeout=240,
        check=False,
    )


def linage_bot(folder: Path, *arguments: str, script: str = "") -> subprocess.CompletedProcess:
    """Run a command that has to succeed."""
    done = run(folder, "-m", "linage_bot", *arguments, script=script)
    assert done.returncode == 0, done.stderr
    return done


def write_match(folder: Path, one: str, two: str) -> None:
    """Write a match of two games of Col between two commands."""
    (folder / "match.toml").write_text(f"""
games = 2
out = "runs"
[game]
id = "col"
size = "4"
[[engines]]
name = "one"
command = "{one}"
[[engines]]
name = "two"
command = "{two}"
""")


def test_it_is_played_by_hand(tmp_path: Path) -> None:
    """Listed by `games`, and played through GTP by its own rules."""
    install_col(tmp_path, kernel=False)
    assert "\ncol: Col, Colin Vout, 1976\n" in linage_bot(tmp_path, "games").stdout
    script = "gogui-rules_game_id\nlinage-game chess\nplay b B2\nplay w C2\nplay b A2\nprintsgf\n"
    done = linage_bot(tmp_path, "gtp", "--game", "col", "--size", "3", script=script)
    replies = done.stdout.strip().split("\n\n")
    assert replies[0] == "= Col"
    assert replies[1].endswith("gardar, col")
    assert replies[2:4] == ["= ", "= "]
    assert "there is a stone of the same colour next to this point" in replies[4]
    assert "RU[col]" in replies[5]
    assert done.stderr == ""


def test_the_library_and_all_programs_know_it(tmp_path: Path) -> None:
    """Records, matches, UGI, the page and lessons take it as they take ours."""
    package = install_col(tmp_path, kernel=False)
    with (package / "rules.py").open("a") as rules:
        rules.write("\n\nCol.teaching_module = 'linage_col.teaching'\n")
    (package / "teaching.py").write_text("""
from linage_bot.teaching import Lesson
from linage_col.rules import Col
LESSON = Lesson(Col, ())
def examples(game):
    return ()
""")
    write_match(tmp_path, "one", "two")
    script = """
import sys
from pathlib import Path
from linage_bot import GAMES, History, from_fen, from_sgf, game, to_fen, to_sgf
from linage_bot.settings.match import MatchSettings
from linage_bot.settings.playing import PlaySettings
from linage_bot.settings.reading import load
from linage_bot.teaching import explained
from linage_bot.ugi.options import GameSpec, described
from linage_bot.web.messages.table import new_game_form
col = game("col", 4)
assert type(col) is GAMES["col"] and [*GAMES][-1] == "col"
played = History(col).play("B2").play("C2")
assert from_fen(to_fen(played)) == played.position
assert "RU[col]" in (text := to_sgf(played)), text
assert load(Path("match.toml"), MatchSettings).all_games[0].id == "col"
assert "col" in next(each for each in described(GameSpec(), PlaySettings())).choices
form = new_game_form(col, ("1", "2"))
assert [(each.id, each.lesson) for each in form.games][-1] == ("col", True)
assert len(explained(col, pie=False)) == 3
assert not {"numpy", "numba"} & set(sys.modules)
"""
    done = run(tmp_path, "-c", script)
    assert (done.stderr, done.returncode) == ("", 0)


LINE = "Col cannot be searched without a compiled form; write one, and name its module in Col."


def test_a_game_without_compiled_form_is_not_searched(tmp_path: Path) -> None:
    """One line says what is missing when a move is asked for."""
    install_col(tmp_path, kernel=False)
    done = linage_bot(tmp_path, "gtp", "--game", "col", script="genmove b\n")
    assert done.stdout.startswith(f"? {LINE}")
    assert "Traceback" not in done.stderr


@pytest.mark.thorough
def test_a_game_without_compiled_form_is_not_measured(tmp_path: Path) -> None:
    """`warm` continues with the other games; `bench` says what is missing."""
    install_col(tmp_path, kernel=False)
    assert f"col: {LINE}" in linage_bot(tmp_path, "warm", "col").stdout
    refused = run(tmp_path, "-m", "linage_bot", "bench", "--game", "col")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"linage-bot: {LINE}")


@pytest.mark.thorough
def test_a_game_without_compiled_form_is_in_openspiel(tmp_path: Path) -> None:
    """OpenSpiel's algorithms play it by its readable rules."""
    install_col(tmp_path, kernel=False)
    script = """
import random
import pyspiel
import linage_bot.openspiel
state, chance = pyspiel.load_game("python_col(size=3)").new_initial_state(), random.Random(1)
while not state.is_terminal():
    state.clone().observation_tensor(0)
    state.apply_action(chance.choice(state.legal_actions()))
print(sorted(state.returns()))
"""
    assert run(tmp_path, "-c", script).stdout == "[-1.0, 1.0]\n"


def test_a_broken_package_is_named_and_the_program_continues(tmp_path: Path) -> None:
    """Programs that list the games print one line, and work without that game."""
    declare(tmp_path, "broken_one", mystery="no_such_package:Game")
    done = linage_bot(tmp_path, "games")
    assert done.stdout.count(f"{Linage.id}: Linage") == 1
    assert done.stderr == (
        "linage-bot: broken-one: its game mystery is left out: ModuleNotFoundError: No module named"
        " 'no_such_package'; update or uninstall broken-one\n"
    )
    assert linage_bot(tmp_path, "gtp", script="name\n").stderr == ""


@pytest.mark.thorough
def test_its_compiled_form_is_searched_solved_and_renewed(tmp_path: Path) -> None:
    """The engine plays it, `linage-bot match` too, and a changed kernel is compiled again."""
    package = install_col(tmp_path)
    write_match(tmp_path, "linage-bot gtp --visits 30", "linage-bot gtp --visits 10")
    options = ("gtp", "--game", "col", "--size", "3", "--visits", "50")
    script = "linage-solve\ngenmove b\n"
    solved, move = linage_bot(tmp_path, *options, script=script).stdout.strip().split("\n\n")
    assert re.fullmatch("= [A-C][1-3]", move)
    assert json.loads(solved.removeprefix("= "))["score"] == -1  # Black loses on 3x3
    linage_bot(tmp_path, "match", "match.toml")
    records = [path.read_text() for path in (tmp_path / "runs").rglob("*.sgf")]
    assert len(records) == 2
    assert all("RU[col]" in each and "RE[" in each for each in records)
    kernel = package / "kernel.py"
    text = kernel.read_text()
    normal, misere = "won: int = 2 * state.to_move - 1", "won: int = 1 - 2 * state.to_move"
    assert text.count(normal) == 1
    kernel.write_text(text.replace(normal, misere))
    solved = linage_bot(tmp_path, *options, script="linage-solve\n").stdout
    assert json.loads(solved.strip().removeprefix("= "))["score"] == 1
