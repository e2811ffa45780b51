"""The worth of an entry in the solver's table."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.engine.solver.sums.replacement import MOST_WORTH, reduced_worth, worth

worths = st.integers(0, MOST_WORTH)
chances = st.integers(0, (1 << 64) - 1).map(np.uint64)


def test_more_work_and_more_frequent_regions_are_worth_more() -> None:
    """An entry with more work or a smaller and more compact region has a higher worth."""
    assert worth(1000, 16, 30) > worth(100, 16, 30)
    assert worth(100, 14, 30) > worth(100, 16, 30) > worth(100, 18, 30)
    assert worth(100, 16, 24) > worth(100, 16, 30)
    assert worth(2, 20, 36) > worth(1, 20, 36)


@given(st.integers(0, 1 << 62), st.integers(13, 110), st.integers(16, 300))
def test_every_worth_has_room_in_an_entry(nodes: int, points: int, edges: int) -> None:
    """Each worth fits into an entry, from no work to far too much."""
    assert 0 <= worth(nodes, points, edges) <= MOST_WORTH
    assert 0 <= worth(nodes, 0, 0) <= MOST_WORTH


@given(worths, worths, chances)
def test_what_stays_loses_what_gave_way_and_no_more(
    one: int, other: int, chance: np.uint64
) -> None:
    """An entry that stays loses the worth of the entry it replaced, and hardly more."""
    least, before = sorted((one, other))
    after = reduced_worth(before, least, chance)
    assert 0 <= after <= before
    if before == least:
        assert after == 0
    if before >= least + 80:  # a thousand times as much
        assert after >= before - 1
