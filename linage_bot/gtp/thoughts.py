"""What a search found, as people and GUIs are told of it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.engine import Decision
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.game import Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.search.candidates import Candidate

_OWNERSHIP_POINTS = 15_000  # to look at for one picture: 10 to 30 ms


@attrs.frozen
class Thought:
    """What a search thought of a position."""

    position: Position
    decision: Decision


def reason_for(thought: Thought) -> str:
    """Why a move was chosen, on one line of ASCII."""
    position, decision = thought.position, thought.decision
    chosen = [each for each in decision.candidates if decision.move in (each.move, None)]
    if not chosen:
        return "nothing to choose" if len(position.moves()) < 2 else "no time to think"
    why = "proven" if decision.exact else f"{decision.visits} visits"
    lead = None if decision.exact or decision.proven is None else decision.proven.lead
    if lead is not None:  # of the position, but nobody knows by which move
        result = "won" if lead > 0 else "lost" if lead < 0 else "drawn"
        why += f" ({f'{lead:+g}' if position.game.counts_points else result} by proof)"
    return in_words(position, chosen[0], why)


def in_words(position: Position, best: Candidate, why: str) -> str:
    """The best move's prospects on one line of ASCII; `why` says how they are known."""
    lead = f", score lead {best.score_lead:+.1f}" if position.game.counts_points else ""
    line = " ".join(map(position.name_of, best.line))
    return f"win rate {best.win_rate:.1%}{lead}, {why}: {line}"


def expected_owners(
    position: Position, line: tuple[Move, ...], stopped: threading.Event
) -> list[float] | None:
    """How much of each point First will own after a line, 1 to -1, row by row from the top left.

    The mean over random games; None if the compiled code is not there before `stopped` is set.
    """
    kernel = wait_for_kernel(position.game, stopped)
    if kernel is None:
        return None
    from linage_bot.engine.search.ownership import ownership  # imports Numba

    # Always the same seed: the numbers change when the line does, not by chance.
    count = min(100, _OWNERSHIP_POINTS // position.game.board.count)
    return ownership(kernel, position, line, count, seed=1)
