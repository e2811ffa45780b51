"""An engine over several moves: its kept results, pondering and shutdown."""

import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from linage_bot.engine.analysis import Report
from linage_bot.engine.calls import EngineClosed
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.engine.choosing import choose, start


def test_what_was_found_out_is_kept_when_the_game_goes_on():
    """After a move and its likeliest reply, the engine keeps more than 100 visits of its search."""
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
    """A search of another game starts afresh, with its own visits and moves."""
    engine, game, other = Engine(seed=1), History.at(start()), History.at(start(size="6"))
    choose(engine, game, Limits(visits=2000))
    decision = choose(engine, other, Limits(visits=200))
    assert decision.analysis.visits == 200
    assert sorted(each.move for each in decision.analysis.candidates) == sorted(
        other.position.moves()
    )


def test_pondering_goes_on_until_asked_and_its_visits_count():
    """Pondering is not limited by the visits of a move, and its visits count in the next search."""
    engine, game = Engine(seed=1, visits=500, ponder=True), History.at(start(size="7"))
    first = choose(engine, game, Limits(visits=500))
    game = game.play(first.move)
    engine.ponder(game)
    while engine._search._kept.visits < 5000:
        time.sleep(0.01)
    assert pondering()
    game = game.play(engine._search._kept.searched()[0].move)
    stopped = threading.Event()
    stopped.set()
    assert engine.play(game, Limits(), stopped).analysis.visits > 500
    assert not pondering()


def test_with_a_seed_play_is_the_same_however_long_was_analysed():
    """With a seed, a move has its own 300 visits after any analysis."""
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
    """Yield an engine that ponders on the empty board."""
    game, engine = History.at(start()), Engine(ponder=True)
    assert wait_for_kernel(game.position.game, threading.Event())  # pondering does not wait for it
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
    """Stopping pondering returns at once, so that other requests are not delayed."""
    threads = pondering()
    with monkeypatch.context() as nobody_may_wait:
        nobody_may_wait.setattr(threading.Thread, "join", None)
        end(ponderer)
    for thread in threads:
        thread.join(60)
    assert not pondering()


def test_the_next_search_waits_until_pondering_about_a_forgotten_game_is_over(ponderer):
    """The next search starts only after pondering on a forgotten game has ended."""
    ponderer.forget()
    choose(ponderer, start(), Limits(visits=10))
    assert not pondering()


def test_a_forgotten_tree_is_let_go_of(ponderer):
    """A forgotten tree is freed as soon as its thread has ended."""
    tree = weakref.ref(ponderer._search._kept)
    threads = pondering()
    ponderer.forget()
    for thread in threads:
        thread.join(60)
    assert tree() is None


@pytest.mark.parametrize(
    "ask",
    [
        Engine.ponder,
        lambda engine, _game: engine.play(start(size="9"), Limits(visits=10)),
        lambda engine, game: engine.analyse(game, Limits(visits=10)),
    ],
)
def test_an_analysis_ends_where_the_engine_is_asked_for_another_search(ask):
    """A new search ends an analysis, because both may use the same tree."""
    game = History.at(start())
    with Engine(ponder=True) as engine:
        for number, found in enumerate(engine.analysis(game, interval_seconds=0.05)):
            assert number == 0
            assert found.position is game.position
            ask(engine, game)


@pytest.mark.parametrize(
    "call",
    [
        lambda engine, game: engine.play(game, Limits(visits=10)),
        lambda engine, game: engine.analyse(game, Limits(visits=10)),
        lambda engine, game: engine.prove(game.position, 1.0),
        Engine.analysis,
    ],
)
def test_a_closed_engine_plays_no_move_but_raises(ponderer, call):
    """A call after `close` raises an error that says so, and starts nothing."""
    ponderer.close()
    game, before = History.at(start()), pondering()
    with pytest.raises(EngineClosed, match="the engine is closed; create another one"):
        call(ponderer, game)
    ponderer.ponder(game)  # which returns nothing
    assert pondering() in (before, [])
    assert ponderer._search._kept is None


def test_an_analysis_ends_where_its_engine_is_closed():
    """Iteration ends when the engine is closed, without an error."""
    with Engine() as engine:
        for number, _ in enumerate(engine.analysis(History.at(start()), interval_seconds=0.05)):
            assert number == 0
            engine.close()


@pytest.fixture
def searching() -> Iterator[Engine]:
    """Yield an engine that another thread searches with; afterwards that search has ended well."""
    engine, begun, stopped, found = Engine(), threading.Event(), threading.Event(), []

    def search() -> None:
        report = Report(lambda _analysis: begun.set(), 0.0)
        found.append(engine.analyse(History.at(start(size="9")), Limits(), stopped, report=report))

    thread = threading.Thread(target=search)
    thread.start()
    assert begun.wait(60)
    yield engine
    stopped.set()
    thread.join(60)
    assert found[0].candidates


@pytest.mark.parametrize(
    "call",
    [
        lambda engine, game: engine.play(game, Limits(visits=10)),
        lambda engine, game: engine.analyse(game, Limits(visits=10)),
        lambda engine, game: engine.prove(game.position, 1.0),
        lambda engine, game: next(engine.analysis(game)),
        Engine.ponder,
    ],
)
def test_a_second_search_at_the_same_time_is_refused(searching, call):
    """A thread that calls an engine during another thread's search gets an error."""
    with pytest.raises(RuntimeError, match="the engine is searching; wait until that call"):
        call(searching, History.at(start()))


def test_settings_may_be_changed_while_another_thread_searches(searching):
    """Methods that do not search may be called at any time, and the search continues."""
    searching.configure(PlaySettings(visits=20))
    searching.forget()
    searching.new_game()
    searching.prepare(start().game)


def test_after_a_search_any_other_thread_may_call_the_engine():
    """An engine may be called from several threads, one after the other."""
    engine, found = Engine(), []
    for _ in range(2):
        thread = threading.Thread(target=lambda: found.append(choose(engine, start())))
        thread.start()
        thread.join(60)
    assert len(found) == 2


def test_a_search_that_outlives_its_engine_leaves_no_pondering_behind():
    """A search that outlives its engine starts no pondering."""
    engine, game, stopped = Engine(ponder=True), History.at(start(size="9")), threading.Event()
    begun = threading.Event()

    def search() -> None:
        engine.analyse(game, Limits(), stopped, report=Report(lambda _: begun.set(), 0.0))
        engine.ponder(game)

    searching = threading.Thread(target=search)
    searching.start()
    assert begun.wait(60)
    engine.close()
    stopped.set()
    searching.join(60)
    assert not searching.is_alive()
    assert not pondering()
    assert engine._search._kept is None
