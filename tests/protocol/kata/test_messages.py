"""Lines of the JSON analysis protocol, read and written."""

import json

import pytest

from protocol.gtp.analysis import MoveInfo, Restriction
from protocol.kata.messages import Action, BadRequest, PositionReport, Query, RootInfo, result_line
from protocol.kata.queries import read_request
from protocol.session.arguments import Colour
from tests.protocol.kata.analysts import query

BLACK, WHITE = Colour.BLACK, Colour.WHITE
MOVES = [["B", "C3"], ["white", "pass"]]


def read(**fields: object) -> Query | Action:
    return read_request(query("x", **fields))


def test_a_query_is_read_with_all_its_fields():
    """A query with all fields is read completely."""
    found = read(
        moves=MOVES,
        initialStones=[["W", "A1"]],
        initialPlayer="b",
        rules={"game": "any", "line": 3},
        komi=1.5,
        analyzeTurns=[2, 0],
        maxVisits=100,
        priorities=[5, -1],
        overrideSettings={"maxTime": 2},
        reportDuringSearchEvery=0.5,
        includeOwnership=True,
        includeMovesOwnership=True,
        includePolicy=True,
        includePVVisits=True,
        analysisPVLen=4,
        avoidMoves=[{"player": "B", "moves": ["A1", "pass"], "untilDepth": 2}],
        allowMoves=[{"player": "W", "moves": ["A2"], "untilDepth": 1}],
        whiteHandicapBonus=0,
    )
    assert found == Query(
        id="x",
        moves=((BLACK, "C3"), (WHITE, "pass")),
        rules={"game": "any", "line": 3},
        columns=5,
        rows=5,
        initial_stones=((WHITE, "A1"),),
        initial_player=BLACK,
        komi=1.5,
        turns=(2, 0),
        priorities=(5, -1),
        max_visits=100,
        settings={"maxTime": 2},
        report_seconds=0.5,
        ownership=True,
        moves_ownership=True,
        policy=True,
        pv_visits=True,
        pv_length=4,
        avoid=(Restriction(BLACK, ("A1", "pass"), 2),),
        allow=(Restriction(WHITE, ("A2",), 1),),
        unknown=("whiteHandicapBonus",),
    )


def test_what_is_left_out_has_kata_go_s_defaults():
    """The default is the last turn, priority 0, and only the standard fields."""
    found = read(moves=MOVES)
    assert (found.turns, found.priorities) == ((2,), (0,))
    assert (found.settings, found.avoid, found.allow) == ({}, (), ())
    assert not any((found.ownership, found.moves_ownership, found.policy, found.pv_visits))
    assert found.komi is found.max_visits is found.report_seconds is None


def test_numbers_as_large_as_kata_go_takes_are_read():
    """Clients write them where they want no limit, or to come before all others."""
    found = read(moves=MOVES, maxVisits=2**50, priority=2**62)
    assert (found.max_visits, found.priorities) == (2**50, (2**62,))


def test_a_turn_that_is_named_twice_is_analysed_once():
    """A repeated turn is analysed once, with its highest priority."""
    found = read(moves=MOVES, analyzeTurns=[1, 0, 1], priorities=[2, 1, 3])
    assert (found.turns, found.priorities) == ((1, 0), (3, 1))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("moves", None),
        ("moves", [["B"]]),
        ("moves", [["red", "A1"]]),
        ("moves", [["B", 3]]),
        ("initialStones", "A1"),
        ("initialPlayer", 1),
        ("rules", 7),
        ("komi", "6.5"),
        ("komi", True),
        ("komi", 10**400),
        ("boardXSize", 0),
        ("boardYSize", 5.0),
        ("analyzeTurns", [0, -1]),
        ("analyzeTurns", [1]),
        ("analyzeTurns", 0),
        ("maxVisits", 0),
        ("maxVisits", 1.5),
        ("analysisPVLen", 0),
        ("priority", "high"),
        ("priority", 10**19),
        ("priorities", [1, 2]),
        ("priorities", [None]),
        ("reportDuringSearchEvery", 0),
        ("includeOwnership", 1),
        ("includePolicy", "yes"),
        ("overrideSettings", []),
        ("avoidMoves", {}),
        ("avoidMoves", [{"player": "B", "moves": ["A1"]}]),
        ("avoidMoves", [{"player": "B", "moves": [1], "untilDepth": 1}]),
        ("allowMoves", [{"player": "B", "moves": [], "untilDepth": 0}]),
        ("allowMoves", [{"player": "X", "moves": [], "untilDepth": 1}]),
        ("action", "dance"),
        ("action", ["terminate"]),
    ],
)
def test_a_field_that_is_wrong_is_named(field, value):
    """The error names the field and the query's id, so that no client waits for the query."""
    with pytest.raises(BadRequest) as caught:
        read(**{field: value})
    assert (caught.value.field, caught.value.id) == (field, "x")
    assert caught.value.reason


@pytest.mark.parametrize("field", ["moves", "rules", "boardXSize", "boardYSize"])
def test_a_field_that_is_missing_is_named(field):
    """A query without a required field gets an error with the field's name."""
    fields = json.loads(query("x"))
    del fields[field]
    with pytest.raises(BadRequest, match="required") as caught:
        read_request(json.dumps(fields).encode())
    assert (caught.value.field, caught.value.id) == (field, "x")


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"\xff",
        b'{"id":"x","komi":' + b"9" * 5000 + b"}",
        b"[" * 100_000,
        b"[]",
        b"null",
    ],
)
def test_what_is_no_json_object_is_refused(line):
    """Input that is no JSON object gets a short error, even if it is long or deep."""
    with pytest.raises(BadRequest) as caught:
        read_request(line)
    assert len(caught.value.reason) < 200


@pytest.mark.parametrize("word", ["NaN", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_a_fault_of_its_field(word):
    """The line is read, so the id is not lost."""
    with pytest.raises(BadRequest) as caught:
        read_request(query("x", komi=0).replace(b'"komi": 0', f'"komi": {word}'.encode()))
    assert (caught.value.field, caught.value.id) == ("komi", "x")


@pytest.mark.parametrize("line", [b"{}", b'{"id":7}', b'{"action":"clear_cache"}'])
def test_without_an_id_nothing_is_done(line):
    """An id is a string."""
    with pytest.raises(BadRequest) as caught:
        read_request(line)
    assert (caught.value.field, caught.value.id) == ("id", None)


def test_terminate_needs_a_name():
    """A `terminate` without the query's id gets an error."""
    with pytest.raises(BadRequest) as caught:
        read_request(b'{"id":"x","action":"terminate"}')
    assert (caught.value.field, caught.value.id) == ("terminateId", "x")


def told(viewer: Colour, **more: object) -> dict:
    """Return a report as JSON, of a position with black to move."""
    report = PositionReport(
        viewer=viewer,
        moves=(
            MoveInfo(
                move="C3",
                visits=100,
                winrate=0.7,
                score_lead=-0.00001,
                prior=0.25,
                pv=("C3", "A1"),
                score_spread=2.5,
                pv_visits=(100, 40),
                ownership=(0.25, -1.0),
            ),
            MoveInfo("A1", 3, 1.0, 2.0, order=1, pv=("A1",), exact=True, certain=True),
        ),
        root=RootInfo(
            player=BLACK,
            visits=103,
            winrate=0.7,
            score_lead=1.0,
            this_hash="A",
            sym_hash="B",
            exact_winrate=1.0,
            exact_lead=2.0,
        ),
        **more,
    )
    return json.loads(result_line("é", 3, report, final=True))


def test_a_result_has_kata_go_s_fields():
    """A result has our fields for proven values; its pv is never empty, and no zero is negative."""
    found = told(BLACK, ownership=(0.5, 0.0), policy=(-1.0, 1.0), pv_visits=True)
    assert {key: found[key] for key in ("id", "turnNumber", "isDuringSearch")} == {
        "id": "é",
        "turnNumber": 3,
        "isDuringSearch": False,
    }
    assert found["moveInfos"][0] == {
        "move": "C3",
        "visits": 100,
        "winrate": 0.7,
        "scoreMean": 0.0,
        "scoreStdev": 2.5,
        "scoreLead": 0.0,
        "scoreSelfplay": 0.0,
        "prior": 0.25,
        "utility": 0.4,
        "lcb": 0.610182,
        "utilityLcb": 0.220363,
        "order": 0,
        "pv": ["C3", "A1"],
        "pvVisits": [100, 40],
        "ownership": [0.25, -1.0],
    }
    assert found["moveInfos"][1]["exactWinrate"] == 1.0
    assert found["moveInfos"][1]["exactLead"] == 2.0
    assert found["rootInfo"] == {
        "currentPlayer": "B",
        "winrate": 0.7,
        "scoreLead": 1.0,
        "scoreSelfplay": 1.0,
        "utility": 0.4,
        "visits": 103,
        "thisHash": "A",
        "symHash": "B",
        "exactWinrate": 1.0,
        "exactLead": 2.0,
    }
    assert (found["ownership"], found["policy"]) == ([0.5, 0.0], [-1.0, 1.0])
    assert "-0.0" not in json.dumps(found)


def test_the_bound_is_the_mover_s_worst_whoever_looks_on():
    """The lower bound is the mover's, so for the opponent it is the interval's upper end."""
    assert told(WHITE)["moveInfos"][0]["lcb"] == pytest.approx(0.789818, abs=1e-5)


def test_what_was_not_asked_for_is_left_out():
    """No ownership, no policy, no visits of the variation."""
    found = told(BLACK)
    assert not {"ownership", "policy"} & found.keys()
    assert "pvVisits" not in found["moveInfos"][0]
