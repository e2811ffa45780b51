"""What a participant is at: its game and what it has won, as a status line can show it."""

from __future__ import annotations

import attrs

from linage_bot.servers.cgos_client.player import AnnouncedGame
from protocol.analysis import MoveInfo
from protocol.arguments import Colour
from protocol.cgos import Setup
from protocol.cgos_analysis import parse_cgos_json
from protocol.cgos_player import MoveAnswer
from protocol.cgos_words import Rated, TimedMove
from protocol.errors import RemoteProtocolError


@attrs.define(eq=False)
class LiveGame:
    """The game a participant plays now."""

    setup: Setup
    rules: AnnouncedGame
    colour: Colour
    moves: list[TimedMove] = attrs.field(init=False)  # those of the setup to begin with
    comments: dict[int, str] = attrs.field(factory=dict)
    failures: int = 0  # of the engine
    engine_knows: bool = False  # the position
    over: bool = False  # or no longer ours to play

    @moves.default
    def _moves_before(self) -> list[TimedMove]:
        return list(self.setup.moves)

    @property
    def now(self) -> Setup:
        """A setup that leads to the position now."""
        return attrs.evolve(self.setup, moves=tuple(self.moves))

    @property
    def opponent(self) -> Rated:
        """Who we play against."""
        return self.setup.white if self.colour is Colour.BLACK else self.setup.black

    def is_same(self, setup: Setup) -> bool:
        """Whether a setup is about this game; ratings may have changed meanwhile."""
        return _identity(setup) == _identity(self.setup)

    def go_on(self, setup: Setup) -> None:
        """Take over what the server says of the game after the connection was lost."""
        self.moves = list(setup.moves)
        self.comments = {n: text for n, text in self.comments.items() if n <= len(setup.moves)}

    def answered(self, answer: MoveAnswer, ms_left: int) -> None:
        """Note our move, unless it was to resign."""
        if answer.move != "resign":
            self.moves.append(TimedMove(answer.move, ms_left))
            if answer.analysis and (comment := _comment(answer.analysis)):
                self.comments[len(self.moves)] = comment


def _identity(setup: Setup) -> tuple[object, ...]:
    names = setup.white.name, setup.black.name
    return setup.number, setup.size, setup.komi, setup.level_ms, *names


def _comment(analysis: str) -> str:
    """The engine's opinion in a line."""
    try:
        candidates = parse_cgos_json(analysis)
    except RemoteProtocolError:
        return ""
    return _words(candidates[0]) if candidates else ""


def _words(best: MoveInfo) -> str:
    line = " ".join(best.pv)
    return (
        f"win rate {best.winrate:.1%}, score {best.score_lead:+.1f}, {best.visits} visits: {line}"
    )


@attrs.frozen
class OwnResults:
    """Games won, lost and drawn; those without a winner that were no draw are not counted."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    def after(self, result: str, colour: Colour) -> OwnResults:
        """The tally after a game with CGOS's word for its result."""
        if result.lower().startswith(f"{colour.value}+"):
            return attrs.evolve(self, won=self.won + 1)
        if result.lower().startswith(f"{colour.other.value}+"):
            return attrs.evolve(self, lost=self.lost + 1)
        if result.lower() in ("draw", "0"):
            return attrs.evolve(self, drawn=self.drawn + 1)
        return self

    def __str__(self) -> str:
        """`3 won, 1 lost`."""
        words = f"{self.won} won, {self.lost} lost"
        return f"{words}, {self.drawn} drawn" if self.drawn else words
