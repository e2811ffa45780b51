"""The transports with real processes, sockets and terminals."""

import os
import pty
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults
from twisted.internet.selectreactor import SelectReactor
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread
from twisted.logger import globalLogPublisher

from protocol.errors import (
    CannotStart,
    CommandFailed,
    ConnectionLost,
    EngineTimeout,
    LocalProtocolError,
    RemoteProtocolError,
)
from protocol.transports import EngineProcess, serve_endpoint, use_monotonic_time
from tests.protocol.counter import make_session

ROOT = Path(__file__).parents[2]
COUNTER = [sys.executable, str(ROOT / "tests/protocol/counter.py")]
FAKE = [sys.executable, "-S", str(ROOT / "tests/e2e/fake_engine.py")]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


def is_alive(pid: int) -> bool:
    """A zombie that nobody has buried yet counts as dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def eventually(condition) -> None:
    for _ in range(500):
        if condition():
            return
        await deferLater(reactor, 0.02)
    raise AssertionError("it never came true")


@pytest.fixture(autouse=True)
def _no_logged_failures():
    """Twisted catches what our callbacks raise and logs it; here it fails the test."""
    failures = []

    def observe(event):
        if "log_failure" in event:
            failures.append(event["log_failure"])

    globalLogPublisher.addObserver(observe)
    yield
    globalLogPublisher.removeObserver(observe)
    assert failures == []


# Standard input and output


def run_counter(**arguments):
    return subprocess.run(
        COUNTER, capture_output=True, env=ENVIRONMENT, timeout=60, check=False, **arguments
    )


SCRIPT = b"1 name\nadd 3\ncount 20\nshow"
REPLIES = b"=1 Counter\n\n= \n\n= 23\n\n= 23\n\n"


def test_a_piped_script_is_answered_whole_then_the_process_exits_with_0():
    done = run_counter(input=SCRIPT)
    assert (done.stdout, done.returncode) == (REPLIES, 0)
    assert b"['MainThread']" in done.stderr


def test_a_script_may_be_a_regular_file_and_the_replies_too(tmp_path):
    script = tmp_path / "script.gtp"
    script.write_bytes(SCRIPT)
    out = tmp_path / "out.gtp"
    with script.open("rb") as stdin, out.open("wb") as stdout:
        done = subprocess.run(
            COUNTER, stdin=stdin, stdout=stdout, env=ENVIRONMENT, timeout=60, check=False
        )
    assert (out.read_bytes(), done.returncode) == (REPLIES, 0)


def test_without_any_input_the_process_exits_with_0():
    done = run_counter(stdin=subprocess.DEVNULL)
    assert (done.stdout, done.returncode) == (b"", 0)


def test_quit_behind_a_search_in_one_script_lets_the_search_finish():
    assert run_counter(input=b"count 50\nquit\nname\n").stdout == b"= 50\n\n= \n\n"


@posix_only
def test_a_terminal_can_be_used_and_is_left_as_it_was():
    master, slave = pty.openpty()
    engine = subprocess.Popen(
        COUNTER, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    os.write(master, b"name\nquit\n")
    try:
        assert engine.wait(60) == 0
        seen = os.read(master, 10_000)
        assert b"= Counter\r\n\r\n= \r\n\r\n" in seen
        assert os.get_blocking(slave)
    finally:
        os.close(slave)
        os.close(master)


@posix_only
def test_when_nobody_reads_the_replies_the_process_exits_with_0():
    engine = subprocess.Popen(
        COUNTER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
    )
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdout.close()
    with engine.stdin:
        engine.stdin.write(b"name\n")
        engine.stdin.flush()
        assert engine.wait(60) == 0


def test_a_megabyte_of_replies_comes_whole_to_one_who_first_asks_all_then_reads():
    done = run_counter(input=b"lines 500\n" * 200)
    assert done.stdout.count(b"\n\n") == 200
    assert len(done.stdout) > 8_000_000


def test_end_of_input_ends_a_running_analysis_and_its_reply():
    done = run_counter(input=b"name\nanalyze\n")
    assert done.stdout.startswith(b"= Counter\n\n= \n") or done.stdout == b"= Counter\n\n= \n\n"
    assert done.stdout.endswith(b"\n\n")
    assert done.returncode == 0


# Sockets


class Client:
    """A blocking TCP client, to be used in a thread."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def read_replies(self, count: int, data: bytes = b"") -> bytes:
        """Read until `data`, what was read before, has grown to that many replies."""
        while data.count(b"\n\n") < count:
            chunk = self.socket.recv(65536)
            assert chunk, f"closed after {data!r}"
            data += chunk
        return data

    def read_to_end(self) -> bytes:
        data = b""
        while chunk := self.socket.recv(65536):
            data += chunk
        return data

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


@pytest.fixture
def sessions():
    return []


@pytest_twisted.async_yield_fixture()
async def port(sessions):
    def make():
        sessions.append(make_session())
        return sessions[-1]

    listening = await serve_endpoint(reactor, "tcp:0", make)
    yield listening.getHost().port
    await listening.stopListening()
    await eventually(lambda: all(session.closed for session in sessions))


def counting_threads() -> int:
    return sum(thread.name == "counting" for thread in threading.enumerate())


@pytest_twisted.ensureDeferred
async def test_without_an_interface_only_this_machine_can_connect():
    listening = await serve_endpoint(reactor, "tcp:0", make_session)
    assert listening.getHost().host == "127.0.0.1"
    await listening.stopListening()


def good_client(port: int) -> bytes:
    with Client(port) as client:
        client.send(b"add 2\ncount 30\nshow\n")
        replies = client.read_replies(3)
        client.send(b"quit\n")
        return replies + client.read_to_end()


def garbage_client(port: int) -> bytes:
    with Client(port) as client:
        client.send(b"\xff\x00\x01" * 1000 + b"\n" + b"x" * 2_000_000 + b"\nname\n")
        return client.read_replies(3)


def hanging_client(port: int) -> bytes:
    with Client(port) as client:
        client.send(b"analyze\n")
        client.socket.recv(10)
        client.socket.recv(1000)
        client.send(b"\nna")
        time.sleep(0.3)
        return b""


def vanishing_client(port: int) -> bytes:
    client = Client(port)
    client.send(b"analyze\n")
    client.socket.recv(10)
    # A reset instead of a farewell, as when the peer crashes.
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.socket.close()
    return b""


@pytest_twisted.ensureDeferred
async def test_ten_clients_at_once_do_not_disturb_one_another(port, sessions):
    clients = [garbage_client, hanging_client, vanishing_client, *[good_client] * 7]
    results = await gatherResults([deferToThread(client, port) for client in clients])
    garbage, _, _, *good = results
    assert garbage == (
        b"? syntax error: NUL byte\n\n? syntax error: line too long\n\n= Counter\n\n"
    )
    assert good == [b"= \n\n= 32\n\n= 32\n\n= \n\n"] * 7
    await eventually(lambda: counting_threads() == 0)
    assert len(sessions) == 10


@pytest_twisted.ensureDeferred
async def test_a_client_that_only_stops_sending_still_gets_its_answers(port):
    def talk() -> bytes:
        with Client(port) as client:
            client.send(b"count 40\nshow")
            client.socket.shutdown(socket.SHUT_WR)
            return client.read_to_end()

    assert await deferToThread(talk) == b"= 40\n\n= 40\n\n"


@pytest_twisted.ensureDeferred
async def test_a_blank_line_stops_an_analysis_over_tcp(port):
    def talk() -> bytes:
        with Client(port) as client:
            client.send(b"7 analyze\n")
            start = client.socket.recv(100)
            client.send(b"\n")
            client.send(b"show\n")
            return client.read_replies(2, start)

    reply = await deferToThread(talk)
    assert reply.startswith(b"=7 \ninfo step 1\n")


@pytest_twisted.ensureDeferred
async def test_a_client_that_does_not_read_is_not_answered_into_memory(port):
    def talk() -> tuple[int, int]:
        with Client(port) as client:
            client.socket.settimeout(1)
            sent = 0
            request = b"lines 5000\n" * 5000  # replies of 2 GB
            try:
                while sent < 100 * len(request):
                    sent += client.socket.send(request)
            except TimeoutError:
                pass
            return sent, len(client.read_replies(3))

    sent, received = await deferToThread(talk)
    assert sent < 50_000_000
    assert received > 400_000


# Engines as child processes


async def start(*behaviours: str) -> EngineProcess:
    return await EngineProcess.start(reactor, [*FAKE, *behaviours])


@pytest_twisted.ensureDeferred
async def test_an_engine_answers_and_refuses():
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
    engine = await start()
    asked = [Deferred.fromCoroutine(engine.ask("echo", str(n))) for n in range(200)]
    assert await gatherResults(asked) == [str(n) for n in range(200)]
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_a_long_command_reaches_the_engine_whole():
    engine = await start()
    long = "x" * 900_000
    first = Deferred.fromCoroutine(engine.ask("echo", long))
    second = Deferred.fromCoroutine(engine.ask("echo", "short"))
    assert await first == long
    assert await second == "short"
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_a_stream_is_handed_over_line_by_line_until_it_is_ended():
    engine = await start()
    lines: list[str] = []

    def on_line(line: str) -> None:
        lines.append(line)
        if len(lines) == 3:
            engine.end_stream()

    assert await engine.ask("analyze", on_line=on_line) == "play A1"
    assert lines == ["info move A1", "info move A2", "info move A3", "play A1"]
    assert await engine.ask("name") == "Fake"
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_a_missing_program_is_one_clear_error():
    with pytest.raises(CannotStart, match=r"cannot start '/no/such': No such file"):
        await EngineProcess.start(reactor, ["/no/such", "gtp"])
    with pytest.raises(CannotStart, match="no directory"):
        await EngineProcess.start(reactor, FAKE, cwd="/no/such")


@pytest_twisted.ensureDeferred
async def test_a_program_that_may_not_be_run_is_one_clear_error(tmp_path):
    program = tmp_path / "engine"
    program.write_text("not executable")
    with pytest.raises(CannotStart, match="Permission denied"):
        await EngineProcess.start(reactor, [str(program)])


@pytest_twisted.ensureDeferred
async def test_an_engine_is_started_in_its_directory_with_its_environment(tmp_path):
    code = "import os; input(); print('=', os.getcwd(), sorted(os.environ)); print()"
    argv = [sys.executable, "-S", "-c", code]
    engine = await EngineProcess.start(reactor, argv, cwd=str(tmp_path), env={"COLOUR": "blue"})
    reply = await engine.ask("name")
    assert reply.startswith(str(tmp_path))
    assert "COLOUR" in reply
    assert "HOME" not in reply
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_does_not_speak_gtp_is_told_from_one_that_does():
    engine = await start("garbage")
    with pytest.raises(RemoteProtocolError, match="does it speak GTP at all") as caught:
        await engine.ask("name")
    assert caught.value.line == "Welcome to the shell!"
    with pytest.raises(RemoteProtocolError):
        await engine.ask("name")
    await eventually(lambda: not engine.alive)
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_answers_unasked_is_caught():
    engine = await start("chatter=name")
    assert await engine.ask("name") == "once"
    await eventually(lambda: not engine.alive)
    with pytest.raises(RemoteProtocolError, match="without a question"):
        await engine.ask("name")
    await engine.close()


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [("die", "exited with status 3"), ("crash", "killed by SIGKILL")],
)
@pytest_twisted.ensureDeferred
async def test_an_engine_that_dies_is_a_lost_connection_with_its_last_words(behaviour, reason):
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
    code = "import sys; input(); print('= last'); print(flush=True); sys.exit(5)"
    for _ in range(5):
        engine = await EngineProcess.start(reactor, [sys.executable, "-S", "-c", code])
        assert await engine.ask("name") == "last"
        await engine.close()
        assert engine.exit_reason == "exited with status 5"


@pytest.mark.parametrize("behaviour", ["close-stdin", "close-stdout"])
@pytest_twisted.ensureDeferred
async def test_an_engine_that_closes_a_pipe_but_lives_is_lost_too(behaviour):
    engine = await start(f"{behaviour}=genmove")
    with pytest.raises(ConnectionLost, match="closed its"):
        await engine.ask("genmove", "b")
    await engine.close(0.1)
    assert not is_alive(engine.pid)


@pytest_twisted.ensureDeferred
async def test_a_system_clock_that_is_set_forward_makes_no_engine_late(monkeypatch):
    code = "import time; input(); time.sleep(0.5); print('= in time\\n', flush=True); input()"
    engine = await EngineProcess.start(reactor, [sys.executable, "-S", "-c", code])
    answer = Deferred.fromCoroutine(engine.ask("name", timeout=60))
    with monkeypatch.context() as an_hour_later:
        an_hour_later.setattr(reactor, "seconds", lambda: time.time() + 3600)
        assert await answer == "in time"
    engine.kill()
    await engine.close()


def test_a_reactor_with_monotonic_time_does_not_look_at_the_system_clock():
    own = SelectReactor()
    use_monotonic_time(own)
    call = own.callLater(5, print)
    assert 0 < call.getTime() - time.monotonic() <= 5
    call.cancel()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_hangs_runs_into_the_timeout_and_can_be_killed():
    engine = await start("hang=genmove")
    assert await engine.ask("name", timeout=60) == "Fake"
    with pytest.raises(EngineTimeout, match="genmove"):
        await engine.ask("genmove", "b", timeout=0.1)
    await engine.close(0.1)
    assert engine.exit_reason == "killed by SIGKILL"
    assert not is_alive(engine.pid)


@pytest_twisted.ensureDeferred
async def test_an_answer_that_comes_too_late_does_not_answer_the_next_question():
    engine = await start()
    with pytest.raises(EngineTimeout):
        await engine.ask("sleep", "0.3", timeout=0.05)
    assert await engine.ask("echo", "next", timeout=60) == "next"
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_an_engine_that_floods_is_stopped_before_memory_is_full():
    engine = await start("flood=genmove")
    with pytest.raises(RemoteProtocolError, match="reply too long"):
        await engine.ask("genmove", "b")
    await eventually(lambda: not engine.alive)
    await engine.close()


@pytest_twisted.ensureDeferred
async def test_of_a_long_log_the_end_is_kept_and_the_engine_is_not_held_up():
    engine = await start("complain=genmove")
    assert await engine.ask("genmove", "b") == "pass"
    await engine.close()
    assert engine.stderr_tail[-1] == "complaint"
    assert len(engine.stderr_tail) < 1000


@posix_only
@pytest_twisted.ensureDeferred
async def test_an_engine_that_ignores_quit_is_killed_with_all_it_started():
    engine = await start("ignore-quit")
    child = int(await engine.ask("child"))
    assert is_alive(child)
    await engine.close(0.2)
    assert engine.exit_reason == "killed by SIGKILL"
    await eventually(lambda: not is_alive(child))


@posix_only
@pytest_twisted.ensureDeferred
async def test_what_an_engine_leaves_behind_when_it_exits_is_killed():
    engine = await start()
    child = int(await engine.ask("child"))
    await engine.close(30)
    assert engine.exit_reason == "exited with status 0"
    await eventually(lambda: not is_alive(child))


@posix_only
@pytest_twisted.ensureDeferred
async def test_the_process_we_know_is_the_engine_itself_in_its_own_group():
    engine = await start()
    pid, group, parent = map(int, (await engine.ask("pid")).split())
    assert (pid, group, parent) == (engine.pid, engine.pid, os.getpid())
    await engine.close()


PARENT = """
import sys
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from protocol.transports import EngineProcess

async def main():
    engine = await EngineProcess.start(reactor, sys.argv[1:])
    print(await engine.ask("pid"), flush=True)

reactor.callWhenRunning(lambda: Deferred.fromCoroutine(main()))
reactor.run()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of it")
@pytest.mark.parametrize("script", [(), ("sh", "-c", '"$@"; true', "sh")], ids=["", "script"])
@pytest_twisted.ensureDeferred
async def test_an_engine_dies_with_its_parent_even_if_that_is_killed(script):
    argv = [sys.executable, "-c", PARENT, *script, *FAKE, "ignore-quit"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=ENVIRONMENT, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline().split()[0])
        assert is_alive(child)
        parent.send_signal(signal.SIGKILL)
        parent.wait(60)
    await eventually(lambda: not is_alive(child))
