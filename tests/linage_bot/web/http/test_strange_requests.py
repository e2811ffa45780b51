"""A request that no page sends is either performed completely or refused without effect."""

import json

import attrs
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.web.http.requests import read_action, read_body
from linage_bot.web.messages.encoding import encode
from linage_bot.web.messages.table import table_message, tree_message
from linage_bot.web.table.actions import ACTIONS
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.view import FOLLOWING
from linage_bot.web.thinking.session import Session
from tests.examples import examples
from tests.linage_bot.web.room import SETTINGS, act, add_page, read_game

NEW = {"game": "linage", "size": "5", "komi": 2.5, "options": {"line": "4"}, "seats": [None, 3]}


def seen(session: Session) -> bytes:
    """The table as its page and its SGF file show it."""
    view = session.viewers[0].view if session.viewers else FOLLOWING
    told = attrs.evolve(table_message(session, view), revision=""), tree_message(session)
    return encode(told).encode() + to_sgf(session.game.to_save()).encode()


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
_names = ("game", "size", "komi", "options", "seats", "pie", "sgf", "file", "link")
_fields = ("move", "node", "text", "on", "ownership", "player", "seat", "komi")


def _wire(fields: dict) -> dict:
    """Return the fields as the server receives them."""
    return read_body(json.dumps(fields).encode())


@settings(max_examples=examples(200), deadline=None)
@given(st.dictionaries(st.sampled_from(_names), _any_json), st.booleans())
def test_whatever_a_new_game_is_asked_to_be_it_is_made_or_refused(fields: dict, mend: bool) -> None:
    """Any request for a new game creates a table or is refused with a reason."""
    try:
        game = read_game(_wire({**NEW, **fields} if mend else fields), [].append)
    except (HttpError, ActionRefused) as error:
        json.dumps({"refused": error.reason})
    else:
        seen(Session(game, SETTINGS))


_requests = st.tuples(
    st.sampled_from(sorted(ACTIONS)),
    st.dictionaries(st.sampled_from(_fields), _any_json)
    | st.fixed_dictionaries(
        {
            "move": st.integers(-2, 26),
            "node": st.integers(-1, 9),
            "text": _words | st.text(max_size=5),
            "on": st.booleans(),
            "ownership": st.booleans(),
            "player": st.integers(0, 1),
            "seat": st.none() | st.integers(1, 10),
            "komi": _numbers,
        }
    ),
)


@settings(max_examples=examples(100), deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.booleans(), st.lists(_requests, max_size=30))
def test_whatever_is_asked_of_a_table_is_done_whole_or_not_at_all(
    game: str, pie: bool, requests: list[tuple[str, dict]]
) -> None:
    """A refused action does not change the table."""
    session = Session(read_game({"game": game, "size": "5", "pie": pie}), SETTINGS)
    add_page(session)
    for action, fields in requests:
        before, refused = seen(session), False
        try:
            act(session, read_action(action, _wire(fields)))
        except (HttpError, ActionRefused) as error:
            refused = bool(json.dumps({"refused": error.reason}))
        assert not refused or seen(session) == before, action
