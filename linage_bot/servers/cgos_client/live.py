"""A participant's current game and its results, as a status line can show them."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import attrs

from protocol.cgos.analysis import parse_cgos_json
from protocol.cgos.player import MoveAnswer
from protocol.cgos.server import ProtocolQuery, Setup
from protocol.cgos.words import Rated, TimedMove
from protocol.session.arguments import Colour
from protocol.session.errors import RemoteProtocolError

_FAILURES_FORGIVEN: Final = 1  # of the engine, in one game


@attrs.define(eq=False)
class LiveGame:
    """The current game of a participant, by the `rules` that the server or the settings name."""

    setup: Setup
    rules: ProtocolQuery
    colour: Colour
    moves: list[TimedMove] = attrs.field(init=False)  # at first those of the setup
    comments: dict[int, str] = attrs.field(factory=dict)
    failures: int = 0  # of the engine
    over: bool = False  # or no longer ours to play

    @moves.default
    def _moves_before(self) -> list[TimedMove]:
        return list(self.setup.moves)

    @property
    def opponent(self) -> Rated:
        """The opponent and its rating."""
        return self.setup.white if self.colour is Colour.BLACK else self.setup.black

    @property
    def given_up(self) -> bool:
        """Whether the engine has failed too often, so that the game is resigned for it."""
        return self.failures > _FAILURES_FORGIVEN

    def is_same(self, setup: Setup) -> bool:
        """Return whether a setup is about this game; its ratings may differ."""
        return _identity(setup) == _identity(self.setup)

    def resume(self, setup: Setup) -> None:
        """Use the server's moves after a reconnection, and drop the comments on later ones."""
        self.moves = list(setup.moves)
        self.comments = {n: text for n, text in self.comments.items() if n <= len(setup.moves)}

    def answered(self, answer: MoveAnswer, ms_left: int) -> None:
        """Record our move, unless it was to resign."""
        if answer.move != "resign":
            self.moves.append(TimedMove(answer.move, ms_left))
            if comment := _comment(answer.analysis):
                self.comments[len(self.moves)] = comment


def move_words(moves: Iterable[TimedMove]) -> list[str]:
    """Return moves for comparison, without clocks, which are unknown for our own moves."""
    return [each.move.upper() for each in moves]


def _identity(setup: Setup) -> tuple[object, ...]:
    names = setup.white.name, setup.black.name
    return setup.number, setup.size, setup.komi, setup.level_ms, *names


def _comment(analysis: str) -> str:
    """Return the engine's evaluation in a line; empty if there is none."""
    try:
        best = parse_cgos_json(analysis)[0]
    except (RemoteProtocolError, IndexError):
        return ""
    opinion = f"win rate {best.winrate:.1%}, score {best.score_lead:+.1f}, {best.visits} visits"
    return f"{opinion}: {' '.join(best.pv)}"


def outcome(result: str, colour: Colour) -> str:
    """Return the meaning of CGOS's result for a side: `won`, `lost`, `drawn` or, else, `void`."""
    if result.lower() in ("draw", "0"):
        return "drawn"
    if result[:2].lower() not in ("b+", "w+"):
        return "void"
    return "won" if result[0].lower() == colour.value else "lost"


def tally_text(tally: Counter[str]) -> str:
    """Return the counts of the outcomes, without void games: `3 won, 1 lost`."""
    drawn = f", {tally['drawn']} drawn" if tally["drawn"] else ""
    return f"{tally['won']} won, {tally['lost']} lost{drawn}"
