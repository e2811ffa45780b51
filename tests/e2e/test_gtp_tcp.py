"""`linage-bot gtp --listen`: many clients at once, and none of them a nuisance to the others."""

import socket
import struct
import subprocess
import threading
import time

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from tests.e2e.engine import PATIENCE_SECONDS, Client, popen, server


def eventually(condition) -> None:
    """Wait until `condition` is true, with patience for a busy machine."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.05)


def play_alone(port: int, number: int, games: dict) -> None:
    """Play one client's whole game on its own board."""
    with Client(port) as client:
        size, komi = 3 + number % 4, number + 0.5
        client.ask(f"boardsize {size}")
        client.ask(f"komi {komi}")
        position = GAMES["linage"].configure(str(size), komi).start()
        while not position.over:
            word = client.ask(f"genmove {position.to_move.letter}")
            names = {position.name_of(move): move for move in position.moves()}
            position = position.play(names[word])
            assert client.ask("gogui-rules_side_to_move") == position.to_move.colour
        assert client.ask("final_score") == str(position.result())
        client.send(b"quit\n")
        assert client.reply() == "= "
        assert client.reply() == ""
        games[number] = position


def begin_endless(port: int) -> Client:
    """A client whose analysis is under way."""
    client = Client(port)
    client.send(b"kata-analyze b 1\n")
    assert client.line() == "= \n"
    assert client.line().startswith("info move ")
    return client


@pytest.mark.thorough
def test_ten_clients_play_at_once_whatever_three_others_do():
    """Ten clients finish legal games beside others that send garbage, never read, or reset."""
    games: dict = {}
    with server("--visits", "30", "--resign", "never") as (process, port):
        garbage, hanging = Client(port), Client(port)
        garbage.send(bytes(range(256)) * 5000)
        hanging.send(b"list_commands\n" * 5000 + b"genm")  # and never reads an answer
        vanishing = begin_endless(port)
        players = [
            threading.Thread(target=play_alone, args=(port, number, games)) for number in range(10)
        ]
        for player in players:
            player.start()
        # Gone without a word, in the middle of a search.
        linger = struct.pack("ii", 1, 0)
        vanishing.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        vanishing.close()
        for player in players:
            player.join(PATIENCE_SECONDS)
        assert sorted(games) == list(range(10))
        assert process.poll() is None
        garbage.close()
        hanging.close()


def threads_of(pid: int) -> int:
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:  # noqa: PTH123
        return int(next(line for line in status if line.startswith("Threads:")).split()[1])


def rests(client: Client) -> bool:
    """Whether the server spends next to nothing of half a second."""
    before = float(client.ask("cputime"))
    time.sleep(0.5)
    return float(client.ask("cputime")) - before < 0.1


@pytest.mark.thorough
@pytest.mark.skipif(
    not hasattr(socket, "SO_PEERCRED"), reason="counting another process's threads needs /proc"
)
def test_after_clients_leave_no_thread_and_no_search_remains():
    """The process has as many threads as before and uses next to no processor time."""
    with server("--seconds", "3600", "--seed", "1") as (process, port):
        begin_endless(port).close()  # so that the compiled code is loaded, with its own threads
        with Client(port) as idle:
            eventually(lambda: rests(idle))
            quiet = threads_of(process.pid)
            clients = [begin_endless(port) for _ in range(4)]
            thinking = Client(port)
            thinking.send(b"genmove b\n")
            eventually(lambda: threads_of(process.pid) >= quiet + 5)
            for client in (*clients, thinking):
                client.close()
            eventually(lambda: threads_of(process.pid) == quiet)
            eventually(lambda: rests(idle))


def test_each_client_has_its_own_game_and_player():
    """A stone, another game and a setting of one client are not seen by the other."""
    with server("--size", "5") as (_process, port), Client(port) as one, Client(port) as two:
        one.ask("play b C3")
        two.ask("linage-game leblin")
        one.ask("kata-set-param maxVisits 7")
        assert one.ask("gogui-rules_side_to_move") == "white"
        assert two.ask("gogui-rules_game_id") == "Leblin"
        assert one.ask("gogui-rules_game_id") == "Linage"
        assert two.ask("kata-get-param maxVisits") == "unlimited"


def test_a_client_that_only_closes_its_sending_side_gets_all_replies_owed():
    """A half-closed client, as with `nc`, gets all replies, even to a last line without newline."""
    with server("--visits", "200", "--size", "5") as (_process, port), Client(port) as client:
        client.send(b"1 genmove b\n2 name")
        client.socket.shutdown(socket.SHUT_WR)
        move = client.reply()
        assert move.startswith("=1 ")
        assert move[3:] in [
            position.name_of(move)
            for position in [GAMES["linage"].configure("5").start()]
            for move in (*range(25), PASS)
        ]
        assert [client.reply(), client.reply()] == ["=2 linage-bot", ""]


def test_files_are_refused_to_clients_of_a_server(tmp_path):
    """Clients cannot read or write files; `printsgf` without a file name sends the record."""
    file = tmp_path / "game.sgf"
    with server() as (_process, port), Client(port) as client:
        for line in (f"printsgf {file}", f"loadsgf {__file__}", "loadsgf /etc/passwd"):
            client.send(line.encode() + b"\n")
            assert client.reply().startswith("? cannot ")
        assert client.ask("printsgf").startswith("(;FF[4]")
    assert not file.exists()


def test_only_this_machine_can_connect_unless_an_interface_is_named():
    """The machine's other addresses, where it has any, do not answer."""
    with server() as (_process, port):
        addresses = {
            info[4][0]
            for info in socket.getaddrinfo(socket.gethostname(), port, socket.AF_INET)
            if not info[4][0].startswith("127.")
        }
        for address in addresses:
            with pytest.raises(OSError, match=r"refused|unreachable|timed out"):
                socket.create_connection((address, port), 5)
        with Client(port) as client:
            assert client.ask("name") == "linage-bot"


def test_clients_may_ask_for_no_more_than_the_server_was_given():
    """The server's `--threads` and `--seconds` are upper limits for clients."""
    with server("--threads", "2", "--seconds", "1") as (_process, port), Client(port) as client:
        client.ask("kata-set-param threads 2")
        client.send(b"kata-set-param threads 3\nkata-set-param maxTime 60\n")
        assert client.reply() == "? syntax error: threads is at most 2 on this server"
        assert client.reply() == "? syntax error: maxTime is at most 1 on this server"


def test_one_who_says_so_lets_other_machines_in_and_is_warned():
    """With `--expose` the server accepts other machines and prints a warning of the danger."""
    with popen(
        "--listen", "tcp:0:interface=0.0.0.0", "--expose", stderr=subprocess.PIPE
    ) as process:
        assert b"warning: others can reach this server" in process.stderr.readline()
        port = int(process.stderr.readline().split()[-1])
        with Client(port) as client:
            assert client.ask("name") == "linage-bot"
        process.terminate()


def test_a_socket_of_the_file_system_needs_no_leave(tmp_path):
    """A Unix socket needs no `--expose` and no warning, as file permissions protect it."""
    with popen("--listen", f"unix:{tmp_path}/gtp", stderr=subprocess.PIPE) as process:
        assert str(tmp_path) in process.stderr.readline().decode()
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_SECONDS)
            client.connect(f"{tmp_path}/gtp")
            client.sendall(b"name\n")
            assert client.recv(100) == b"= linage-bot\n\n"
        process.terminate()


def test_a_signal_ends_a_server_with_searches_running():
    """SIGTERM amid an hour's analysis gives status 0."""
    with server("--seconds", "3600") as (process, port):
        client = begin_endless(port)
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == 0
        client.close()


@pytest.mark.thorough
def test_a_signal_right_behind_the_first_line_ends_a_server():
    """A signal directly after the first line ends the server with status 0."""
    for _ in range(5):
        with popen("--listen", "tcp:0", stderr=subprocess.PIPE) as process:
            assert b"listening on" in process.stderr.readline()
            process.terminate()
            assert process.wait(PATIENCE_SECONDS) == 0
