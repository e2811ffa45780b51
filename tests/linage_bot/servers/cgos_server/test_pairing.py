"""Pairing of waiting players."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.servers.cgos_server.pairing import Waiting, pair

PATIENCE = 60.0


def waiting(name: str, rating: float = 1500.0, waited: float = 0.0, **more) -> Waiting:
    return Waiting(name, rating, -waited, **more)


def told(meetings):
    return lambda first, second: meetings.get((first, second), 0)


def paired(players, meetings=None) -> set[frozenset[str]]:
    return {frozenset(game) for game in pair(players, told(meetings or {}), 0.0, PATIENCE)}


def test_near_ratings_meet():
    """Players with similar ratings are paired."""
    players = [waiting(name, rating) for name, rating in
               [("a", 1000), ("b", 2000), ("c", 1050), ("d", 2050)]]  # fmt: skip
    assert paired(players) == {frozenset("ac"), frozenset("bd")}


def test_far_ratings_meet_only_after_a_while():
    """Players with distant ratings are paired only after one has waited a minute."""
    assert paired([waiting("a", 1000), waiting("b", 2000)]) == set()
    assert paired([waiting("a", 1000, 60), waiting("b", 2000)]) == {frozenset("ab")}


def test_two_who_have_just_met_look_for_others_first():
    """Two players who have just met are paired with others first."""
    just = [waiting("a", recent=("b",)), waiting("b", recent=("a",))]
    assert paired(just) == set()
    assert paired([*just, waiting("c"), waiting("d")]) in (
        {frozenset("ac"), frozenset("bd")},
        {frozenset("ad"), frozenset("bc")},
    )


def test_two_alone_meet_again_and_again_when_nobody_else_comes():
    """Two players alone are paired again after a minute."""
    recent = ("b",) * 8, ("a",) * 8
    assert paired([waiting("a", waited=60, recent=recent[0]), waiting("b", recent=recent[1])])


def test_anchors_meet_others_rather_than_each_other():
    """Anchors are paired with other players, not with each other."""
    anchors = [waiting("a", anchor=True), waiting("b", anchor=True)]
    assert paired(anchors) == set()
    assert paired([*anchors, waiting("c", 1600)]) & {frozenset("ac"), frozenset("bc")}


def test_who_has_moved_first_less_often_moves_first():
    """The player who has moved first less often against the other moves first."""
    a, b = waiting("a", games=9, surplus=1), waiting("b", games=9, surplus=0)
    assert pair([a, b], told({}), 0.0, PATIENCE) == [("b", "a")]
    # The games between the two count first.
    assert pair([a, b], told({("b", "a"): 1}), 0.0, PATIENCE) == [("a", "b")]


NAMES = [f"p{number}" for number in range(70)]
PLAYERS = st.lists(
    st.builds(
        Waiting,
        st.sampled_from(NAMES),
        st.floats(-3000, 5000),
        st.floats(-200, 0),
        st.lists(st.sampled_from(NAMES), max_size=8).map(tuple),
        st.integers(0, 50),
        st.integers(-5, 5),
        st.booleans(),
    ),
    max_size=70,
    unique_by=lambda player: player.name,
)


@given(PLAYERS)
def test_nobody_plays_two_games_and_the_patient_ones_all_play(players):
    """Each player gets at most one game, and at most one of the patient ones is left over."""
    games = pair(players, told({}), 0.0, PATIENCE)
    seats = Counter(name for game in games for name in game)
    assert not seats or set(seats.values()) == {1}
    left = [player for player in players if player.name not in seats]
    assert sum(player.since <= -PATIENCE for player in left) <= 1 or len(players) > 25
    assert games == pair(list(reversed(players)), told({}), 0.0, PATIENCE)


@pytest.mark.parametrize("count", range(2, 14))
def test_after_many_rounds_everybody_has_met_everybody_with_both_colours(count):
    """After many rounds all players have met with balanced colours."""
    names = [chr(97 + number) for number in range(count)]
    meetings: Counter = Counter()
    games: Counter = Counter()
    surplus: Counter = Counter()
    recent: dict[str, list[str]] = {name: [] for name in names}
    for _ in range(12 * count):
        players = [
            Waiting(name, 1500.0, -100.0, tuple(recent[name][:8]), games[name], surplus[name])
            for name in names
        ]
        for first, second in pair(players, told(meetings), 0.0, PATIENCE):
            meetings[first, second] += 1
            games.update((first, second))
            surplus.update({first: 1, second: -1})
            recent[first].insert(0, second)
            recent[second].insert(0, first)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            met = meetings[one, other] + meetings[other, one]
            assert met > 0
            assert abs(meetings[one, other] - meetings[other, one]) <= 1
