"""The smallest game: a number one can add to, with slow commands of both kinds."""

import sys
import threading
import time
from collections.abc import Callable

import attrs

from protocol.gtp.commands import CommandTable
from protocol.gtp.engine import EngineSession
from protocol.session.answering import Start
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine, Update


@attrs.define
class Counter:
    number: int = 0


@attrs.define(eq=False)
class HandWork:
    """A work whose updates the test feeds by hand; it remembers its calls."""

    stopped_by_any_line: bool = False
    told: list[str] = attrs.field(factory=list)
    report: Callable[[Update], None] | None = None

    def start(self, report: Callable[[Update], None]) -> None:
        self.told.append("start")
        self.report = report

    def stop(self) -> None:
        self.told.append("stop")

    def input_ended(self) -> None:
        self.told.append("input_ended")


@attrs.define(eq=False)
class CountingWork:
    """Counts up in a thread until its goal or a stop, with a line of progress every so often."""

    counter: Counter
    goal: int | None
    show: bool = False
    width: int = 0  # of a line of progress
    stopped_by_any_line: bool = False
    _stop: threading.Event = attrs.field(factory=threading.Event)

    def start(self, report: Callable[[Update], None]) -> None:
        threading.Thread(target=self._run, args=(report,), name="counting").start()

    def stop(self) -> None:
        self._stop.set()

    def input_ended(self) -> None:
        if self.goal is None:
            self._stop.set()

    def _run(self, report: Callable[[Update], None]) -> None:
        steps = 0
        while steps != self.goal and not self._stop.is_set():
            time.sleep(0.001)
            steps += 1
            if self.show:
                report(ReplyLine(f"info step {steps}".ljust(self.width)))
        self.counter.number += steps
        report(Reply(True, "" if self.show else str(self.counter.number)))


table: CommandTable[Counter] = CommandTable()


@table.register
def name(_counter: Counter) -> str:
    return "Counter"


@table.register
def add(counter: Counter, amount: int, times: int = 1) -> None:
    """Add AMOUNT to the number.

    TIMES times.
    """
    if amount < 0:
        raise CommandFailed(f"illegal move: {amount} is negative")
    counter.number += amount * times


@table.register
def show(counter: Counter) -> str:
    return str(counter.number)


@table.register
def echo(_counter: Counter, *words: str) -> str:
    return " ".join(words)


@table.register
def lines(_counter: Counter, count: int) -> str:
    return "\n".join(f"{line} {'x' * 80}" for line in range(count))


@table.named("break")
def break_(_counter: Counter) -> str:
    raise RuntimeError("on purpose")


@table.register
def count(counter: Counter, goal: int) -> CountingWork:
    """Count up to GOAL, slowly."""
    return CountingWork(counter, goal)


@table.register
def analyze(counter: Counter, width: int = 0) -> CountingWork:
    """Count until the next line, in lines of at least WIDTH characters."""
    return CountingWork(counter, None, show=True, width=width, stopped_by_any_line=True)


@table.register
def hand(_counter: Counter) -> HandWork:
    return HandWork()


@table.named("hand-analyze")
def hand_analyze(_counter: Counter) -> HandWork:
    return HandWork(stopped_by_any_line=True)


def make_session(start: Start, max_output_bytes: int | None = None) -> EngineSession[Counter]:
    session = EngineSession(table, Counter(), start)
    session.max_output_bytes = max_output_bytes
    return session


if __name__ == "__main__":
    from twisted.internet import reactor

    from protocol.transport.serving import serve_stdio

    serve_stdio(reactor, make_session).addBoth(lambda _: reactor.stop())
    reactor.run()
    for thread in threading.enumerate():
        if thread.name == "counting":
            thread.join(10)  # it may still be on its way out of its last report
    threads = [thread.name for thread in threading.enumerate() if not thread.daemon]
    sys.stderr.write(f"threads at the end: {threads}\n")
