"""The bot: its games, places where it thinks about them, and the site on the other end.

Everything but thinking runs on the reactor's thread. After anything that may have changed what
is to be done, `_look` starts it: as many thoughts as there are places for, the game with the least
time left first, at most one thought and one message a game.
"""

import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import attrs
from twisted.internet.defer import CancelledError, Deferred, DeferredList
from twisted.internet.task import LoopingCall, deferLater
from twisted.python.failure import Failure

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.places import OwnThreads, Places
from linage_bot.engine.worker import PlaceGone, Worker
from linage_bot.servers.abstract_play.decision import Choice, Chooser
from linage_bot.servers.abstract_play.games import Games, retry_seconds
from linage_bot.servers.abstract_play.payloads import Challenge, MoveWanted
from linage_bot.servers.abstract_play.position import BadGame
from linage_bot.servers.abstract_play.settings import BotSettings
from linage_bot.servers.abstract_play.site import Refusal, SiteClient, Unreachable
from linage_bot.servers.abstract_play.store import Turn
from linage_bot.settings.playing import PlaySettings

_log = logging.getLogger(__name__)

_LOOK_SECONDS: Final = 1.0  # between two looks for what is to be tried again
_LONG_SECONDS: Final = 3600.0  # more than any number of visits takes


@attrs.frozen
class ChooseWord:
    """A thought about a turn: all there is to know for whoever thinks."""

    turn: Turn
    settings: PlaySettings
    limits: Limits

    def run(self, stopped: threading.Event) -> Choice:
        """The word to send."""
        banned = frozenset(self.turn.banned)
        engine = Engine(self.settings)
        return Chooser(engine, self.limits, stopped, banned).choose(self.turn.position())


@attrs.frozen(eq=False)
class _UnderWay:
    """A turn that is thought about."""

    turn: Turn
    place: str
    worker: Worker[Choice]


class Bot:
    """Plays all its games until it is told to stop."""

    def __init__(
        self,
        reactor: Any,
        settings: BotSettings,
        games: Games,
        site: SiteClient,
        now: Callable[[], float] = time.time,
        places: Places | None = None,
    ) -> None:
        """Without other places it thinks here, about one game at a time."""
        self._reactor = reactor
        self._settings = settings
        self._games = games
        self._site = site
        self._now = now
        self._places = places or OwnThreads(1)
        self._thinking: dict[str, _UnderWay] = {}  # by game
        self._sending: dict[str, Deferred[None]] = {}
        self._watch = LoopingCall(self._look)
        self._watch.clock = reactor
        self._recovering: Deferred[None] | None = None
        self._stopping = False
        self._thought_over: Deferred[None] | None = None

    def start(self) -> None:
        """Go on where the last run ended, and look for what was missed."""
        self._recovering = Deferred.fromCoroutine(self._recover())
        self._recovering.addErrback(Failure.trap, CancelledError)
        self._places.watch(lambda: self._reactor.callFromThread(self._look))
        self._watch.start(_LOOK_SECONDS).addErrback(_broken, "looking for work")

    def challenged(self, challenge: Challenge) -> str | None:
        """Accept a challenge, or tell why not."""
        if self._stopping:
            return "the bot is stopping"
        return self._games.challenged(challenge, self._now())

    def wanted(self, wanted: MoveWanted) -> str | None:
        """Take up a turn, or tell why not; raises `BadGame`."""
        reason = self._games.wanted(wanted, self._now())
        self._look()
        return reason

    async def stop(self) -> None:
        """Finish the moves being thought about, send what is chosen once more, and rest."""
        self._stopping = True
        if self._watch.running:
            self._watch.stop()
        if self._recovering is not None:
            self._recovering.cancel()
        if self._thinking:
            self._thought_over = Deferred()
            await self._thought_over
        self._send_due()
        await DeferredList(list(self._sending.values()))

    def hurry(self) -> None:
        """Drop all thoughts; what they were about is taken up at the next start."""
        self._stopping = True
        for thought in self._thinking.values():
            thought.worker.stop()

    # -------------------------------------------------------------------------- work

    def _look(self) -> None:
        """Start whatever can be started now."""
        if self._stopping:
            return
        for thought in self._thinking.values():
            if not self._games.is_due(thought.turn):
                thought.worker.stop()  # the game has moved on
        while (turn := self._games.next_to_choose(self._thinking)) is not None:
            place = self._place(turn)
            if place is None:
                break
            self._think(turn, place)
        self._send_due()

    # ---------------------------------------------------------------------- thinking

    def _place(self, turn: Turn) -> str | None:
        """Where a turn can be thought about now."""
        game = turn.position().position.game
        self._places.prepare(game)
        used = Counter(thought.place for thought in self._thinking.values())
        ready = self._places.ready(game)
        free = [place for place, most in ready.items() if used[place] < most]
        return min(free, key=lambda place: used[place], default=None)

    def _think(self, turn: Turn, place: str) -> None:
        task = ChooseWord(turn, self._settings.play.agent, self._limits(turn))

        def done(found: Choice | Exception) -> None:
            self._reactor.callFromThread(self._thought, turn, worker, found)

        worker = self._places.worker(place, task.run, done)
        self._thinking[turn.game] = _UnderWay(turn, place, worker)
        worker.begin()

    def _limits(self, turn: Turn) -> Limits:
        limits = Limits.of(self._settings.play.agent)
        most = self._games.seconds_for(turn, self._now())
        if limits.seconds is None:
            return Limits(limits.visits, most) if most < _LONG_SECONDS else limits
        return Limits(limits.visits, min(most, limits.seconds))

    def _thought(self, turn: Turn, worker: Worker[Choice], found: Choice | Exception) -> None:
        del self._thinking[turn.game]
        try:
            if isinstance(found, PlaceGone):  # it is thought about again
                _log.info("game %s: %s", turn.game, found)
            elif isinstance(found, Exception):  # the game is left alone; the others go on
                _log.error("game %s: a search failed", turn.game, exc_info=found)
                self._games.refused(turn, True, self._now())
            elif not worker.stopped.is_set():
                _log.info("game %s, ply %s: %s: %s", turn.game, turn.ply, found.word, found.reason)
                self._games.chosen(turn, found.word, self._now())
        finally:  # whoever stops the bot waits, even if the disk is full
            if self._thought_over is not None and not self._thinking:
                self._thought_over.callback(None)
        self._look()

    # ----------------------------------------------------------------------- sending

    def _send_due(self) -> None:
        for turn in self._games.to_send(self._sending, self._now()):
            sending = Deferred.fromCoroutine(self._send(turn)).addErrback(self._failed, turn)
            if not sending.called:
                self._sending[turn.game] = sending
                sending.addCallback(self._sent, turn)

    def _failed(self, failure: Failure, turn: Turn) -> None:
        """A bug, or a full disk; the other games go on."""
        delay = self._games.failed(turn, self._now())
        trace = failure.getTraceback()
        _log.error("game %s: sending failed; again in %.0f s: %s", turn.game, delay, trace)

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
            _log.warning("game %s makes no sense: %s", turn.game, error)
            self._games.refused(turn, True, self._now())
        except Unreachable as error:
            delay = self._games.not_sent(turn, self._now())
            _log.warning("game %s: %s; again in %.0f s", turn.game, error, delay)
        except Refusal as refusal:
            _log.warning("game %s: %s was refused: %s", turn.game, turn.word, refusal)
            self._games.refused(turn, refusal.for_good, self._now())
        else:
            _log.info("game %s: %s was taken", turn.game, turn.word)
            self._games.accepted(turn, self._now())

    # ---------------------------------------------------------------------- recovery

    async def _recover(self) -> None:
        """Look through the site's list of games now and then, sooner where that failed."""
        tries = 0
        while True:
            try:
                found = await self._look_through()
            except Exception:  # a bug, or a full disk; the games go on
                _log.exception("looking through the list of games failed")
                found = False
            if self._stopping:
                return
            delay = self._settings.site.recover_seconds
            if not found:
                delay = min(delay, retry_seconds(self._settings.site, tries))
            tries = 0 if found else tries + 1
            self._look()
            await deferLater(self._reactor, delay)

    async def _look_through(self) -> bool:
        """Whether the site could be asked about everything."""
        asked = self._now()
        try:
            games = await self._site.current_games()
        except (Unreachable, Refusal) as error:
            if not self._stopping:
                _log.warning("the list of games cannot be had: %s", error)
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
                    _log.warning("game %s cannot be had: %s", game.game, error)
                found = False
            except BadGame as error:
                _log.warning("game %s makes no sense: %s", game.game, error)
            else:
                if reason is None:
                    _log.info("game %s: found to be our turn", game.game)
                self._look()
        return found


def _broken(failure: Failure, what: str) -> None:
    """A bug, or a full disk; the other games go on."""
    _log.error("%s: %s", what, failure.getTraceback())
