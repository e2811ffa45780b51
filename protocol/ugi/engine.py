"""The engine's side of UGI without I/O: bytes of requests in, bytes of lines out.

What is asked is answered in order, but for two things that a search must not delay: while one runs,
`isready` is answered at once, and `stop` ends it. So does `quit`, and the end of the input where
the search would never end by itself. All that changes anything waits until the search is over, and
so does what comes behind it. Every `go` is answered by one `bestmove`, and `stop` is meant for all
that came before it: a `go` that still waits is answered in its turn, with a search that is stopped
as soon as it begins. A search without a limit is also stopped when so much waits behind it that
nothing more is read, because a `stop` could not be heard. So nothing can wait for ever.

The rest is in `answering.py`. What is thought about is the business of the `UgiPlayer` that the
session speaks for.
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


class UgiPlayer(Protocol):
    """What a session speaks for: a game, and who thinks about it.

    Whatever raises `CommandFailed` has changed nothing then; its message is shown to the user.
    """

    name: str
    author: str

    def options(self) -> Iterable[UgiOption]:
        """What can be set, with its value now as the default."""

    def set_option(self, name: str, value: str) -> str:
        """Set one of them; what the user should know of it, if anything.

        Raises `CommandFailed`.
        """

    def begin_game(self) -> None:
        """Another game is about to begin; raises `CommandFailed`."""

    def set_position(self, fen: str | None, moves: tuple[str, ...]) -> None:
        """The position of a fen, None for the start, after these moves; raises `CommandFailed`."""

    def ask(self, question: str) -> str:
        """The answer to a question about the position; raises `CommandFailed`."""

    def get_ready(self) -> Work | None:
        """What is to be done before a game, if there is anything; its reply says nothing."""

    def think(self, go: Go) -> Work:
        """Choose a move: the reply is its word, lines of progress are sent as they are."""


class UgiSession(AnsweringSession[UgiRequest]):
    """One conversation with one controller."""

    def __init__(
        self, player: UgiPlayer, start: Start, on_close: Callable[[], None] | None = None
    ) -> None:
        super().__init__(UgiRequestDecoder(), start, on_close)
        self._player = player
        self._search: Go | None = None  # what runs for it; None: the work gets ready for a game

    def failed(self, error: Exception) -> Reply:
        """What a work reports that could not be started."""
        return Reply(False, f"internal: {error!r}")

    def _note(self, request: UgiRequest, *, arrived: bool = True) -> bytes:
        """Obey what concerns the running work, and queue the rest; return what to write at once.

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
        """Stop the running search, and every `go` that waits as soon as it begins."""
        waits = any(isinstance(request, Go) for request in self._waiting)
        if self._search is not None or waits:
            self._stop(work)
        if waits:
            self._waiting.append(StopThinking())

    def _obey(self, request: UgiRequest) -> bytes:
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
                said = _lines(f"info string ignored: {shown(ignored)}") if ignored else b""
                return said + self._begin(work, request)
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
        said = [error_line(reason)]
        if isinstance(request, Go):
            said.append(f"bestmove {NO_MOVE}")
        return _lines(*said)

    def _begin(self, work: Work, go: Go | None = None) -> bytes:
        self._search = go
        super()._begin(work)
        if self._input_ended:
            work.input_ended()
        waiting, self._waiting = self._waiting, deque()
        return b"".join(self._note(request, arrived=False) for request in waiting)

    def _progress(self, text: str) -> bytes:
        return encode_line(text)

    def _last_words(self, reply: Reply) -> bytes:
        said = [] if reply.ok else [error_line(reply.text)]
        if self._search is not None:
            said.append(f"bestmove {reply.text if reply.ok else NO_MOVE}")
        else:
            said.append("readyok")
        return _lines(*said)


def _lines(*texts: str) -> bytes:
    return b"".join(map(encode_line, texts))
