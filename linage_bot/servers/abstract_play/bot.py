"""The bot: its games, the queue of their searches, and the client of the site.

Everything but searching runs on the reactor's thread. After anything that may have changed the
work to do, `_look` starts it: searches, the game with the least time left first, and messages;
at most one search and one message a game.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.internet.task import LoopingCall, deferLater
from twisted.python.failure import Failure

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.jobs.executor import Executor, ThreadExecutor, WorkerLost
from linage_bot.jobs.queue import Job, JobQueue
from linage_bot.servers.abstract_play.decision import BotMoveChooser, ChosenMove
from linage_bot.servers.abstract_play.games import Games, retry_seconds
from linage_bot.servers.abstract_play.payloads import Challenge, MoveWanted
from linage_bot.servers.abstract_play.position import BadGame
from linage_bot.servers.abstract_play.settings import BotSettings
from linage_bot.servers.abstract_play.site import Refusal, SiteClient, Unreachable
from linage_bot.servers.abstract_play.store import Turn
from linage_bot.settings.playing import PlaySettings

_log = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 1.0  # between two checks for retries that are due
_LONG_SECONDS: Final = 3600.0  # more than any number of visits takes


@attrs.frozen
class MoveRequest:
    """A job that chooses the word for a turn, with all that a worker needs to run it."""

    turn: Turn
    settings: PlaySettings
    limits: Limits

    def run(self, stopped: threading.Event) -> ChosenMove:
        """Search the turn's position and return the word to send."""
        banned = frozenset(self.turn.banned)
        engine = Engine(self.settings)
        return BotMoveChooser(engine, self.limits, stopped, banned).choose(self.turn.position())


class Bot:
    """The bot: plays all its games until `stop` is called."""

    def __init__(
        self,
        reactor: Any,
        settings: BotSettings,
        games: Games,
        site: SiteClient,
        now: Callable[[], float] = time.time,
        executor: Executor | None = None,
    ) -> None:
        """Create a bot; without `executor` it searches in this process, one game at a time."""
        self._reactor = reactor
        self._settings = settings
        self._games = games
        self._site = site
        self._now = now
        self._queue: JobQueue[str, Turn, ChosenMove] = JobQueue(
            executor or ThreadExecutor(1),
            self._next_job,
            self._chosen,
            call=reactor.callFromThread,
        )
        self._sending: dict[str, Deferred[None]] = {}
        self._watch = LoopingCall(self._look)
        self._watch.clock = reactor
        self._recovering: Deferred[None] | None = None
        self._stopping = self._dropping = False
        self._all_chosen: Deferred[None] | None = None

    def start(self) -> None:
        """Resume the games of the last run, and look for missed webhooks."""
        self._recovering = Deferred.fromCoroutine(self._recover())
        self._recovering.addErrback(Failure.trap, CancelledError)
        self._queue.watch()
        self._watch.start(_LOOK_SECONDS).addErrback(_log_unexpected, "fetching the list of games")

    def challenged(self, challenge: Challenge) -> str | None:
        """Accept a challenge and return None, or return the reason to refuse it."""
        if self._stopping:
            return "the bot is stopping"
        return self._games.challenged(challenge, self._now())

    def wanted(self, wanted: MoveWanted) -> str | None:
        """Record a turn and return None, or return why there is nothing to do; raise `BadGame`."""
        reason = self._games.wanted(wanted, self._now())
        self._look()
        return reason

    async def stop(self) -> None:
        """Finish the running searches, try once more to send the chosen words, and stop."""
        self._stopping = True
        if self._watch.running:
            self._watch.stop()
        if self._recovering is not None:
            self._recovering.cancel()
        if self._queue.running:
            self._all_chosen = Deferred()
            await self._all_chosen
        self._send_due()
        await DeferredList(list(self._sending.values()))

    def stop_searches(self) -> None:
        """Stop all searches at once; their turns are searched again after the next start."""
        self._stopping = self._dropping = True
        self._queue.stop()

    # -------------------------------------------------------------------------- work

    def _look(self) -> None:
        """Stop outdated searches; queue the searches and send the words that are due."""
        if self._stopping:
            return
        for game, turn in self._queue.running.items():
            if not self._games.is_due(turn):
                self._queue.stop_job(game)  # the game has moved on
        self._queue.add_all(turn.game for turn in self._games.due())
        self._send_due()

    # --------------------------------------------------------------------- searching

    def _next_job(self, game: str) -> Job[Turn, ChosenMove] | None:
        turn = None if self._stopping else self._games.due_turn(game)
        if turn is None:
            return None
        task = MoveRequest(turn, self._settings.play.agent, self._limits(turn))
        priority = math.inf if turn.deadline is None else turn.deadline
        return Job(turn, task.run, turn.position().position.game, priority)

    def _limits(self, turn: Turn) -> Limits:
        limits = Limits.of(self._settings.play.agent)
        most = self._games.seconds_for(turn, self._now())
        if limits.seconds is None:
            return Limits(limits.visits, most) if most < _LONG_SECONDS else limits
        return Limits(limits.visits, min(most, limits.seconds))

    def _chosen(self, game: str, turn: Turn, found: ChosenMove | Exception) -> None:
        try:
            if isinstance(found, WorkerLost):
                _log.info("game %s: searching again: %s", game, found)
            elif isinstance(found, Exception):  # this game is dropped; the others continue
                _log.error("game %s: a search failed", game, exc_info=found)
                self._games.refused(turn, True, self._now())
            elif not self._dropping:
                _log.info("game %s, ply %s: %s: %s", game, turn.ply, found.word, found.reason)
                self._games.chosen(turn, found.word, self._now())
        finally:  # `stop` waits for this, even if the disk is full
            if self._all_chosen is not None and not self._queue.running:
                self._all_chosen.callback(None)
        self._look()

    # ----------------------------------------------------------------------- sending

    def _send_due(self) -> None:
        for turn in self._games.to_send(self._sending, self._now()):
            sending = Deferred.fromCoroutine(self._send(turn)).addErrback(self._failed, turn)
            if not sending.called:
                self._sending[turn.game] = sending
                sending.addCallback(self._sent, turn)

    def _failed(self, failure: Failure, turn: Turn) -> None:
        """Log an unexpected error, such as a bug or a full disk; the other games continue."""
        delay = self._games.failed(turn, self._now())
        trace = failure.getTraceback()
        _log.error("game %s: sending failed; retrying in %.0f s: %s", turn.game, delay, trace)

    def _sent(self, _result: None, turn: Turn) -> None:
        del self._sending[turn.game]
        self._look()

    async def _send(self, turn: Turn) -> None:
        assert turn.word is not None  # it is chosen
        try:
            # It may have been taken already, and `pass` would be for a later ply, too.
            if turn.tries > 0:
                wanted = await self._site.game(turn.game)
                if not self._games.looked_up(turn, wanted, self._now()):
                    return
            await self._site.move(turn.game, turn.word)
        except BadGame as error:
            _log.warning("game %s is invalid: %s", turn.game, error)
            self._games.refused(turn, True, self._now())
        except Unreachable as error:
            delay = self._games.not_sent(turn, self._now())
            _log.warning("game %s: %s; retrying in %.0f s", turn.game, error, delay)
        except Refusal as refusal:
            _log.warning("game %s: %s was refused: %s", turn.game, turn.word, refusal)
            self._games.refused(turn, refusal.for_good, self._now())
        else:
            _log.info("game %s: %s was accepted", turn.game, turn.word)
            self._games.accepted(turn, self._now())

    # ---------------------------------------------------------------------- recovery

    async def _recover(self) -> None:
        """Check the site's list of games at intervals, sooner after a failure."""
        tries = 0
        while True:
            try:
                found = await self._check_games()
            except Exception:  # a bug, or a full disk; the games continue
                _log.exception("reading the list of games failed")
                found = False
            if self._stopping:
                return
            delay = self._settings.site.recover_seconds
            if not found:
                delay = min(delay, retry_seconds(self._settings.site, tries))
            tries = 0 if found else tries + 1
            self._look()
            await deferLater(self._reactor, delay)

    async def _check_games(self) -> bool:
        """Check the list of games; return whether every request to the site succeeded."""
        asked = self._now()
        try:
            games = await self._site.current_games()
        except (Unreachable, Refusal) as error:
            if not self._stopping:
                _log.warning("the list of games cannot be fetched: %s", error)
            return False
        found = True
        for game in self._games.listed(games, asked, self._now()):
            if self._stopping:
                return False
            try:
                asked = self._now()
                wanted = await self._site.game(game.game)
                reason = self._games.fetched(game, wanted, asked, self._now())
            except (Unreachable, Refusal) as error:
                if not self._stopping:
                    _log.warning("game %s cannot be fetched: %s", game.game, error)
                found = False
            except BadGame as error:
                _log.warning("game %s is invalid: %s", game.game, error)
            else:
                if reason is None:
                    _log.info("game %s: it is our turn", game.game)
                self._look()
        return found


def _log_unexpected(failure: Failure, what: str) -> None:
    """Log an unexpected error, such as a bug or a full disk; the other games continue."""
    _log.error("%s: %s", what, failure.getTraceback())
