"""An engine of your own: it plays the move after which it is furthest ahead, else at random.

    python examples/own_engine.py                        then type `boardsize 5` and `genmove b`
    linage-bot match examples/own_engine_match.toml      against random moves: it wins most games
    linage-bot ladder examples/own_engine_ladder.toml    its strength in Elo, in five minutes

docs/write-an-engine.md explains the commands, and which of them a match sends.
"""

import random
import sys

from linage_bot import History, game
from protocol.gtp.commands import CommandTable
from protocol.gtp.engine import EngineSession
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed


class Greedy:
    """The engine's state: the game so far."""

    so_far = History(game("linage", size=9))


commands = CommandTable[Greedy]()


@commands.register
def boardsize(engine: Greedy, size: int) -> None:
    """Begin a game on another board."""
    try:
        engine.so_far = History(game("linage", size=size))
    except ValueError:
        raise CommandFailed("unacceptable size") from None


@commands.register
def clear_board(engine: Greedy) -> None:
    """Begin a game on the same board."""
    engine.so_far = History(engine.so_far.game)


@commands.register
def play(engine: Greedy, colour: Colour, vertex: str) -> None:
    """Play a move of either player."""
    if colour.value != engine.so_far.position.to_move.letter:
        raise CommandFailed("illegal move: it is the other player's turn")
    try:
        engine.so_far = engine.so_far.play(vertex)
    except ValueError as error:
        raise CommandFailed(f"illegal move: {error}") from None


@commands.register
def genmove(engine: Greedy, colour: Colour) -> str:
    """Choose a move, play it and return it."""
    position = engine.so_far.position
    if position.over:
        return "pass"
    moves = random.sample(position.moves(), len(position.moves()))  # of equal moves, any
    best = max(moves, key=lambda move: position.play(move).result().lead_of(position.to_move))
    vertex = position.name_of(best)
    play(engine, colour, vertex)
    return vertex


if __name__ == "__main__":
    session = EngineSession(commands, Greedy(), start=lambda _work: None)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(session.receive_data(line))
        sys.stdout.buffer.flush()
        if session.closed:
            break
