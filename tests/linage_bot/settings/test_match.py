"""Match settings: the keys that a user may write, and the key that each error names."""

from pathlib import Path

import attrs
import pytest

from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import (
    ClockSettings,
    EngineSettings,
    GameSettings,
    MatchSettings,
    OpeningSettings,
    SprtSettings,
)
from linage_bot.settings.reading import load

ENGINES = """
[[engines]]
command = "one --fast"
[[engines]]
name = "two"
command = ["/opt/my engine", "--slow"]
"""


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "match.toml"
        path.write_text(text)
        return load(path, MatchSettings)

    return read


def test_a_whole_event_is_read(read):
    """Game, clock, engines with clocks and environments of their own."""
    settings = read(
        """
        name = "Evening"
        games = 20
        out = "runs/evening"
        concurrency = 2
        max_moves = 500
        [game]
        id = "linage"
        size = "9x7"
        komi = 1
        options = { line = 4, button = true, edition = "2016" }
        [clock]
        main_seconds = 60
        increment_seconds = 0.5
        """
        + ENGINES
        + 'cwd = "there"\nenv = { A = "b" }\nstart_commands = ["kata-set-param maxVisits 5"]\n'
        "clock = { move_seconds = 2 }\n"
    )
    game = settings.game.configure()
    assert (game.board.size, game.komi, game.settings()) == (
        "9x7",
        1,
        {"line": "4", "button": "on", "edition": "2016"},
    )
    assert settings.names == ("one 1", "two")
    assert [engine.argv for engine in settings.engines] == [
        ("one", "--fast"),
        ("/opt/my engine", "--slow"),
    ]
    assert settings.clock.increment_seconds == 0.5
    assert settings.engines[1].clock.move_seconds == 2
    assert settings.engines[1].env == {"A": "b"}


def test_only_games_out_and_engines_must_be_given(read):
    """The default game is Linage, without a clock."""
    settings = read("games = 2\nout = 'x'\n" + ENGINES)
    assert settings.game.configure().id == "linage"
    assert settings.clock is None


FAULTS = [
    ("games = 0", "games: 0 is too small; the minimum is 1"),
    ("game.id = 'linag'", "game.id: there is no game 'linag'; did you mean 'linage'?"),
    ("game.id = 'go'", "game.id: there is no game 'go'; there are linage, linage-two-color,"),
    ("game.size = 2", "game.size: a 2x2 board does not exist"),
    ("game.size = 'big'", "game.size: 'big' is not a board size"),
    ("game.komi = 0.3", "game.komi: 0.3 is not a multiple of 0.5"),
    ("game.options.lin = 3", "game.options: lin: Linage has no such option"),
    ("game.options.line = 9", "game.options: line: '9' is not one of its values: 2 to 5"),
    ("game.size = 3\ngame.options.line = 4", "game.options: line: no line of 4 fits"),
    ("out = ''", "out: '' is not a name"),
    ("concurrency = 0", "concurrency: 0 is too small"),
    ("max_moves = 0", "max_moves: 0 is too small"),
    ("patience_seconds = 0", "patience_seconds: 0.0 is too small"),
    ('name = "a\\nb"', "name: 'a\\nb' is not a name"),
    ("clock = {}", "clock.move_seconds: has no time"),
    ("clock.main_seconds = -1", "clock.main_seconds: -1.0 is too small"),
    (
        "clock = { move_seconds = 1, main_seconds = 1 }",
        "clock.move_seconds: a fixed time for every move excludes main_seconds",
    ),
    (
        "clock = { main_seconds = 1, increment_seconds = 1, period_seconds = 1 }",
        "clock.move_seconds: a clock has either increments or periods",
    ),
    (
        "clock = { period_seconds = 1, periods = 2, period_moves = 2 }",
        "clock.move_seconds: a clock has either several periods or several moves in one period",
    ),
    (
        "clock = { increment_seconds = 1 }",
        "clock.move_seconds: increments need main_seconds to begin with",
    ),
    ("engines = [{ command = 'a' }]", "engines: an event needs at least two engines, not 1"),
    ("tournament = 'cup'", "tournament: 'cup' is none of match, round-robin, gauntlet, swiss"),
    ("rounds = 3", "rounds: only a Swiss tournament has rounds; set tournament to swiss"),
    ("game = []", "game: the list of games is empty"),
    ("game = [{}, { size = 2 }]", "game[1].size: a 2x2 board does not exist"),
    ("anchors.three = 5", "anchors: there is no engine 'three'"),
    ("sprt = { elo0 = 0 }", "sprt.elo1: this key is missing"),
    ("sprt = { elo0 = 0, elo1 = 0 }", "sprt.elo1: 0 is not above elo0, 0"),
    ("sprt = { elo0 = 0, elo1 = 20000 }", "sprt.elo1: 20000.0 is not a number from -2000 to 2000"),
    ("sprt = { elo0 = -3000, elo1 = 0 }", "sprt.elo0: -3000.0 is not a number from -2000 to 2000"),
    ("sprt = { elo0 = 0, elo1 = 5, alpha = 0.5 }", "sprt.alpha: 0.5 is not between"),
    ("sprt = { elo0 = 0, elo1 = 5, model = 'x' }", "sprt.model: 'x' is none of logistic"),
    ("openings.random_moves = -1", "openings.random_moves: -1 is too small"),
    (
        "openings = { random_moves = 2, text = 'x' }",
        "openings.text: give only one source of openings, not random_moves and text",
    ),
    (
        "openings = { moves = 2 }",
        "openings.text: moves is only for openings from SGF files; add sgf, or leave it out",
    ),
    ("openings.text = ''", "openings.text: '' is not a name"),
    (
        "tournament = 'match'\nengines = [{ command = 'a' }, { command = 'b' }, { command = 'c' }]",
        "tournament: a match needs exactly two engines, not 3",
    ),
    (
        "sprt = { elo0 = 0, elo1 = 5 }\n"
        "engines = [{ command = 'a' }, { command = 'b' }, { command = 'c' }]",
        "sprt: a sequential test needs exactly two engines",
    ),
    (
        "engines = [{ command = 'a', name = 'x' }, { command = 'b', name = 'x' }]",
        "engines: two engines have the name 'x'",
    ),
    ('engines = [{ command = "a \'b" }]', "engines[0].command: No closing quotation in"),
    (
        "engines = [{ command = '' }]",
        "engines[0].command: the command line is empty; name a program",
    ),
    ('engines = [{ command = ["a", "b\\u0000"] }]', "engines[0].command: a command line cannot"),
    ("engines = [{ command = 'a', nmae = 'b' }]", "engines[0].nmae: unknown key; did you mean"),
    ("engines = [{ name = 'b' }]", "engines[0].command: this key is missing"),
    (
        "engines = [{ command = 'a', start_commands = ['fine', 'quit # now'] }]",
        "engines[0].start_commands: 'quit # now' is not a GTP command",
    ),
    (
        "engines = [{ command = 'a', options = { komi = 3 } }]",
        "engines[0].options: komi is the same for every engine",
    ),
    (
        "engines = [{ command = 'a', options = { line = 'a b' } }]",
        "engines[0].options: 'line=a b' cannot be sent in GTP",
    ),
    (
        "engines = [{ command = 'a', protocol = 'uci' }]",
        "engines[0].protocol: 'uci' is none of gtp, ugi",
    ),
    (
        "engines = [{ command = 'a', go = 'nodes 5' }]",
        "engines[0].go: only UGI engines use it; leave it out",
    ),
    (
        "engines = [{ command = 'a', protocol = 'ugi', go = \"nodes\\n5\" }]",
        "engines[0].go: 'nodes\\n5' cannot follow `go`",
    ),
    (
        "engines = [{ command = 'a', protocol = 'ugi', start_commands = [''] }]",
        "engines[0].start_commands: '' is not a UGI command",
    ),
    ("gamess = 4", "gamess: unknown key; did you mean 'games'?"),
]


@pytest.mark.parametrize(("change", "line"), FAULTS)
def test_each_fault_names_its_key(read, change, line):
    """The error names the key, the fault and the expected value, and suggests a similar key."""
    key = change.split(" = ")[0]
    text = "\n".join(
        part
        for part in ("games = 2", "out = 'x'", change)
        if part == change or not part.startswith(f"{key} =")
    )
    if "engines = " not in change:
        text += ENGINES
    with pytest.raises(SettingFault) as caught:
        read(text)
    assert f"{caught.value.key}: {caught.value.reason}".startswith(line)


def settings(**changes):
    engines = (EngineSettings("a"), EngineSettings("b"))
    return attrs.evolve(MatchSettings(games=2, out="x", engines=engines), **changes)


def test_the_fingerprint_tells_whether_the_same_games_would_be_played():
    """Folder and concurrency may change; the number of games and komi may not."""
    assert settings().fingerprint() == settings(out="y", concurrency=3).fingerprint()
    assert settings().fingerprint() != settings(games=4).fingerprint()
    assert settings().fingerprint() != settings(game=GameSettings(komi=2.5)).fingerprint()


def test_an_event_that_began_before_there_was_ugi_goes_on():
    """An event from before UGI continues: missing keys do not affect its fingerprint."""
    old = settings()
    assert old.table()["engines"][0].keys().isdisjoint({"protocol", "go"})
    one, two = old.engines
    ugi = attrs.evolve(old, engines=(attrs.evolve(one, protocol="ugi", go="nodes 5"), two))
    assert ugi.table()["engines"][0]["go"] == "nodes 5"
    assert ugi.fingerprint() != old.fingerprint()


ROOT = Path(__file__).parents[3]


def test_the_example_in_the_manual_can_be_read(read):
    """The manual's example can be copied."""
    manual = (ROOT / "docs/match.md").read_text()
    settings = read(manual.split("```toml\n")[1].split("```")[0])
    assert settings.names == ("deep", "quick")


@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / "configs").glob("*match*.toml"), *(ROOT / "benchmarks").glob("*.toml")]),
    ids=str,
)
def test_the_events_we_ship_can_be_read(path):
    """The settings in configs and of the benchmarks are valid."""
    assert load(path, MatchSettings).games > 0


def test_every_key_is_in_the_manual():
    """A new key cannot be forgotten there."""
    manual = (ROOT / "docs/match.md").read_text()
    for cls in (
        MatchSettings,
        EngineSettings,
        GameSettings,
        ClockSettings,
        OpeningSettings,
        SprtSettings,
    ):
        for field in attrs.fields(cls):
            assert f"`{field.name}`" in manual or f"[{field.name}]" in manual, field.name
