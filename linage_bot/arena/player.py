"""Any engine of others as an object that chooses moves and analyses positions.

For scripts and notebooks: it waits for each answer and needs no reactor. `GtpPlayer` and
`UgiPlayer` add the commands of their protocols.
"""

from __future__ import annotations

import abc
import shlex
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Self

from linage_bot.arena.blocking_process import BlockingProcess
from linage_bot.arena.external_search import ExternalSearch, ReadLines
from linage_bot.engine.analysis import Analysis
from linage_bot.engine.calls import Calls, exclusive
from linage_bot.engine.limits import DEFAULT_SECONDS, Limits
from linage_bot.engine.solver.proven_values import ended
from linage_bot.rules.arguments import check_given
from linage_bot.rules.boards import NoSuchPoint
from linage_bot.rules.game import IllegalMove, Position
from linage_bot.rules.history import History
from linage_bot.settings.checks import check_limit
from protocol.session.asking import AskingSession
from protocol.session.errors import CannotStart, LocalProtocolError, RemoteProtocolError

_INTERVAL_SECONDS: Final = 0.1  # between the reports of a search for one analysis

OptionValue = str | int | float | bool


class ExternalPlayer(abc.ABC):
    """An engine in a process of its own, from the creation of this object until `close`.

    On Linux it does not outlive the thread that created it. Like `Engine` it runs one call at a
    time: another one raises `RuntimeError`, and any after `close` raises `EngineClosed`.

    Other failures are the exceptions of `protocol.session.errors`: `CommandFailed` when the engine
    refuses, `EngineTimeout` when it is too slow, `ConnectionLost` when it has died, and
    `RemoteProtocolError` when it breaks the protocol or its answer is not a legal move.
    """

    def __init__(self, command: str | Sequence[str], timeout_seconds: float | None = None) -> None:
        """Start the engine; raises `CannotStart`, and the exceptions of `ask`.

        `timeout_seconds` is how long an answer may take, beyond the time that the engine was given
        for it, and the next line of an analysis. None: for ever. It may be changed later. Raises
        `ValueError` unless it is a finite number from 0 up.
        """
        try:
            argv = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise CannotStart(str(command), str(error)) from None
        if not argv:
            raise CannotStart("", "the command line is empty")
        self.calls = Calls()
        self.timeout_seconds = timeout_seconds
        self._process = BlockingProcess(argv, self._new_session())
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The engine's own name; raises the exceptions of `ask`."""

    @property
    @abc.abstractmethod
    def options(self) -> Mapping[str, str]:
        """The values of the engine's options by name, those it has; see `ask` for exceptions."""

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first: `> ` for commands, `< ` for answers."""
        return self._process.transcript

    @abc.abstractmethod
    def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set options of the engine, by name.

        Raises `LocalProtocolError` for an option that it does not have, and the exceptions of
        `ask`.
        """

    @abc.abstractmethod
    def ask(self, name: str, *arguments: str) -> str:
        """Send any command and return the text of its answer.

        Raises `CommandFailed`, `EngineTimeout`, `ConnectionLost`, `RemoteProtocolError`, and
        `LocalProtocolError` for a command that the protocol cannot express.
        """

    @exclusive
    def play(
        self,
        history: History | Position,
        limits: Limits | None = None,
        stopped: threading.Event | None = None,
    ) -> str | None:
        """Return the engine's move in a game: a vertex or `pass`, as `History.play` accepts it.

        None if it resigns. Without limits its own settings apply; of `limits` only `visits` and
        `seconds` are sent. If `stopped` is set early, the engine is interrupted, and then has at
        most ten seconds to move. Raises the exceptions of `ask`, and `LocalProtocolError` if the
        game is over or the engine has no command for the position or the limits.
        """
        history, stopped = _checked(history, limits, stopped)
        if history.position.over:
            raise LocalProtocolError("the game is over")
        answer = self._choose(history, limits or Limits(), stopped).strip()
        after = _after(history, answer)
        self._played(after or history)
        return None if after is None else history.position.name_of(after.moves[-1])

    @exclusive
    def analyse(
        self,
        history: History | Position,
        limits: Limits | None = None,
        stopped: threading.Event | None = None,
    ) -> Analysis:
        """Return the engine's analysis of a position after a search, by default of five seconds.

        The search ends at the first of `visits` and `seconds`, or when `stopped` is set, but not
        before the engine has reported anything, unless it was stopped. GTP engines, which have no
        limit of visits, are stopped at the next report, a tenth of a second later. See `analysis`.
        """
        history, stopped = _checked(history, limits, stopped)
        limits = limits or Limits(seconds=DEFAULT_SECONDS)
        analysis = Analysis(position=history.position)
        if history.position.over:
            return Analysis.of_proof(history.position, ended(history.position))
        search = self._search(history, limits, _INTERVAL_SECONDS, stopped)
        try:
            while (update := search.next()) is not None:
                analysis = update
        finally:
            search.close()
        return analysis

    @exclusive
    def analysis(
        self,
        history: History | Position,
        *,
        interval_seconds: float = 1.0,
        visits: int | None = None,
        stopped: threading.Event | None = None,
    ) -> Iterator[Analysis]:
        """Return an iterator of analyses of the position from longer and longer searches.

        They come when the engine reports something new, but at most once an interval, and hold what
        it reports: candidates best first, without owners and, unless it is ours, without proofs.

        The iterator ends at this number of visits, when `stopped` is set, when the engine is called
        again, when it has proven the position's value, and when it has reported nothing for
        `timeout_seconds`. To end it earlier, stop iterating; `close` then stops the search at once.
        Raises the exceptions of `ask`, also `RemoteProtocolError` for a report that makes no sense,
        and `LocalProtocolError` if the engine has no command to analyse.
        """
        check_limit("interval_seconds", interval_seconds)
        limits = Limits(visits)
        history, stopped = _checked(history, limits, stopped)
        if history.position.over:
            return iter((Analysis.of_proof(history.position, ended(history.position)),))
        return self._updates(history, limits, interval_seconds, stopped)

    def close(self) -> None:
        """Send `quit`, and kill the rest of the engine two seconds later.

        At any time, from any thread: during another call, which then raises `ConnectionLost`, the
        engine is killed at once.
        """
        self.calls.closed = True
        try:
            with self.calls.alone():
                self._process.close()
        except RuntimeError:  # a call is running
            self._process.close(at_once=True)

    # For the two protocols

    @abc.abstractmethod
    def _new_session(self) -> AskingSession:
        """Return the session of a new process."""

    @abc.abstractmethod
    def _greet(self) -> None:
        """Query the engine's commands or options; raises the exceptions of `ask`."""

    @abc.abstractmethod
    def _choose(self, history: History, limits: Limits, stopped: threading.Event) -> str:
        """Return the engine's answer to the request for a move."""

    @abc.abstractmethod
    def _played(self, history: History) -> None:
        """Note the game after the engine's move, or the same game if it resigned."""

    @abc.abstractmethod
    def _set_position(self, history: History) -> None:
        """Bring the engine's board to a position."""

    @abc.abstractmethod
    def _search_words(
        self, history: History, limits: Limits, interval_seconds: float
    ) -> Sequence[str]:
        """Return the command that analyses a position; raises `LocalProtocolError` without one."""

    @abc.abstractmethod
    def _reader(self, position: Position) -> ReadLines:
        """Return the function that reads the lines of one search."""

    def _ask(self, *words: str) -> str:
        return self._process.ask(*words, timeout_seconds=self.timeout_seconds)

    def _timeout_after(self, seconds: float | None) -> float | None:
        """Return the timeout of an answer for which the engine is given this time."""
        if self.timeout_seconds is None or seconds is None:
            return self.timeout_seconds
        check_limit("timeout_seconds", self.timeout_seconds)
        return self.timeout_seconds + seconds

    def _search(
        self, history: History, limits: Limits, interval_seconds: float, stopped: threading.Event
    ) -> ExternalSearch:
        words = self._search_words(history, limits, interval_seconds)
        self._set_position(history)
        timeout = self._timeout_after(interval_seconds)
        stream = self._process.stream(*words, timeout_seconds=timeout)
        read = self._reader(history.position)
        return ExternalSearch(stream, read, limits, interval_seconds, stopped)

    def _updates(
        self, history: History, limits: Limits, interval_seconds: float, stopped: threading.Event
    ) -> Iterator[Analysis]:
        search: ExternalSearch | None = None
        try:
            while not self.calls.closed:
                with self.calls.alone():
                    if search is None:
                        search = self._search(history, limits, interval_seconds, stopped)
                    update = search.next()
                if update is None:
                    return
                yield update
        finally:
            if search is not None:
                with self.calls.alone():
                    search.close()


def _checked(
    history: History | Position, limits: Limits | None, stopped: threading.Event | None
) -> tuple[History, threading.Event]:
    """Return the arguments of a call with their defaults; raises `TypeError`."""
    check_given(Limits, limits=limits)
    check_given(threading.Event, stopped=stopped)
    return History.of(history), stopped or threading.Event()


def _after(history: History, answer: str) -> History | None:
    """Return the game after an engine's move, None if it resigns; raises `RemoteProtocolError`."""
    if answer.lower() == "resign":
        return None
    try:
        return history.play(answer)
    except NoSuchPoint:
        raise RemoteProtocolError("not a move", answer[:80]) from None
    except IllegalMove as error:
        raise RemoteProtocolError(f"illegal move: {error.reason}", answer[:80]) from None
