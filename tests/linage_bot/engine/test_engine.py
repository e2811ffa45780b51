"""Choosing a move."""

import random
import threading

import attrs
import pytest

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import DEFAULT_SECONDS, Limits
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import FULL_STRENGTH, KNOWING, LEVELS, PlaySettings
from tests.linage_bot.engine.choosing import choose, start
from tests.linage_bot.leblin_rounds import BOTH_WAYS, LOSING, WINNING, played


def unthought(move: int | None, position) -> Decision:
    return Decision(move, Analysis(position=position))


def test_without_any_limit_a_move_gets_some_seconds():
    """Without any limit a move gets the default time; one limit of either kind is enough."""
    assert Limits.of(PlaySettings()) == Limits(seconds=DEFAULT_SECONDS)
    assert Limits.of(PlaySettings(visits=5)) == Limits(visits=5)
    assert Limits.of(PlaySettings(visits=5, seconds=1)) == Limits(visits=5, seconds=1)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_whole_game_is_legal_and_at_the_end_comes_a_pass(game):
    """All moves of a game are legal, and after its end the engine passes without a search."""
    engine, position = Engine(seed=5, resign_rate=None), start(game, "3")
    while not position.over:
        decision = choose(engine, position, Limits(visits=20))
        position = position.play(decision.move)
    last = choose(engine, position)
    assert (last.move, last.analysis.visits) == (PASS, 0)


def test_a_seed_makes_the_same_moves_again_from_every_new_game_on():
    """Four searches of one position differ, and a new game with the same seed repeats them."""
    engine, position = Engine(seed=5), start(size="7")
    first = [choose(engine, position) for _ in range(4)]
    assert len({decision.analysis.candidates for decision in first}) == 4
    engine.new_game()
    assert [choose(engine, position) for _ in range(4)] == first
    other = Engine(seed=6)
    assert choose(other, position) != first[0]


def test_without_a_seed_searches_differ():
    """Three new engines without a seed return three different analyses of one position."""
    position = start(size="7")
    found = {choose(Engine(), position).analysis.candidates for _ in range(3)}
    assert len(found) == 3


def test_another_seed_begins_its_sequence_again_and_other_settings_leave_it():
    """Setting a new seed restarts the sequence, and changing another setting does not."""
    engine, position = Engine(seed=5), start(size="7")
    first = choose(engine, position)
    second = choose(engine, position)
    engine.configure(attrs.evolve(engine.settings, seed=9))
    engine.configure(attrs.evolve(engine.settings, seed=5))
    assert choose(engine, position) == first
    engine.configure(attrs.evolve(engine.settings, resign_rate=0.5))
    assert choose(engine, position).analysis.candidates == second.analysis.candidates


def with_one_move(game: str):
    """Return an unfinished position of the game with exactly one legal move."""
    choice, position = random.Random(1), start(game, "3")
    while len(position.moves()) != 1:
        position = start(game, "3") if position.over else position
        position = position.play(choice.choice(position.moves()))
    return position


@pytest.mark.parametrize(
    ("game", "size", "moves"),
    [("linage", "3", "A1 pass pass"), ("gardar", "2", "A1 pass pass"), ("linage-parity", "3", "")],
)
def test_the_value_of_a_finished_game_is_its_result(game, size, moves):
    """A move's analysis, an analysis and its updates have the result's win rate and lead."""
    over = History.at(start(game, size))
    for move in moves.split():
        over = over.play(move)
    while not over.position.over:
        over = over.play(over.position.moves()[0])
    result, engine = over.position.result(), Engine()
    updates = list(engine.analysis(over))
    assert len(updates) == 1
    for found in (engine.play(over).analysis, engine.analyse(over), *updates):
        for player in Player:
            assert found.seen_by(player).win_rate == result.win_rate_of(player)
            assert found.seen_by(player).lead == result.lead_of(player)


@pytest.mark.parametrize("game", GAMES)
def test_a_single_legal_move_needs_no_thought(game):
    """The only legal move is played without a search or a proof."""
    position = with_one_move(game)
    (only,) = position.moves()
    assert (only == PASS) == (game != "leblin")
    hour = Limits(seconds=3600, clock_seconds=3600)
    assert choose(Engine(seed=1), position, hour) == unthought(only, position)


def test_a_single_move_allowed_needs_no_thought():
    """The only allowed move is played without a search, although others are legal."""
    hour = Limits(seconds=3600)
    assert choose(Engine(seed=1), start(), hour, moves=(7,)) == unthought(7, start())


def test_a_hopeless_position_is_resigned_only_where_that_is_allowed():
    """A player resigns only if allowed, after at least 100 visits and never when ahead."""
    position = start(komi=500.0)
    assert choose(Engine(seed=1), position).move is None
    assert choose(Engine(seed=1), position, may_resign=False).move is not None
    never = Engine(seed=1, resign_rate=None)
    assert choose(never, position).move is not None
    few = choose(Engine(seed=1), position, Limits(visits=99))
    assert few.move is not None
    assert choose(Engine(seed=1), start(komi=-500.0)).move is not None


def test_only_the_moves_given_are_considered_and_reported():
    """All visits go to the given moves, and the last report lists each of them."""
    seen = []
    decision = choose(
        Engine(seed=1),
        start(),
        moves=(3, 9),
        report=Report(lambda analysis: seen.append(analysis.visits), 0.0),
    )
    assert decision.move in (3, 9)
    assert {each.move for each in decision.analysis.candidates} == {3, 9}
    assert (
        decision.analysis.visits == sum(each.visits for each in decision.analysis.candidates) == 150
    )
    assert seen[-1] == 150


@pytest.mark.parametrize("moves", [(), (5000,), (12,), (0, 12), ("C3",)])
def test_moves_that_are_not_there_are_refused(moves):
    """Illegal or unknown moves to consider are refused."""
    game = History.at(start()).play(12)
    with pytest.raises(ValueError, match="moves to consider"):
        Engine().play(game, moves=moves)
    with pytest.raises(ValueError, match="moves to consider"):
        Engine().analyse(game, moves=moves)


def test_all_the_moves_there_are_are_thought_about_as_if_none_had_been_named():
    """If all legal moves are named, a proof is attempted as usual."""
    position = start(size="3", komi=0.5)
    decision = choose(Engine(), position, moves=position.moves())
    assert decision.exact


def test_told_to_stop_before_it_began_it_places_somewhere():
    """An engine that is stopped before its search places a stone instead of passing."""
    stopped = threading.Event()
    stopped.set()
    position = start()
    for seed in range(100):
        engine = Engine(seed=seed)
        move = engine.play(History.at(position), Limits(seconds=3600), stopped).move
        assert move in position.moves()
        assert move != PASS


def test_a_game_lost_by_the_table_is_resigned_only_where_no_mistake_could_help():
    """On 5x5 a komi of 7.5 or 9.5 is played on, and one of 30 is resigned."""
    for komi, resigned in ((7.5, False), (9.5, False), (30.0, True)):
        engine = Engine(seed=1, resign_rate=0.6)
        decision = choose(engine, start(komi=komi), Limits(visits=2000))
        assert (decision.move is None) == resigned
        assert decision.exact
        assert decision.analysis.candidates[0].certain == 0.0


@pytest.mark.parametrize("level", range(0, KNOWING, 4))
def test_every_level_plays_legal_moves_after_few_visits(level):
    """A level makes exactly its number of visits, plays legal moves and does not pass early."""
    settings = PlaySettings(seed=3, level=level, seconds=60.0)
    engine, position = Engine(settings), start(size="6")
    for _ in range(6):
        decision = choose(engine, position, Limits.of(settings))
        assert decision.move in position.moves()
        assert decision.move != PASS
        assert decision.analysis.visits == LEVELS[level]
        position = position.play(decision.move)


def test_levels_rise():
    """Higher levels have more visits, and the user's limit applies at each level."""
    assert list(LEVELS[:-1]) == sorted(LEVELS[:-1])
    assert LEVELS[FULL_STRENGTH] is None
    assert Limits.of(PlaySettings(level=FULL_STRENGTH, visits=7)) == Limits(visits=7)
    assert Limits.of(PlaySettings(level=9, visits=7)) == Limits(visits=7)
    assert Limits.of(PlaySettings(level=9)) == Limits(visits=LEVELS[9])


def test_who_stands_worse_goes_round_in_leblin_and_thinks_about_it_once():
    """In Leblin the player who is behind repeats the position, which is a draw."""
    history, engine = played(LOSING), Engine(seed=3, solver=False)
    (back,) = history.ways_back()
    decision = engine.play(history, Limits(visits=400))
    assert (decision.move, decision.back) == (back, True)
    for _ in range(2):
        history = history.play(back)
        there = history.played_here()[0]
        history = history.play(there)
    reports = []
    report = Report(reports.append, 0.0)
    decision = engine.play(history, Limits(visits=400), report=report)
    assert (decision.move, decision.back, reports) == (back, True, [])


@pytest.mark.parametrize("moves", [WINNING, BOTH_WAYS])
def test_who_stands_better_does_not_go_round(moves):
    """In Leblin the player who is ahead does not return to an earlier position."""
    history = played(moves)
    decision = Engine(seed=3, solver=False).play(history, Limits(visits=400))
    assert decision.move not in history.ways_back()
    assert not decision.back
    assert decision.analysis.seen_by(history.position.to_move).candidates[0].win_rate > 0.5


@pytest.mark.parametrize("moves", [LOSING, WINNING])
def test_a_move_back_to_where_the_game_has_been_is_analysed_as_a_draw(moves):
    """A move back to an earlier position is analysed as a draw, in this game only."""
    history, engine = played(moves), Engine(seed=3, solver=False)
    (back,) = history.ways_back()

    def rate(history: History) -> float:
        """Return the win rate of the move, which must not be proven."""
        analysis = engine.analyse(history, Limits(visits=4000))
        (found,) = [each for each in analysis.candidates if each.move == back]
        assert found.certain is None
        return found.win_rate

    for count in (2, 1, 0):
        engine.analyse(history.back(count), Limits(visits=4000))
    assert rate(history) == 0.5
    assert rate(History.at(history.position)) != 0.5
