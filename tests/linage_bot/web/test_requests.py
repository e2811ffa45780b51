"""Requests of the page: what they may be, and that nothing else gets through."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.records import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from linage_bot.settings.playing import PlaySettings
from linage_bot.web import view
from linage_bot.web.course import Course
from linage_bot.web.errors import Declined, Refused
from linage_bot.web.requests import ACTIONS, read_action, read_body, read_course
from linage_bot.web.session import Session

SETTINGS = PlaySettings(visits=10)
NEW = {"game": "linage", "size": "5", "komi": 2.5, "options": {"line": "4"}, "seats": [None, 3]}


def new(**fields: object) -> Course:
    return read_course({**NEW, **fields})


def seen(session: Session) -> bytes:
    """All that a page and a file are told of a table, as it is sent."""
    told = {**view.table(session), "revision": None}, view.tree(session)
    return json.dumps(told).encode() + to_sgf(session.course.to_save()).encode()


def test_a_new_game_is_as_asked_for() -> None:
    """Komi left out is the usual one."""
    course = new()
    game = course.game
    assert (game.id, game.board.size, game.komi, game.settings()["line"]) == (
        "linage",
        "5",
        2.5,
        "4",
    )
    assert course.seats == (None, 3)
    assert course.pie is None
    assert new(pie=True).pie is not None
    assert new(komi=None).game.komi == 0.5


def test_a_file_and_a_link_are_games_too() -> None:
    """With all their moves played."""
    sgf = read_course({"sgf": "(;FF[4]SZ[5]RU[leblin];B[cc];W[aa])"})
    assert (sgf.game.id, sgf.now.moves) == ("leblin", (12, 20))
    link = read_course({"link": "#game=gardar&size=3&moves=cc--"})
    assert (link.game.id, link.now.moves) == ("gardar", (12, PASS))


def test_a_file_is_opened_with_its_variations() -> None:
    """One that cannot be played is kept; a main line that cannot be is declined."""
    sgf = "(;SZ[5]RU[leblin];B[cc](;W[aa])(;W[bb]C[or so]))"
    course = read_course({"sgf": sgf})
    assert course.now.moves == (12, 20)
    assert len(course.tree) == 4
    assert len(read_course({"sgf": sgf.replace("bb", "zz")}).tree) == 4
    with pytest.raises(Declined, match="move 2: white C3: there is a stone"):
        read_course({"sgf": sgf.replace("aa", "cc")})


def test_only_a_game_that_is_begun_here_gets_names_and_a_date() -> None:
    """A file says of itself what it wants."""
    assert new().study.facts.players == ("person", "person")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", new().study.facts.date or "")
    facts = read_course({"sgf": "(;SZ[5]RU[leblin]PB[Ann];B[cc])"}).to_save().facts
    assert (facts.players, facts.date) == (("Ann", ""), None)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"\xff", "not JSON"),
        (b"[" * 99999, "not JSON"),
    ],
)
def test_a_body_is_a_json_object(body: bytes, reason: str) -> None:
    """Anything else is a wrong request."""
    with pytest.raises(Refused, match=reason) as refused:
        read_body(body)
    assert refused.value.status == 400


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "go"},
        {"game": None},
        {"size": 5},
        {"komi": "2.5"},
        {"komi": True},
        {"komi": float("nan")},
        {"options": ["line"]},
        {"options": {"line": 4}},
        {"seats": None},
        {"seats": [None]},
        {"seats": [None, 0]},
        {"seats": [None, 11]},
        {"seats": [None, True]},
        {"seats": [None, 2.0]},
        {"sgf": 5},
        {"link": []},
    ],
)
def test_what_no_page_of_ours_sends_is_refused(fields: dict) -> None:
    """As a wrong request."""
    with pytest.raises(Refused) as refused:
        new(**fields)
    assert refused.value.status == 400


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"size": "99"}, "99"),
        ({"size": "small"}, "not a board size"),
        ({"size": ""}, "size: '' is not a board size"),
        ({"komi": 1e300}, "komi must be between -10000 and 10000"),
        ({"komi": 10**400}, "komi must be between -10000 and 10000"),
        ({"komi": -(10**400)}, "komi must be between -10000 and 10000"),
        ({"sgf": "(;FF[4]SZ[5]RU[\ud800];B[cc])"}, r"RU\[\?\]: names no game of ours"),
        ({"link": "#game=linage&size=\ud800"}, "not a board size"),
        ({"size": "\ud800"}, "not a board size"),
        ({"options": {"\ud800": "x"}}, "no such option"),
        ({"komi": 0.25}, "multiple of 0.5"),
        ({"options": {"line": "9"}}, "2 to 5"),
        ({"options": {"colour": "red"}}, "no such option"),
        ({"sgf": "no file"}, "SGF"),
        ({"sgf": "(;FF[4]SZ[5]RU[leblin];B[cc];W[cc])"}, "there is a stone on this point"),
        ({"link": "game=linage&size=5&moves=aaaa"}, "there is a stone on this point"),
    ],
)
def test_what_a_person_may_ask_for_in_vain_is_declined_in_words(fields: dict, reason: str) -> None:
    """For that person."""
    with pytest.raises(Declined, match=reason):
        new(**fields)


@pytest.mark.parametrize(
    ("word", "fields", "method"),
    [
        ("play", {"move": 12, "at": 1}, Course.play),
        ("play", {"move": -1, "at": 7}, Course.play),
        ("look", {"at": 3}, Course.look),
        ("pause", {"on": True}, Course.pause),
        ("sit", {"player": 1, "seat": 4}, Course.sit),
        ("sit", {"player": 0, "seat": None}, Course.sit),
        ("offer", {"komi": 3}, Course.offer),
        ("choose", {"player": 0}, Course.choose),
        ("analyse", {"on": True, "ownership": False}, Course.analyse),
        ("comment", {"at": 3, "text": "good"}, Course.comment),
        ("promote", {"at": 3}, Course.promote),
        ("delete", {"at": 3}, Course.delete),
    ],
)
def test_what_the_page_sends_becomes_an_action(
    word: str, fields: dict, method: Callable[..., Course]
) -> None:
    """Whatever stands beside what it needs; nobody says to be an engine."""
    deed = read_action(word, fields | {"more": "than needed", "by_engine": True})
    assert (deed.func, deed.keywords) == (method, fields)


def test_an_action_that_needs_nothing_is_given_nothing() -> None:
    """And is done."""
    table = new(sgf="(;SZ[5]RU[linage];B[cc];W[aa])")
    assert read_action("undo", {"at": 3})(table).at == 0


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("play", {}),
        ("play", {"move": "A1", "at": 1}),
        ("play", {"move": -2, "at": 1}),
        ("play", {"move": 1 << 70, "at": 1}),
        ("play", {"move": 3, "at": None}),
        ("look", {"at": "1"}),
        ("pause", {"on": 1}),
        ("sit", {"player": 2, "seat": None}),
        ("sit", {"player": 0, "seat": "5"}),
        ("sit", {"player": 0, "seat": 11}),
        ("offer", {"komi": None}),
        ("offer", {"komi": "1"}),
        ("choose", {"player": True}),
        ("analyse", {"on": True}),
        ("comment", {"at": 1}),
        ("comment", {"at": 1, "text": 5}),
        ("delete", {}),
    ],
)
def test_actions_name_what_they_need(word: str, fields: dict) -> None:
    """Of the right type, and within reason."""
    with pytest.raises(Refused) as refused:
        read_action(word, fields)
    assert refused.value.status == 400


def test_an_action_that_no_table_knows_is_not_found() -> None:
    """As any other path."""
    with pytest.raises(Refused) as refused:
        read_action("cheat", {})
    assert refused.value.status == 404


_numbers = st.sampled_from(
    [0, 1, -1, 12, 0.5, 1.0, 1e308, 10**400, -(10**400), float("nan"), float("inf"), True]
)
_words = st.sampled_from(
    ["", "5", "5x4", "99", "linage", "gardar", "leblin", "\ud800", "\0", "%ud800", "#" * 99, "٥"]
)
_sgf_pieces = (
    *("(;", "(;SZ[5]", "RU[linage]", "RU[leblin:", "C[\ud800]", "KM[1e999]", ";B[aa]", "AB[aa:ee]"),
    *(")", "[", "\\", "]", "PL[W]", "\x00"),
)
_link_pieces = (
    *("game=linage", "game=gardar", "size=5", "komi=1e999", "komi=nan", "first=aa", "moves=cc--"),
    *("turn=second", "line=\ud800", "%ff=%ff", "=", "moves=\ud800a", "#"),
)
_sgf = st.lists(st.sampled_from(_sgf_pieces)).map("".join)
_links = st.lists(st.sampled_from(_link_pieces)).map("&".join)
_values = st.none() | _numbers | _words | _sgf | _links | st.text(max_size=5)
_any_json = st.recursive(
    _values,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_words, inner, max_size=3),
    max_leaves=6,
)
_names = ("game", "size", "komi", "options", "seats", "pie", "sgf", "link")
_fields = ("move", "at", "text", "on", "ownership", "player", "seat", "komi")


def _wire(fields: dict) -> dict:
    """The fields as they arrive."""
    return read_body(json.dumps(fields).encode())


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(_names), _any_json), st.booleans())
def test_whatever_a_new_game_is_asked_to_be_it_is_made_or_refused(fields: dict, mend: bool) -> None:
    """What is neither would be an internal error."""
    try:
        course = read_course(_wire({**NEW, **fields} if mend else fields))
    except (Refused, Declined) as error:
        json.dumps({"refused": error.reason})
    else:
        seen(Session(course, SETTINGS))


_requests = st.tuples(
    st.sampled_from(sorted(ACTIONS)),
    st.dictionaries(st.sampled_from(_fields), _any_json)
    | st.fixed_dictionaries(
        {
            "move": st.integers(-2, 26),
            "at": st.integers(-1, 9),
            "text": _words | st.text(max_size=5),
            "on": st.booleans(),
            "ownership": st.booleans(),
            "player": st.integers(0, 1),
            "seat": st.none() | st.integers(1, 10),
            "komi": _numbers,
        }
    ),
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.booleans(), st.lists(_requests, max_size=30))
def test_whatever_is_asked_of_a_table_is_done_whole_or_not_at_all(
    game: str, pie: bool, requests: list[tuple[str, dict]]
) -> None:
    """A request that is refused or declined leaves the table as it was."""
    session = Session(read_course({"game": game, "size": "5", "pie": pie}), SETTINGS)
    for action, fields in requests:
        before, refused = seen(session), False
        try:
            session.do(read_action(action, _wire(fields)))
        except (Refused, Declined) as error:
            refused = bool(json.dumps({"refused": error.reason}))
        assert not refused or seen(session) == before, action
