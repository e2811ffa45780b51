"""The JSON that follows a move on CGOS."""

import json

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cgos.analysis import (
    MAX_ANALYSIS_BYTES,
    cgos_json,
    compact_cgos_json,
    parse_cgos_json,
)
from protocol.gtp.analysis import MoveInfo
from protocol.session.errors import RemoteProtocolError

D4 = MoveInfo("D4", 836, 0.47, 1.5, 0.08, 0, ("D4", "Q16"))
PASS = MoveInfo("pass", 3, 1.0, -0.0, 0.5, 1, ())

rates = st.integers(0, 1000).map(lambda n: n / 1000)
candidates = st.builds(
    MoveInfo,
    move=st.sampled_from(["A1", "T19", "pass"]),
    visits=st.integers(0, 10**9),
    winrate=rates,
    score_lead=st.integers(-1000, 1000).map(lambda n: n / 4),
    prior=rates,
    pv=st.lists(st.sampled_from(["A1", "pass"]), min_size=1, max_size=3).map(tuple),
)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.lists(candidates, min_size=1, max_size=4))
def test_what_was_written_is_read_back(written):
    """Any candidates; and what we write is passed on without a change."""
    numbered = [attrs.evolve(c, order=n) for n, c in enumerate(written)]
    assert parse_cgos_json(cgos_json(numbered)) == tuple(numbered)
    assert compact_cgos_json(cgos_json(numbered)) == cgos_json(numbered)


def test_the_json_of_cgos_is_one_short_line_even_of_a_long_search():
    """The JSON has the keys of CGOS, and 361 moves with long variations are cut to the limit."""
    text = cgos_json([D4, PASS], "hello\n")
    assert json.loads(text) == {
        "winrate": 0.47,
        "score": 1.5,
        "visits": 839,
        "comment": "hello\n",
        "moves": [
            {"move": "D4", "winrate": 0.47, "score": 1.5, "prior": 0.08, "visits": 836,
             "pv": "D4 Q16"},
            {"move": "pass", "winrate": 1.0, "score": -0.0, "prior": 0.5, "visits": 3,
             "pv": "pass"},
        ],
    }  # fmt: skip
    assert "\n" not in text
    long = [attrs.evolve(D4, order=n, pv=("D4",) * 300) for n in range(361)]
    text = cgos_json(long, "é" * 5000)
    assert MAX_ANALYSIS_BYTES // 2 < len(text.encode()) <= MAX_ANALYSIS_BYTES
    assert json.loads(cgos_json([])) == {"moves": []}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"moves": 3}', '{"moves": [3]}', '{"moves": [{}]}', "[" * 100_000,
     '{"moves": [{"move": "D4", "visits": "x"}]}', '{"moves": [{"move": "D4", "visits": 1e999}]}'],
)  # fmt: skip
def test_what_is_no_cgos_analysis_is_the_peers_fault(text):
    """Wrong types, endless numbers and deep nesting included: nothing else is raised."""
    with pytest.raises(RemoteProtocolError):
        parse_cgos_json(text)


NOT_EVEN_A_TABLE = ["", "[]", "3", "[" * 100_000, "{", '{"winrate": NaN}']


@pytest.mark.parametrize("text", NOT_EVEN_A_TABLE)
def test_what_is_no_table_is_not_passed_on(text):
    """Text that is no JSON object is not passed on, nor is `NaN`, which strict readers refuse."""
    with pytest.raises(RemoteProtocolError):
        compact_cgos_json(text)


@given(anything)
def test_any_json_is_passed_on_as_one_short_line_or_refused(value):
    """The same value in printable ASCII, so that nothing in it can break the protocol."""
    try:
        line = compact_cgos_json(json.dumps(value))
    except RemoteProtocolError:
        return
    assert json.loads(line) == value
    assert line.isascii()
    assert line.isprintable()


def test_a_long_analysis_of_another_engine_keeps_what_servers_show():
    """Win rate, comment, half of the moves or more; too long a comment is refused."""
    moves = [{"move": "D4", "pv": "D4 " * 100} for _ in range(200)]
    whole = {"winrate": 0.5, "comment": "so", "moves": moves, "ownership": "x" * 60_000}
    line = compact_cgos_json(json.dumps(whole))
    kept = json.loads(line)
    assert len(line) <= MAX_ANALYSIS_BYTES
    assert (kept["winrate"], kept["comment"]) == (0.5, "so")
    assert 100 <= len(kept["moves"]) < 200
    assert kept["moves"] == moves[: len(kept["moves"])]
    with pytest.raises(RemoteProtocolError):
        compact_cgos_json(json.dumps({"comment": "x" * 60_000}))
