"""Choosing a move when memory is full."""

import attrs

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.engine.choosing import choose, start

CRAMPED = PlaySettings(nodes=1 << 15, resign_rate=None)


def test_with_visits_and_a_seed_play_repeats_when_memory_is_used_up():
    """With a seed and visits, play repeats even when memory is full."""
    settings, games = attrs.evolve(CRAMPED, seed=4, visits=40_000, solver=False), []
    for _ in range(2):
        engine, game = Engine(settings), History.at(start(size="9"))
        for _ in range(4):
            decision = choose(engine, game, Limits.of(settings))
            assert decision.analysis.visits == 40_000
            assert decision.analysis.nodes <= 1 << 15
            game = game.play(decision.move)
        games.append(game.moves)
    assert games[0] == games[1]


def test_a_move_follows_an_analysis_that_went_on_for_long():
    """A move after a long analysis continues from its results, within the memory limit."""
    engine, game = Engine(CRAMPED), History.at(start(size="9"))
    engine.analyse(game, Limits(visits=100_000))
    decision = choose(engine, game, Limits(visits=100_100))
    assert decision.analysis.visits == 100_100
    assert decision.analysis.nodes <= 1 << 15
