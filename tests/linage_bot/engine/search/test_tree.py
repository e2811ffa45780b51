"""The tree: repeatable, accurate in its results and limited in its memory."""

import attrs
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.engine.search import layout
from linage_bot.engine.search import tree as tree_module
from linage_bot.engine.search.tree import Tree
from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from tests.examples import examples, some_quick
from tests.linage_bot.engine.kernels.endings import composed, exact_value


def tree_of(kernel, position, seed=1, **settings):
    return Tree(kernel, position, position.moves(), seed, **settings)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_and_visits_give_the_same_tree_in_whatever_slices(kernel_of, game):
    """Moves, visits and nodes repeat for a seed in every game, and differ for another seed."""
    position = GAMES[game].configure("5").start()
    whole = tree_of(kernel_of(game), position)
    whole.grow(3000)
    sliced = tree_of(kernel_of(game), position)
    for slice_ in (1, 2, 997, 1000, 1000):
        sliced.grow(slice_, 3000)
    assert sliced.candidates() == whole.candidates()
    assert (sliced.nodes, sliced.visits) == (whole.nodes, whole.visits)
    other = tree_of(kernel_of(game), position, seed=2)
    other.grow(3000)
    assert other.candidates() != whole.candidates()


@settings(max_examples=examples(25))
@given(slices=st.lists(st.integers(1, 400), min_size=1, max_size=8))
def test_any_division_into_slices_gives_the_same_tree(kernel_of, slices):
    """Any division into slices gives the same tree."""
    position = GAMES["linage"].configure("4").start()
    whole, sliced = (tree_of(kernel_of("linage"), position) for _ in range(2))
    whole.grow(sum(slices))
    for slice_ in slices:
        sliced.grow(slice_, sum(slices))
    assert sliced.candidates() == whole.candidates()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_tree_tells_adds_up_and_its_lines_are_legal(kernel_of, game):
    """Visits add up, variations are legal, and only games that count points report a lead."""
    start = GAMES[game].configure("4").start()
    position = start.play(start.moves()[5])
    tree = tree_of(kernel_of(game), position)
    tree.grow(2000)
    found = tree.candidates()
    assert sum(each.visits for each in found) == tree.visits == 2000
    assert sorted(each.move for each in found) == sorted(position.moves())
    assert found == sorted(found, key=lambda each: (-each.visits, -each.win_rate))
    for each in found:
        assert 0 <= each.win_rate <= 1
        assert each.line[0] == each.move
        assert each.line_visits[0] == each.visits
        assert len(each.line_visits) == len(each.line)
        after = position
        for move in each.line:
            after = after.play(move)
        assert each.lead == 0 or position.game.counts_points


def test_only_the_moves_given_are_considered(kernel_of):
    """Only the given moves are considered, and a pass only if it is given."""
    position = GAMES["linage"].configure("5").start()
    tree = Tree(kernel_of("linage"), position, [3, 7, PASS], 1)
    tree.grow(500)
    assert {each.move for each in tree.candidates()} == {3, 7, PASS}


def test_a_full_tree_goes_on_growing_in_the_same_memory(kernel_of, monkeypatch):
    """A full tree keeps growing within its limit, with the same result for any slices."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES["linage"].configure("6").start()
    tree = tree_of(kernel_of("linage"), position, most_nodes=1500)
    for _ in range(20):
        tree.grow(1000, 20_000)
        assert 500 < tree.nodes <= 1500
    assert tree.visits == 20_000
    assert sum(each.visits for each in tree.candidates()) == 20_000
    again = tree_of(kernel_of("linage"), position, most_nodes=1500)
    again.grow(20_000)
    assert again.candidates() == tree.candidates()


def inside(tree: Tree) -> dict[tuple[int, ...], tuple]:
    """Return the stored values of each node except its children, by the moves that lead to it."""
    found, waiting = {}, [((), 0)]
    names = [name for name in tree._nodes.dtype.names if name not in CHILDREN]
    while waiting:
        line, index = waiting.pop()
        first, count, _ = tree._nodes[CHILDREN][index].tolist()
        found[line] = (
            [column[index] for column in tree._edges],
            tree._nodes[names][index].tolist(),
        )
        moves = tree._edges.move[first : first + count].tolist()
        waiting += [((*line, move), first + at) for at, move in enumerate(moves)]
    return found


CHILDREN = ["first", "children", "thinned"]


@pytest.mark.parametrize("game", ["linage", "gardar"])
def test_pruning_drops_what_was_visited_least_or_never(kernel_of, monkeypatch, game):
    """Pruning frees at least half of the memory and keeps the root's moves and all other data."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES[game].configure("5" if game == "linage" else "4").start()
    tree = tree_of(kernel_of(game), position, most_nodes=4000)
    for _ in range(3):
        while not tree._tree["full"][0]:
            tree.grow(1)
        before = inside(tree)
        tree._prune()
        after = inside(tree)
        assert len(after) == tree.nodes <= 2000
        assert all(before[line] == stored for line, stored in after.items())
        assert {(move,) for move in position.moves()} <= after.keys()
        visits = {line: stored[0][5] for line, stored in before.items()}
        kept = [visits[line[:-1]] for line in after if len(line) > 1]
        dropped = [visits[line[:-1]] for line in before.keys() - after.keys() if visits[line]]
        assert max(dropped, default=0) < min(kept)


def test_what_nobody_tried_comes_back_in_a_node_that_is_visited_often(kernel_of, monkeypatch):
    """A pruned node with four times the visits gets its moves back and keeps its statistics."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES["linage"].configure("6").start()
    tree = tree_of(kernel_of("linage"), position, most_nodes=3000)
    while not tree._tree["pruned"][0]:
        tree.grow(10)
    best = 1 + int(tree._edges.visits[1:37].argmax())
    after = position.after(int(tree._edges.move[best]))
    few, visits = int(tree._nodes["children"][best]), int(tree._edges.visits[best])
    assert 0 < few < len(after.moves())
    while tree._nodes["thinned"][best] and tree.visits < 100_000:
        tree.grow(10)
    first, count, _ = tree._nodes[CHILDREN][best].tolist()
    assert sorted(tree._edges.move[first : first + count]) == sorted(after.moves())
    assert tree._edges.visits[best] >= 2 * visits


@pytest.mark.parametrize(("komi", "won"), [(4.5, True), (5.5, False)])
def test_proofs_stand_though_moves_were_dropped(kernel_of, monkeypatch, komi, won):
    """Proven results stay correct after pruning, for a komi that wins or loses."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES["linage"].configure("4", komi).start()
    tree = tree_of(kernel_of("linage"), position, most_nodes=600)
    while not tree.certain and tree.visits < 300_000:
        tree.grow(1000)
        for each in tree.candidates():
            if each.certain is not None and position.after(each.move).moves():
                assert won or each.certain == 0
    assert tree._tree["pruned"][0]
    assert tree.candidates()[0].certain in (None, float(won))


def test_a_choice_is_contested_while_a_move_well_looked_at_has_a_better_win_rate(kernel_of):
    """A choice is contested while another well-visited move has a better win rate."""
    seen = set()
    for moves in ((), (12,)):
        position = GAMES["linage"].configure("6").start()
        for move in moves:
            position = position.play(move)
        tree = tree_of(kernel_of("linage"), position)
        assert not tree.contested
        for _ in range(60):
            tree.grow(20)
            best, *others = (each for each in tree.candidates() if each.certain is None)
            rivals = [each for each in others if 10 * each.visits >= best.visits]
            gain = max((each.win_rate - best.win_rate for each in rivals), default=-1.0)
            if abs(gain) > 1e-6:  # the tree counts in single precision
                assert tree.contested == (gain > 0)
                seen.add(gain > 0)
    assert seen == {True, False}


def test_what_is_proven_to_lose_is_searched_no_more(kernel_of):
    """A move proven to lose is listed last and not searched, unless no other remains."""
    position = GAMES["linage-parity"].configure("5").start()
    tree = tree_of(kernel_of("linage-parity"), position)
    tree.grow(2000)
    lost = {each.move: each.visits for each in tree.candidates()[:3]}
    tree.mark_lost(lost)
    assert tree.lead <= max(each.visits for each in tree.candidates()[:1])
    tree.grow(2000)
    told = tree.candidates()
    assert {each.move: each.visits for each in told[-3:]} == lost
    assert all(each.certain == 0 for each in told[-3:])
    rest = [each.move for each in told[:-3]]
    tree.mark_lost(position.moves())
    assert [each.move for each in tree.candidates() if each.certain is None] == rest


def test_every_sample_counts_however_long_the_search(kernel_of):
    """Each sample changes the sums, even after many millions of samples."""
    position = GAMES["linage"].configure("6").start()
    tree = tree_of(kernel_of("linage"), position)
    tree.grow(2000)
    tree._edges.amaf_sum[1:37] *= np.float32(1 << 16)  # as after days
    tree._edges.amaf_count[1:37] *= 1 << 16
    before = tree._edges.amaf_sum[1:37].copy()
    tree.grow(2000)
    sums = tree._edges.amaf_sum[1:37]
    assert (sums != before).all()
    assert (sums + np.float32(0.5) != sums).all()


def test_a_full_tree_takes_no_more_than_206_mib():
    """A tree of the default size takes at most 206 MiB."""
    edges, nodes, _ = layout.new_arrays(1)
    node_bytes = sum(column.nbytes for column in edges) + nodes.nbytes
    assert tree_module.MOST_NODES * node_bytes <= 206 << 20


def test_a_player_who_owns_enough_has_won_for_certain_after_a_few_visits(kernel_of):
    """A decided win is certain after a few visits, although the game continues."""
    game = GAMES["linage"].configure("6x5", -28.5)  # Vertical needs two points
    position = game.start()
    while not (position.scores()[0] - position.scores()[1] > position.placements().bit_count()):
        position = position.play(position.moves()[0])
    kernel = kernel_of("linage")
    tree = tree_of(kernel, position)
    tree.grow(1000, for_move=True)
    assert tree.certain
    assert tree.visits < 200
    assert {each.certain for each in tree.candidates()} <= {None, float(not position.to_move)}
    without = tree_of(kernel, position, tuning=attrs.evolve(kernel.tuning, prior_visits=0))
    without.grow(tree.visits, for_move=True)
    assert not without.certain
    analysis = tree_of(kernel, position)
    analysis.grow(tree.visits)
    assert not analysis.certain  # how much is won is of interest, too


@pytest.mark.parametrize("line", some_quick(["2", "3", "4", "5"], "3"))
@pytest.mark.parametrize("button", ["off", "on"])
def test_a_tree_that_is_certain_has_a_best_move(kernel_of, line, button):
    """A certain tree has a best move with the right value, also in composed positions."""
    options = {"line": line, "edition": "current", "button": button}
    certain = 0
    for position in composed(options, count=20):
        value = exact_value(position)
        for komi in (value - 1, value, value + 1):
            at_stake = attrs.evolve(position, game=position.game.with_komi(komi / 2))
            tree = tree_of(kernel_of("linage"), at_stake)
            tree.grow(1000, for_move=True)
            if tree.certain:
                certain += 1
                best = tree.candidates()[0]
                for first in (value, exact_value(position.after(best.move))):
                    rate = 0.5 + 0.5 * ((first > komi) - (first < komi))
                    assert best.certain == (1 - rate if position.to_move else rate)
    assert certain >= 30


def test_a_game_decided_for_certain_is_known_to_be_and_thought_about_no_longer(kernel_of):
    """An analysis ends once the result is certain, and its variation ends with the game."""
    position = GAMES["linage"].configure("4").start()
    while len(position.moves()) > 4:
        position = position.after(position.moves()[0])
    tree = tree_of(kernel_of("linage"), position)
    tree.grow(100_000)
    assert tree.certain
    assert tree.visits < 100_000
    best = tree.candidates()[0]
    for move in best.line:
        position = position.play(move)
    assert best.certain in (0.0, 0.5, 1.0)
    assert best.win_rate == best.certain


def test_a_move_played_keeps_what_is_known_below_it(kernel_of):
    """A played move keeps its subtree and visits; an unknown line changes nothing."""
    position = GAMES["linage"].configure("6").start()
    tree = tree_of(kernel_of("linage"), position)
    tree.grow(5000)
    best = tree.candidates()[0]
    reply = best.line[1]
    after = position.play(best.move).play(reply)
    assert tree.follow([best.move, reply], after)
    assert 0 < tree.visits < 5000
    assert sorted(each.move for each in tree.candidates()) == sorted(after.moves())
    assert sum(each.visits for each in tree.candidates()) <= tree.visits
    before = tree.visits
    tree.grow(1000)
    assert tree.visits == before + 1000
    assert not tree.follow([PASS, PASS, PASS], after)
    assert tree.visits == before + 1000


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("game", some_quick(GAMES, "linage", "leblin"))
def test_a_move_played_in_a_pruned_tree_brings_back_every_move(kernel_of, monkeypatch, game, full):
    """A move played in a pruned tree restores the dropped moves, even if the tree is full."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES[game].configure("5" if game == "gardar" else "8").start()
    tree = tree_of(kernel_of(game), position, most_nodes=3000)
    while not tree._tree["pruned"][0] or (full and not tree._tree["full"][0]):
        tree.grow(1)
    line, visits = _thinned(tree)
    for move in line:
        position = position.play(move)
    assert len(visits) < len(position.moves())
    assert tree.follow(line, position)
    found = {each.move: each.visits for each in tree.candidates()}
    assert found == {move: visits.get(move, 0) for move in position.moves()}
    for grown in range(20, 20 * tree.visits, 20):
        tree.grow(20)
        moves = tree.candidates()
        assert sorted(each.move for each in moves) == sorted(position.moves())
        assert sum(each.visits for each in moves) == sum(visits.values()) + grown


def _thinned(tree: Tree) -> tuple[tuple[int, ...], dict[int, int]]:
    """Return the line to the most visited pruned node, and the visits of its moves."""
    found, waiting = [], [((), 0)]
    while waiting:
        line, index = waiting.pop()
        first, count, thinned = tree._nodes[CHILDREN][index].tolist()
        children = slice(first, first + count)
        moves, visits = tree._edges.move[children].tolist(), tree._edges.visits[children].tolist()
        if thinned:
            found.append(
                (int(tree._edges.visits[index]), line, dict(zip(moves, visits, strict=True)))
            )
        waiting += [((*line, move), first + at) for at, move in enumerate(moves)]
    return max(found, key=lambda each: each[0])[1:]


# ------------------------------------------------------------------- finding good moves


# Exact values (Vertical's points less Horizontal's under best play) and all optimal placements.
EMPTY_BOARDS = [
    ("3x3", Player.FIRST, 4, "A2 C2"),
    ("3x3", Player.SECOND, -4, "B1 B3"),
    ("4x3", Player.FIRST, -4, "A2 B2 C2 D2"),
    ("3x4", Player.SECOND, 4, "B1 B2 B3 B4"),
    ("5x3", Player.FIRST, 0, "C1 C2 C3"),
    ("4x4", Player.FIRST, 5, "B1 B4 C1 C4"),
    ("4x4", Player.SECOND, -5, "A2 A3 D2 D3"),
]
POSITIONS = [
    ("5x4", "B1 B2 C3 D3 E1", Player.FIRST, 12, "C2"),
    ("5x4", "B1 B2 C3 D3 E1", Player.SECOND, -3, "E3"),
    ("5x5", "A1 A2 B1 B3 B4 C3 C4 D4 E2", Player.FIRST, 2, "C5"),
    ("5x5", "A1 A2 B1 B3 B4 C3 C4 D4 E2", Player.SECOND, -6, "E3"),
    ("5x5", "A4 B1 B2 B4 C1 D1 D4 E1 E3", Player.FIRST, -7, "C3"),
    ("5x5", "A4 B1 B2 B4 C1 D1 D4 E1 E3", Player.SECOND, -13, "A1"),
    ("5x5", "A1 B1 B2 B3 B4 C5 D1 D2 E5", Player.FIRST, 13, "D3"),
    ("6x5", "A4 B3 C1 C2 C4 D1 D2 D4 E1 F3", Player.FIRST, 9, "D5"),
    ("6x5", "A4 B3 C1 C2 C4 D1 D2 D4 E1 F3", Player.SECOND, -9, "E4"),
    ("6x5", "A2 A5 C2 C5 D1 D3 E4 E5 F2 F5", Player.SECOND, -5, "B3"),
]


def best_move(kernel, size, stones, player, value, visits):
    """Return the move found with a komi that only best play can win."""
    game = GAMES["linage"].configure(size, value + (-0.5, 0.5)[player])
    points = [(Player.FIRST, game.board.point(each)) for each in stones.split()]
    position = Record(game, setup=points, to_move=player).history().position
    tree = tree_of(kernel, position)
    tree.grow(visits)
    return position.name_of(tree.candidates()[0].move)


@pytest.mark.parametrize(("size", "player", "value", "best"), EMPTY_BOARDS)
def test_on_small_boards_a_best_first_move_is_found(kernel_of, size, player, value, best):
    """On a small board the search finds a best first move with a decisive komi."""
    assert best_move(kernel_of("linage"), size, "", player, value, 8000) in best.split()


@pytest.mark.parametrize(("size", "stones", "player", "value", "best"), POSITIONS)
def test_the_only_winning_move_is_found(kernel_of, size, stones, player, value, best):
    """In the middle of a game the search finds the only winning move."""
    assert best_move(kernel_of("linage"), size, stones, player, value, 5000) == best


@pytest.mark.parametrize(("game", "size"), [("linage", "5"), ("linage-two-color", "5")])
def test_a_pass_that_ends_a_won_game_is_seen_to_win(kernel_of, game, size):
    """A pass that ends a won game is certain to win, with the exact lead."""
    position = GAMES[game].configure(size, 24.0).start().play(PASS)
    tree = tree_of(kernel_of(game), position)
    tree.grow(2000)
    best = {each.move: each for each in tree.candidates()}[PASS]
    assert best.win_rate == 1.0
    assert best.line == (PASS,)
    assert best.lead == 24.0


@pytest.mark.parametrize("visits", [30, 100, 400])
@pytest.mark.parametrize("game", ["linage", "linage-two-color"])
def test_nobody_passes_into_a_pass_that_loses_at_once(kernel_of, game, visits):
    """On an empty 9x9 board, 30 visits are enough to avoid a losing pass, for any seed."""
    position = GAMES[game].configure("9", 3.5).start()  # Second wins if neither player owns a point
    for seed in range(20):
        tree = tree_of(kernel_of(game), position, seed)
        tree.grow(visits)
        assert tree.candidates()[0].move != PASS
