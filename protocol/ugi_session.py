"""The engine's side of UGI without I/O: bytes of requests in, bytes of lines out.

What is asked is answered in order, but for two things that a search must not delay: while one runs,
`isready` is answered at once, and `stop` ends it. So do `quit` and the end of the input where it
would never end by itself. All that changes anything waits until the search is over, and so does
what comes behind it; a `stop` behind a waiting `go` is meant for that one. So a script that is sent
in one go gets its whole search, and nothing can wait for ever.

The rest is in `answering.py`. What is thought about is the business of the `UgiPlayer` that the
session speaks for.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

from protocol.answering import AnsweringSession, Start
from protocol.codec import Reply
from protocol.commands import Work
from protocol.errors import CommandFailed
from protocol.ugi import (
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
        self._searching = False  # the work chooses a move, else it gets ready for a game

    def failed(self, error: Exception) -> Reply:
        """What a work reports that could not be started."""
        return Reply(False, f"internal: {error!r}")

    def _note(self, request: UgiRequest, *, arrived: bool = True) -> bytes:
        """Obey what concerns the running work, and queue the rest; what to write at once.

        `arrived`: only now, so that a `quit` is meant to end the search.
        """
        work = self._work
        if work is not None:
            if isinstance(request, StopThinking) and not self._waits(Go):
                self._stop(work)
                return b""
            if isinstance(request, Leave) and arrived:
                self._stop(work)
            elif isinstance(request, Leave):
                work.input_ended()
            if self._searching and isinstance(request, AreYouReady):
                return encode_line("readyok")
            at_once = isinstance(request, UgiGreeting | AskPosition | NotUgi)
            if self._searching and at_once and not self._waiting:
                return self._answer(request)
        self._waiting.append(request)
        return b""

    def _waits(self, kind: type) -> bool:
        return any(isinstance(request, kind) for request in self._waiting)

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
                return self._begin(player.think(request), searching=True)
            case AskPosition(question):
                return _lines(f"response {player.ask(question)}")
            case Leave():
                self._close()
            case NotUgi(reason):
                raise CommandFailed(reason)
            case StopThinking():
                pass  # nothing to stop
        return b""

    def _refusal(self, request: UgiRequest, reason: str) -> bytes:  # noqa: ARG002 - UGI has no ids
        return encode_line(error_line(reason))

    def _begin(self, work: Work, *, searching: bool = False) -> bytes:
        self._searching = searching
        super()._begin(work)
        if self._input_ended:
            work.input_ended()
        waiting, self._waiting = self._waiting, deque()
        return b"".join(self._note(request, arrived=False) for request in waiting)

    def _progress(self, text: str) -> bytes:
        return encode_line(text)

    def _last_words(self, reply: Reply) -> bytes:
        said = [] if reply.ok else [error_line(reply.text)]
        if self._searching:
            said.append(f"bestmove {reply.text if reply.ok else NO_MOVE}")
        else:
            said.append("readyok")
        return _lines(*said)


def _lines(*texts: str) -> bytes:
    return b"".join(map(encode_line, texts))
