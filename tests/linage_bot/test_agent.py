"""Choosing a move."""

import threading

import attrs
import pytest

from linage_bot.agent import DEFAULT_SECONDS, Agent, AgentSettings, Decision, Report
from linage_bot.game import PASS
from linage_bot.games import GAMES
from linage_bot.search.limits import Limits

FEW = Limits(visits=150)


def start(game: str = "linage", size: str = "5", komi: float | None = None):
    return GAMES[game].configure(size, komi).start()


def choose(agent: Agent, position, limits: Limits = FEW, **options) -> Decision:
    return agent.choose(position, limits, threading.Event(), **options)


def test_without_any_limit_a_move_gets_some_seconds():
    assert AgentSettings().limits == Limits(seconds=DEFAULT_SECONDS)
    assert AgentSettings(visits=5).limits == Limits(visits=5)
    assert AgentSettings(visits=5, seconds=1).limits == Limits(visits=5, seconds=1)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_whole_game_is_legal_and_at_the_end_comes_a_pass(game):
    agent, position = Agent(AgentSettings(seed=5, resign_rate=None)), start(game, "3")
    while not position.over:
        decision = choose(agent, position, Limits(visits=20))
        position = position.play(decision.move)
    assert choose(agent, position) == Decision(PASS)


def test_a_seed_makes_the_same_moves_again_from_every_new_game_on():
    agent, position = Agent(AgentSettings(seed=5)), start(size="7")
    first = [choose(agent, position) for _ in range(4)]
    assert len({decision.candidates for decision in first}) == 4
    agent.new_game()
    assert [choose(agent, position) for _ in range(4)] == first
    other = Agent(AgentSettings(seed=6))
    assert choose(other, position) != first[0]


def test_without_a_seed_searches_differ():
    position = start(size="7")
    found = {choose(Agent(AgentSettings()), position).candidates for _ in range(3)}
    assert len(found) == 3


def test_another_seed_begins_its_sequence_anew_and_other_settings_leave_it():
    agent, position = Agent(AgentSettings(seed=5)), start(size="7")
    first = choose(agent, position)
    second = choose(agent, position)
    agent.configure(attrs.evolve(agent.settings, seed=9))
    agent.configure(attrs.evolve(agent.settings, seed=5))
    assert choose(agent, position) == first
    agent.configure(attrs.evolve(agent.settings, resign_rate=0.5))
    assert choose(agent, position).candidates == second.candidates


def test_a_single_legal_move_needs_no_thought():
    position = start(size="3")
    for move in (0, 5, 2, 7, 3, 1):
        if position.moves() != (PASS,):
            position = position.play(move if move in position.moves() else position.moves()[0])
    assert choose(Agent(AgentSettings(seed=1)), position, moves=(PASS,)) == Decision(PASS)


def test_a_hopeless_position_is_resigned_only_where_that_is_allowed():
    position = start(komi=500.0)
    assert choose(Agent(AgentSettings(seed=1)), position).move is None
    assert choose(Agent(AgentSettings(seed=1)), position, may_resign=False).move is not None
    never = Agent(AgentSettings(seed=1, resign_rate=None))
    assert choose(never, position).move is not None
    few = choose(Agent(AgentSettings(seed=1)), position, Limits(visits=99))
    assert few.move is not None
    assert choose(Agent(AgentSettings(seed=1)), start(komi=-500.0)).move is not None


def test_only_the_moves_given_are_considered_and_reported():
    seen = []
    decision = choose(
        Agent(AgentSettings(seed=1)),
        start(),
        moves=(3, 9),
        report=Report(lambda thinking: seen.append(thinking.visits), 0.0),
    )
    assert decision.move in (3, 9)
    assert {each.move for each in decision.candidates} == {3, 9}
    assert decision.visits == sum(each.visits for each in decision.candidates) == 150
    assert seen[-1] == 150


def test_told_to_stop_before_it_began_it_chooses_a_legal_move():
    stopped = threading.Event()
    stopped.set()
    position = start()
    decision = Agent(AgentSettings()).choose(position, Limits(seconds=3600), stopped)
    assert decision.move in position.moves()
