"""A GTP conversation with the real engine, including its searches, without a transport."""

import queue
from collections.abc import Callable, Iterable

from linage_bot.gtp import GtpEngine, commands
from linage_bot.rules import GAMES
from linage_bot.settings.playing import PlaySettings
from protocol.gtp.engine import EngineSession
from protocol.session.answering import State
from protocol.session.work import Work

PATIENCE_SECONDS = 120  # for a hang to become a failure; the first search may have to compile
QUICK = PlaySettings(visits=40, seed=7)


class Conversation:
    """A client's input and output; jobs run on their own threads and report to `hear`."""

    def __init__(
        self,
        game: str = "linage",
        size: str = "5",
        settings: PlaySettings = QUICK,
        local: bool = True,
        draw: Callable[[str], None] | None = None,
        **options: str,
    ) -> None:
        start = GAMES[game].configure(size, None, options)
        self.engine = GtpEngine(start, settings, local=local, draw=draw)
        self.session = EngineSession(commands, self.engine, self._start)
        self.output = b""
        self.lags = False  # if set, it misses updates that may be lost
        self._updates: queue.Queue = queue.Queue()

    def send(self, data: bytes) -> None:
        """Receive bytes from the client."""
        self.output += self.session.receive_data(data)

    def end(self) -> None:
        """Receive the end of the input."""
        self.output += self.session.receive_end()

    def _start(self, work: Work) -> None:
        work.start(lambda update: self._updates.put((work, update)))

    @property
    def thinking(self) -> bool:
        return self.session.state in (State.WORKING, State.STOPPING)

    def hear(self) -> None:
        """Wait for one update of the running job."""
        work, update = self._updates.get(timeout=PATIENCE_SECONDS)
        if not (self.lags and self.session.may_be_lost(update)):
            self.output += self.session.update(work, update)

    def settle(self) -> None:
        """Wait until no job is running."""
        while self.thinking:
            self.hear()

    def hear_lines(self, count: int) -> list[str]:
        """Wait for `count` lines of analysis and return them."""
        while (lines := self.output.decode().splitlines()[1:]) is None or len(lines) < count:
            self.hear()
        return lines

    def ask(self, line: str) -> str:
        """Send a command and return its whole response without the final empty line."""
        self.output = b""
        self.send(line.encode() + b"\n")
        self.settle()
        answer = self.output.decode()
        assert answer.endswith("\n\n"), answer
        assert answer.count("\n\n") == 1, answer
        return answer[:-2]

    def ok(self, line: str) -> str:
        """Send a command that must succeed and return the text of its response."""
        answer = self.ask(line)
        assert answer.startswith("= "), f"{line}: {answer}"
        return answer[2:]

    def fails(self, line: str) -> str:
        """Send a command that must fail and change nothing; return the text of its response."""
        before = self.state()
        answer = self.ask(line)
        assert answer.startswith("? "), f"{line}: {answer}"
        assert "internal error" not in answer
        assert self.state() == before, line
        return answer[2:]

    def all(self, lines: Iterable[str]) -> list[str]:
        return [self.ok(line) for line in lines]

    def state(self) -> tuple[object, ...]:
        """Return all that a client can see, and the clocks."""
        seen = (
            "showboard",
            "printsgf",
            "kata-get-rules",
            "gogui-rules_legal_moves",
            "gogui-rules_side_to_move",
            "gomill-describe_engine",
            "gomill-explain_last_move",
            *(f"kata-get-param {name}" for name in self.ok("kata-list-params").split()),
        )
        return (*self.all(seen), self.engine.time_system, dict(self.engine.clocks))
