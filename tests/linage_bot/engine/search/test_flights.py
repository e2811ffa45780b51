"""Visits in flight: a tree is the same for any number of threads that play for it."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.engine.search import layout
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.game import Position
from tests.examples import examples

LAG = 6


def tree_of(kernel, position: Position, lag: int = LAG, plays: int = 1, **more) -> Tree:
    tuning = attrs.evolve(kernel.tuning_for(position.game.board), plays=plays)
    return Tree(kernel, position, position.moves(), 1, tuning, lag=lag, **more)


@contextmanager
def played_for(tree: Tree, count: int) -> Iterator[list[int]]:
    """Run threads that play for the tree; yield the number of playouts of each."""
    over, played = threading.Event(), [0] * count

    def play(number: int) -> None:
        own = tree.playout_worker()
        while not over.is_set():
            played[number] += own(100)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield played
    finally:
        over.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize(("plays", "for_move"), [(1, False), (4, False), (4, True)])
@pytest.mark.parametrize("game", GAMES)
def test_who_plays_makes_no_difference(kernel_of, game: str, plays: int, for_move: bool) -> None:
    """Threads that play for the tree do not change it in any game, and the lag does."""
    position, kernel = GAMES[game].configure("5").start(), kernel_of(game)
    alone, helped, prompt = (tree_of(kernel, position, lag, plays) for lag in (LAG, LAG, 1))
    alone.grow(3000, for_move=for_move)
    prompt.grow(3000, for_move=for_move)
    with played_for(helped, 3) as played:
        for _ in range(30):
            helped.grow(100, 3000, for_move=for_move, to_end=False)
            while not sum(played):  # a busy machine may let no other thread run yet
                time.sleep(0.001)
        helped.grow(0, for_move=for_move)
    assert helped.candidates() == alone.candidates() != prompt.candidates()
    assert (helped.visits, helped.nodes) == (alone.visits, alone.nodes)
    assert 0 < sum(played) <= 3000


@settings(max_examples=examples(25))
@given(
    slices=st.lists(st.integers(0, 400), min_size=1, max_size=8),
    lag=st.integers(1, 9),
    plays=st.integers(1, 4),
)
def test_any_division_into_slices_gives_the_same_tree(kernel_of, slices, lag, plays) -> None:
    """Any division into slices gives the same tree, with visits in flight between slices."""
    position, total = GAMES["linage"].configure("4").start(), sum(slices)
    whole, sliced = (tree_of(kernel_of("linage"), position, lag, plays) for _ in range(2))
    whole.grow(total)
    for slice_ in slices:
        before = sliced.visits + sliced.in_flight
        sliced.grow(slice_, total, to_end=False)
        begun = sliced.visits + sliced.in_flight - before
        assert sliced.certain or min(slice_, total - before) <= begun < max(1, slice_) + plays
        assert sliced.in_flight <= lag * plays
        assert sliced.visits == sum(each.visits for each in sliced.candidates())
    sliced.grow(total, total)
    assert sliced.in_flight == 0
    assert sliced.certain or sliced.visits == total
    assert sliced.candidates() == whole.candidates()


@pytest.mark.parametrize("game", GAMES)
def test_several_playouts_at_a_leaf_are_as_many_visits(kernel_of, game: str) -> None:
    """Each playout from a leaf is a visit, and every win rate is from 0 to 1 at any time."""
    position = GAMES[game].configure("5").start()
    tree = tree_of(kernel_of(game), position, plays=4)
    for _ in range(20):
        tree.grow(50, to_end=False)
        found = tree.candidates()
        assert sum(each.visits for each in found) == tree.visits
        assert all(0 <= each.win_rate <= 1 for each in found)
    tree.grow(0)
    assert tree.certain or tree.visits == 1000


def test_one_thread_plays_two_playouts_from_a_leaf_after_a_thousand_visits(kernel_of) -> None:
    """The first visits of a search with one thread have a playout each, later ones may have two."""
    position, kernel = GAMES["linage"].configure("6").start(), kernel_of("linage")
    single, double = (tree_of(kernel, position, 1, plays) for plays in (1, 2))
    for visits, equal in ((1000, True), (2001, False)):
        for tree in (single, double):
            tree.grow(visits)
        assert (single.candidates() == double.candidates()) is equal
        assert single.visits == double.visits


def test_a_full_tree_is_pruned_only_when_all_have_landed(kernel_of, monkeypatch) -> None:
    """A full tree is pruned only after all visits have landed, with or without threads."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES["linage"].configure("6").start()
    alone, helped = (tree_of(kernel_of("linage"), position, most_nodes=1500) for _ in range(2))
    alone.grow(20_000)
    with played_for(helped, 2):
        for _ in range(20):
            helped.grow(1000, to_end=False)
            assert helped.nodes <= 1500
        helped.grow(0)
    assert helped.visits == sum(each.visits for each in helped.candidates()) == 20_000
    assert helped.candidates() == alone.candidates()


def test_a_move_is_played_while_visits_are_in_flight(kernel_of) -> None:
    """Visits in flight are added to their nodes before the tree moves to another position."""
    position = GAMES["linage"].configure("6").start()
    tree = tree_of(kernel_of("linage"), position)
    tree.grow(5000, to_end=False)
    assert tree.in_flight == LAG
    best = tree.candidates()[0]
    reply = best.line[1]
    after = position.play(best.move).play(reply)
    assert tree.follow([best.move, reply], after)
    assert tree.in_flight == 0
    before = tree.visits
    with played_for(tree, 1):
        tree.grow(1000)
    assert tree.visits == before + 1000
    assert sorted(each.move for each in tree.candidates()) == sorted(after.moves())


def test_a_decided_game_leaves_nothing_in_flight(kernel_of) -> None:
    """Once the result is certain, visits in flight are added and no others start."""
    position = GAMES["linage"].configure("4").start()
    while len(position.moves()) > 4:
        position = position.after(position.moves()[0])
    tree = tree_of(kernel_of("linage"), position)
    tree.grow(100_000, to_end=False)
    assert tree.certain
    assert tree.in_flight == 0
    assert tree.visits < 100_000
    assert tree.candidates()[0].certain is not None
