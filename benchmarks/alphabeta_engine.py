"""A GTP engine for Linage that searches by alpha-beta: an opponent that shares no idea with ours.

    python -m benchmarks.alphabeta_engine --nodes 30000

Strategy. The value of a position is the sum of the estimated means of its regions, those that
`linage_bot.engine.kernels.square.priors` defines. A move changes the sum by its gain, which one
survey of a position finds for all moves; so a search of depth `d` surveys only positions at depth
`d - 1` or less. Moves are tried in the order of their gains. The depth grows by one until enough
positions, the *nodes*, are surveyed, and the best move of the last complete depth is played. 30,000
nodes take about 0.1 s on 9x9. Nothing is random and no clock decides, so the strength stays the
same: `gauntlet.toml` has the engine as an anchor.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import attrs
import numpy as np
from numba import types

from linage_bot import History, game
from linage_bot.engine.kernels import linage
from linage_bot.engine.kernels.contract import Gains, Moves, Signatures, compiled
from linage_bot.engine.kernels.square.priors import estimate_priors
from linage_bot.rules.game import PASS, Position
from protocol.gtp.commands import CommandTable
from protocol.gtp.engine import EngineSession
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed

_DEEPEST = 40
_MOST = 25 * 25 + 1  # moves
_INFINITE = 1e9

_S = Signatures(linage.STATE)
_STATES = types.Array(_S.state, 1, "C")
_TABLE = types.Array(types.int64, 2, "C")
_GAINS = types.Array(types.float64, 2, "C")


@compiled(types.int64(_S.state, Moves, Gains))
def _survey(state: Any, moves: Any, gains: Any) -> int:
    """Fill in the legal moves and their gains for First; return the number of moves."""
    count = linage.legal(state, moves)
    for i in range(count):
        gains[i] = 0.0
        if moves[i] != PASS:  # in one's own region, which edition 2016 allows, a point is lost
            gains[i] = 1.0 if state.turns.to_move else -1.0
    estimate_priors(state.survey, state.board, moves, count, gains)
    return count


@compiled(types.int64(Gains, types.int64, types.float64))
def _next(gains: Any, count: int, sign: float) -> int:
    """Return the move with the greatest gain for the mover that is not yet tried, or -1.

    The gains of moves that were tried are infinite.
    """
    best = -1
    for i in range(count):
        if abs(gains[i]) < _INFINITE and (best < 0 or sign * gains[i] > sign * gains[best]):
            best = i
    return best


@compiled(types.int64(_STATES, _TABLE, _GAINS, types.int64, Moves))
def _search(states: Any, moves: Any, gains: Any, depth: int, left: Any) -> int:
    """Return the best move of the first state by a search of this depth, or -2 if it is too large.

    It is too large if it surveys more than `left[0]` positions, which is reduced by their number.
    The other arrays have a row for each depth. Values are First's lead minus that in the first
    state, from the view of the mover.
    """
    alpha, beta = np.empty(depth + 1), np.empty(depth + 1)
    lead, count = np.zeros(depth + 1), np.zeros(depth + 1, np.int64)
    tried = np.empty(depth + 1, np.int64)  # the move on the way to the next state
    chosen = -2
    alpha[0], beta[0] = -_INFINITE, _INFINITE
    at = 0
    count[0] = _survey(states[0], moves[0], gains[0])
    while True:
        sign = -1.0 if states[at].turns.to_move else 1.0
        best = _next(gains[at], count[at], sign)
        if best >= 0 and alpha[at] < beta[at]:
            gain = gains[at, best]
            gains[at, best] = _INFINITE * 2
            if at + 1 < depth:
                linage.copy(states[at + 1], states[at])
                linage.play(states[at + 1], moves[at, best])
                lead[at + 1] = lead[at] + gain
                alpha[at + 1], beta[at + 1] = -beta[at], -alpha[at]
                at += 1
                count[at] = _survey(states[at], moves[at], gains[at])
                left[0] -= 1
                if left[0] < 0:
                    return -2
                if count[at] > 0:
                    tried[at - 1] = moves[at - 1, best]
                    continue
                value = sign * lead[at]  # the game is over
                at -= 1
            else:
                value = sign * (lead[at] + gain)
                gains[at, : count[at]] = _INFINITE * 2  # all others are worth less
            if value > alpha[at]:
                alpha[at] = value
                if at == 0:
                    chosen = moves[0, best]
            continue
        if at == 0:
            return chosen
        value = -alpha[at]
        at -= 1
        if value > alpha[at]:
            alpha[at] = value
            if at == 0:
                chosen = tried[0]


def best_move(position: Position, nodes: int) -> tuple[int, int]:
    """Return the move to play, found with this many nodes, and the depth of the search."""
    states = np.zeros(_DEEPEST, linage.STATE)
    linage.copy(states[0], linage.encode(position)[0])
    moves, gains = np.zeros((_DEEPEST, _MOST), np.int64), np.zeros((_DEEPEST, _MOST))
    best, reached, left = position.moves()[0], 0, np.array([nodes])
    for depth in range(1, _DEEPEST + 1):
        found = _search(states, moves, gains, depth, left)
        if found == -2:
            break
        best, reached = found, depth
    return best, reached


@attrs.define
class Conversation:
    """The state of the engine: the game so far, and the nodes for a move."""

    nodes: int
    so_far: History = attrs.field(factory=lambda: History(game("linage", size=9)))


commands = CommandTable[Conversation]()


@commands.register
def name(_engine: Conversation) -> str:
    """Return the name of the engine."""
    return "alpha-beta"


@commands.register
def boardsize(engine: Conversation, size: int) -> None:
    """Begin a game on another board."""
    try:
        engine.so_far = History(game("linage", size=size))
    except ValueError:
        raise CommandFailed("unacceptable size") from None


@commands.register
def clear_board(engine: Conversation) -> None:
    """Begin a game on the same board."""
    engine.so_far = History(engine.so_far.game)


@commands.register
def komi(engine: Conversation, komi: float) -> None:
    """Accept any komi: the engine plays for points."""
    del engine, komi


@commands.register
def play(engine: Conversation, colour: Colour, vertex: str) -> None:
    """Play a move of either player."""
    if colour.value != engine.so_far.position.to_move.letter:
        raise CommandFailed("illegal move: it is the other player's turn")
    try:
        engine.so_far = engine.so_far.play(vertex)
    except ValueError as error:
        raise CommandFailed(f"illegal move: {error}") from None


@commands.register
def genmove(engine: Conversation, colour: Colour) -> str:
    """Choose a move, play it and return it."""
    position = engine.so_far.position
    if position.over:
        return "pass"
    vertex = position.name_of(best_move(position, engine.nodes)[0])
    play(engine, colour, vertex)
    return vertex


def main() -> None:
    """Converse by GTP until `quit`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", type=int, default=30_000, help="for each move")
    nodes = parser.parse_args().nodes
    session = EngineSession(commands, Conversation(nodes), start=lambda _work: None)
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(session.receive_data(line))
        sys.stdout.buffer.flush()
        if session.closed:
            break


if __name__ == "__main__":
    main()
