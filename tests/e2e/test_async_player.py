"""`AsyncPlayer` with real engine processes: results, cancellation, turns and errors."""

import asyncio

import pytest

from linage_bot import (
    AsyncPlayer,
    CannotStart,
    ConnectionLost,
    EngineClosed,
    EngineTimeout,
    GtpPlayer,
    History,
    Limits,
    game,
)
from tests.e2e.engine import PATIENCE_SECONDS
from tests.e2e.scripted_players import KINDS, both, scripted

START = History(game("linage", size=5, komi=0.5))


def fake(protocol, behaviour="", timeout_seconds=PATIENCE_SECONDS):
    """A player with the scripted engine."""
    command = scripted(protocol, behaviour)
    return AsyncPlayer(KINDS[protocol], command, timeout_seconds=timeout_seconds)


async def until_it_reports(player):
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not any("info" in line for line in player.transcript):
            await asyncio.sleep(0.01)


@both
def test_its_answers_are_those_of_a_player(protocol):
    """Each call has the result of the same call of the player."""

    async def scenario():
        async with fake(protocol) as player:
            assert (await player.analyse(START, Limits(visits=200))).visits >= 200
            found = [each.visits async for each in player.analysis(START, visits=300)]
            assert found == sorted(found)
            assert found[-1] >= 300
            assert await player.name() == ("Searcher" if protocol == "ugi" else "")
            if protocol == "ugi":
                await player.configure({"Style": "wild"})
                assert (await player.options())["Style"] == "wild"
                assert await player.ask("query", "result") == "none"
            else:
                assert await player.play(START) == "C3"

    asyncio.run(scenario())


@both
@pytest.mark.parametrize("call", ["analyse", "analysis"])
def test_a_cancelled_task_stops_its_search_and_frees_the_engine(protocol, call):
    """The next call is answered, by the same process."""

    async def search(player):
        if call == "analyse":
            await player.analyse(START, Limits())
        async for _ in player.analysis(START, interval_seconds=60):
            pass

    async def scenario():
        async with fake(protocol) as player:
            task = asyncio.create_task(search(player))
            await until_it_reports(player)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await player.analyse(START, Limits(visits=100))).visits

    asyncio.run(scenario())


@both
def test_leaving_a_loop_frees_the_engine(protocol):
    """The search need not be stopped by hand, and the next call begins at once."""

    async def scenario():
        async with fake(protocol) as player:
            async for update in player.analysis(START, interval_seconds=0):
                if update.visits >= 200:
                    break
            calls = (player.analyse(START, Limits(visits=100)) for _ in range(3))
            assert all(each.visits for each in await asyncio.gather(*calls))

    asyncio.run(scenario())


def test_errors_of_the_engine_reach_the_caller():
    """A program that is missing, an engine that is slow or dies, and one that is closed."""

    async def scenario():
        with pytest.raises(CannotStart):
            async with AsyncPlayer(GtpPlayer, "/no/such engine"):
                pass
        async with fake("gtp", "hang", 0.3) as player:
            with pytest.raises(EngineTimeout):
                await player.analyse(START)
        async with fake("ugi", "die") as player:
            with pytest.raises(ConnectionLost):
                await player.analyse(START, Limits(visits=1000))
        player = fake("ugi")
        task = asyncio.create_task(player.analyse(START, Limits()))
        await until_it_reports(player)
        await player.close()
        with pytest.raises(ConnectionLost):
            await task
        for closed in (player, fake("ugi")):
            await closed.close()
            with pytest.raises(EngineClosed):
                await closed.play(START)

    asyncio.run(scenario())
