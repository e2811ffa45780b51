"""The engine's side of UGI without I/O: bytes of requests in, bytes of lines out.

Requests are answered in order, with two exceptions that a search must not delay: while one runs,
`isready` is answered at once, and `stop` ends it. So does `quit`, and the end of the input if the
search would never end by itself. Requests that change anything wait until the search is over, and
so do all requests after them. Every `go` is answered by one `bestmove`, and `stop` applies to all
requests before it: a queued `go` is answered in its turn, with a search that is stopped as soon as
it begins. A search without a limit is also stopped when the queue is so long that nothing more is
read, because a `stop` could not be received. So no request can wait for ever.

The rest is in `answering.py`. The game and the searches are provided by a `UgiBackend`.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from protocol.session.answering import MAX_WAITING, AnsweringSession, Start
from protocol.session.arguments import shown
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, Work
from protocol.ugi.messages import (
    NO_MOVE,
    AreYouReady,
    AskPosition,
    BeginGame,
    Go,
    Leave,
    NotUgi,
    SetOption,
    SetPosition,
    StopThinking,
    UgiGreeting,
    UgiOption,
    UgiRequest,
    UgiRequestDecoder,
    encode_line,
    error_line,
)


class UgiBackend(Protocol):
    """The game and the engine behind a session.

    A method that raises `CommandFailed` has changed nothing; the message is shown to the user.
    """

    name: str
    author: str

    def options(self) -> Iterable[UgiOption]:
        """Return the options, each with its present value as the default."""

    def set_option(self, name: str, value: str) -> str:
        """Set an option; return a note for the user, or an empty string.

        Raises `CommandFailed`.
        """

    def begin_game(self) -> None:
        """Prepare for a new game; raises `CommandFailed`."""

    def set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        """Set a position: a FEN (None for the start) and moves after it; raises `CommandFailed`."""

    def ask(self, question: str) -> str:
        """Return the answer to a question about the position; raises `CommandFailed`."""

    def get_ready(self) -> Work | None:
        """Return the work to do before a game, or None; its successful reply has no text."""

    def think(self, go: Go) -> Work:
        """Return a work whose reply is the chosen move; its progress lines are sent unchanged."""


class UgiSession(AnsweringSession[UgiRequest]):
    """One conversation with one UGI controller."""

    def __init__(
        self, player: UgiBackend, start: Start, on_close: Callable[[], None] | None = None
    ) -> None:
        super().__init__(UgiRequestDecoder(), start, on_close)
        self._player = player
        self._search: Go | None = None  # of the running search; None: the work prepares a game

    def failed(self, error: Exception) -> Reply:
        """Return the reply of a work that could not be started."""
        return Reply(False, f"internal: {error!r}")

    def _enqueue(self, request: UgiRequest, *, arrived: bool = True) -> bytes:
        """Apply a request to the running work or queue it; return the bytes to write at once.

        `arrived`: the request was read while the work ran, so a `quit` is meant to end it.
        """
        work = self._work
        if work is None:
            self._waiting.append(request)
            return b""
        if isinstance(request, StopThinking):
            self._stop_all(work)
            return b""
        if isinstance(request, Leave) and arrived:
            self._stop_all(work)
        elif isinstance(request, Leave):
            work.input_ended()
        if self._search is not None:
            if isinstance(request, AreYouReady):
                return encode_line("readyok")
            if isinstance(request, UgiGreeting | AskPosition | NotUgi) and not self._waiting:
                return self._answer(request)
        self._waiting.append(request)
        if self._search is not None and self._search.infinite and len(self._waiting) > MAX_WAITING:
            self._stop(work)
        return b""

    def _stop_all(self, work: Work) -> None:
        """Stop the running search, and have each queued `go` stopped as soon as it begins."""
        waits = any(isinstance(request, Go) for request in self._waiting)
        if self._search is not None or waits:
            self._stop(work)
        if waits:
            self._waiting.append(StopThinking())

    def _execute(self, request: UgiRequest) -> bytes:
        player = self._player
        match request:
            case UgiGreeting():
                who = [f"id name {player.name}", f"id author {player.author}"]
                return _lines(*who, *(option.line for option in player.options()), "ugiok")
            case AreYouReady():
                work = player.get_ready()
                return _lines("readyok") if work is None else self._begin(work)
            case BeginGame():
                player.begin_game()
            case SetOption(name, value):
                note = player.set_option(name, value)
                return _lines(f"info string {note}") if note else b""
            case SetPosition(fen, moves):
                player.set_position(fen, moves)
            case Go():
                work = player.think(request)
                ignored = " ".join(request.ignored)
                lines = _lines(f"info string ignored: {shown(ignored)}") if ignored else b""
                return lines + self._begin(work, request)
            case AskPosition(question):
                return _lines(f"response {player.ask(question)}")
            case Leave():
                self._close()
            case NotUgi(reason):
                raise CommandFailed(reason)
            case StopThinking():
                pass  # nothing to stop
        return b""

    def _refusal(self, request: UgiRequest, reason: str) -> bytes:
        lines = [error_line(reason)]
        if isinstance(request, Go):
            lines.append(f"bestmove {NO_MOVE}")
        return _lines(*lines)

    def _begin(self, work: Work, go: Go | None = None) -> bytes:
        self._search = go
        super()._begin(work)
        if self._input_ended:
            work.input_ended()
        waiting, self._waiting = self._waiting, deque()
        return b"".join(self._enqueue(request, arrived=False) for request in waiting)

    def _progress(self, text: str) -> bytes:
        return encode_line(text)

    def _final_reply(self, reply: Reply) -> bytes:
        lines = [] if reply.ok else [error_line(reply.text)]
        if self._search is not None:
            lines.append(f"bestmove {reply.text if reply.ok else NO_MOVE}")
        else:
            lines.append("readyok")
        return _lines(*lines)


def _lines(*texts: str) -> bytes:
    return b"".join(map(encode_line, texts))
