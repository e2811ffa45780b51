"""An engine for asyncio: results, cancellation, turns and errors."""

import asyncio
import threading
import time

import pytest

from linage_bot import AsyncEngine, CompileProgress, Engine, EngineClosed, History, Limits, game
from linage_bot.engine.search import loading

START = History(game("linage", size=7))
FEW = Limits(visits=100)


def test_its_answers_are_those_of_an_engine():
    """With the same seed, moves, analyses and proofs are the same."""

    async def answers():
        async with AsyncEngine(seed=1) as engine:
            small = History(game("linage", size=3))
            return (
                (await engine.play(START, FEW)).move,
                (await engine.analyse(START, FEW, moves="D4 C3")).visits,
                (await engine.prove(small, 10)).lead,
            )

    with Engine(seed=1) as engine:
        move = engine.play(START, FEW).move
        lead = engine.prove(History(game("linage", size=3)), 10).lead
    found = asyncio.run(answers())
    assert (found[0], found[2]) == (move, lead)
    assert found[1] >= 100


@pytest.mark.parametrize("call", ["play", "analyse", "analysis"])
def test_a_cancelled_task_stops_its_search_and_frees_the_engine(call):
    """The search ends long before its time, and the next call is answered at once."""

    async def search(engine):
        if call == "analysis":
            async for _ in engine.analysis(START, interval_seconds=60, proofs=False):
                pass
        else:
            await getattr(engine, call)(START, Limits(seconds=60))

    async def scenario():
        async with AsyncEngine(solver=False) as engine:
            await engine.play(START, FEW)  # so that the code is loaded
            task = asyncio.create_task(search(engine))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await engine.play(START, FEW)).move is not None

    began = time.monotonic()
    asyncio.run(scenario())
    assert time.monotonic() - began < 30


def test_the_loop_runs_while_the_engine_searches_and_calls_take_turns():
    """Two calls at the same time are both answered, and the loop is not blocked."""

    async def scenario():
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        ticking = asyncio.create_task(tick())
        async with AsyncEngine(solver=False) as engine:
            limits = Limits(seconds=0.2)
            both = await asyncio.gather(engine.play(START, limits), engine.analyse(START, limits))
        ticking.cancel()
        return ticks, both

    ticks, (decision, analysis) = asyncio.run(scenario())
    assert ticks > 3
    assert decision.move in START.position.moves()
    assert analysis.visits


def test_analyses_come_from_longer_searches_until_the_limit():
    """The visits grow up to the limit; then the iteration ends."""

    async def visits():
        async with AsyncEngine(seed=1) as engine:
            found = engine.analysis(START, interval_seconds=0.01, visits=2000, proofs=False)
            return [update.visits async for update in found]

    found = asyncio.run(visits())
    assert found == sorted(found)
    assert found[-1] == 2000


def test_a_closed_engine_and_wrong_arguments_raise():
    """Errors of the engine reach the caller; closing ends a search that runs."""

    async def scenario():
        engine = AsyncEngine(solver=False)
        with pytest.raises(TypeError, match="limits: expected Limits, not int"):
            await engine.play(START, 3)
        await engine.play(START, FEW)
        task = asyncio.create_task(engine.analyse(START, Limits(seconds=60)))
        await asyncio.sleep(0.1)
        engine.close()
        assert (await task).visits
        with pytest.raises(EngineClosed):
            await engine.play(START, FEW)

    asyncio.run(scenario())


def test_compiling_is_reported_on_the_loop(monkeypatch):
    """The callback may use the loop, as it runs on its thread."""
    release, real, threads = threading.Event(), loading._ready, []
    monkeypatch.setattr(loading, "_loadings", {})
    monkeypatch.setattr(loading, "_ready", lambda game: (release.wait(60), real(game))[1])
    monkeypatch.setattr(loading, "compiling", lambda _game: CompileProgress(0.25, 3.0, "Linage"))

    def note(_progress):
        threads.append(threading.get_ident())
        release.set()

    async def scenario():
        async with AsyncEngine(solver=False, on_compile=note) as engine:
            await engine.play(START, FEW)

    asyncio.run(scenario())
    assert set(threads) == {threading.get_ident()}
