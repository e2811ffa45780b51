"""Engines in this process, joined to the runner by Twisted's clock in place of pipes."""

import math
from collections import deque

from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from protocol.session.errors import CannotStart, CommandFailed, ConnectionLost, EngineTimeout
from tests.e2e.match_engine import Engine

_DELAYS = {"slow": 1.0, "hang": math.inf}
_TICK = 0.001  # seconds that any other answer takes


class ScriptedEngine(Engine):
    """The engine of the end-to-end tests without the process that it would kill or put to sleep.

    With `compile=SECONDS` it takes so long for its first move, or for `linage-compile` before it.
    """

    def __init__(self, options):
        super().__init__(options)
        self.compiling_seconds = float(options.get("compile", 0))
        if self.compiling_seconds:
            self.commands.add("linage-compile")

    def about_to(self, behaviour):
        self.own_moves += 1
        due = self.due(behaviour)
        self.own_moves -= 1
        return due

    def time_for(self, name):
        delays = [_DELAYS[each] for each in _DELAYS if name == "genmove" and self.about_to(each)]
        if name in ("genmove", "linage-compile"):
            delays.append(self.compiling_seconds)
            self.compiling_seconds = 0.0
        return max(delays, default=_TICK) or _TICK

    def genmove(self):
        options = self.options
        self.options = {name: value for name, value in options.items() if name not in _DELAYS}
        try:
            return super().genmove()
        finally:
            self.options = options


class Wire:
    """A replacement for `EngineProcess`; its engine behaves as the command line says.

    `wires` are all that were started, `told` all commands that an engine received.
    """

    wires: list["Wire"] = []  # noqa: RUF012 - emptied by the fixture

    def __init__(self, clock, words):
        self._clock = clock
        self._words = words
        self.engine = ScriptedEngine(dict(word.partition("=")[::2] for word in words))
        self.told = []
        self.alive, self._killed = True, False
        self.transcript = deque(maxlen=50)
        self.stderr_tail = ()

    @classmethod
    async def start(cls, reactor, argv, session, cwd=None, env=None):  # noqa: ARG003 - as a process has them
        if argv[0] == "missing":
            raise CannotStart(argv[0], "No such file or directory")
        wire = cls(reactor, argv[1:])
        cls.wires.append(wire)
        return wire

    async def ask(self, name, *arguments, timeout=None, silence=None):  # noqa: ARG002 - as a process
        assert self.alive
        self.told.append(" ".join((name, *arguments)))
        self.transcript.append(f"> {self.told[-1]}")
        answer = Deferred()
        if name == "genmove" and self.engine.about_to("crash"):
            self.alive = False
            self._clock.callLater(_TICK, answer.errback, ConnectionLost("killed by SIGKILL"))
            return await answer
        seconds = self.engine.time_for(name)
        if timeout is not None and seconds > timeout:
            self._clock.callLater(timeout, answer.errback, EngineTimeout(name, timeout))
        else:
            self._clock.callLater(seconds, answer.callback, None)
        await answer
        if self._killed:
            raise ConnectionLost("killed")
        reply = self.engine.answer(name, list(arguments))
        if reply.startswith("?"):
            raise CommandFailed(reply[2:])
        return reply[2:]

    def kill(self):
        self.alive, self._killed = False, True

    async def close(self, patience_seconds):
        if self.alive:
            gone = Deferred()
            seconds = patience_seconds if "deaf" in self.engine.options else _TICK
            self._clock.callLater(seconds, gone.callback, None)
            await gone
        self.alive = False


def finish(clock: Clock, deferred: Deferred):
    """Return a Deferred's result, advancing the clock as far as necessary."""
    outcome = []
    deferred.addBoth(outcome.append)
    while not outcome:
        calls = clock.getDelayedCalls()
        assert calls, "nothing will ever happen"
        clock.advance(max(0.0, min(call.getTime() for call in calls) - clock.seconds()))
    if hasattr(outcome[0], "raiseException"):
        outcome[0].raiseException()
    return outcome[0]
