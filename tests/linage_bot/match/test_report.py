"""The text report of an event: while it runs and at its end."""

import io

import attrs
import pytest
from rich.console import Console

from linage_bot.arena.records import Key
from linage_bot.arena.standings import Standing
from linage_bot.match.report import TextReport, describe, score_table
from linage_bot.match.store import EventStore
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.linage import Linage
from linage_bot.settings.match import EngineSettings, SprtSettings


@pytest.fixture
def lines(settings):
    store = EventStore.open(settings)
    yield TextReport(Console(file=io.StringIO(), highlight=False), store)
    store.close()


def shown(lines):
    return lines._console.file.getvalue()


def test_the_first_line_says_what_is_played_and_where_it_is_kept(lines, settings):
    """The first line has the game, the engines, and the folder of records."""
    lines.event_begins([Linage.configure("9x7")])
    assert shown(lines) == (
        f"Linage 9x7, komi 0.5: ada – bea, 4 games; records in {settings.out}\n"
    )


def test_a_hexagon_is_named_by_its_side_and_an_old_event_by_what_is_left(lines, game):
    """A continued event shows how many games were played and how many remain."""
    for number in (1, 2, 3):
        lines._store.append(game(number, "ada"))
    lines.event_begins([Gardar.configure("5")])
    assert "Gardar side 5" in shown(lines)
    assert "3 games already played, 1 to go" in shown(lines)


def test_who_is_withdrawn_may_leave_fewer_games_than_were_planned(settings, game):
    """The remaining games are an upper bound, because a Swiss tournament cannot know more."""
    engines = (*settings.engines, EngineSettings("c", name="cleo"))
    three = attrs.evolve(settings, engines=engines, tournament="round-robin", max_failures=1)
    store = EventStore.open(three)
    store.append(game(1, "ada", ending="forfeit"))
    console = Console(file=io.StringIO(), highlight=False)
    TextReport(console, store).event_begins([])
    store.close()
    assert "1 game already played, at most 11 to go" in console.file.getvalue()


def test_each_game_is_one_line_with_the_score_so_far(lines, game):
    """A game's line has number, sides, result and reason, without control characters."""
    for record in (game(1, "ada"), game(2, "ada", reason="died [x]\x1b", ending="forfeit")):
        lines._store.append(record)
        lines.game_finished(record)
    assert shown(lines).splitlines() == [
        "1/4  ada – bea  B+1.5  ada wins by 1.5 (4 moves, 5.0 s)  [ada 1, bea 0]",
        "2/4  bea – ada  W+1.5  bea forfeits: died [x]  (4 moves, 5.0 s)  [ada 2, bea 0]",
    ]


def test_the_table_is_plain_where_it_is_not_a_terminal(lines, game):
    """The report in a log is plain text and says how to continue after an interruption."""
    for record in (game(1, "ada"), game(2, None), game(3, "ada", claims=("W+1.5", None))):
        lines._store.append(record)
        lines.game_finished(record)
    lines.event_ended(interrupted=True)
    assert shown(lines).splitlines()[3:] == [
        "engine games won lost drawn points    % first second forfeits s/move",
        "ada        3   2    0     1    2.5 83.3     2    0.5        0  1.000",
        "bea        3   0    2     1    0.5 16.7   0.5      0        0  1.500",
        "First won 2, Second 0, drawn 1",
        "ada – bea: Elo +190.8 ± 784.0, better with 50.0 % certainty",
        "Pairs with 0, ½, 1, 1½, 2 points for ada: 0 0 0 1 0",
        "The engines' scores differ from ours in game 3",
        "Interrupted. Run the same command again to play the missing games.",
    ]


def test_a_sequential_test_is_shown_with_its_bounds(settings, game):
    """An SPRT is shown with its counted pairs and its state, here undecided."""
    tested = attrs.evolve(settings, games=8, sprt=SprtSettings(0, 50))
    store = EventStore.open(tested)
    for number, winner in enumerate(("ada", "bea", "ada", None, "ada", "ada", "ada", "bea"), 1):
        store.append(game(number, winner))
    console = Console(file=io.StringIO(), highlight=False)
    TextReport(console, store).event_ended(interrupted=False)
    store.close()
    end = console.file.getvalue().splitlines()[-3:]
    assert end[0].startswith("ada – bea: Elo +137.0 ± 187.6, normalized Elo +222.2 ± 240.8")
    assert end[1] == "Pairs with 0, ½, 1, 1½, 2 points for ada: 0 0 2 1 1"
    assert end[2] == "SPRT 0 to 50 normalized Elo: undecided, LLR 0.43 (-2.94 to 2.94)"


def test_more_than_two_engines_get_a_rating_list(settings, game):
    """An anchor has no error, and an engine without games has no known rating."""
    three = attrs.evolve(
        settings,
        engines=(*settings.engines, EngineSettings("c", name="cleo")),
        tournament="round-robin",
        anchors={"bea": 1500.0},
    )
    store = EventStore.open(three)
    store.append(game(1, "ada"))
    store.append(game(2, "bea"))
    console = Console(file=io.StringIO(), highlight=False)
    TextReport(console, store).event_ended(interrupted=False)
    store.close()
    assert console.file.getvalue().splitlines()[-5:] == [
        "engine       Elo         ± games",
        "ada       1500.0 not known     2",
        "bea       1500.0       0.0     2",
        "cleo   not known               0",
        "The games do not determine the advantage of moving first",
    ]


def ended(settings, records):
    """The last lines of an event."""
    store = EventStore.open(settings)
    for record in records:
        store.append(record)
    console = Console(file=io.StringIO(), highlight=False)
    TextReport(console, store).event_ended(interrupted=False)
    store.close()
    return console.file.getvalue().splitlines()


@pytest.mark.parametrize(
    ("winners", "words"),
    [
        (("ada",) * 4, "Elo at least -290.5 (95 %), better with 75.0 % certainty"),
        (("bea",) * 4, "Elo at most +290.5 (95 %), better with 25.0 % certainty"),
        (
            ("ada", "ada", "ada", None),
            "Elo +338.0, at least +148.7 (95 %), better with 75.0 %",
        ),
        (("ada", "ada", "bea", "bea"), "Elo +0.0, without bounds so far, better with 50.0 %"),
        ((None,) * 4, "Elo +0.0 ± 426.5, better with 50.0 % certainty"),
    ],
)
def test_a_one_sided_score_gives_the_bound_that_is_known(settings, game, winners, words):
    """The report never shows an infinite number or two contradicting ones."""
    lines = ended(settings, [game(n, winner) for n, winner in enumerate(winners, 1)])
    [line] = [line for line in lines if line.startswith("ada – bea: ")]
    assert line.startswith(f"ada – bea: {words}")
    whitewash = len({*winners}) == 1 and winners[0]
    told = f"{winners[0]} has won every pair 2–0, so there is no upper bound on the difference"
    assert (told in lines) == bool(whitewash)
    assert not any("∞" in line or "-0.0" in line for line in lines)


def test_a_rating_list_says_what_it_does_not_know(settings, game):
    """An engine that won all its games gets a lower bound."""
    engines = (*settings.engines, EngineSettings("c", name="cleo"))
    three = attrs.evolve(settings, engines=engines, tournament="round-robin")
    records = [game(n, name) for n, name in enumerate(("ada", "bea", "bea", "ada"), 1)]
    for number in range(5, 9):
        opening, swapped = divmod(number - 5, 2)
        players = ("ada", "cleo") if swapped else ("cleo", "ada")
        key = Key(("cleo", "ada"), opening, bool(swapped))
        winner = players.index("cleo")
        facts = {"key": key, "players": players, "result": "BW"[winner] + "+1.5"}
        records.append(attrs.evolve(game(number, None), winner=winner, **facts))
    table = {line.split()[0]: line.split()[1:] for line in ended(three, records)[-4:-1]}
    assert table["cleo"][:2] == ["at", "least"]
    assert float(table["cleo"][2]) == pytest.approx(-290.5, abs=10)
    assert float(table["ada"][0]) == -float(table["bea"][0])


@pytest.mark.parametrize("repeated", [0, 38])
def test_the_table_fits_a_terminal_of_80_columns(repeated):
    """Long names are not cut, and the column for repeated games fits as well."""
    names = [name * (2 if repeated else 6) for name in ("ada", "bea")]
    rows = [Standing(name, games=repeated, repeated=repeated) for name in names]
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    console.print(score_table(rows, pretty=True))
    assert all(name in console.file.getvalue() for name in names)
    assert ("repeats" in console.file.getvalue()) == bool(repeated)
    assert max(map(len, console.file.getvalue().rstrip().splitlines())) <= 80


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"winner": None}, "drawn (4 moves, 5.0 s)"),
        ({"ending": "resignation", "result": "B+R"}, "bea resigns (4 moves, 5.0 s)"),
        ({"result": "B+"}, "ada wins (4 moves, 5.0 s)"),
        (
            {"ending": "adjudication", "reason": "scored after 4 moves"},
            "ada wins by 1.5, scored after 4 moves (4 moves, 5.0 s)",
        ),
        ({"moves": ("C3",)}, "ada wins by 1.5 (1 move, 5.0 s)"),
    ],
)
def test_every_ending_has_its_words(game, facts, words):
    """Each ending has a text with moves and time, and a margin only with points."""
    assert describe(attrs.evolve(game(1, "ada"), **facts)) == words
