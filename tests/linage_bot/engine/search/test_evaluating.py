"""A network in the tree search."""

import attrs
import numpy as np
import pytest

from linage_bot.batch import PLANES, Batch
from linage_bot.engine import network as network_module
from linage_bot.engine.puzzles.puzzle import shipped_puzzles
from linage_bot.engine.search import layout
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.settings.network import Network

PUZZLE = next(
    each for each in shipped_puzzles().values() if each.game.id == "linage" and each.grade >= 4
)
POSITION, BEST = next(iter(PUZZLE.positions())), PUZZLE.steps[0].best
SEEDS = range(10)


def tree_of(kernel_of, position, seed=1, **settings):
    return Tree(kernel_of(position.game.id), position, position.moves(), seed, **settings)


def equal(planes):
    """Return equal priors and even chances."""
    return np.ones((len(planes), planes[0, 0].size + 1)), np.zeros(len(planes))


def chosen(kernel_of, position, visits, seed, network=None):
    """Return the move that a search without knowledge about regions chooses."""
    tuning = attrs.evolve(kernel_of(position.game.id).tuning, prior_visits=0)
    tree = tree_of(kernel_of, position, seed, tuning=tuning, network=network)
    tree.grow(visits)
    return tree.candidates()[0].move


@pytest.mark.parametrize("game", GAMES)
def test_a_share_of_zero_is_the_search_without_a_network(kernel_of, game):
    """With a share of 0 the search is the same to the last bit, and the network is not asked."""
    position = GAMES[game].configure("5").start()
    plain = tree_of(kernel_of, position)
    plain.grow(2000)
    unused = tree_of(kernel_of, position, network=Network(lambda _: 1 / 0, share=0))
    unused.grow(2000)
    assert unused.candidates() == plain.candidates()
    assert unused.nodes == plain.nodes


@pytest.mark.thorough
@pytest.mark.parametrize("share", [0.2, 0.5])
def test_a_network_that_knows_nothing_leaves_the_choice_to_the_playouts(kernel_of, share):
    """With a constant network the search chooses the moves that it is sure of without it."""
    network = Network(equal, share)
    sure = 0
    for puzzle in list(shipped_puzzles().values())[:40]:
        position = next(iter(puzzle.positions()))
        if position.game.id != "linage":
            continue
        plain = tree_of(kernel_of, position)
        plain.grow(1000)
        if plain.lead > 500:
            sure += 1
            helped = tree_of(kernel_of, position, network=network)
            helped.grow(1000)
            assert helped.candidates()[0].move == plain.candidates()[0].move
    assert sure > 5


@pytest.mark.thorough
def test_priors_that_know_the_winning_move_find_it_at_once(kernel_of):
    """With a policy that prefers the only winning move, a few visits find it."""

    def policy(planes):
        priors, values = equal(planes)
        at_root = planes[:, 2].sum((1, 2)) == POSITION.empty.bit_count()
        priors[at_root, BEST] = 1000
        return priors, values

    network = Network(policy)
    assert {chosen(kernel_of, POSITION, 16, seed, network) for seed in SEEDS} == {BEST}
    assert sum(chosen(kernel_of, POSITION, 16, seed) == BEST for seed in SEEDS) < 3


@pytest.mark.thorough
def test_values_that_know_the_winning_move_find_it_sooner(kernel_of):
    """With values that know which positions are won, fewer visits find the winning move."""

    def values(planes):
        won = planes[:, 0].reshape(len(planes), -1)[:, BEST] > 0
        return equal(planes)[0], POSITION.to_move.sign * np.where(won, 1, -1)

    for network in (Network(values, share=0.5, visits=1), Network(values, share=1)):
        found = [chosen(kernel_of, POSITION, 256, seed, network) == BEST for seed in SEEDS]
        assert sum(found) >= 8
    assert sum(chosen(kernel_of, POSITION, 256, seed) == BEST for seed in SEEDS) <= 6


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_the_network_is_asked_in_batches_about_positions_of_the_game(kernel_of, game):
    """The network gets the planes of the batched environment, the root first and then many."""
    start = GAMES[game].configure("5").start()
    position = start.play(start.moves()[3]).play(start.moves()[7])
    asked = []

    def evaluate(planes):
        asked.append(planes.copy())
        return equal(planes)

    tree = tree_of(kernel_of, position, network=Network(evaluate, visits=1))
    tree.grow(4000)
    assert len(PLANES) == network_module.PLANES
    assert (asked[0] == Batch.from_histories([position]).observe()).all()
    assert 10 < max(map(len, asked)) <= 64
    every = np.concatenate(asked)
    board = position.game.board
    assert every.shape[1:] == (8, board.rows, board.columns)
    assert set(np.unique(every)) == {0, 1}
    exists = np.zeros(board.rows * board.columns)
    exists[list(bits(board.points))] = 1
    assert (every[:, :3].sum(1).reshape(len(every), -1) == exists).all()
    evaluated = tree._evaluations[: tree.nodes] > 0
    assert evaluated.sum() == len(every)


@pytest.mark.thorough
@pytest.mark.parametrize(("lag", "plays"), [(1, 1), (1, 2), (6, 1), (6, 4)])
def test_a_search_with_a_network_repeats_in_whatever_slices(kernel_of, lag, plays):
    """The same seed gives the same tree, however the visits are divided."""
    position = GAMES["linage"].configure("5").start()

    def evaluate(planes):
        priors = 1 + planes[:, 2:3].cumsum(3).reshape(len(planes), -1)
        priors = np.concatenate([priors, np.ones((len(planes), 1))], 1)
        return priors, np.tanh(planes[:, 0, 0].sum(1) - planes[:, 0, 1].sum(1))

    tuning = attrs.evolve(kernel_of("linage").tuning_for(position.game.board), plays=plays)
    trees = []
    for slices in ((3000,), (1, 2, 997, 1000, 1000)):
        tree = tree_of(kernel_of, position, tuning=tuning, lag=lag, network=Network(evaluate))
        for visits in slices:
            tree.grow(visits, 3000, to_end=False)
        tree.grow(0)
        trees.append(tree)
    assert trees[0].candidates() == trees[1].candidates()
    assert trees[0].nodes == trees[1].nodes


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_win_rates_are_shares_whatever_the_network_returns(kernel_of, game):
    """Rates stay between 0 and 1 with a network that contradicts itself and the rules."""
    chance = np.random.default_rng(1)
    position = GAMES[game].configure("4").start()

    def evaluate(planes):
        priors, values = equal(planes)
        return chance.exponential(1, priors.shape) ** 4, chance.choice([-1, 1], len(values))

    tree = tree_of(kernel_of, position, network=Network(evaluate, share=1, visits=1))
    for _ in range(10):
        tree.grow(200)
        found = tree.candidates()
        assert all(0 <= each.win_rate <= 1 for each in found)
        assert sum(each.visits for each in found) == tree.visits


@pytest.mark.thorough
def test_values_are_kept_when_moves_are_played_and_memory_is_short(kernel_of, monkeypatch):
    """Positions in the kept part of the tree are not evaluated again."""
    monkeypatch.setattr(layout, "FEWEST_NODES", 1 << 9)
    position = GAMES["linage"].configure("6").start()
    calls = []

    def evaluate(planes):
        calls.append(len(planes))
        return equal(planes)

    network = Network(evaluate, visits=1)
    tree = tree_of(kernel_of, position, most_nodes=2500, network=network)
    tree.grow(3000)
    assert tree._tree["pruned"][0]
    line = tree.candidates()[0].line[:1]
    known = np.count_nonzero(tree._evaluations[: tree.nodes])
    assert 0 < known < sum(calls)
    assert tree.follow(line, position.play(line[0]))
    assert 0 < np.count_nonzero(tree._evaluations[: tree.nodes]) < known
    size = tree.nodes
    inner = (tree._nodes["children"][:size] > 0) & (tree._edges.proven[:size] == layout.OPEN)
    known = tree._evaluations[:size] > 0
    assert (known | (tree._edges.visits[:size] < 30))[inner].all()
