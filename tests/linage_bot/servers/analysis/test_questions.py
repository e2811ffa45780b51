"""Queries are converted to games, moves and limits, and each fault names its field."""

import json
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.gtp import GtpEngine, commands
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.settings.playing import PlaySettings
from protocol.gtp.codec import Command
from protocol.kata.server import AnalysisUpdate
from tests.examples import examples
from tests.linage_bot.servers.analysis.asking import FIELDS, Asked, line

DOCS = Path(__file__).parents[4] / "docs/analysis.md"


@pytest.mark.parametrize(
    ("name", "size", "array"),
    [(name, "5", 9 if name == "gardar" else 5) for name in GAMES],
)
def test_the_rules_are_a_game_s_name_or_what_kata_get_rules_tells(name, size, array):
    """Rules are given by a game's name or the output of `kata-get-rules`."""
    kind = GAMES[name]
    komi = kind.komi_step and 3 * kind.komi_step
    told = {
        key: option.choices[-1] if option.choices else option.maximum or "on"
        for key, option in kind.options().items()
    }
    options = {key: str(value) for key, value in told.items()}
    game = kind.configure(size, komi, options)
    rules = commands.call(GtpEngine(game, PlaySettings()), Command("kata-get-rules", ()))
    board = {"boardXSize": array, "boardYSize": array}
    assert Asked().question(rules=json.loads(rules), **board).history.game == game
    plain = Asked().question(rules=name.upper(), **board).history.game
    assert plain == kind.configure(size)
    if komi:
        found = Asked().question(rules=json.loads(rules), komi=komi + 1, **board)
        assert found.history.game.komi == komi + 1


def test_moves_and_stones_make_the_positions_that_are_asked_for():
    """A query's positions follow from its moves and stones at the requested turns."""
    asked = Asked()
    moves = [["W", "C3"], ["B", "pass"], ["W", "A1"]]
    asked.say(line("x", moves=moves, initialStones=[["B", "E5"]], analyzeTurns=[0, 3, 2]))
    found = [work.question.history for work in asked.works]
    assert [each.moves for each in found] == [(), (12, PASS, 0), (12, PASS)]
    assert {each.begins for each in found} == {Player.SECOND}
    assert {each.setup for each in found} == {((Player.FIRST, 24),)}
    assert asked.question(initialPlayer="W").history.position.to_move is Player.SECOND


def test_a_hexagon_is_known_by_its_array():
    """A hexagonal board is given by its array of 2n-1 columns and rows."""
    game = Asked().question(rules="gardar", boardXSize=9, boardYSize=9).history.game
    assert game.board.size == "5"


HEXAGON = {"rules": "gardar", "boardXSize": 9, "boardYSize": 9}
REFUSED = [
    ({"rules": "japanese"}, "rules", "not one of our games: 'japanese'; linage, "),
    ({"rules": "japanese"}, "rules", "or name one by `linage-bot analysis --game`"),
    ({"rules": {}}, "rules", "no game; linage, "),
    ({"rules": {"game": "linage", "line": 99}}, "rules", "line: '99' is not one of its values"),
    ({"rules": {"game": "linage", "ko": "x"}}, "rules", "ko: Linage has no such option"),
    ({"rules": {"game": "linage", "line": []}}, "rules", "line: not a word, number"),
    ({"rules": {"game": "linage", "size": "9"}}, "rules", "size 9 is not that of boardXSize"),
    ({"rules": {"game": "linage", "size": "x"}}, "rules", "size: 'x' is not a board size"),
    ({"rules": {"game": "linage", "komi": "x"}}, "rules", "komi: not a number: 'x'"),
    ({"rules": {"game": "linage", "komi": 1e9}}, "rules", "komi: 1e+09 is not a number of points"),
    ({"komi": 1e9}, "komi", "komi: 1e+09 is not a number of points"),
    ({"boardXSize": 26}, "boardXSize", "a 26x5 board does not exist"),
    ({"boardYSize": 26}, "boardYSize", "a 5x26 board does not exist"),
    ({"rules": "gardar", "boardXSize": 6}, "boardXSize", "no hexagon has an array of 6x5"),
    ({"moves": [["B", "Z9"]]}, "moves", "'Z9' is not a point of the 5x5 board"),
    ({"moves": [["B", "A1"], ["B", "A2"]]}, "moves", "move 2: it is white's turn"),
    ({"moves": [["B", "A1"], ["W", "A1"]]}, "moves", "Illegal move 2: A1: there is a stone"),
    ({"moves": [["B", "A1"]], "initialPlayer": "W"}, "moves", "move 1: it is white's turn"),
    ({"initialStones": [["B", "A1"], ["W", "a1"]]}, "initialStones", "two stones on one point"),
    ({"initialStones": [["B", "pass"]]}, "initialStones", "a pass cannot be set up as a stone"),
    (
        {"rules": "leblin", "initialStones": [["B", "A2"], ["B", "B1"], ["W", "A1"]]},
        "initialStones",
        "an impossible position: a group has no lifeline",
    ),
    ({"maxVisits": 0}, "maxVisits", "expected a whole number from 1"),
    ({"overrideSettings": {"maxTime": "x"}}, "overrideSettings", "maxTime: expected a number"),
    ({"overrideSettings": {"maxVisits": 1.5}}, "overrideSettings", "maxVisits: expected a whole"),
    ({"overrideSettings": {"seed": -1}}, "overrideSettings", "seed: expected a whole number"),
    ({"overrideSettings": {"numSearchThreads": 9}}, "overrideSettings", "at most 1 on this server"),
    (
        {"overrideSettings": {"reportAnalysisWinratesAs": 3}},
        "overrideSettings",
        "reportAnalysisWinratesAs is one of black, white, sidetomove",
    ),
    (
        {"allowMoves": [{"player": "B", "moves": ["X"], "untilDepth": 1}]},
        "allowMoves",
        "'X' is not a point",
    ),
    (
        {**HEXAGON, "avoidMoves": [{"player": "B", "moves": ["K1"], "untilDepth": 1}]},
        "avoidMoves",
        "'K1' is not a point",
    ),
    (
        {"allowMoves": [{"player": "B", "moves": [], "untilDepth": 1}]},
        "allowMoves",
        "no legal move is left",
    ),
]


@pytest.mark.parametrize(("fields", "field", "reason"), REFUSED)
def test_what_is_wrong_is_told_with_its_field(fields, field, reason):
    """A faulty query gets one line with its field, and nothing is analysed."""
    asked = Asked()
    found = asked.refused(**fields)
    assert found[0] == field
    assert reason in found[1]
    assert not asked.works


WARNED = [
    ({"komi": 0.7}, "komi", "0.7 is not a komi of Linage; using 0.5"),
    ({"rules": {"game": "linage", "komi": 0.7}}, "rules", "0.7 is not a komi of Linage"),
    ({"rules": "leblin", "komi": 6.5}, "komi", "6.5 is not a komi of Leblin; using 0"),
    ({"rootPolicyTemperature": 1.5}, "rootPolicyTemperature", "field is not known"),
    ({"overrideSettings": {"wideRootNoise": 1}}, "overrideSettings", "'wideRootNoise' is not"),
    ({"overrideSettings": {"resignRate": 1}}, "overrideSettings", "'resignRate' is not a known"),
    (
        {"avoidMoves": [{"player": "B", "moves": ["A1"], "untilDepth": 5}]},
        "avoidMoves",
        "only the first move is restricted",
    ),
    (
        {**HEXAGON, "avoidMoves": [{"player": "B", "moves": ["J1", "E5"], "untilDepth": 1}]},
        "avoidMoves",
        "J1: not on the ",
    ),
    (
        {**HEXAGON, "allowMoves": [{"player": "W", "moves": ["a9", "E5"], "untilDepth": 1}]},
        "allowMoves",
        "a9: not on the ",
    ),
]


@pytest.mark.parametrize(("fields", "field", "reason"), WARNED)
def test_what_is_odd_is_warned_of_and_goes_on(fields, field, reason):
    """An odd but usable query gets a warning with its field and is analysed."""
    found = Asked().warned(**fields)
    assert found[0] == field
    assert reason in found[1]


def named(**rules: str) -> Asked:
    """Return a client of a server that was started for a game."""
    return Asked(AnalysisSettings(rules=rules))


FOREIGN = ("japanese", "Chinese", "tromp-taylor", {}, {"ko": "SIMPLE", "tax": "NONE"})


@pytest.mark.parametrize("rules", FOREIGN)
def test_rules_of_another_game_are_those_that_the_server_was_started_for(rules):
    """Unknown rules mean the game that the server was started for; our own rules still count."""
    asked = named(game="linage", line="4")
    linage = GAMES["linage"].configure("5", 6.5, {"line": "4"})
    assert asked.question(rules=rules, komi=6.5).history.game == linage
    assert asked.question(rules="leblin").history.game == GAMES["leblin"].configure("5")
    assert asked.refused(rules={"game": "lebling"})[0] == "rules"


def test_a_komi_and_a_size_of_the_command_line_hold_for_rules_of_another_game():
    """Size and komi of the command line apply to queries with another game's rules."""
    asked = named(game="linage", size="5", komi="1.5")
    assert asked.question(rules="japanese", komi=6.5).history.game.komi == 1.5
    assert asked.question(rules="linage", komi=6.5).history.game.komi == 6.5
    asked.say(line("y", rules="linage", boardXSize=7, boardYSize=7))
    assert asked.works.pop().question.history.game.board.size == "7"
    told = asked.refused(rules="japanese", boardXSize=7, boardYSize=7)
    assert told == ("boardXSize", "this server was started with --size 5")
    assert named(game="leblin").question(rules="korean", komi=7.5).history.game.komi == 0


def test_what_such_a_client_sends_is_warned_of_in_its_first_answer():
    """The first answer to a foreign client warns of every ignored field and setting, once."""
    asked = named(game="linage", komi="1.5")
    override = {"wideRootNoise": 0.04, "reportAnalysisWinratesAs": "BLACK"}
    odd = {"komi": 6.5, "overrideSettings": override, "whiteHandicapBonus": "0"}
    for _ in range(2):
        asked.question(rules="japanese", **odd)
    asked.say(line("last", rules="japanese", **odd))
    (work,) = asked.works
    (told,) = asked.session.update(work, AnalysisUpdate(None)).splitlines()
    warnings = {each["field"]: each["warning"] for each in json.loads(told)["warnings"]}
    assert warnings == {
        "whiteHandicapBonus": "this field is not known",
        "rules": "'japanese' names none of our games; using Linage, as --game says",
        "komi": "6.5 is not the komi of --komi; using 1.5",
        "overrideSettings": "'wideRootNoise' is not a known setting",
    }


def test_corners_that_a_hexagon_lacks_are_neither_avoided_nor_allowed():
    """Moves at the corners that a hexagon lacks are ignored in avoided and allowed moves."""
    asked = Asked()
    moves = ["A9", "B9", "E5", "pass"]
    asked.say(line("x", **HEXAGON, avoidMoves=[{"player": "B", "moves": moves, "untilDepth": 1}]))
    left = asked.works.pop().question.moves
    asked.say(line("x", **HEXAGON, avoidMoves=[{"player": "B", "moves": ["E5"], "untilDepth": 1}]))
    assert left == tuple(move for move in asked.works.pop().question.moves if move != PASS)


def test_settings_may_be_words_and_limits_as_large_as_clients_like():
    """Settings may be text, and huge limits mean no limit, as in KataGo."""
    override = {"maxVisits": "40", "maxTime": "2.5", "maxNodes": "40000"}
    found = Asked().question(maxVisits=None, overrideSettings=override)
    assert (found.limits.visits, found.limits.seconds, found.play.nodes) == (40, 2.5, 40_000)
    assert Asked().question(maxVisits=2**50).limits.visits == 10**12
    override = {"maxVisits": 10**15, "maxTime": 1e20}
    found = Asked().question(maxVisits=None, overrideSettings=override)
    assert (found.limits.visits, found.limits.seconds) == (10**12, 1e9)


@pytest.mark.parametrize(
    ("override", "seconds"),
    [
        ({}, None),
        ({"maxProofTime": 120}, 120),
        ({"maxTime": 40}, 10),
        ({"maxTime": 2}, 1),
        ({"maxTime": 0.5}, 0.25),
        ({"maxTime": 40, "maxProofTime": 2}, 2),
        ({"maxTime": 40, "maxProofTime": 120}, 20),
        ({"maxTime": 40, "maxProofTime": 0}, 0),
    ],
)
def test_a_proof_may_take_what_the_client_allows_and_never_all_of_the_time(override, seconds):
    """A proof takes the time that the client allows, limited by the time of the search."""
    assert Asked().question(overrideSettings=override).proof_seconds == seconds


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize(("visits", "seconds"), [(50, None), (10_000, None), (10**9, 1)])
def test_many_visits_leave_a_proof_no_more_than_its_second(local, visits, seconds):
    """A client that asks for countless visits, to stop the search itself, soon gets reports."""
    server = AnalysisSettings(play=PlaySettings(visits=10**10), local=local)
    assert Asked(server).question(maxVisits=visits).proof_seconds == seconds


def test_how_to_think_is_the_server_s_unless_the_query_says_it():
    """Settings of the server apply unless the query overrides them."""
    server = AnalysisSettings(play=PlaySettings(visits=77, threads=2, nodes=50_000), view="white")
    found = Asked(server).question(maxVisits=None)
    assert (found.limits.visits, found.limits.seconds, found.view) == (77, None, Player.SECOND)
    assert (found.play.threads, found.play.nodes, found.play.seed) == (1, 50_000, None)
    override = {
        "maxVisits": 5,
        "maxTime": 0.5,
        "maxNodes": 40_000,
        "numSearchThreads": 2,
        "seed": 3,
        "reportAnalysisWinratesAs": "SIDETOMOVE",
        "maxProofTime": 0,
    }
    found = Asked(server).question(maxVisits=None, overrideSettings=override)
    assert (found.limits.visits, found.limits.seconds, found.view) == (5, 0.5, None)
    assert (found.play.threads, found.play.nodes, found.play.seed) == (2, 40_000, 3)
    assert found.proof_seconds == 0
    assert Asked(server).question(maxVisits=6, overrideSettings=override).limits.visits == 6
    assert Asked(server).question(overrideSettings={"threads": 2}).play.threads == 2  # GTP's name


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"maxVisits": 78}, "maxVisits"),
        ({"overrideSettings": {"maxVisits": 78}}, "overrideSettings"),
        ({"overrideSettings": {"maxNodes": 50_001}}, "overrideSettings"),
        ({"overrideSettings": {"maxTime": 601}}, "overrideSettings"),
        ({"overrideSettings": {"maxProofTime": 2}}, "overrideSettings"),
    ],
)
def test_over_the_network_nobody_asks_for_more_than_the_server_says(fields, field):
    """Remote clients cannot exceed the server's limits; local clients can."""
    server = AnalysisSettings(play=PlaySettings(visits=77, nodes=50_000), local=False)
    assert Asked(server).refused(**fields)[0] == field
    assert Asked(server).question(maxVisits=77).limits.seconds == 600
    Asked(attrs.evolve(server, local=True)).question(**fields)


def test_moves_may_be_avoided_or_alone_allowed_to_who_is_to_move():
    """Avoided and allowed moves apply to the player to move only."""
    one = {"player": "B", "moves": ["A1", "pass"], "untilDepth": 1}
    asked = Asked()
    assert asked.question(allowMoves=[one]).moves == (0, PASS)
    assert len(asked.question(avoidMoves=[one]).moves) == 24
    assert asked.question(allowMoves=[one], initialPlayer="W").moves is None
    both = asked.question(allowMoves=[one], avoidMoves=[{**one, "moves": ["pass"]}])
    assert both.moves == (0,)


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
STONES = st.lists(
    st.tuples(st.sampled_from("BWbx"), st.sampled_from(["A1", "c3", "E5", "F6", "pass", ""])).map(
        list
    ),
    max_size=4,
)
SETTINGS = [
    *("maxVisits", "maxTime", "maxNodes", "numSearchThreads", "seed", "maxProofTime"),
    *("reportAnalysisWinratesAs", "cpuctExploration"),
]
LIKELY = {
    "id": st.text(max_size=4),
    "moves": STONES,
    "initialStones": STONES,
    "initialPlayer": st.sampled_from(["B", "w", "", "black"]),
    "rules": st.sampled_from([*GAMES, "go"])
    | st.fixed_dictionaries(
        {"game": st.sampled_from([*GAMES, "go"])},
        optional={
            "komi": ANY,
            "size": ANY,
            "line": st.integers(-1, 9),
            "button": st.booleans() | ANY,
        },
    ),
    "komi": st.floats(-1e5, 1e5) | st.integers(-99, 99),
    "boardXSize": st.integers(-1, 27),
    "boardYSize": st.integers(-1, 27),
    "analyzeTurns": st.lists(st.integers(-1, 5), max_size=4),
    "maxVisits": st.integers(-1, 10**13),
    "priority": st.integers(),
    "priorities": st.lists(st.integers(-5, 5), max_size=4),
    "reportDuringSearchEvery": st.floats(-1, 1e7),
    "includeOwnership": st.booleans(),
    "includePolicy": st.booleans(),
    "overrideSettings": st.dictionaries(
        st.sampled_from(SETTINGS),
        ANY | st.integers(0, 10**5),
    ),
    "avoidMoves": st.lists(
        st.fixed_dictionaries(
            {
                "player": st.sampled_from("BWx"),
                "moves": st.lists(st.sampled_from(["A1", "pass", "Q"])),
                "untilDepth": st.integers(0, 2) | ANY,
            }
        ),
        max_size=2,
    ),
}


@settings(max_examples=examples(150))
@given(
    fields=st.fixed_dictionaries({}, optional={k: v | ANY for k, v in LIKELY.items()}),
    more=st.dictionaries(st.text(max_size=6), ANY, max_size=1),
    served=st.booleans(),
)
def test_whatever_a_field_holds_it_is_answered_by_its_name(fields, more, served):
    """Any field value leads to an error, a warning or an analysis, never to a crash."""
    asked = named(game="linage") if served else Asked()
    query = {"id": "x", **FIELDS, **more, **fields}
    said = asked.say(json.dumps(query).encode() + b"\n")
    if not isinstance(query["id"], str):
        assert [each.get("field") for each in said] == ["id"]
        return
    if "action" in query:
        assert [each["id"] for each in said] == [query["id"]]
        return
    for each in said:
        assert each["id"] == query["id"]
        assert each["field"] in {*query, *LIKELY}
        assert "internal error" not in each.get("error", "")
    errors = [each for each in said if "error" in each]
    assert len(errors) <= 1
    assert bool(asked.works) is not bool(errors) or query.get("analyzeTurns") == []
    for work in asked.works:
        assert work.question.history.position.moves() or work.question.history.position.over
