"""Choosing a move."""

import random
import threading
import weakref

import attrs
import pytest

from linage_bot.engine.engine import DEFAULT_SECONDS, Agent, AgentSettings, Decision, Report
from linage_bot.engine.levels import LEVELS, Level
from linage_bot.engine.limits import Limits
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS

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


def with_one_move(game: str):
    """A position of the game in which one move is legal, and its game is not over."""
    choice, position = random.Random(1), start(game, "3")
    while len(position.moves()) != 1:
        position = start(game, "3") if position.over else position
        position = position.play(choice.choice(position.moves()))
    return position


@pytest.mark.parametrize("game", GAMES)
def test_a_single_legal_move_needs_no_thought(game):
    """It is neither searched nor proven, however much time there is: a pass, in Leblin a stone."""
    position = with_one_move(game)
    (only,) = position.moves()
    assert (only == PASS) == (game != "leblin")
    hour = Limits(seconds=3600, patience_seconds=3600)
    assert choose(Agent(AgentSettings(seed=1)), position, hour) == Decision(only)


def test_a_single_move_allowed_needs_no_thought():
    """Also where others would be legal."""
    hour = Limits(seconds=3600)
    assert choose(Agent(AgentSettings(seed=1)), start(), hour, moves=(7,)) == Decision(7)


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


def test_told_to_stop_before_it_began_it_places_somewhere():
    """A pass may lose the game."""
    stopped = threading.Event()
    stopped.set()
    position = start()
    for seed in range(100):
        agent = Agent(AgentSettings(seed=seed))
        move = agent.choose(position, Limits(seconds=3600), stopped).move
        assert move in position.moves()
        assert move != PASS


# ------------------------------------------------------------------- from move to move


class Played:
    """A game as a session remembers it."""

    def __init__(self, position):
        self.positions, self.moves = [position], []

    def play(self, move):
        self.moves.append(move)
        self.positions.append(self.positions[-1].play(move))
        return self.positions[-1]

    def since(self, earlier):
        for index, position in enumerate(self.positions):
            if position is earlier:
                return tuple(self.moves[index:])
        return None


def test_what_was_found_out_is_kept_when_the_game_goes_on():
    agent, game = Agent(AgentSettings(seed=1)), Played(start(size="6"))
    first = choose(agent, game.positions[0], Limits(visits=3000), moves_since=game.since)
    game.play(first.move)
    position = game.play(first.candidates[0].line[1])
    stopped = threading.Event()
    stopped.set()  # nothing but a first slice is added
    kept = agent.choose(position, Limits(), stopped, moves_since=game.since)
    assert kept.visits > 100
    fresh = Agent(AgentSettings(seed=1)).choose(position, Limits(), stopped)
    assert fresh.visits < 100


def test_a_search_of_another_game_is_not_mistaken_for_this_one():
    agent, game, other = Agent(AgentSettings(seed=1)), Played(start()), Played(start(size="6"))
    choose(agent, game.positions[0], Limits(visits=2000), moves_since=game.since)
    decision = choose(agent, other.positions[0], Limits(visits=200), moves_since=other.since)
    assert decision.visits == 200
    assert sorted(each.move for each in decision.candidates) == sorted(other.positions[0].moves())


def test_pondering_goes_on_until_asked_and_its_visits_count():
    agent, game = Agent(AgentSettings(seed=1, visits=500, ponder=True)), Played(start(size="7"))
    first = choose(agent, game.positions[0], Limits(visits=500), moves_since=game.since)
    position = game.play(first.move)
    agent.ponder(position, game.since)
    assert [each for each in threading.enumerate() if each.name == "ponder"]
    while agent._kept.visits < 5000:
        pass
    reply = agent._kept.candidates()[0].move
    position = game.play(reply)
    stopped = threading.Event()
    stopped.set()
    assert agent.choose(position, Limits(), stopped, moves_since=game.since).visits > 500
    assert not [each for each in threading.enumerate() if each.name == "ponder"]


@pytest.mark.parametrize("visits", [500, 5000])
def test_with_a_seed_play_is_the_same_however_long_was_analysed(visits):
    agent, game = Agent(AgentSettings(seed=1)), Played(start(size="6"))
    stopped = threading.Event()
    agent.think(game.positions[0], Limits(visits=visits), stopped, moves_since=game.since)
    decision = choose(agent, game.positions[0], Limits(visits=300), moves_since=game.since)
    assert decision.visits == 300


def pondering() -> list[threading.Thread]:
    return [each for each in threading.enumerate() if each.name == "ponder"]


@pytest.fixture
def ponderer():
    """An agent that thinks about the empty board in the opponent's time."""
    game, agent = Played(start()), Agent(AgentSettings(ponder=True))
    choose(agent, game.positions[0], Limits(visits=10), moves_since=game.since)  # loads the code
    agent.ponder(game.positions[0], game.since)
    assert pondering()
    yield agent
    agent.close()
    for thread in pondering():
        thread.join(60)


@pytest.mark.parametrize(
    "end",
    [Agent.forget, Agent.new_game, Agent.close, lambda agent: agent.configure(AgentSettings())],
)
def test_what_ends_pondering_does_not_wait_for_its_end(ponderer, monkeypatch, end):
    threads = pondering()
    with monkeypatch.context() as nobody_may_wait:
        nobody_may_wait.setattr(threading.Thread, "join", None)
        end(ponderer)
    for thread in threads:
        thread.join(60)
    assert not pondering()


def test_the_next_search_waits_until_pondering_about_a_forgotten_game_is_over(ponderer):
    ponderer.forget()
    choose(ponderer, start(), Limits(visits=10))
    assert not pondering()


def test_a_forgotten_tree_is_let_go_of(ponderer):
    tree = weakref.ref(ponderer._kept)
    threads = pondering()
    ponderer.forget()
    for thread in threads:
        thread.join(60)
    assert tree() is None


def test_a_closed_agent_begins_nothing_and_keeps_nothing(ponderer):
    ponderer.close()
    game = Played(start())
    assert ponderer.think(game.positions[0], Limits(visits=10), threading.Event()) is None
    before = pondering()
    ponderer.ponder(game.positions[0], game.since)
    assert pondering() in (before, [])
    assert ponderer._kept is None


def test_a_search_that_outlives_its_agent_leaves_no_pondering_behind():
    agent, game, stopped = Agent(AgentSettings(ponder=True)), Played(start()), threading.Event()

    def search() -> None:
        agent.think(game.positions[0], Limits(), stopped, moves_since=game.since)
        agent.ponder(game.positions[0], game.since)

    searching = threading.Thread(target=search)
    searching.start()
    agent.close()
    stopped.set()
    searching.join(60)
    assert not searching.is_alive()
    assert not pondering()
    assert agent._kept is None


@pytest.mark.parametrize("level", range(1, 10))
def test_every_level_plays_legal_moves_after_few_visits(level):
    settings = AgentSettings(seed=3, level=level, seconds=60.0)
    agent, position = Agent(settings), start(size="6")
    for _ in range(6):
        decision = choose(agent, position, settings.limits)
        assert decision.move in position.moves()
        assert decision.move != PASS
        assert decision.visits == LEVELS[level - 1].visits
        position = position.play(decision.move)


def test_levels_rise():
    assert [level.visits for level in LEVELS[:-1]] == sorted(level.visits for level in LEVELS[:-1])
    assert LEVELS[-1] == Level(None)
    assert AgentSettings(level=10, visits=7).limits == Limits(visits=7)
    assert AgentSettings(level=1, visits=7).limits == Limits(visits=7)
    assert AgentSettings(level=1).limits == Limits(visits=LEVELS[0].visits)


# ------------------------------------------------------------------- when memory is used up


CRAMPED = AgentSettings(most_nodes=1 << 15, resign_rate=None)
HOUR = Limits(seconds=3600.0)


def test_a_move_is_chosen_when_memory_is_used_up():
    """However much time there is; and each move of the game gets a search of its own."""
    agent, game = Agent(CRAMPED), Played(start(size="9"))
    for _ in range(6):
        before = 0 if agent._kept is None else agent._kept.visits
        decision = choose(agent, game.positions[-1], HOUR, moves_since=game.since)
        assert decision.visits > 1000, before
        game.play(decision.move)


def test_with_visits_and_a_seed_play_repeats_when_memory_is_used_up():
    """Though not all the visits are made."""
    settings, games = attrs.evolve(CRAMPED, seed=4, visits=10**6, solver=False), []
    for _ in range(2):
        agent, game = Agent(settings), Played(start(size="9"))
        for _ in range(4):
            position = game.positions[-1]
            decision = choose(agent, position, settings.limits, moves_since=game.since)
            assert decision.visits < 10**6
            game.play(decision.move)
        games.append(game.moves)
    assert games[0] == games[1]


def test_no_move_is_chosen_by_an_analysis_that_went_on_without_memory():
    """It has so many visits in a full tree that a search of its own is better."""
    agent, game, stopped = Agent(CRAMPED), Played(start(size="9")), threading.Event()

    def report(thinking):
        if thinking.overgrown and thinking.visits > 100_000:
            stopped.set()

    limits = Limits(past_full=True)
    position = game.positions[0]
    agent.think(position, limits, stopped, report=Report(report, 0.0), moves_since=game.since)
    decision = choose(agent, position, HOUR, moves_since=game.since)
    assert 1000 < decision.visits < 100_000


def test_pondering_ends_when_memory_is_used_up():
    """The next move begins with what it found out."""
    agent = Agent(attrs.evolve(CRAMPED, ponder=True))
    game = Played(start(size="9"))
    agent.ponder(game.positions[0], game.since)
    (pondering,) = (each for each in threading.enumerate() if each.name == "ponder")
    pondering.join(60)
    assert not pondering.is_alive()
    assert choose(agent, game.positions[0], HOUR, moves_since=game.since).visits > 1000


def test_a_game_lost_by_the_table_is_resigned_only_where_no_mistake_could_help():
    """On 5x5 Vertical gets 7 points more, so a komi of 7.5 loses; one of 30 nobody can win."""
    for komi, resigned in ((7.5, False), (9.5, False), (30.0, True)):
        agent = Agent(AgentSettings(seed=1, resign_rate=0.6))
        decision = choose(agent, start(komi=komi), Limits(visits=2000))
        assert (decision.move is None) == resigned
        assert decision.exact
        assert decision.candidates[0].certain == 0.0
