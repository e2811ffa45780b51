"""Observations of a game for OpenSpiel's learners: planes of the board's points, and text."""

import attrs
import numpy as np

from linage_bot import Game, Player, Position, as_text
from linage_bot.batch.planes import PLANES, Planes
from linage_bot.openspiel.stages import SpielPhase, SpielStage

PIE_PLANES = (
    "everywhere: an offer is to be made",
    "everywhere: a side is to be chosen",
    "everywhere: player 0 is Second",
    "everywhere: komi, as a share of the board's points",
)
"""The planes after `PLANES`, in games that begin with the pie."""

_PLACEMENTS, _PASS_ENDS = 3, 5  # planes of what the player to act may do


def shape(game: Game, *, pie: bool) -> tuple[int, int, int]:
    """Return the numbers of planes, rows and columns; row 0 is the board's row 1, at the bottom."""
    return len(PLANES) + len(PIE_PLANES) * pie, game.board.rows, game.board.columns


def draw(stage: SpielStage, planes: Planes) -> None:
    """Write a stage into an array of `shape`."""
    stage.board.observe(planes[: len(PLANES)])
    if not stage.plays:
        planes[_PLACEMENTS] = planes[_PASS_ENDS] = 0.0
    if stage.numbering.pie:
        everywhere = (
            stage.phase is SpielPhase.OFFERING,
            stage.phase is SpielPhase.CHOOSING,
            stage.swapped,
            stage.game.komi / stage.game.board.count,
        )
        planes[len(PLANES) :] = np.array(everywhere, np.float32)[:, None, None]


def in_words(stage: SpielStage) -> str:
    """Return a text of everything that the rules depend on: equal texts mean equal stages."""
    position, players = stage.position, stage.position.game.players
    lines = [as_text(position), ""]
    if stage.numbering.pie:
        changed = ", sides changed" if stage.swapped else ""
        lines.append(f"{stage.phase.name.lower()}, komi {position.game.komi:g}{changed}")
    to_move = f"to move: {players[position.to_move]}"
    lines.append(f"over: {position.result()}" if stage.over else to_move)
    for field in attrs.fields(type(position)):
        if field.name in _OF_ALL or not field.eq:
            continue
        value = getattr(position, field.name)
        if isinstance(value, tuple):  # the boards so far: the moves determine them
            moves = " ".join(map(position.name_of, stage.so_far.moves))
            lines.append(f"moves: {moves}" if moves else "moves: none")
        elif value != field.default:
            shown = players[value] if isinstance(value, Player) else str(value).lower()
            lines.append(f"{field.name.replace('_', ' ')}: {shown}")
    return "\n".join(lines)


class BoardPlanes:
    """An OpenSpiel observer with a `tensor`, a view of it in `dict`, and a text.

    Both players see the same.
    """

    def __init__(self, game: Game, *, pie: bool) -> None:
        planes = np.zeros(shape(game, pie=pie), np.float32)
        self.tensor = planes.reshape(-1)
        self.dict = {"observation": planes}

    def set_from(self, state: object, player: int) -> None:
        """Write a state into the tensor."""
        del player
        draw(stage_of(state), self.dict["observation"])

    def string_from(self, state: object, player: int) -> str:
        """Return the text of a state."""
        del player
        return in_words(stage_of(state))


def stage_of(state: object) -> SpielStage:
    """Return the stage of an OpenSpiel state."""
    stage: SpielStage = state.__dict__["stage"]
    return stage


_OF_ALL = {field.name for field in attrs.fields(Position)}
