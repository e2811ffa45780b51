"""One game between two engines, and which engine forfeits when a command fails."""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import attrs
from twisted.internet.defer import Deferred

from linage_bot.arena.child import EngineFault, EngineRefusal
from linage_bot.arena.clocks import PlayerClock
from linage_bot.arena.records import ADJUDICATION, FORFEIT, SCORE, GameRecord, Rules
from linage_bot.arena.referee import Ending, MoveRecorder, Referee, by_claims, forfeit
from linage_bot.match.contestant import Contestant
from linage_bot.match.schedule import Task
from linage_bot.records.record import same_result
from linage_bot.rules.game import Game, Move, Player
from linage_bot.settings.match import MatchSettings

Watch = Callable[[Referee | MoveRecorder], None]  # called after each move


@attrs.define(kw_only=True)
class MatchGame:
    """One game that is played once."""

    task: Task
    game: Game
    sides: tuple[Contestant, Contestant]  # First's and Second's
    opening: tuple[Move, ...]
    settings: MatchSettings
    now: Callable[[], float]  # in seconds
    watch: Watch | None = None
    _agreements: list[str] = attrs.field(factory=list, init=False)
    _refused: EngineFault | None = attrs.field(default=None, init=False)
    """An engine's refusal of a command whose answer was not awaited."""

    async def play(self) -> GameRecord:
        """Play the game to its end; an engine's fault ends it, too, and the engine is stopped."""
        started, begun = datetime.now(UTC), self.now()
        referee: Referee | MoveRecorder = Referee(self.game)
        seconds: list[float] = []
        claims: tuple[str | None, str | None] = (None, None)
        log: tuple[str, ...] = ()
        loser: Player | None = None
        pie = ""
        try:
            if self.settings.pie:
                pie = await self._pie()
            judge = Referee if self.settings.referee else MoveRecorder
            referee = judge(self.game, self.opening, self.settings.max_moves)
            for side in self.sides:
                await self._prepare(side, referee.moves)
            for side in self.sides:
                await side.compile()
            begun = self.now()
            ending = await self._moves(referee, seconds)
            if ending.how == FORFEIT:
                loser = referee.to_move
            elif ending.how == SCORE:
                claims = await self._claims(referee)
                ending = ending if self.settings.referee else by_claims(claims)
        except EngineFault as fault:
            loser = Player(self.sides[1] is fault.engine)
            ending = forfeit(loser, fault.reason, fault.timed_out)
        if loser is not None:
            log = self.sides[loser].log
            await self.sides[loser].stop(at_once=True)
        for side in self.sides:
            side.rest()
        return GameRecord(
            key=self.task.key,
            number=self.task.number,
            players=(self.sides[0].name, self.sides[1].name),
            rules=Rules.of(self.game),
            moves=tuple(referee.moves),
            result=ending.result,
            winner=None if ending.winner is None else int(ending.winner),
            ending=ending.how,
            reason=ending.reason,
            pie=pie,
            opening_moves=len(self.opening),
            seconds=tuple(round(used, 6) for used in seconds),
            claims=claims,
            log=log,
            started=started.isoformat(timespec="seconds"),
            duration_seconds=round(self.now() - begun, 6),
        )

    async def _pie(self) -> str:
        """Let the first player offer a komi or a stone and the second choose a side.

        Sets the game's komi or first move, and the sides; returns a description for the record.
        """
        offering, choosing = self.sides
        await offering.prepare(self.game)
        offer = (await offering.offer()).strip()
        try:
            if self.game.pie == "komi":
                komi = float(offer) if offer.isascii() else math.nan
                self.game = attrs.evolve(self.game, komi=komi)
            else:
                move = self.game.board.point(offer)
                self.game.start().play(move)
                self.opening = (move,)
        except ValueError as error:  # not a number, not a point, not in this game
            raise EngineFault(offering, f"offered {offer!r}: {error}") from None
        await choosing.prepare(self.game)
        choice = (await choosing.choose(offer)).strip().lower()
        if choice not in ("black", "white", "b", "w"):
            raise EngineFault(choosing, f"chose {choice!r}, neither black nor white")
        if choice.startswith("b"):
            self.sides = (choosing, offering)
        side = self.game.players[Player.FIRST if choice.startswith("b") else Player.SECOND]
        return f"{offering.name} offered {offer}, {choosing.name} chose {side}"

    async def _prepare(self, side: Contestant, moves: Sequence[str]) -> None:
        """Set up the board and the opening."""
        await side.prepare(self.game)
        mover = self.game.start().to_move
        for move in moves:
            await side.play(mover, move)
            mover = mover.other

    async def _moves(self, referee: Referee | MoveRecorder, seconds: list[float]) -> Ending:
        """Request moves in turn until the game has ended."""
        clocks = [
            None if side.clock is None else PlayerClock.full(side.clock) for side in self.sides
        ]
        ending = referee.ending()
        while ending is None:
            player = referee.to_move
            clock = clocks[player]
            answer, used = await self._ask_move(player, clock, clocks[player.other])
            seconds.append(used)
            if clock is not None:
                clocks[player] = clock.after(used)
                if clocks[player] is None:
                    return forfeit(player, f"took {used:.2f} s for a move", on_time=True)
            ending = referee.judge(answer)
            if ending is None:
                sent = self._send_move(self.sides[player.other], player, referee.moves[-1])
                Deferred.fromCoroutine(sent)
                if self.settings.agree_moves is not None:
                    ending = await self._agreed(self.settings.agree_moves)
            if self.watch is not None:
                self.watch(referee)
        return ending

    async def _agreed(self, moves: int) -> Ending | None:
        """Query both engines' scores; end the game once they agree on one for `moves` moves."""
        claims = [await self._score_of(side) for side in self.sides]
        if not claims[0] or not same_result(*claims):
            self._agreements.clear()
            return None
        if self._agreements and not same_result(claims[0], self._agreements[-1]):
            self._agreements.clear()
        self._agreements.append(claims[0])
        if len(self._agreements) < moves:
            return None
        reason = f"both engines agreed for {moves} moves"
        return attrs.evolve(by_claims((claims[0], claims[1])), how=ADJUDICATION, reason=reason)

    async def _score_of(self, side: Contestant) -> str:
        """Return an engine's own score; empty if it refuses or has none."""
        try:
            return (await side.score()).strip()
        except EngineRefusal:
            return ""

    async def _ask_move(
        self, player: Player, clock: PlayerClock | None, other: PlayerClock | None
    ) -> tuple[str, float]:
        """Return the engine's move and the seconds it took.

        The engine need not have answered the opponent's move yet, which saves a round trip. Answers
        come in order, so a refusal of that move is known when this one arrives.
        """
        before = self.now()
        try:
            move = await self.sides[player].choose_move(player, clock, other)
        except EngineFault as fault:
            raise self._refused or fault from None
        used = self.now() - before
        if self._refused is not None:
            raise self._refused
        return move, used

    async def _send_move(self, side: Contestant, player: Player, move: str) -> None:
        """Send a move at once; store a refusal, to be raised with the next answer."""
        try:
            await side.play(player, move)
        except EngineFault as fault:
            self._refused = fault

    async def _claims(self, referee: Referee | MoveRecorder) -> tuple[str | None, str | None]:
        """Return the engines' own scores of the final position.

        The game is over, so an error changes nothing about it.
        """
        claims: list[str | None] = []
        for player, side in zip(Player, self.sides, strict=True):
            claim = ""
            try:
                if player is referee.to_move and referee.moves:
                    await side.play(player.other, referee.moves[-1])
                claim = await self._score_of(side)
            except EngineRefusal:
                pass  # a refusal is allowed
            except EngineFault:
                await side.stop(at_once=True)  # else this fault would count in its next game
            claims.append(claim or None)
        return claims[0], claims[1]
