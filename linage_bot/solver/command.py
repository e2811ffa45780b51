"""`linage-bot solve`: from a position to text on stdout, with a line of progress on stderr."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import attrs

from linage_bot.game import Player
from linage_bot.games.linage import LinagePosition
from linage_bot.solver.arena import Allowance, Arena
from linage_bot.solver.keeping import Checkpoint, kept_arena
from linage_bot.solver.report import report_on, to_json, to_text
from linage_bot.solver.solving import Solving

_CHECKPOINT_SECONDS = 60.0
_PROGRESS_SECONDS = {True: 0.2, False: 2.0}  # on a terminal, elsewhere


def solve(
    position: LinagePosition, seconds: float | None, checkpoint: Path | None, *, as_json: bool
) -> str:
    """What is proven of a position within the time, as JSON or as text.

    At an interrupt from the keyboard it says what is proven so far. With a folder for checkpoints
    it goes on where an earlier run was broken off.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    stopped = threading.Event()
    with kept_arena(position.game.line) as arena:
        keeper = _Keeper(arena, checkpoint)
        solving = Solving(arena, position)
        progress = _Progress(solving)

        def between() -> None:
            progress.show()
            keeper.save_now_and_then()

        allowance = Allowance(stopped, deadline, between)
        try:
            report = report_on(solving, arena, allowance)
        except KeyboardInterrupt:
            stopped.set()
            report = report_on(solving, arena, allowance)
        finally:
            progress.clear()
            keeper.save()
        if as_json:
            return to_json(report)
        return "\n".join((to_text(report), *_other_view(position, arena, allowance)))


def _other_view(position: LinagePosition, arena: Arena, allowance: Allowance) -> list[str]:
    """The value if the other player were to move, where there is still time to tell."""
    if position.over:
        return []
    other = with_mover(position, position.to_move.other)
    solving = Solving(arena, other)
    if not solving.find_score(allowance):
        return []
    score = solving.value.low * (-1 if other.to_move else 1)
    return [f"with {other.game.players[other.to_move]} to move: V - H = {score:+d}"]


def with_mover(position: LinagePosition, player: Player) -> LinagePosition:
    """The position with this player to move; if that is another one, nobody passed before."""
    if position.to_move is player:
        return position
    return attrs.evolve(position, to_move=player, passes=0)


class _Keeper:
    """Saves a run's knowledge to its checkpoint, if it has one."""

    def __init__(self, arena: Arena, folder: Path | None) -> None:
        self._arena = arena
        self._checkpoint = None if folder is None else Checkpoint(folder, arena.line)
        self._saved = time.monotonic()
        if self._checkpoint is not None:
            self._checkpoint.load_into(arena)

    def save_now_and_then(self) -> None:
        """Save if the last time is long ago."""
        if self._checkpoint and time.monotonic() - self._saved >= _CHECKPOINT_SECONDS:
            self.save()

    def save(self) -> None:
        """Save."""
        if self._checkpoint is not None:
            self._checkpoint.save(self._arena)
            self._saved = time.monotonic()


class _Progress:
    """One line on a terminal, written over until all is done; elsewhere a line now and then."""

    def __init__(self, solving: Solving) -> None:
        self._solving = solving
        self._started = self._shown = time.monotonic()
        self._width = 0

    def show(self) -> None:
        """Say how far the search is, now and then."""
        now = time.monotonic()
        if now - self._shown < _PROGRESS_SECONDS[sys.stderr.isatty()]:
            return
        self._shown = now
        seconds = now - self._started
        value, nodes = self._solving.value, self._solving.nodes
        text = (
            f"{seconds:.0f} s, {nodes / 1e6:.1f} million nodes ({nodes / seconds:.0f}/s), "
            f"the player to move gets {value.low:+d} to {value.high:+d}"
        )
        if sys.stderr.isatty():
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
            sys.stderr.flush()
        else:
            sys.stderr.write(text + "\n")

    def clear(self) -> None:
        """End the line."""
        if self._width:
            sys.stderr.write("\n")
