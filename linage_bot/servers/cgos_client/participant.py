"""A participant: one name on one server, and the engine that plays under it.

The game outlives the connection: when that is lost, a new one is made, on which the server sends
the moves so far. The server's requests to the engine become `jobs`.
"""

import logging
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from linage_bot.arena.child import EngineFault
from linage_bot.servers.cgos_client.connection import Link, Reconnector
from linage_bot.servers.cgos_client.jobs import Jobs
from linage_bot.servers.cgos_client.live import LiveGame, move_words, outcome, tally_text
from linage_bot.servers.cgos_client.player import EnginePlayer
from linage_bot.servers.cgos_client.session import Broken, ClientSession, ClientStage, Event
from linage_bot.servers.cgos_client.settings import ClientSettings, PlayerSettings
from linage_bot.servers.cgos_client.sgf import write
from linage_bot.settings.checks import Secret, SettingFault
from protocol.cgos.player import MoveAnswer, Ready
from protocol.cgos.server import GameOver, GenMove, Info, Play, ProtocolQuery, Setup
from protocol.cgos.words import TimedMove
from protocol.transport.endpoints import BadEndpoint

_log = logging.getLogger(__name__)


class Participant:
    """A player on a server, until `finish`, `quit` or a failure ends its session."""

    def __init__(
        self, reactor: Any, settings: ClientSettings, player: PlayerSettings, password: Secret
    ) -> None:
        """Create a participant; raise `SettingFault` for an invalid address."""
        server_name = settings.server_name(player)
        self.name = f"{player.name}@{server_name}"
        self.game: LiveGame | None = None
        self.tally: Counter[str] = Counter()  # of outcomes
        self.ms_left: int | None = None
        self.status = 0  # exit status: 1 if it had to give up, 2 if the user can fix it
        self._settings = settings
        self._server = settings.servers[server_name]
        self._server_name = server_name
        self.player = player
        self._password = password
        self._reactor = reactor
        self._engine = EnginePlayer(
            reactor, self.name, settings.engines[settings.engine_name(player)]
        )
        self._jobs = Jobs(reactor, self.name, self._engine, self._give_up)
        try:
            self._wire = Reconnector(reactor, self.name, self._server, settings.reconnect, self)
        except BadEndpoint as error:
            raise SettingFault(f"servers.{server_name}.address", str(error)) from None
        self._link: Link | None = None
        self._session: ClientSession | None = None
        self._welcomed = False  # once, by the server
        self._holding = False  # outgoing bytes, until the engine is ready to play at once
        self._rules = ProtocolQuery()
        self._finishing = False
        self._left = False
        self._left_at_once = False
        self._failed_games = 0  # in succession
        self._deadline: Any = None  # of a game that may never be resumed

    async def run(self) -> None:
        """Start the engine, connect and play; return after the participant has left the server.

        Raise `SettingFault` if the engine cannot be started at all.
        """
        try:
            await self._engine.start()
            if not self._left:
                await self._wire.run()
        except EngineFault as fault:
            key = f"engines.{self._settings.engine_name(self.player)}.{fault.setting}"
            raise SettingFault(key, fault.reason) from None
        finally:
            self._keep_record(None)
            await self._engine.stop(at_once=self._left_at_once)

    @property
    def stage(self) -> ClientStage:
        """The stage of the conversation."""
        return ClientStage.CLOSED if self._session is None else self._session.stage

    # Leaving

    def finish(self) -> None:
        """Leave as soon as no game is being played."""
        self._finishing = True
        if self.game is None:
            self._leave("finished")
        else:
            self._set_deadline()

    def quit(self) -> None:
        """Leave at once, even during a game."""
        self._left_at_once = True
        self._engine.retire()
        self._leave("stopped by the user")

    def _leave(self, reason: str) -> None:
        self._left = True
        self._jobs.end()
        self._wire.stop()
        self._stop_clock()
        if self._link is not None:
            self._link.close(reason)

    def _give_up(self, reason: str, by_user: bool = False) -> None:
        if not self._left:
            _log.error("%s: %s; leaving the server", self.name, reason)
            self.status = 2 if by_user else 1
            self._leave(reason)

    def _set_deadline(self) -> None:
        """Set a deadline for finishing without a connection: leave after our full clock time.

        The game may have ended during that time, which no server reports at the next login.
        """
        wants_to = self._finishing and not self._left and self._deadline is None
        if wants_to and self.game is not None and self.stage is not ClientStage.PLAYING:
            seconds = self.game.setup.level_ms / 1000
            self._deadline = self._reactor.callLater(
                seconds, self._leave, "the connection did not come back"
            )

    def _stop_clock(self) -> None:
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._deadline = None

    # The wire

    def connected(self, link: Link) -> None:
        """Begin a conversation on a new link."""
        self._link = link
        self._session = ClientSession(self.player.name, self._password)
        self._holding = False
        _log.info("%s: connected", self.name)

    def received(self, data: bytes) -> None:
        """Handle the server's lines."""
        session = self._session
        assert session is not None  # there is one for every link
        for event in session.receive_data(data):
            if self._left:
                break
            self._handle(session, event)
        self._welcomed = self._welcomed or session.welcome
        self._write(session)

    def lost(self) -> None:
        """Handle the loss of the connection; the engine continues its search."""
        if self._session is not None:
            self._session.stage = ClientStage.CLOSED
        self._link = self._session = None
        self._set_deadline()

    def _handle(self, session: ClientSession, event: Event) -> None:
        match event:
            case ProtocolQuery():
                self._greeted(session, event)
            case Setup():
                self._set_up(session, event)
            case Play():
                self._opponent_played(event)
            case GenMove():
                self._asked(session, event)
            case GameOver():
                self._over(session, event)
            case Info():
                _log.debug("%s: message of the server: %s", self.name, event.text)
            case Broken():
                # If we delay the password while the engine compiles, we are late, not refused.
                if event.refused and not self._welcomed and not self._holding:
                    self._give_up(event.reason, by_user=True)
                elif self._link is not None:
                    self._link.close(event.reason)

    def _greeted(self, session: ClientSession, query: ProtocolQuery) -> None:
        """Start the engine for the server's game, or the settings' one; give up on a conflict."""

        def ready() -> None:
            if session is self._session:
                self._holding = False
                self._write(session)

        server = self._server
        game = query.game or server.game or ""
        if server.game not in (None, game):
            self._give_up(f"the server plays {game}, not {server.game}", by_user=True)
            return
        options = query.options or tuple(server.words.items())
        self._rules = attrs.evolve(query, game=game, options=options)
        # After the login the server may begin a game and its clock; in a game it runs already.
        self._holding = self.game is None
        self._jobs.start(self._rules, ready)

    # The game

    def _set_up(self, session: ClientSession, setup: Setup) -> None:
        game = self.game
        if game is not None and game.is_same(setup):
            if move_words(game.moves) != move_words(setup.moves):
                self._engine.interrupt()
            game.resume(setup)
            _log.info(
                "%s: game %s continues after move %s", self.name, setup.number, len(game.moves)
            )
        else:
            self._engine.interrupt()
            self._keep_record(None)
            game = self.game = LiveGame(setup, self._rules, session.colour)
            rating = f" ({game.opponent.rating})" if game.opponent.rating else ""
            words = f"size {setup.size}, komi {setup.komi:g}, {game.colour.name.lower()} against"
            late = f", after move {len(setup.moves)}" if setup.moves else ""
            opponent = f"{game.opponent.name}{rating}{late}"
            _log.info("%s: game %s, %s %s", self.name, setup.number, words, opponent)
        self._stop_clock()
        self._jobs.set_up(game)

    def _opponent_played(self, play: Play) -> None:
        game = self.game
        assert game is not None  # the session reports no move without a game
        game.moves.append(TimedMove(play.move, play.ms_left))
        self._jobs.set_up(game)

    def _asked(self, session: ClientSession, genmove: GenMove) -> None:
        game = self.game
        assert game is not None  # as above
        self.ms_left = genmove.ms_left

        def wanted() -> bool:
            return not game.over and session.stage is not ClientStage.CLOSED

        def answer(answer: MoveAnswer) -> None:
            session.send(answer)
            game.answered(answer, genmove.ms_left)
            self._write(session)

        self._jobs.think(game, genmove, session.analyze, wanted, answer)

    def _over(self, session: ClientSession, over: GameOver) -> None:
        game = self.game
        self._engine.interrupt()
        if game is not None:
            self.tally[outcome(over.result, game.colour)] += 1
            how = over.result + (f", {over.text}" if over.text else "")
            _log.info(
                "%s: game %s: %s (%s)", self.name, game.setup.number, how, tally_text(self.tally)
            )
            self._failed_games = self._failed_games + 1 if game.given_up else 0
            self._keep_record(over)
        if self._failed_games >= self._settings.max_failures:
            self._give_up(f"the engine failed in {self._failed_games} games in succession")
            return
        if self._finishing or self.tally.total() == self.player.games:
            self._jobs.last_game(over.result, lambda: self._leave("finished"))
            return

        def ready() -> None:
            if session.stage is not ClientStage.CLOSED:
                session.send(Ready())
                self._write(session)

        self._jobs.next_game(self._rules, over.result, ready)

    def _keep_record(self, over: GameOver | None) -> None:
        """End the game, if any, and write its record; `over` is None if the end was not seen."""
        game, self.game, self.ms_left = self.game, None, None
        if game is None:
            return
        game.over = True
        if self._settings.sgf is None:
            return
        date = over.date if over else datetime.now(UTC).strftime("%Y-%m-%d")
        result = over.result if over else ""
        try:
            write(Path(self._settings.sgf), self.name, game, self._server_name, date, result)
        except OSError as error:
            _log.error("%s: cannot write the record: %s", self.name, error)

    def _write(self, session: ClientSession) -> None:
        if self._link is not None and not self._holding:
            self._link.write(session.outgoing())
