"""Choosing a move."""

import random
import threading
import time
import weakref

import attrs
import pytest

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.engine import Decision, Engine
from linage_bot.engine.limits import DEFAULT_SECONDS, Limits
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.gardar import GardarPosition
from linage_bot.rules.history import History
from linage_bot.settings.playing import FULL_STRENGTH, KNOWING, LEVELS, PlaySettings

FEW = Limits(visits=150)


def start(game: str = "linage", size: str = "5", komi: float | None = None):
    return GAMES[game].configure(size, komi).start()


def choose(engine: Engine, game, limits: Limits = FEW, **options) -> Decision:
    """`game`: a history, or a position as if nobody had thought about it before."""
    so_far = game if isinstance(game, History) else History.at(attrs.evolve(game))
    return engine.play(so_far, limits, **options)


def unthought(move: int | None, position) -> Decision:
    return Decision(move, Analysis(position=position))


def test_without_any_limit_a_move_gets_some_seconds():
    """A user who sets none must not wait for ever; one bound, of whichever kind, is enough."""
    assert Limits.of(PlaySettings()) == Limits(seconds=DEFAULT_SECONDS)
    assert Limits.of(PlaySettings(visits=5)) == Limits(visits=5)
    assert Limits.of(PlaySettings(visits=5, seconds=1)) == Limits(visits=5, seconds=1)


@pytest.mark.parametrize("game", GAMES)
def test_every_move_of_a_whole_game_is_legal_and_at_the_end_comes_a_pass(game):
    """As GTP wants it once a game is over, without a search."""
    engine, position = Engine(seed=5, resign_rate=None), start(game, "3")
    while not position.over:
        decision = choose(engine, position, Limits(visits=20))
        position = position.play(decision.move)
    assert choose(engine, position) == unthought(PASS, position)


def test_a_seed_makes_the_same_moves_again_from_every_new_game_on():
    """Though four searches of one position in succession all differ."""
    engine, position = Engine(seed=5), start(size="7")
    first = [choose(engine, position) for _ in range(4)]
    assert len({decision.analysis.candidates for decision in first}) == 4
    engine.new_game()
    assert [choose(engine, position) for _ in range(4)] == first
    other = Engine(seed=6)
    assert choose(other, position) != first[0]


def test_without_a_seed_searches_differ():
    """Three new engines tell three different analyses of one position."""
    position = start(size="7")
    found = {choose(Engine(), position).analysis.candidates for _ in range(3)}
    assert len(found) == 3


def test_another_seed_begins_its_sequence_anew_and_other_settings_leave_it():
    """Going back to the first seed is a beginning, too; a new resign rate is not."""
    engine, position = Engine(seed=5), start(size="7")
    first = choose(engine, position)
    second = choose(engine, position)
    engine.configure(attrs.evolve(engine.settings, seed=9))
    engine.configure(attrs.evolve(engine.settings, seed=5))
    assert choose(engine, position) == first
    engine.configure(attrs.evolve(engine.settings, resign_rate=0.5))
    assert choose(engine, position).analysis.candidates == second.analysis.candidates


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
    hour = Limits(seconds=3600, clock_seconds=3600)
    assert choose(Engine(seed=1), position, hour) == unthought(only, position)


def test_a_single_move_allowed_needs_no_thought():
    """Also where others would be legal."""
    hour = Limits(seconds=3600)
    assert choose(Engine(seed=1), start(), hour, moves=(7,)) == unthought(7, start())


def test_a_hopeless_position_is_resigned_only_where_that_is_allowed():
    """Never after fewer than 100 visits, and never by who is winning."""
    position = start(komi=500.0)
    assert choose(Engine(seed=1), position).move is None
    assert choose(Engine(seed=1), position, may_resign=False).move is not None
    never = Engine(seed=1, resign_rate=None)
    assert choose(never, position).move is not None
    few = choose(Engine(seed=1), position, Limits(visits=99))
    assert few.move is not None
    assert choose(Engine(seed=1), start(komi=-500.0)).move is not None


def test_only_the_moves_given_are_considered_and_reported():
    """All visits go to them, and the last report tells of every one."""
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


def test_told_to_stop_before_it_began_it_places_somewhere():
    """A pass may lose the game."""
    stopped = threading.Event()
    stopped.set()
    position = start()
    for seed in range(100):
        engine = Engine(seed=seed)
        move = engine.play(History.at(position), Limits(seconds=3600), stopped).move
        assert move in position.moves()
        assert move != PASS


# ------------------------------------------------------------------- ending a game of Gardar

WON = """
   . X X X
  . X O X X
 X O X . . X
X X X . X X O
 O X X . X O
  O X X X .
   . . O .
"""


def won(**past) -> GardarPosition:
    """First leads by 15 points on a board of side 4."""
    game = GAMES["gardar"].configure("4")
    stones = dict(zip(bits(game.board.points), WON.split(), strict=True))
    first, second = (
        sum(1 << point for point, on in stones.items() if on == player) for player in "XO"
    )
    return GardarPosition(game=game, first=first, second=second, **past)


@pytest.mark.parametrize("visits", [30, 100, 1000])
def test_who_has_won_in_gardar_passes_instead_of_filling(visits):
    """Every stone would cost a point, and in the end the loop."""
    for seed in range(3):
        assert choose(Engine(seed=seed), won(), Limits(visits=visits)).move == PASS


def test_who_has_lost_in_gardar_does_not_play_on_for_ever():
    """A pass is answered by a pass where nothing wins, but by a stone where that may help."""
    stones = (won().first, won().second)
    lost = won(to_move=Player.SECOND, passes=1, first_passer=Player.FIRST, boards=(stones,))
    assert choose(Engine(seed=1, resign_rate=None), lost).move == PASS
    early = start("gardar", "4").play(PASS)  # the first pass is worth half a point
    for seed in range(5):
        assert choose(Engine(seed=seed, level=3, resign_rate=None), early).move != PASS


@pytest.mark.parametrize("level", [1, 3, FULL_STRENGTH])
def test_a_pass_that_wins_a_game_of_gardar_is_played_at_once(level):
    """By the weakest engine that thinks, too."""
    stones = (won().first, won().second)
    offered = won(passes=1, first_passer=Player.SECOND, boards=(stones, stones))
    assert choose(Engine(seed=1, level=level), offered, Limits(visits=2)).move == PASS


WEAK = [("3", {"level": 3}), ("4", {"level": 3}), ("4", {"visits": 100})]


@pytest.mark.parametrize(("size", "settings"), WEAK)
def test_weak_engines_end_their_games_of_gardar(size, settings):
    """Against themselves, without resigning, within five turns a point."""
    for seed in (1, 2):
        engines = [Engine(seed=2 * seed + each, resign_rate=None, **settings) for each in (0, 1)]
        history = History(GAMES["gardar"].configure(size))
        while not history.position.over:
            engine = engines[len(history.moves) % 2]
            history = history.play(engine.play(history).move)
            assert len(history.moves) < 5 * history.game.board.count


# ------------------------------------------------------------------- from move to move


def test_what_was_found_out_is_kept_when_the_game_goes_on():
    """After a move and its likeliest reply; a fresh engine has fewer than 100 visits by then."""
    engine, game = Engine(seed=1), History.at(start(size="6"))
    first = choose(engine, game, Limits(visits=3000))
    game = game.play(first.move).play(first.analysis.candidates[0].line[1])
    stopped = threading.Event()
    stopped.set()  # nothing but a first slice is added
    kept = engine.play(game, Limits(), stopped).analysis
    assert kept.visits > 100
    fresh = Engine(seed=1).play(History.at(game.position), Limits(), stopped).analysis
    assert fresh.visits < 100


def test_a_search_of_another_game_is_not_mistaken_for_this_one():
    """All visits are its own, and all moves those of the other board."""
    engine, game, other = Engine(seed=1), History.at(start()), History.at(start(size="6"))
    choose(engine, game, Limits(visits=2000))
    decision = choose(engine, other, Limits(visits=200))
    assert decision.analysis.visits == 200
    assert sorted(each.move for each in decision.analysis.candidates) == sorted(
        other.position.moves()
    )


def test_pondering_goes_on_until_asked_and_its_visits_count():
    """It is not bound to the 500 visits of a move, and ends when the next search begins."""
    engine, game = Engine(seed=1, visits=500, ponder=True), History.at(start(size="7"))
    first = choose(engine, game, Limits(visits=500))
    game = game.play(first.move)
    engine.ponder(game)
    while engine._kept.visits < 5000:
        time.sleep(0.01)
    assert pondering()
    game = game.play(engine._kept.searched()[0].move)
    stopped = threading.Event()
    stopped.set()
    assert engine.play(game, Limits(), stopped).analysis.visits > 500
    assert not pondering()


def test_with_a_seed_play_is_the_same_however_long_was_analysed():
    """What an analysis found out is not used: the move has 300 visits of its own."""
    found = []
    for visits in (500, 5000):
        engine, game = Engine(seed=1), History.at(start(size="7"))
        engine.analyse(game, Limits(visits=visits))
        found.append(choose(engine, game, Limits(visits=300)))
    assert found[0] == found[1]
    assert found[0].analysis.visits == 300


def pondering() -> list[threading.Thread]:
    alive = [each for each in threading.enumerate() if each.is_alive()]  # so it may be joined
    return [each for each in alive if each.name == "ponder"]


@pytest.fixture
def ponderer():
    """An engine that thinks about the empty board in the opponent's time."""
    game, engine = History.at(start()), Engine(ponder=True)
    choose(engine, game, Limits(visits=10))  # loads the code
    engine.ponder(game)
    while not pondering():
        time.sleep(0.01)
    yield engine
    engine.close()
    for thread in pondering():
        thread.join(60)


@pytest.mark.parametrize(
    "end",
    [
        Engine.forget,
        Engine.new_game,
        Engine.close,
        lambda engine: engine.configure(PlaySettings()),
    ],
)
def test_what_ends_pondering_does_not_wait_for_its_end(ponderer, monkeypatch, end):
    """It is said on the thread that answers everybody else."""
    threads = pondering()
    with monkeypatch.context() as nobody_may_wait:
        nobody_may_wait.setattr(threading.Thread, "join", None)
        end(ponderer)
    for thread in threads:
        thread.join(60)
    assert not pondering()


def test_the_next_search_waits_until_pondering_about_a_forgotten_game_is_over(ponderer):
    """One engine must not search on two threads when it was given one."""
    ponderer.forget()
    choose(ponderer, start(), Limits(visits=10))
    assert not pondering()


def test_a_forgotten_tree_is_let_go_of(ponderer):
    """With its memory, up to 206 MiB, as soon as the thread that grew it is over."""
    tree = weakref.ref(ponderer._kept)
    threads = pondering()
    ponderer.forget()
    for thread in threads:
        thread.join(60)
    assert tree() is None


def test_a_closed_engine_begins_nothing_and_keeps_nothing(ponderer):
    """Asked all the same, it tells an empty analysis and lets no thread begin."""
    ponderer.close()
    game = History.at(start())
    assert ponderer.analyse(game, Limits(visits=10)) == Analysis(position=game.position)
    before = pondering()
    ponderer.ponder(game)
    assert pondering() in (before, [])
    assert ponderer._kept is None


def test_a_search_that_outlives_its_engine_leaves_no_pondering_behind():
    """A client that went away in the middle of it is nobody to ponder for."""
    engine, game, stopped = Engine(ponder=True), History.at(start()), threading.Event()

    def search() -> None:
        engine.analyse(game, Limits(), stopped)
        engine.ponder(game)

    searching = threading.Thread(target=search)
    searching.start()
    engine.close()
    stopped.set()
    searching.join(60)
    assert not searching.is_alive()
    assert not pondering()
    assert engine._kept is None


@pytest.mark.parametrize("level", range(0, KNOWING, 4))
def test_every_level_plays_legal_moves_after_few_visits(level):
    """Exactly those of its level where nothing is proven; and none passes in an opening."""
    settings = PlaySettings(seed=3, level=level, seconds=60.0)
    engine, position = Engine(settings), start(size="6")
    for _ in range(6):
        decision = choose(engine, position, Limits.of(settings))
        assert decision.move in position.moves()
        assert decision.move != PASS
        assert decision.analysis.visits == LEVELS[level]
        position = position.play(decision.move)


def test_levels_rise():
    """The highest looks at as much as the settings allow; the user's bound holds at every level."""
    assert list(LEVELS[:-1]) == sorted(LEVELS[:-1])
    assert LEVELS[FULL_STRENGTH] is None
    assert Limits.of(PlaySettings(level=FULL_STRENGTH, visits=7)) == Limits(visits=7)
    assert Limits.of(PlaySettings(level=9, visits=7)) == Limits(visits=7)
    assert Limits.of(PlaySettings(level=9)) == Limits(visits=LEVELS[9])


# ------------------------------------------------------------------- when memory is used up


CRAMPED = PlaySettings(nodes=1 << 15, resign_rate=None)


def test_with_visits_and_a_seed_play_repeats_when_memory_is_used_up():
    """What is forgotten then does not hang on the clock."""
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
    """With what it found out, in the memory there is."""
    engine, game = Engine(CRAMPED), History.at(start(size="9"))
    engine.analyse(game, Limits(visits=100_000))
    decision = choose(engine, game, Limits(visits=100_100))
    assert decision.analysis.visits == 100_100
    assert decision.analysis.nodes <= 1 << 15


def test_a_game_lost_by_the_table_is_resigned_only_where_no_mistake_could_help():
    """On 5x5 Vertical gets 7 points more, so a komi of 7.5 loses; one of 30 nobody can win."""
    for komi, resigned in ((7.5, False), (9.5, False), (30.0, True)):
        engine = Engine(seed=1, resign_rate=0.6)
        decision = choose(engine, start(komi=komi), Limits(visits=2000))
        assert (decision.move is None) == resigned
        assert decision.exact
        assert decision.analysis.candidates[0].certain == 0.0
