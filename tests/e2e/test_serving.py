"""Sessions on real sockets, pipes, files and terminals."""

import os
import pty
import socket
import subprocess
import sys
import threading
import time

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.internet.defer import gatherResults
from twisted.internet.selectreactor import SelectReactor
from twisted.internet.threads import deferToThread

from protocol.transport import serving
from protocol.transport.serving import serve_endpoint, use_monotonic_time
from tests.e2e.engine import ENVIRONMENT, ROOT
from tests.e2e.processes import eventually, posix_only
from tests.protocol.gtp.counter import make_session

COUNTER = [sys.executable, str(ROOT / "tests/protocol/gtp/counter.py")]

pytestmark = pytest.mark.usefixtures("no_logged_failures")


# Standard input and output


def run_counter(**arguments):
    return subprocess.run(
        COUNTER, capture_output=True, env=ENVIRONMENT, timeout=60, check=False, **arguments
    )


def start_counter():
    """The process, to talk with."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(COUNTER, env=ENVIRONMENT, **pipes)


SCRIPT = b"1 name\nadd 3\ncount 20\nshow"
REPLIES = b"=1 Counter\n\n= \n\n= 23\n\n= 23\n\n"


def test_a_piped_script_is_answered_whole_then_the_process_exits_with_0():
    """A last line without newline is answered, and no thread is left at exit."""
    done = run_counter(input=SCRIPT)
    assert (done.stdout, done.returncode) == (REPLIES, 0)
    assert b"['MainThread']" in done.stderr


def test_a_script_may_be_a_regular_file_and_the_replies_too(tmp_path):
    """The operating system cannot poll files as it polls pipes."""
    script = tmp_path / "script.gtp"
    script.write_bytes(SCRIPT)
    out = tmp_path / "out.gtp"
    with script.open("rb") as stdin, out.open("wb") as stdout:
        done = subprocess.run(
            COUNTER, stdin=stdin, stdout=stdout, env=ENVIRONMENT, timeout=60, check=False
        )
    assert (out.read_bytes(), done.returncode) == (REPLIES, 0)


def test_without_any_input_the_process_exits_with_0():
    """With `/dev/null` as input the process ends at once with status 0."""
    done = run_counter(stdin=subprocess.DEVNULL)
    assert (done.stdout, done.returncode) == (b"", 0)


def test_quit_behind_a_search_in_one_script_lets_the_search_finish():
    """A search before `quit` finishes, and commands after `quit` are ignored."""
    assert run_counter(input=b"count 50\nquit\nname\n").stdout == b"= 50\n\n= \n\n"


@posix_only
def test_a_terminal_can_be_used_and_is_left_as_it_was():
    """A shell would fail on a terminal that no longer blocks."""
    master, slave = pty.openpty()
    engine = subprocess.Popen(
        COUNTER, stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, env=ENVIRONMENT
    )
    os.write(master, b"name\nquit\n")
    try:
        assert engine.wait(60) == 0
        seen = b""
        while b"= Counter\r\n\r\n= \r\n\r\n" not in seen:
            seen += os.read(master, 10_000)  # which may be a part of it
        assert os.get_blocking(slave)
    finally:
        os.close(slave)
        os.close(master)


@posix_only
def test_when_nobody_reads_the_replies_the_process_exits_with_0():
    """A closed output is no failure: the exit status is 0."""
    engine = start_counter()
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdout.close()
    with engine.stdin:
        engine.stdin.write(b"name\n")
        engine.stdin.flush()
        assert engine.wait(60) == 0


def test_a_megabyte_of_replies_comes_whole_to_one_who_first_asks_all_then_reads():
    """200 replies, 8 MB in all, and neither side waits for the other for ever."""


@pytest.mark.thorough
@posix_only
@pytest.mark.parametrize(
    "closed", [("stdin", "stdout"), pytest.param(("stdout",), marks=pytest.mark.thorough)]
)
def test_when_the_controller_dies_amid_a_long_command_the_process_exits(closed):
    """A long silent command ends when the controller dies."""
    engine = start_counter()
    engine.stdin.write(b"name\ncount 900000\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == b"= Counter\n"
    for stream in closed:
        getattr(engine, stream).close()
    assert engine.wait(60) == 0
    engine.stdin.close()
    engine.stdout.close()

    done = run_counter(input=b"lines 500\n" * 200)
    assert done.stdout.count(b"\n\n") == 200
    assert len(done.stdout) > 8_000_000


def test_who_reads_nothing_of_an_analysis_can_still_stop_it_and_go_on():
    """A client that reads nothing can still send two megabytes, and all of it is answered."""
    engine = start_counter()
    with engine:
        engine.stdin.write(b"analyze 10000\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"= \n"
        time.sleep(0.5)  # for some 500 lines; a pipe holds six, the process ten more
        script = b"x" * (1 << 21) + b"\nadd 2\nname\nquit\n"
        writing = threading.Thread(target=engine.stdin.write, args=(script,))
        writing.start()
        writing.join(60)
        heard = not writing.is_alive()
        if not heard:
            engine.kill()
        engine.stdin.close()
        replies = engine.stdout.read().split(b"\n\n")
    assert heard
    assert replies[1:] == [b"? syntax error: line too long", b"= ", b"= Counter", b"= ", b""]


def test_end_of_input_ends_a_running_analysis_and_its_reply():
    """The reply has its empty line at the end, and the process exits with 0."""
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
        """Read until `data` contains `count` replies."""
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
    def make(start):
        sessions.append(make_session(start))
        return sessions[-1]

    listening = await serve_endpoint(reactor, "tcp:0", make)
    yield listening.getHost().port
    await listening.stopListening()
    await eventually(lambda: all(session.closed for session in sessions))


def counting_threads() -> int:
    return sum(thread.name == "counting" for thread in threading.enumerate())


@pytest_twisted.ensureDeferred
async def test_without_an_interface_only_this_machine_can_connect():
    """The plain `tcp:0` listens on 127.0.0.1."""
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
    """Seven count rightly beside garbage, a hang and a reset, and no thread remains."""
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
    """A half-closed client gets all answers, also to a last line without newline."""

    def talk() -> bytes:
        with Client(port) as client:
            client.send(b"count 40\nshow")
            client.socket.shutdown(socket.SHUT_WR)
            return client.read_to_end()

    assert await deferToThread(talk) == b"= 40\n\n= 40\n\n"


@pytest_twisted.ensureDeferred
async def test_a_client_that_hangs_up_amid_a_long_command_is_worked_for_no_more(port, monkeypatch):
    """A long command ends when a client hangs up, though it only seems to stop sending."""
    monkeypatch.setattr(serving, "PROBE_SECONDS", 0.1)

    def hang_up() -> None:
        with Client(port) as client:
            client.send(b"name\ncount 900000\nshow\n")
            client.read_replies(1)

    await deferToThread(hang_up)
    await eventually(lambda: counting_threads() == 0)


@pytest_twisted.ensureDeferred
async def test_a_client_that_only_stops_sending_is_waited_with(port, monkeypatch):
    """A half-closed client gets blank lines as probes and then complete answers."""
    monkeypatch.setattr(serving, "PROBE_SECONDS", 0.05)

    def talk() -> bytes:
        with Client(port) as client:
            client.send(b"count 500\nshow")
            client.socket.shutdown(socket.SHUT_WR)
            return client.read_to_end()

    said = await deferToThread(talk)
    assert said.startswith(b"\n")
    assert said.lstrip(b"\n") == b"= 500\n\n= 500\n\n"


@pytest_twisted.ensureDeferred
async def test_a_blank_line_stops_an_analysis_over_tcp(port):
    """A blank line stops the analysis, and the next command is answered on the connection."""

    def talk() -> bytes:
        with Client(port) as client:
            client.send(b"7 analyze\n")
            start = client.socket.recv(100)
            client.send(b"\n")
            client.send(b"show\n")
            return client.read_replies(2, start)

    reply = await deferToThread(talk)
    assert reply.startswith(b"=7 \ninfo step 1\n")


@pytest.mark.thorough
@pytest_twisted.ensureDeferred
async def test_a_client_that_does_not_read_is_not_answered_into_memory(port):
    """A client that does not read is throttled, and later reads only complete replies."""

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


def test_a_reactor_with_monotonic_time_does_not_look_at_the_system_clock():
    """Timeouts do not depend on changes of the system clock."""
    own = SelectReactor()
    use_monotonic_time(own)
    call = own.callLater(5, print)
    assert 0 < call.getTime() - time.monotonic() <= 5
    call.cancel()
