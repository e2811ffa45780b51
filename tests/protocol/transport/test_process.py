"""Engines as processes of Windows, acted out; `tests/e2e/test_process.py` has real ones."""

from types import SimpleNamespace

import pytest
from twisted.internet import posixbase
from twisted.internet.defer import Deferred

from protocol.gtp.controller import ControllerSession
from protocol.session.errors import CannotStart
from protocol.transport import process
from protocol.transport.process import EngineProcess


class Windows:
    """A reactor whose processes are those of Twisted's own on Windows."""

    spawnProcess = posixbase.PosixReactorBase.spawnProcess  # noqa: N815


class Spawned(Exception):
    """Instead of a process."""


@pytest.fixture(autouse=True)
def _windows(monkeypatch):
    monkeypatch.setattr(process, "sys", SimpleNamespace(platform="win32"))
    monkeypatch.setattr(posixbase, "platformType", "win32")
    monkeypatch.setattr(posixbase, "win32process", None, raising=False)


def failure(reactor, *argv):
    """Return the reason why an engine was not started."""
    started = Deferred.fromCoroutine(EngineProcess.start(reactor, argv, ControllerSession()))
    failures = []
    started.addErrback(failures.append)
    return failures[0].value


def test_without_pywin32_it_is_said_what_to_install():
    """Without pywin32 the error is one line with the command."""
    error = failure(Windows(), "engine")
    assert isinstance(error, CannotStart)
    assert error.program == "engine"
    assert error.reason.startswith("on Windows this needs pywin32: ")
    assert error.reason.endswith('pip install "pywin32"')


def test_a_program_is_found_on_the_path(tmp_path, monkeypatch):
    """The system would look for a file of just that name in the current folder."""
    program = tmp_path / "engine"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    spawned = []

    class Reactor:
        def spawnProcess(self, _protocol, executable, args, _env, _path):  # noqa: N802
            spawned.append((executable, args))
            raise Spawned

    assert isinstance(failure(Reactor(), "engine", "-x"), Spawned)
    assert isinstance(failure(Reactor(), str(program)), Spawned)
    assert isinstance(failure(Reactor(), "no-such-engine"), Spawned)
    assert spawned == [
        (str(program), ["engine", "-x"]),
        (str(program), [str(program)]),
        ("no-such-engine", ["no-such-engine"]),
    ]
