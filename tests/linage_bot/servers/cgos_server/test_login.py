"""Guessing of passwords is limited without locking out the owners."""

import logging

import pytest

from linage_bot.servers.cgos_server import login, passwords
from linage_bot.servers.cgos_server.limits import origin
from linage_bot.servers.cgos_server.store import PlayerRow
from tests.examples import some_quick
from tests.linage_bot.servers.cgos_server.world import ADMIN_PASSWORD, SETTINGS, Client, World

STRANGER, OWNER, ELSEWHERE = "203.0.113.9", "192.0.2.1", "198.51.100.7"
WRONG = "Error: Sorry, password doesn't match"
TOO_MANY = "Error: too many wrong passwords; try again in a minute"


def guess(world: World, name: str, address: str, password: str = "guessed") -> Client:
    client = Client(world, address)
    client.session.receive_data(f"e1 x\n{name}\n{password}\n".encode())
    world.settle()
    return client


def attack(world: World, seconds: int, name: str = "anna", address: str = STRANGER) -> list[Client]:
    """Send ten guesses a second, each on its own connection."""
    clients = []
    for _ in range(seconds):
        clients += [guess(world, name, address) for _ in range(10)]
        world.advance(1)
    return clients


def answers(clients: list[Client]) -> list[str]:
    return [client.read()[-1] for client in clients]


@pytest.mark.parametrize("name", some_quick(["anna", "admin", "administrator"], "anna"))
def test_an_address_has_few_passwords_looked_at_however_many_it_tries(world, name):
    """One address gets only four password checks a minute."""
    world.player("anna")
    attack(world, 60, name)
    looked_at = answers(attack(world, 600, name)).count(WRONG)
    assert 1 <= looked_at <= 41  # four a minute


def test_all_connections_of_an_address_at_once_are_one_burst_and_no_more(tmp_path):
    """All connections of one address share the same limit of guesses."""
    world = World(tmp_path, SETTINGS + "connections_per_address = 50")
    world.player("anna")
    looked_at = 0
    for _ in range(10):
        clients = [guess(world, "anna", STRANGER) for _ in range(50)]
        world.advance(60)
        looked_at += answers(clients).count(WRONG)
    assert looked_at <= 50 + 40


def test_a_name_is_guessed_at_slowly_from_however_many_addresses(world):
    """One name gets a limited number of password checks from all addresses together."""
    world.player("anna")
    clients = []
    for second in range(60):
        clients += [guess(world, "anna", f"203.0.{second}.{number}") for number in range(10)]
        world.advance(1)
    assert answers(clients).count(WRONG) <= 10 + 30


def test_the_owner_does_not_notice_that_a_stranger_guesses(world):
    """A player can log in at once while a stranger guesses its password."""
    owner = world.player("anna")
    attack(world, 60)
    owner.hang_up()
    owner = guess(world, "anna", OWNER, "password-of-anna")
    assert "anna" in world.server.lobby.players
    attack(world, 60)
    assert not owner.closed


def test_the_owner_gets_in_from_a_new_address_while_a_stranger_guesses(world):
    """A player at a new address can log in within ten seconds during an attack."""
    world.player("anna").hang_up()
    attack(world, 60)
    guess(world, "anna", ELSEWHERE, "password-of-anna")
    world.advance(10)
    assert "anna" in world.server.lobby.players


def test_who_shares_the_strangers_address_gets_in_under_its_own_name(world):
    """A player who shares an attacker's address can log in under another name."""
    world.log_in("bert")[0].hang_up()
    attack(world, 60, "anna", OWNER)
    guess(world, "bert", OWNER, "password-of-bert")
    assert "bert" in world.server.lobby.players


def test_the_right_password_after_a_slip_is_looked_at_a_second_later(world):
    """After a mistyped password the right one is accepted a second later."""
    world.player("anna").hang_up()
    assert answers([guess(world, "anna", OWNER)]) == [WRONG]
    client = guess(world, "anna", OWNER, "password-of-anna")
    assert world.server.lobby.players == {}
    world.advance(1)
    assert "anna" in world.server.lobby.players
    assert not client.closed


def test_mistakes_are_forgotten_after_an_hour_and_not_by_being_right_elsewhere(world):
    """Wrong guesses are forgotten after an hour, not after a login under another name."""
    world.player("anna").hang_up()
    world.log_in("bert")[0].hang_up()
    attack(world, 60, "anna", ELSEWHERE)
    world.player("carl").hang_up()
    guess(world, "carl", ELSEWHERE, "password-of-carl").hang_up()
    assert answers(attack(world, 15, "anna", ELSEWHERE)).count(WRONG) <= 2
    world.advance(30)
    world.advance(3601)
    assert answers([guess(world, "anna", ELSEWHERE)]) == [WRONG]


def test_a_password_that_was_changed_while_an_old_one_waited_is_the_one_that_counts(world):
    """A password is checked against the one that is valid when its turn comes."""
    owner = world.player("anna")
    attack(world, 5)
    late = guess(world, "anna", ELSEWHERE, "password-of-anna")
    assert not late.closed
    owner.hang_up()
    guess(world, "anna", OWNER, "password-of-anna another").hang_up()
    world.advance(30)
    assert late.read()[-1] == WRONG


def test_who_hangs_up_while_it_waits_is_not_let_in(world):
    """A client that closes its connection while queued is not logged in."""
    world.player("anna").hang_up()
    attack(world, 5)
    guess(world, "anna", ELSEWHERE, "password-of-anna").hang_up()
    world.advance(30)
    assert world.server.lobby.players == {}


def test_the_administrator_is_not_shut_out_either(world):
    """The administrator can log in within ten seconds during an attack."""
    attack(world, 60, "admin")
    client = guess(world, "admin", OWNER, ADMIN_PASSWORD)
    world.advance(10)
    assert client.read()[-1] == "ok"


@pytest.mark.thorough
def test_an_attack_costs_the_log_a_few_lines_a_minute(world, caplog):
    """An attack is logged in a few lines a minute, with a count of the rest."""
    world.player("anna")
    caplog.set_level(logging.INFO)
    attack(world, 600)
    lines = [message for message in caplog.messages if STRANGER in message]
    assert len(lines) <= 11 * 11
    assert lines[0] == f"{STRANGER} anna: {WRONG.removeprefix('Error: ')}"
    assert lines[9].endswith("; further refusals are counted for a minute")
    assert any("more times" in line for line in lines)


def test_what_is_remembered_of_strangers_is_bounded():
    """The memory for wrong guesses is limited without delaying the owners."""
    known = login.LoginThrottle()
    known.right("anna", OWNER)
    for number in range(11_000):
        known.wrong("anna", f"10.0.{number // 256}.{number % 256}", float(number))
        known.wrong(f"name{number}", STRANGER, float(number))
    assert len(known._pauses) == 10_000
    assert known.wait("anna", OWNER, 11_000.0) == 0
    assert known.wait("bert", STRANGER, 11_000.0) > 0


def test_nobody_waits_longer_than_half_a_minute(world):
    """A queued login is answered or refused within half a minute."""
    assert login._PATIENCE_SECONDS == 30
    world.player("anna")
    attack(world, 60)
    clients = [guess(world, "anna", STRANGER) for _ in range(10)]
    assert answers([client for client in clients if client.closed]).count(TOO_MANY) >= 7
    world.advance(31)
    assert all(client.closed for client in clients)


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("local", "local"),
    ],
)
def test_an_address_of_ipv6_counts_as_its_customers_network(address, counts_as):
    """IPv6 addresses of one network count as one address."""
    assert origin(address) == counts_as


# -------------------------------------------------------------------- names alike


def test_a_new_name_that_differs_from_a_known_one_only_in_capitals_is_refused(world):
    """A new name that differs from a known one only in capitals is refused."""
    world.player("Anna")
    for name in ("anna", "ANNA"):
        client = guess(world, name, OWNER)
        assert client.read()[-1] == (
            f"Error: Anna is taken, and {name} differs from it only in capital letters"
        )
        assert client.closed
    assert [player.name for player in world.store.players()] == ["Anna"]
    world.player("anna_")


def test_of_two_that_come_at_once_only_the_first_is_registered(tmp_path):
    """If two clients register similar names at once, only the first one succeeds."""
    world = World(tmp_path)
    world.held = []
    clients = [guess(world, name, OWNER) for name in ("anna", "Anna", "anna")]
    for do in world.held:
        do()
    world.settle()
    assert [client.closed for client in clients] == [False, True, True]
    assert "Anna differs from it" in clients[1].read()[-1]
    assert "registered a moment ago" in clients[2].read()[-1]


def test_names_alike_that_are_in_the_database_already_go_on_working(world):
    """Similar names that are already in the database can still log in."""
    for name in ("anna", "Anna"):
        password = passwords.hashed(f"password-of-{name}")
        world.store.register(PlayerRow(name, password, "2026-01-01T00:00:00"))
    world.store.commit()
    world.begin("anna", "Anna")
    assert set(world.server.lobby.players) == {"anna", "Anna"}
    client = guess(world, "ANNA", OWNER)
    assert "is taken" in client.read()[-1]
