"""A server with asyncio that analyses games for many clients at once.

    python examples/analysis_server.py      and in other terminals: nc localhost 4000

Type the moves of a game of Linage on 9x9, such as `E5 C3`. Each second you see a line of JSON with
Vertical's win rate, from a longer and longer search, until you type the next line; an empty one is
the empty board. Each client has its own `AsyncEngine`, whose searches run on threads.
"""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator

from linage_bot import AsyncEngine, History, game

LINAGE = game("linage", size=9, komi=1.5)
MOST_VISITS = 20_000_000  # about a minute


async def answers(engine: AsyncEngine, moves: str) -> AsyncIterator[dict[str, object]]:
    """Yield an answer about a game each second, until all visits are made."""
    try:
        so_far = History(LINAGE, moves)
    except ValueError as error:  # an illegal move, or text that is no move
        yield {"error": str(error)}
        return
    async for update in engine.analysis(so_far, interval_seconds=1, visits=MOST_VISITS):
        line = update.candidates[0].line if update.candidates else ()
        yield {
            "visits": update.visits,
            "win_rate": update.win_rate,
            "line": [LINAGE.name_of(move) for move in line[:5]],
        }


async def send(client: asyncio.StreamWriter, engine: AsyncEngine, moves: str) -> None:
    """Send a client the answers about a game; this is cancelled at its next line."""
    with contextlib.suppress(ConnectionError):  # it has hung up
        async for answer in answers(engine, moves):
            client.write(json.dumps(answer).encode() + b"\n")
            await client.drain()


async def converse(reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
    """Answer the lines of one client until it hangs up."""
    search: asyncio.Task[None] | None = None
    async with AsyncEngine(threads=1) as engine:
        with contextlib.closing(client), contextlib.suppress(ConnectionError):
            async for line in reader:
                if search is not None:
                    search.cancel()  # which stops the thread within some milliseconds
                search = asyncio.create_task(send(client, engine, line.decode(errors="replace")))
        if search is not None:
            search.cancel()


async def main(port: int) -> None:
    """Serve clients on this machine until Ctrl-C."""
    server = await asyncio.start_server(converse, "localhost", port)
    print(f"listening on port {server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 4000))
