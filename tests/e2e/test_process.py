"""Engines as real child processes of the reactor."""

import os
import signal
import subprocess
import sys
import time

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.task import deferLater

from protocol.gtp.controller import ControllerSession
from protocol.session.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    LocalProtocolError,
    RemoteProtocolError,
)
from protocol.transport.process import EngineProcess
from tests.e2e.engine import ENVIRONMENT
from tests.e2e.processes import FAKE, eventually, is_alive, posix_only

pytestmark = pytest.mark.usefixtures("no_logged_failures")


async def start(*behaviours: str) -> EngineProcess:
    return await EngineProcess.start(reactor, [*FAKE, *behaviours], ControllerSession())


@pytest_twisted.ensureDeferred
async def test_an_engine_answers_and_refuses():
    """A caller gets the text or an exception, and `close` lets the engine exit by itself."""
    engine = await start()
    assert await engine.ask("name") == "Fake"
    assert await engine.ask("echo", "a", "b") == "a b"
    assert await engine.ask("lines", "3") == "line 0\nline 1\nline 2"
    with pytest.raises(CommandFailed, match="unknown command"):
        await engine.ask("nonsense")
    with pytest.raises(LocalProtocolError):
        await engine.ask("echo", "two\nlines")
    assert engine.transcript[:2] == ("> name", "< Fake")
    await engine.close()
    assert engine.exit_reason == "exited with status 0"
    assert not engine.alive


@pytest_twisted.ensureDeferred
async def test_answers_go_to_the_commands_in_order_even_if_many_wait():
    """200 questions asked at once each get their own answer."""
    engine = await start()
    asked = [Deferred.fromCoroutine(engine.ask("echo", str(n))) for n in range(200)]
    assert await gatherResults(asked) == [str(n) for n in range(200)]
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_a_long_command_reaches_the_engine_whole():
    """900,000 bytes, far more than a pipe holds, with another question right behind."""
    engine = await start()
    long = "x" * 900_000
    first = Deferred.fromCoroutine(engine.ask("echo", long))
    second = Deferred.fromCoroutine(engine.ask("echo", "short"))
    assert await first == long
    assert await second == "short"
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_a_missing_program_is_one_clear_error():
    """The error names the missing program or the missing working directory."""
    with pytest.raises(CannotStart, match=r"cannot start '/no/such': No such file"):
        await EngineProcess.start(reactor, ["/no/such", "gtp"], ControllerSession())
    with pytest.raises(CannotStart, match="there is no folder"):
        await EngineProcess.start(reactor, FAKE, ControllerSession(), cwd="/no/such")


@pytest_twisted.ensureDeferred
async def test_a_program_that_may_not_be_run_is_one_clear_error(tmp_path):
    """The error holds the system's message, before any command is sent."""
    program = tmp_path / "engine"
    program.write_text("not executable")
    with pytest.raises(CannotStart, match="Permission denied"):
        await EngineProcess.start(reactor, [str(program)], ControllerSession())


@pytest_twisted.ensureDeferred
async def test_an_engine_is_started_in_its_directory_with_its_environment(tmp_path):
    """The variables it is given take the place of ours: it sees no `HOME`."""
    code = "import os; input(); print('=', os.getcwd(), sorted(os.environ)); print()"
    argv = [sys.executable, "-S", "-c", code]
    engine = await EngineProcess.start(
        reactor, argv, ControllerSession(), cwd=str(tmp_path), env={"COLOUR": "blue"}
    )
    reply = await engine.ask("name")
    assert reply.startswith(str(tmp_path))
    assert "COLOUR" in reply
    assert "HOME" not in reply
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_does_not_speak_gtp_is_told_from_one_that_does():
    """The line it said is in the error, every later question fails too, and it is ended."""
    engine = await start("garbage")
    with pytest.raises(RemoteProtocolError, match="check that the program speaks GTP") as caught:
        await engine.ask("name")
    assert caught.value.line == "Welcome to the shell!"
    with pytest.raises(RemoteProtocolError):
        await engine.ask("name")
    await eventually(lambda: not engine.alive)
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_answers_unasked_is_caught():
    """A second answer is an error, as it would pass for the next command's answer."""
    engine = await start("chatter=name")
    assert await engine.ask("name") == "once"
    await eventually(lambda: not engine.alive)
    with pytest.raises(RemoteProtocolError, match="without a command"):
        await engine.ask("name")
    await engine.close()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [("die", "exited with status 3"), ("crash", "killed by SIGKILL")],
)
@pytest_twisted.ensureDeferred
async def test_an_engine_that_dies_is_a_lost_connection_with_its_last_words(behaviour, reason):
    """The error has the status or signal, the last command, and the engine's stderr."""
    engine = await start(f"{behaviour}=genmove")
    assert await engine.ask("name") == "Fake"
    with pytest.raises(ConnectionLost, match=reason) as caught:
        await engine.ask("genmove", "b")
    assert "> genmove b" in caught.value.last_lines
    if behaviour == "die":
        assert caught.value.last_lines[-1] == "! dying on purpose"
    with pytest.raises(ConnectionLost):
        await engine.ask("name")
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_answer_in_the_last_moment_of_an_engine_is_not_lost():
    """Tried five times, for the last bytes race with the news of the exit."""
    code = "import sys; input(); print('= last'); print(flush=True); sys.exit(5)"
    for _ in range(5):
        engine = await EngineProcess.start(
            reactor, [sys.executable, "-S", "-c", code], ControllerSession()
        )
        assert await engine.ask("name") == "last"
        await engine.close()
        assert engine.exit_reason == "exited with status 5"


@pytest.mark.thorough
@pytest.mark.parametrize("behaviour", ["close-stdin", "close-stdout"])
@pytest_twisted.ensureDeferred
async def test_an_engine_that_closes_a_pipe_but_lives_is_lost_too(behaviour):
    """Otherwise its caller would wait for ever; `close` ends the process."""
    engine = await start(f"{behaviour}=genmove")
    with pytest.raises(ConnectionLost, match="closed its"):
        await engine.ask("genmove", "b")
    await engine.close(0.1)
    assert not is_alive(engine.pid)


@pytest_twisted.ensureDeferred
async def test_a_system_clock_that_is_set_forward_makes_no_engine_late(monkeypatch):
    """A jump of an hour does not use up a timeout of 60 seconds."""
    code = "import time; input(); time.sleep(0.5); print('= in time\\n', flush=True); input()"
    engine = await EngineProcess.start(
        reactor, [sys.executable, "-S", "-c", code], ControllerSession()
    )
    answer = Deferred.fromCoroutine(engine.ask("name", timeout=60))
    with monkeypatch.context() as an_hour_later:
        an_hour_later.setattr(reactor, "seconds", lambda: time.time() + 3600)
        assert await answer == "in time"
    engine.kill()
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_hangs_runs_into_the_timeout_and_can_be_killed():
    """The timeout error names the command, and `close` kills the engine soon."""
    engine = await start("hang=genmove")
    assert await engine.ask("name", timeout=60) == "Fake"
    with pytest.raises(EngineTimeout, match="genmove"):
        await engine.ask("genmove", "b", timeout=0.1)
    await engine.close(0.1)
    assert engine.exit_reason == "killed by SIGKILL"
    assert not is_alive(engine.pid)


@pytest_twisted.ensureDeferred
async def test_an_answer_that_has_begun_and_does_not_end_is_given_up_early():
    """A stalled answer times out early and is quoted; one still arriving is awaited."""
    code = "import time; input(); print('= Fake', flush=True); time.sleep(0.4); {}; input()"
    for end, silence in (("print(flush=True)", 60), ("time.sleep(60)", 0.1)):
        argv = [sys.executable, "-S", "-c", code.format(end)]
        engine = await EngineProcess.start(reactor, argv, ControllerSession())
        answer = engine.ask("name", timeout=60, silence=silence)
        if silence == 60:
            assert await answer == "Fake"
        else:
            with pytest.raises(EngineTimeout) as caught:
                await answer
            assert str(caught.value) == (
                "no answer to 'name' within 0.1 s: an answer has begun, '= Fake', but no empty line"
                " has ended it"
            )
        engine.kill()
        await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_answer_that_begins_before_the_question_and_does_not_end_is_given_up_early():
    """Output at the program's start that looks like an unfinished answer times out early."""
    code = "import time; print('= Fake', flush=True); time.sleep(60)"
    argv = [sys.executable, "-S", "-c", code]
    engine = await EngineProcess.start(reactor, argv, ControllerSession())
    while not engine._session.unfinished:
        await deferLater(reactor, 0.01)
    with pytest.raises(EngineTimeout, match=r"within 0\.1 s: an answer has begun, '= Fake'"):
        await engine.ask("name", timeout=60, silence=0.1)
    engine.kill()
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_answer_that_comes_too_late_does_not_answer_the_next_question():
    """Questions and answers stay in step after a timeout."""
    engine = await start()
    with pytest.raises(EngineTimeout):
        await engine.ask("sleep", "0.3", timeout=0.05)
    assert await engine.ask("echo", "next", timeout=60) == "next"
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_floods_is_stopped_before_memory_is_full():
    """A reply without end is an error, and the engine is ended."""
    engine = await start("flood=genmove")
    with pytest.raises(RemoteProtocolError, match="reply too long"):
        await engine.ask("genmove", "b")
    await eventually(lambda: not engine.alive)
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_of_a_long_log_the_end_is_kept_and_the_engine_is_not_held_up():
    """Standard error is read all the time, and fewer than 1000 lines are remembered."""
    engine = await start("complain=genmove")
    assert await engine.ask("genmove", "b") == "pass"
    await engine.close()
    assert engine.stderr_tail[-1] == "complaint"
    assert len(engine.stderr_tail) < 1000


@posix_only
@pytest_twisted.ensureDeferred
async def test_an_engine_that_ignores_quit_is_killed_with_all_it_started():
    """An engine that ignores `quit` is killed together with its child."""
    engine = await start("ignore-quit")
    child = int(await engine.ask("child"))
    assert is_alive(child)
    await engine.close(0.2)
    assert engine.exit_reason == "killed by SIGKILL"
    await eventually(lambda: not is_alive(child))


@posix_only
@pytest_twisted.ensureDeferred
async def test_what_an_engine_leaves_behind_when_it_exits_is_killed():
    """Children are killed even after the engine itself obeyed `quit`."""
    engine = await start()
    child = int(await engine.ask("child"))
    await engine.close(30)
    assert engine.exit_reason == "exited with status 0"
    await eventually(lambda: not is_alive(child))


@posix_only
@pytest_twisted.ensureDeferred
async def test_the_process_we_know_is_the_engine_itself_in_its_own_group():
    """A kill reaches the engine and its children, and never our own process."""
    engine = await start()
    pid, group, parent = map(int, (await engine.ask("pid")).split())
    assert (pid, group, parent) == (engine.pid, engine.pid, os.getpid())
    await engine.close()


PARENT = """
import sys
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from protocol.gtp.controller import ControllerSession
from protocol.transport.process import EngineProcess

async def main():
    engine = await EngineProcess.start(reactor, sys.argv[1:], ControllerSession())
    print(await engine.ask("pid"), flush=True)

reactor.callWhenRunning(lambda: Deferred.fromCoroutine(main()))
reactor.run()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of it")
@pytest.mark.parametrize("script", [(), ("sh", "-c", '"$@"; true', "sh")], ids=["", "script"])
@pytest_twisted.ensureDeferred
async def test_an_engine_dies_with_its_parent_even_if_that_is_killed(script):
    """Started directly or through a shell script, even one that ignores `quit`."""
    argv = [sys.executable, "-c", PARENT, *script, *FAKE, "ignore-quit"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=ENVIRONMENT, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline().split()[0])
        assert is_alive(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait(60)
    await eventually(lambda: not is_alive(child))
