"""Lines of `info`, in both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.session.errors import RemoteProtocolError
from protocol.ugi.info import UgiInfo, read_info

counts = st.none() | st.integers(0, 10**12)
scores = st.integers(-100_000, 100_000)
infos = st.builds(
    lambda score, **fields: UgiInfo(**score, **fields),
    score=st.builds(lambda name, value: {name: value}, st.sampled_from(["score", "mate"]), scores),
    pv=st.lists(st.sampled_from(["D4", "pass", "pv"]), min_size=1, max_size=4).map(tuple),
    depth=counts,
    nodes=counts,
    time=counts,
    nps=counts,
    chances=st.none() | st.tuples(*(st.integers(0, 1000) for _ in range(3))).filter(any),
    multipv=st.integers(1, 500),
)


@given(infos)
def test_what_was_written_is_read_back(info):
    """Any fields, and a variation with any words."""
    assert read_info(info.line) == info


@pytest.mark.parametrize(
    "line",
    [
        *("", "bestmove d4", "info", "info nodes 5", "info pv d4", "info score cp 5 pv"),
        "info string score cp 5 pv d4",
    ],
)
def test_other_lines_hold_no_analysis(line):
    """A line for people, or without a score and a variation, is skipped."""
    assert read_info(line) is None


def test_unknown_words_are_skipped():
    """Words of other engines do not prevent reading a line."""
    line = "info depth 5 seldepth 9 score cp -3 lowerbound hashfull 12 pv d4 e5"
    assert read_info(line) == UgiInfo(pv=("d4", "e5"), depth=5, score=-3)


@pytest.mark.parametrize(
    "fields", ["score cp much", "score cp", "score cp 1 nodes x", "score cp 1 wdl 1 2", "mate 1.5"]
)
def test_a_number_that_is_missing_is_the_engines_fault(fields):
    """The error quotes the line."""
    with pytest.raises(RemoteProtocolError, match="no whole number after") as caught:
        read_info(f"info {fields} pv d4")
    assert fields in caught.value.line
