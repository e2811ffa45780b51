"""Requests from the page are read and checked; all others are refused."""

import base64
import re
from typing import Any

import pytest

from linage_bot.records.writing import to_sgf
from linage_bot.rules.game import PASS, Player
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.http.new_table import rematch
from linage_bot.web.http.requests import (
    read_action,
    read_body,
    read_view,
)
from linage_bot.web.table.actions import (
    Choose,
    Comment,
    Delete,
    LookAt,
    Offer,
    PageAction,
    Pause,
    PlayMove,
    PlayOn,
    Promote,
    Sit,
    SwitchAnalysis,
)
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.pie import Pie
from linage_bot.web.table.seats import Seat, Seats, hashed
from linage_bot.web.table.view import FOLLOWING, View
from tests.linage_bot.web.room import after, change, read_game

SETTINGS = PlaySettings(visits=10)
NEW = {"game": "linage", "size": "5", "komi": 2.5, "options": {"line": "4"}, "seats": [None, 3]}


def new(**fields: object) -> TableGame:
    return read_game({**NEW, **fields})


def test_a_new_game_is_as_asked_for() -> None:
    """A new game has the requested settings, and the usual komi by default."""
    game = new()
    rules = game.rules
    assert (rules.id, rules.board.size, rules.komi, rules.settings()["line"]) == (
        "linage",
        "5",
        2.5,
        "4",
    )
    assert game.players == (None, 3)
    assert game.pie is None
    assert new(pie=True).pie is not None
    assert new(komi=None).rules.komi == 0.5


WORD, SECRET = "w" * 40, "s" * 40


def test_a_friends_seat_is_a_persons_with_a_word_for_it() -> None:
    """A friend's seat needs an invitation; the creator's seat gets the creator's secret."""
    game = new(seats=[None, "friend"], secret=SECRET, invitations=[None, WORD])
    assert game.players == (None, None)
    assert game.seats == Seats((Seat(holder=hashed(SECRET)), Seat(hashed(WORD))))
    game = new(seats=["friend", 3], invitations=[WORD, None])
    assert (game.players, game.seats) == ((None, 3), Seats((Seat(hashed(WORD)), None)))
    assert new(secret=SECRET, invitations=[WORD, WORD]).seats is None


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"invitations": [None, WORD]},
        {"secret": SECRET},
        {"secret": SECRET, "invitations": [WORD]},
        {"secret": SECRET, "invitations": [WORD, None]},
        {"secret": "short", "invitations": [None, WORD]},
        {"secret": 5, "invitations": [None, WORD]},
        {"secret": SECRET, "invitations": [None, "ü" * 40]},
        {"secret": "s" * 65, "invitations": [None, WORD]},
    ],
)
def test_a_friends_seat_needs_words_that_nobody_guesses(fields: dict) -> None:
    """Missing, short or malformed secrets and invitations are refused with status 400."""
    with pytest.raises(HttpError) as refused:
        new(seats=[None, "friend"], **fields)
    assert refused.value.status == 400


def test_a_file_and_a_link_are_games_too() -> None:
    """An SGF file or a link opens as a game with all its moves played."""
    sgf = read_game({"sgf": "(;FF[4]SZ[5]RU[leblin];B[cc];W[aa])"})
    assert (sgf.rules.id, sgf.now.moves) == ("leblin", (12, 20))
    link = read_game({"link": "#game=gardar&size=3&moves=cc--"})
    assert (link.rules.id, link.now.moves) == ("gardar", (12, PASS))


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("CP932", "cp932"), ("Shift_JIS", "shift_jis"), ("UTF-8", "utf-8"), ("CP932", "utf-16")],
)
def test_a_file_s_bytes_are_read_in_its_own_charset(charset: str, encoding: str) -> None:
    """An SGF file is decoded by its own charset, and oddities are reported as warnings."""
    sgf = f"(;CA[{charset}]SZ[9]RU[leblin]PB[表ソ](;AB[aa];W[ee]C[能];B[cc]))(;SZ[5])"
    warnings: list[str] = []
    file = base64.b64encode(sgf.encode(encoding)).decode()
    game = read_game({"file": file}, warnings.append)
    assert (game.facts.players[0], game.now.moves) == ("表ソ", (40, 56))
    assert game.tree[1].comment == "能"
    assert warnings == ["SGF: 2 games; only the first is read"]


@pytest.mark.parametrize("file", ["ä", "A", "AAA$", 5, None])
def test_a_file_comes_in_base_64(file: Any) -> None:
    """A file that is not valid base64 is refused with status 400."""
    with pytest.raises(HttpError) as refused:
        read_game({"file": file})
    assert refused.value.status == 400


@pytest.mark.parametrize("charset", ["ISO-8859-1", "Shift_JIS", "UTF-8", "no-such"])
def test_text_is_read_as_it_stands_whatever_charset_its_file_had(charset: str) -> None:
    """Pasted SGF text ignores its charset property."""
    game = read_game({"sgf": f"(;CA[{charset}]SZ[5]RU[leblin]PB[Jörg];B[cc]C[表 café \ud800])"})
    assert game.facts.players == ("Jörg", "")
    assert game.tree[1].comment == "表 café ?"
    assert b"CA[UTF-8]" in to_sgf(game.to_save()).encode()


def test_a_file_is_opened_with_its_variations() -> None:
    """A file's variations are kept, but a main line with an illegal move is refused."""
    sgf = "(;SZ[5]RU[leblin];B[cc](;W[aa])(;W[bb]C[or so]))"
    game = read_game({"sgf": sgf})
    assert game.now.moves == (12, 20)
    assert len(game.tree) == 4
    assert len(read_game({"sgf": sgf.replace("bb", "zz")}).tree) == 4
    with pytest.raises(ActionRefused, match="move 2: white C3: there is a stone"):
        read_game({"sgf": sgf.replace("aa", "cc")})


def test_only_a_game_that_is_begun_here_gets_names_and_a_date() -> None:
    """New games get player names and a date; opened files keep their own."""
    assert new().facts.players == ("person", "person")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", new().facts.date or "")
    facts = read_game({"sgf": "(;SZ[5]RU[leblin]PB[Ann];B[cc])"}).to_save().facts
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
    """A body that is not a JSON object is refused with status 400."""
    with pytest.raises(HttpError, match=reason) as refused:
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
        {"seats": [None, -1]},
        {"seats": [None, 28]},
        {"seats": [None, True]},
        {"seats": [None, 2.0]},
        {"sgf": 5},
        {"link": []},
    ],
)
def test_what_no_page_of_ours_sends_is_refused(fields: dict) -> None:
    """Malformed fields of a new game are refused with status 400."""
    with pytest.raises(HttpError) as refused:
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
        ({"sgf": "(;FF[4]SZ[5]RU[\ud800];B[cc])"}, r"RU\[\?\]: names none of our games"),
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
    """Impossible settings are refused with a reason in words."""
    with pytest.raises(ActionRefused, match=reason):
        new(**fields)


@pytest.mark.parametrize(
    ("word", "fields", "action"),
    [
        ("play", {"move": 12, "node": 1}, PlayMove(12, 1)),
        ("play", {"move": -1, "node": 7}, PlayMove(PASS, 7)),
        ("look", {"node": 3}, LookAt(3)),
        ("pause", {"on": True}, Pause(True)),
        ("sit", {"player": 1, "seat": 4}, Sit(Player.SECOND, 4)),
        ("sit", {"player": 0, "seat": None}, Sit(Player.FIRST, None)),
        ("offer", {"komi": 3}, Offer(3.0)),
        ("choose", {"player": 0}, Choose(Player.FIRST)),
        ("analyse", {"on": True, "ownership": False}, SwitchAnalysis(on=True, ownership=False)),
        ("comment", {"node": 3, "text": "good"}, Comment(3, "good")),
        ("play-on", {}, PlayOn()),
        ("promote", {"node": 3}, Promote(3)),
        ("delete", {"node": 3}, Delete(3)),
    ],
)
def test_what_the_page_sends_becomes_an_action(word: str, fields: dict, action: PageAction) -> None:
    """An action takes only the fields that it needs and cannot claim to be an engine's."""
    assert read_action(word, fields | {"more": "than needed", "by_engine": True}) == action


def test_an_action_that_needs_nothing_is_given_nothing() -> None:
    """An action without parameters ignores extra fields and is performed."""
    table = new(sgf="(;SZ[5]RU[linage];B[cc];W[aa])")
    assert read_action("undo", {"node": 3}).apply(table, FOLLOWING)[0].node == 0


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("play", {}),
        ("play", {"move": "A1", "node": 1}),
        ("play", {"move": -2, "node": 1}),
        ("play", {"move": 1 << 70, "node": 1}),
        ("play", {"move": 3, "node": None}),
        ("look", {"node": "1"}),
        ("pause", {"on": 1}),
        ("sit", {"player": 2, "seat": None}),
        ("sit", {"player": 0, "seat": "5"}),
        ("sit", {"player": 0, "seat": 28}),
        ("offer", {"komi": None}),
        ("offer", {"komi": "1"}),
        ("choose", {"player": True}),
        ("analyse", {"on": True}),
        ("comment", {"node": 1}),
        ("comment", {"node": 1, "text": 5}),
        ("delete", {}),
    ],
)
def test_actions_name_what_they_need(word: str, fields: dict) -> None:
    """A missing, mistyped or out-of-range field of an action is refused with status 400."""
    with pytest.raises(HttpError) as refused:
        read_action(word, fields)
    assert refused.value.status == 400


def test_an_action_that_no_table_knows_is_not_found() -> None:
    """An unknown action is refused with status 404."""
    with pytest.raises(HttpError) as refused:
        read_action("cheat", {})
    assert refused.value.status == 404


@pytest.mark.parametrize(
    ("words", "view"),
    [
        ({}, FOLLOWING),
        ({b"node": [b"3"]}, View(3)),
        ({b"analyse": [b"1"], b"ownership": [b"0"]}, View(analysing=True)),
        ({b"ownership": [b"1"], b"more": [b"x"]}, View(ownership=True)),
        ({b"node": [b"-1"], b"analyse": [b"\xff"]}, View(0)),
        ({b"node": [b"9" * 99]}, View(0)),
    ],
)
def test_a_page_says_in_its_address_what_it_looks_at(words: dict, view: View) -> None:
    """The address of a page gives its view; unknown parameters are ignored."""
    assert read_view(words) == view


@pytest.mark.parametrize(
    ("told", "main", "increment", "period", "periods"),
    [
        ({"main": 300, "increment": 3}, 300, 3, 0, 1),
        ({"main": 600, "period": 30, "periods": 3}, 600, 0, 30, 3),
        ({"period": 10}, 0, 0, 10, 1),
    ],
)
def test_a_new_game_has_the_clock_that_is_asked_for(
    told: dict[str, float], main: float, increment: float, period: float, periods: int
) -> None:
    """A new game may have main time with an increment or with byo-yomi."""
    game = read_game({"game": "linage", "size": "5", "clock": told})
    settings = game.time
    assert settings is not None
    assert (settings.main_seconds, settings.increment_seconds) == (main, increment)
    assert (settings.period_seconds, settings.periods) == (period, periods)
    assert game.clock is not None
    assert read_game({"game": "linage", "size": "5"}).clock is None


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ({}, "needs main time"),
        ({"main": 8000}, "two hours"),
        ({"main": -1}, "two hours"),
        ({"main": 60, "increment": 3, "period": 3}, "either"),
        ({"increment": 3}, "needs main time"),
        ({"period": 3, "increment": 3}, "to begin with"),
    ],
)
def test_a_clock_that_cannot_be_is_declined(told: dict[str, float], reason: str) -> None:
    """An impossible clock is refused with a reason in words."""
    with pytest.raises(ActionRefused, match=reason):
        read_game({"game": "linage", "size": "5", "clock": told})


def test_a_rematch_swaps_the_sides() -> None:
    """A rematch swaps the sides and keeps board, clock, pace and pie."""
    fields = {"game": "linage", "size": "5", "seats": [None, 3], "clock": {"main": 60}, "pace": 2}
    again = rematch(after(read_game(fields), change("play", 12, 0), change("resign")))
    assert again.players == (3, None)
    assert (again.over, again.now.moves, again.pace_seconds) == (False, (), 2)
    assert again.clock is not None
    assert again.clock.settings.main_seconds == 60
    choose = change("choose", Player.SECOND, by_engine=True)
    pie = after(read_game({**fields, "pie": True}), change("offer", 2.5), choose)
    again = rematch(pie)
    assert again.pie == Pie(offers=3, chooses=None)
