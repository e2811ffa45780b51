"""A conversation in KataGo's JSON analysis protocol, without I/O: bytes in, bytes out.

Queries are accepted as they come, and their positions are analysed elsewhere, several at once: the
highest priority first, then the oldest. Every position of an accepted query ends with exactly one
line in which `isDuringSearch` is false, also if it is terminated or fails. An action is answered
at once. After the end of the input the session continues until the last position has ended.

Its driver uses it like an `AnsweringSession`, see `serving.py`: a position begins as a `Work` that
is passed to `start`, and the work's reports are passed to `update`.
"""

import heapq
import itertools
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

import attrs

from protocol.kata.messages import (
    Action,
    BadField,
    BadRequest,
    PositionReport,
    Query,
    echo_line,
    error_line,
    no_results_line,
    result_line,
    warning_line,
)
from protocol.kata.queries import read_request
from protocol.kata.warnings import WarningsOnce
from protocol.session.lines import LineSplitter, Overlong

MAX_LINE_BYTES: Final = 1 << 20
MAX_OPEN: Final = 5000
"""The limit of unfinished positions; a session with more reads no further requests."""
NO_HASH: Final = "<omitted>"
"""The `query_version` hash of a version not built from a repository, as in KataGo."""

Question = TypeVar("Question")
_log = logging.getLogger(__name__)


@attrs.frozen
class AnalysisUpdate:
    """The analysis of a position so far, or None if there is none; `final` marks the last one."""

    report: PositionReport | None
    final: bool = True
    error: str | None = None  # the reason if the analysis failed


class PositionWork(Protocol):
    """The analysis of one position, done elsewhere.

    Each method is called on the thread of the session and returns at once; `stop` only after
    `start`, perhaps more than once, perhaps when the work is already over.
    """

    def start(self, report: Callable[[AnalysisUpdate], None]) -> None:
        """Begin; call `report` from any thread, last with a final update, then no more."""

    def stop(self) -> None:
        """Finish as soon as possible with the analysis so far."""


class AnalysisBackend(Protocol[Question]):
    """An analyser that knows the games; all methods are called on the session's thread."""

    version: str

    def questions(self, query: Query, warn: Callable[[str, str], None]) -> Sequence[Question]:
        """Return one question for each of the query's turns; raises `BadField`.

        Calls `warn` with a field and the reason for each problem that does not prevent the
        analysis.
        """

    def is_foreign(self, query: Query) -> bool:
        """Return whether a query is from a client that knows the protocol, but not our games.

        Such clients may take the first line for the answer. So they get no warnings in advance:
        each warning is part of the next answer, once in a conversation.
        """

    def work(self, question: Question) -> PositionWork:
        """Return the work that will answer a question."""

    def forget(self) -> None:
        """Discard all data kept from earlier queries."""


@attrs.frozen(eq=False)
class _Open(Generic[Question]):
    """A position that has not ended."""

    id: str
    turn: int
    question: Question
    foreign: bool


StartPosition = Callable[[PositionWork], None]
"""A function that starts a work, whose reports reach `AnalysisSession.update` only later."""


class AnalysisSession(Generic[Question]):
    """One conversation with one client.

    At most `at_once` positions run at a time. Each call has two limits: `max_output_bytes` of
    output (except that the last request's answer may exceed it; with 0 no request is answered), and
    `enough`, which is checked between lines. The remaining work is left for the next call, which
    may bring no bytes; `has_more` says whether there is any. If `waits` is false, the end of the
    input ends the session at once.
    """

    def __init__(
        self,
        analyst: AnalysisBackend[Question],
        start: StartPosition,
        at_once: int,
        on_close: Callable[[], None] | None = None,
        *,
        waits: bool = True,
    ) -> None:
        self.max_output_bytes: int | None = None
        self.enough: Callable[[], bool] = lambda: False
        self.closed = False
        self._analyst = analyst
        self._start = start
        self._at_once = at_once
        self._on_close = on_close
        self._waits = waits
        self._splitter = LineSplitter(MAX_LINE_BYTES)
        self._unread: deque[bytes | Overlong] = deque()
        self._input_ended = False
        self._numbers = itertools.count()
        self._waiting: list[tuple[int, int, _Open[Question]]] = []  # a heap
        self._begun: dict[PositionWork, _Open[Question]] = {}
        self._warnings = WarningsOnce()  # of foreign queries

    @property
    def wants_data(self) -> bool:
        """Whether reading should continue; false while received requests are still queued."""
        return not self.closed and not self._unread

    @property
    def has_more(self) -> bool:
        """Whether `receive_data(b"")` would process more."""
        if self.closed:
            return False
        return (bool(self._unread) and self._has_room) or self._may_begin

    @property
    def _has_room(self) -> bool:
        return len(self._waiting) + len(self._begun) <= MAX_OPEN

    @property
    def _may_begin(self) -> bool:
        return bool(self._waiting) and len(self._begun) < self._at_once

    def receive_data(self, data: bytes) -> bytes:
        """Process received bytes and return the bytes to write now."""
        if self.closed or (self._input_ended and data):
            return b""
        self._unread.extend(self._splitter.receive_data(data))
        return self._process()

    def receive_end(self) -> bytes:
        """Process the end of the client's input and return the bytes to write now."""
        if self.closed or self._input_ended:
            return b""
        if not self._waits:
            self.abandon()
            return b""
        self._unread.extend(self._splitter.receive_end())
        self._input_ended = True
        return self._process()

    def update(self, work: PositionWork, update: AnalysisUpdate) -> bytes:
        """Process a work's report and return the bytes to write; ignore reports after its end."""
        open_ = self._begun.get(work)
        if open_ is None or self.closed:
            return b""
        if update.final:
            del self._begun[work]
            self._close_if_done()
        warned = self._warnings.take() if open_.foreign else ()
        if update.report is None:
            return no_results_line(open_.id, open_.turn, update.error, warned)
        final = update.final
        return result_line(open_.id, open_.turn, update.report, final=final, warned=warned)

    def may_be_lost(self, update: AnalysisUpdate) -> bool:
        """Return whether a report may be dropped for a slow client: a later one replaces it."""
        return not update.final

    def failed(self, error: Exception) -> AnalysisUpdate:
        """Return the report of a work that could not be started."""
        return AnalysisUpdate(None, error=f"internal error: {error!r}")

    def abandon(self) -> None:
        """Handle the loss of the client: stop all works and answer nothing more."""
        for work in self._begun:
            work.stop()
        self._close()

    def probe(self) -> bytes:
        """Return a space, which JSON may begin with, to test whether the client is connected."""
        return b" "

    # Requests

    def _process(self) -> bytes:
        output, size = [], 0
        limit = self.max_output_bytes
        while self._unread and self._has_room and (limit is None or size < limit):
            for line in self._answer(self._unread.popleft()):
                output.append(line)
                size += len(line)
            if self.enough():
                break
        # Read all requests first, so that a terminated query is not begun before it is stopped.
        if not self._unread or not self._has_room:
            self._begin()
        self._close_if_done()
        return b"".join(output)

    def _answer(self, line: bytes | Overlong) -> list[bytes]:
        if isinstance(line, Overlong):
            return [error_line(BadRequest(f"a line of more than {MAX_LINE_BYTES} bytes"))]
        if not line.strip():
            return []
        try:
            request = read_request(line)
        except BadRequest as error:
            return [error_line(error)]
        if isinstance(request, Action):
            return self._act(request)
        return self._take(request)

    def _take(self, query: Query) -> list[bytes]:
        """Queue a query's positions; return its warnings, or the error if it is refused."""
        warned = [(field, "this field is not known") for field in query.unknown]

        def warn(field: str, reason: str) -> None:
            warned.append((field, reason))

        try:
            foreign = self._analyst.is_foreign(query)
            questions = self._analyst.questions(query, warn)
        except BadField as error:
            return [error_line(BadRequest(error.reason, error.field, query.id))]
        except Exception as error:
            # The conversation continues after any error; the traceback is for the developer.
            _log.exception("a query failed")
            return [error_line(BadRequest(f"internal error: {error!r}", None, query.id))]
        for turn, priority, question in zip(query.turns, query.priorities, questions, strict=True):
            open_ = _Open(query.id, turn, question, foreign)
            heapq.heappush(self._waiting, (-priority, next(self._numbers), open_))
        if foreign:
            self._warnings.add(warned)
            return []
        return [warning_line(query.id, field, reason) for field, reason in warned]

    def _act(self, action: Action) -> list[bytes]:
        more: dict[str, object] = {}
        if action.name == "query_version":
            more = {"version": self._analyst.version, "git_hash": NO_HASH}
        elif action.name == "query_models":
            more = {"models": []}
        try:
            lines = [echo_line(action, **more)]
        except RecursionError:  # nested lists that could be read but are too deep to write
            return [error_line(BadRequest("nested too deeply to be echoed", None, action.id))]
        if action.name == "clear_cache":
            self._analyst.forget()
        elif action.name.startswith("terminate"):
            lines += self._terminate(action)
        return lines

    def _terminate(self, action: Action) -> list[bytes]:
        """Stop the running positions that match, and end the queued ones at once."""
        for work, open_ in self._begun.items():
            if action.concerns(open_.id, open_.turn):
                work.stop()
        kept: list[tuple[int, int, _Open[Question]]] = []
        ended: list[tuple[int, int, _Open[Question]]] = []
        for waiting in self._waiting:
            open_ = waiting[2]
            (ended if action.concerns(open_.id, open_.turn) else kept).append(waiting)
        if ended:
            heapq.heapify(kept)
            self._waiting = kept
        return [no_results_line(open_.id, open_.turn) for _, _, open_ in sorted(ended)]

    # Positions

    def _begin(self) -> None:
        while self._may_begin:
            _, _, open_ = heapq.heappop(self._waiting)
            work = self._analyst.work(open_.question)
            self._begun[work] = open_
            self._start(work)

    # The end

    def _close_if_done(self) -> None:
        if self._input_ended and not (self._unread or self._waiting or self._begun):
            self._close()

    def _close(self) -> None:
        self.closed = True
        self._unread.clear()
        self._waiting.clear()
        self._begun.clear()
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()
