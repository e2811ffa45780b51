"""Positions as links: links are read back as written, and others are refused with a reason."""

import contextlib
import random
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.records.record import BadRecord, Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.web.table.links import from_link, to_link


@pytest.mark.parametrize(
    ("record", "link"),
    [
        (Record(GAMES["linage"].configure("13")), "game=linage&size=13&komi=0.5"),
        (
            Record(GAMES["linage"].configure("9x7", -3.5, {"line": "4"}), moves=(0, PASS, 62)),
            "game=linage&size=9x7&komi=-3.5&line=4&moves=aa--ig",
        ),
        (
            Record(GAMES["gardar"].configure("3"), moves=(24, 12)),
            "game=gardar&size=3&komi=0&moves=eecc",
        ),
        (
            Record(
                GAMES["leblin"].configure("5"),
                setup=((Player.FIRST, 0), (Player.SECOND, 24)),
                to_move=Player.SECOND,
            ),
            "game=leblin&size=5&first=aa&second=ee&turn=second",
        ),
        (
            Record(GAMES["leblin"].configure("5"), moves=(0,), result="B+R"),
            "game=leblin&size=5&moves=aa&result=B%2BR",
        ),
    ],
)
def test_links_are_short_and_read_back(record: Record, link: str) -> None:
    """A link is short and opens the same game at another address."""
    assert to_link(record) == link
    assert from_link(f"http://127.0.0.1:8413/#{link}") == record


@pytest.mark.parametrize("game", GAMES)
def test_any_game_survives_the_way_through_a_link(game: str) -> None:
    """A link keeps a game's options, setup and moves."""
    choice = random.Random(game)
    for size in ("3", "7"):
        position = GAMES[game].configure(size).start()
        moves = []
        while not position.over and len(moves) < 40:
            moves.append(choice.choice(position.moves()))
            position = position.play(moves[-1])
        record = Record(position.game, moves=tuple(moves))
        assert from_link(to_link(record)) == record


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it names no game"),
        ("hello", "this is no link to a position, nor an SGF file"),
        ("game=go&size=9", "it names no game of ours"),
        ("game=linage&game=leblin", "it names no game of ours"),
        ("game=linage&size=99", "99"),
        ("game=linage&size=", "size: '' is not a board size"),
        ("game=linage&komi=", "komi: '' is not a number"),
        ("game=linage&komi=many", "komi"),
        ("game=linage&komi=inf", "komi"),
        ("game=linage&colour=red", "colour"),
        ("game=linage&size=5&moves=a", "two letters each"),
        ("game=linage&size=5&moves=A1", "two letters each"),
        ("game=linage&size=5&moves=a-", "'a-' is not a point"),
        ("game=linage&size=5&moves=ff", "'ff' is not a point"),
        ("game=linage&size=5&first=--", "'--' is not a point"),
        ("game=gardar&size=3&moves=ea", "'ea' is not a point"),
        ("game=linage&result=B%2B7", "result is one such as"),
        ("game=linage&turn=third", "turn is first or second"),
        ("&".join(f"a{n}=1" for n in range(99)), "this is no link"),
    ],
)
def test_what_is_no_link_of_ours_is_refused_in_words(text: str, reason: str) -> None:
    """A text that is no link is refused with the reason."""
    with pytest.raises(BadRecord, match=reason):
        from_link(text)


_JUNK = st.text(alphabet="aby-1.%+ é", max_size=6)
_POINTS = st.lists(st.sampled_from(["aa", "ab", "bc", "cb", "--", "ig"]), max_size=5).map("".join)


def _field(*right: str) -> st.SearchStrategy[str]:
    """A strategy for a field: mostly right values, some junk."""
    return st.one_of(st.sampled_from(right), st.sampled_from(right), _JUNK)


_FIELDS = st.fixed_dictionaries(
    {"game": st.sampled_from([*GAMES])},
    optional={
        "size": _field("3", "5", "9x7", "99"),
        "komi": _field("0", "-3.5", "0.25", "nan"),
        "moves": st.one_of(_POINTS, _JUNK),
        "first": st.one_of(_POINTS, _JUNK),
        "second": st.one_of(_POINTS, _JUNK),
        "turn": _field("first", "second"),
        "line": _field("3", "4"),
    },
)


def stones(fields: dict[str, str]) -> list[set[str]]:
    """The set-up points of both players, in any order and without duplicates."""
    written = (fields.get(name, "").strip() for name in ("first", "second"))
    return [{text[place : place + 2] for place in range(0, len(text), 2)} for text in written]


@given(_FIELDS)
def test_a_link_is_refused_or_tells_a_record_that_can_be_shared_again(
    fields: dict[str, str],
) -> None:
    """Any link is refused or opens a game that can be shared again without loss."""
    text = "&".join(f"{name}={value}" for name, value in fields.items())
    with contextlib.suppress(BadRecord):
        record = from_link(text)
        link = to_link(record)
        assert from_link(link) == record
        told = dict(parse_qsl(link))
        for name, without in (("game", ""), ("moves", ""), ("turn", "first")):
            assert told.get(name, without) == fields.get(name, without).strip()
        assert stones(told) == stones(fields)


@given(st.data())
def test_a_link_mistyped_in_one_place_does_no_harm(data: st.DataObject) -> None:
    """A link with a typing error is refused or opens a game that can be shared."""
    link = "game=linage&size=9x7&komi=-3.5&line=4&first=aabb&second=cc&turn=second&moves=dd--ig"
    place = data.draw(st.integers(0, len(link)))
    removed = data.draw(st.integers(0, 1))
    typed = data.draw(st.text(alphabet="&=#%+ a9-Zé", max_size=1))
    with contextlib.suppress(BadRecord):
        record = from_link(link[:place] + typed + link[place + removed :])
        assert from_link(to_link(record)) == record
