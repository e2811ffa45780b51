"""The table of games: ours at once, those of other packages when they are needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from linage_bot.rules.linage import Linage
from linage_bot.rules.registry import GameRegistry
from tests.installed_game import declare, install_col

LINAGE = "linage_bot.rules.linage:Linage"
BROKEN = {
    "missing": ("no_such_package:Game", "ModuleNotFoundError: No module named 'no_such_package'"),
    "nameless": ("broken_games:Nameless", "AttributeError: module 'broken_games' has no attribute"),
    "number": ("broken_games:NUMBER", "42 is not a subclass of linage_bot.Game"),
    "factless": ("broken_games:Factless", "Factless does not define author, year, board_kind"),
    "abstract": ("broken_games:Abstract", "Abstract does not define start"),
    "other": ("broken_games:Twin", "Twin.id is 'twin', not the name of the entry point"),
    "Upper": ("broken_games:Upper", "an id consists of lower-case words, joined by hyphens"),
    "lost": ("broken_games:Lost", "there is no module linage_bot.no_such_kernel"),
    "stuck": ("broken_games:Stuck", "RuntimeError: no board today"),
    "linage": (LINAGE, "linage-bot has a game of this id"),
    "parting": ("raising_game:Game", "ZeroDivisionError: on two lines"),
}
MODULES = {
    "broken_games": """
from linage_bot import Game
from linage_bot.rules import GAMES
from linage_bot.rules.linage import Linage
assert list(GAMES)[0] == "linage"
NUMBER = 42

class Factless(Game):
    id, name = "factless", "Factless"
    def start(self): ...
    def rules(self): ...

class Abstract(Factless):
    id, author, year, board_kind, default_size = "abstract", "A", 1, Linage.board_kind, "5"
    start = Game.start

class Twin(Linage):
    id = "twin"

class Upper(Linage):
    id = "Upper"

class Lost(Linage):
    id, kernel_module = "lost", "linage_bot.no_such_kernel"

class Stuck(Linage):
    id = "stuck"
    def start(self):
        raise RuntimeError("no board today")
""",
    "raising_game": "raise ZeroDivisionError('on\\ntwo lines')",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    monkeypatch.syspath_prepend(tmp_path)
    for name, text in MODULES.items():
        (tmp_path / f"{name}.py").write_text(text)
        monkeypatch.setitem(sys.modules, name, None)  # so that they are removed at the end
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def test_a_game_of_another_package_follows_ours(folder: Path) -> None:
    """It is in the table after ours, and it is the class that the package defines."""
    declare(folder, "two_games", twin="broken_games:Twin")
    games = GameRegistry({"linage": LINAGE, "leblin": "linage_bot.rules.leblin:Leblin"})
    assert [*games] == ["linage", "leblin", "twin"]
    assert (len(games), games["twin"].id) == (3, "twin")
    assert "twin" in games
    assert games.get("chess") is None
    assert repr(games).startswith("{'linage': <class")
    assert games["twin"].configure("5").start().moves() == Linage.configure("5").start().moves()


@pytest.mark.parametrize("id_", BROKEN)
def test_a_broken_game_is_left_out_with_a_warning(
    folder: Path, caplog: pytest.LogCaptureFixture, id_: str
) -> None:
    """One line names the package, the fault and the remedy; all other games are there."""
    value, reason = BROKEN[id_]
    declare(folder, "broken_one", **{id_: value})
    declare(folder, "good_one", twin="broken_games:Twin")
    games = GameRegistry({"linage": LINAGE})
    assert [*games] == [*games] == ["linage", "twin"]
    (record,) = caplog.records
    line = record.getMessage()
    assert line.startswith(f"broken-one: its game {id_} is left out: {reason}")
    assert line.endswith("; update or uninstall broken-one")
    assert "\n" not in line


def test_of_two_packages_with_one_id_the_first_by_name_counts(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The same one at each start, and the other one is named."""
    for name in ("b_games", "a_games"):
        declare(folder, name, twin="broken_games:Twin")
    assert "twin" in GameRegistry({"linage": LINAGE})
    assert [record.getMessage() for record in caplog.records] == [
        "b-games: its game twin is left out: a-games has a game of this id;"
        " update or uninstall b-games"
    ]


def test_our_games_need_no_other_packages(folder: Path) -> None:
    """A GTP session of Linage loads no other game and reads no entry points, which takes longer."""
    install_col(folder)
    script = """
import sys
import linage_bot.cli
from linage_bot import GAMES
from linage_bot.settings.playing import PlaySettings
from linage_bot.gtp import GtpEngine, commands
from protocol.gtp.engine import EngineSession
assert "linage" in GAMES
engine = GtpEngine(GAMES["linage"].configure(), PlaySettings())
session = EngineSession(commands, engine, print)
assert session.receive_data(b"list_commands\\nshowboard\\nprintsgf\\n")
print({"importlib.metadata", "linage_col", "linage_bot.rules.gardar"} & set(sys.modules))
assert "col" in GAMES
print({"numpy", "numba", "twisted", "linage_col"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", "set()\n{'linage_col'}\n")
