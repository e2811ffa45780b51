"""Login, idle connections, limits, and protection from other clients."""

import logging

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linage_bot.servers.cgos_server.session import Stage
from tests.examples import examples
from tests.linage_bot.servers.cgos_server.world import (
    ADMIN_PASSWORD,
    SETTINGS,
    Client,
    World,
    finish,
)

GREETING = "protocol genmove_analyze linage line=3 button=off edition=current"


def test_a_login_step_by_step(world):
    """A login is answered step by step, and the greeting names the game."""
    client = Client(world)
    assert client.read() == [GREETING]
    assert client.say("e1 test 1.0 genmove_analyze") == ["username"]
    assert client.say("anna") == ["password"]
    assert client.say("secret") == []
    assert client.session.stage is Stage.PLAYER


def test_a_login_in_one_piece_or_byte_by_byte_works_as_well(world):
    """A login may arrive in one piece or byte by byte, with any line ends."""
    client = Client(world)
    assert client.say("e1 test", "anna", "secret") == [GREETING, "username", "password"]
    client.hang_up()
    client = Client(world)
    for byte in b"e1 test\r\nanna\r\nsecret\r\n":
        client.send(bytes([byte]))
    assert client.session.stage is Stage.PLAYER


def test_an_old_client_that_says_no_newlines_is_understood(world):
    """A client without newlines is understood after a pause."""
    client = Client(world)
    client.read()
    assert client.send(b"e1 cgosPython 0.1") == []
    world.advance(2.5)
    assert client.read() == ["username"]
    assert client.send(b"anna") == ["password"]
    assert client.send(b"secret") == []
    assert client.session.stage is Stage.PLAYER


def test_who_says_newlines_may_pause_within_a_line(world):
    """A client that uses newlines may pause within a line."""
    client = Client(world)
    client.say("e1 x")
    client.send(b"an")
    world.advance(10)
    assert client.read() == []
    assert client.say("na") == ["password"]


def test_lines_that_come_while_the_password_is_checked_wait(tmp_path):
    """Lines sent during the password check are handled after it."""
    world = World(tmp_path)
    world.held = []
    client = Client(world)
    assert client.say("e1 test", "anna", "secret", "C3", "quit")[1:] == ["username", "password"]
    assert not client.closed
    world.held.pop()()
    world.settle()
    assert client.closed


def test_who_leaves_while_the_password_is_checked_is_not_here(tmp_path):
    """A client that leaves during the password check is not registered as present."""
    world = World(tmp_path)
    world.held = []
    client = Client(world)
    client.say("e1 test", "anna", "secret")
    client.hang_up()
    world.held.pop()()
    assert world.server.lobby.players == {}


def test_a_login_that_fails_is_told_why_and_closed(world):
    """A failed login gets a reason, is closed and registers no player."""
    world.player("anna")
    for number, (lines, reason) in enumerate(
        [
            (("hello",), "neither e1 nor v1"),
            (("e1 x", "1anna"), "a name does not begin with a digit"),
            (("e1 x", "an"), "a name has 3 to 18 characters, of A-Z a-z 0-9 _ . -"),
            (("e1 x", "anna", "guessed"), "Sorry, password doesn't match"),
            (
                ("e1 x", "bert", "a b c"),
                "a password is one word; to change it, send the old and the new one",
            ),
            (("e1 x", "bert", "ab"), "a password has 3 to 64 characters"),
            (("e1 x", "admin", "guessed"), "Sorry, password doesn't match"),
            (("e1 x", "administrator", ADMIN_PASSWORD), "Sorry, password doesn't match"),
        ]
    ):
        client = Client(world, f"192.0.2.{number}")
        assert client.say(*lines)[-1] == f"Error: {reason}"
        assert client.closed
    assert [player.name for player in world.store.players()] == ["anna"]


def test_a_password_can_be_changed(world):
    """A password is changed by giving the old and the new one at login."""
    world.player("anna").hang_up()
    client = Client(world)
    client.say("e1 x", "anna", "password-of-anna new-one")
    client.hang_up()
    for password, works in [("password-of-anna", False), ("new-one", True)]:
        client = Client(world)
        client.say("e1 x", "anna", password)
        assert client.closed is not works


def test_quit_closes(world):
    """`quit` closes the connection and removes the player."""
    client = world.player("anna")
    client.say("quit")
    assert client.closed
    assert world.server.lobby.players == {}


# ----------------------------------------------------------------------------- limits


def limited(tmp_path, limits: str) -> World:
    return World(tmp_path, SETTINGS.replace("registrations_per_hour = 1000", limits))


def test_one_address_has_so_many_connections_and_others_are_not_affected(tmp_path):
    """The number of connections from one address is limited."""
    world = limited(tmp_path, "connections_per_address = 2")
    first = Client(world)
    Client(world)
    refused = Client(world)
    assert refused.read() == ["Error: too many connections from your address"]
    assert refused.closed
    assert Client(world, "192.0.2.2").read() == [GREETING]
    first.hang_up()
    assert Client(world).read() == [GREETING]


def test_there_are_so_many_connections_in_all(tmp_path):
    """The total number of connections is limited."""
    world = limited(tmp_path, "connections = 1")
    Client(world)
    assert Client(world, "192.0.2.2").read() == ["Error: too many connections"]


def test_the_log_names_who_was_refused_once_and_without_loose_ends(tmp_path, caplog):
    """A refused client is logged in one line with address, name and reason."""
    world = World(tmp_path)
    caplog.set_level(logging.INFO)
    Client(world).say("e1 test", "anna", "secret")
    Client(world).say("hello")
    Client(world).say("e1 test", "anna", "wrong")
    assert [message for message in caplog.messages if "192.0.2.1" in message] == [
        "192.0.2.1: neither e1 nor v1",
        "192.0.2.1 anna: Sorry, password doesn't match",
    ]
    assert not [message for message in caplog.messages if message != message.rstrip()]


def test_one_address_registers_so_many_players_an_hour(tmp_path):
    """The number of new players from one address is limited to some per hour."""
    world = limited(tmp_path, "registrations_per_hour = 1")
    world.player("anna")
    client = Client(world)
    assert client.say("e1 x", "bert", "secret")[-1].startswith("Error: too many new players")
    world.seconds += 3601
    world.player("bert")


def test_a_flood_of_messages_ends_the_connection(tmp_path):
    """A client that sends too many messages is disconnected."""
    world = limited(tmp_path, "messages_per_second = 1")
    client, _ = world.viewer()
    assert client.say(*["observe 1"] * 15) == ["setup 1 ?"] * 15
    assert client.say(*["observe 1"] * 15)[-1] == "Error: too many messages"
    assert client.closed


def test_moves_that_were_asked_for_are_no_flood(tmp_path):
    """Requested moves do not count towards the limit of messages."""
    world = limited(tmp_path, "messages_per_second = 1")
    first, second = world.begin()
    number = 1
    while number < 10:
        finish(world, first, second, number)
        number += 1
        first.say("ready"), second.say("ready")
        world.pair()
        if world.store.game(number).first == "bert":
            first, second = sorted(
                (first, second), key=lambda client: client.session._name, reverse=True
            )
        else:
            first, second = sorted((first, second), key=lambda client: client.session._name)
    assert not first.closed
    assert not second.closed


def test_who_does_not_log_in_has_to_go(world):
    """A connection without a login is closed after a minute."""
    client = Client(world)
    client.say("e1 x")
    world.advance(59)
    assert not client.closed
    world.advance(2)
    assert client.read() == ["Error: no login in time"]
    assert client.closed


def test_a_silent_player_is_asked_and_stays_if_it_answers(world):
    """A silent player is polled after 15 minutes and closed if it does not answer."""
    one, other = world.player("anna"), world.player("bert")
    world.advance(901)
    assert "username" in one.read()
    assert "username" in other.read()
    assert one.say("anna") == []
    world.advance(901)
    assert not one.closed
    assert other.closed
    assert "Error: no answer from the client" in other.read()


def test_a_player_who_waits_for_its_opponents_move_may_be_silent(tmp_path):
    """A player that waits for its opponent's move is not polled."""
    world = World(tmp_path, SETTINGS.replace("level_ms = 10000", "level_ms = 100000000"))
    first, second = world.begin()
    for _ in range(5):
        world.advance(1000)
    assert not first.closed
    assert not second.closed
    assert "username" not in first.read() + second.read()


def test_the_answer_to_a_poll_is_not_taken_for_a_move(world):
    """The answer to a poll is not taken for a move."""
    one, other = world.player("anna"), world.player("bert")
    world.advance(901)
    other.say("bert")
    world.pair()
    assert "username" in one.read()
    assert one.say("anna") == []
    assert world.store.game(1).result is None


def test_a_line_without_end_is_no_line(world):
    """A line that is too long is refused and the connection closed."""
    client = Client(world)
    heard = client.send(b"x" * 200_000)
    assert heard[-1] == "Error: line too long"
    assert client.closed


# ------------------------------------------------------------------------------- fuzz

WORDS = [
    "e1", "v1", "x", "anna", "bert", "admin", ADMIN_PASSWORD, "password-of-anna", "secret",
    "ready", "quit", "observe", "1", "-1", "99999999999999999999", "C3", "pass", "resign",
    "who", "games", "match", "abort", "genmove_analyze", "{}", '{"moves":', "[" * 2000, "\u2003",
]  # fmt: skip
LINES = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)
CHUNKS = st.lists(
    st.one_of(LINES.map(lambda line: f"{line}\n".encode()), st.binary(max_size=60)), max_size=12
)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(login=st.sampled_from([(), ("e1 x",), ("v1 x",), ("anna",), ("carl",), ("admin",)]),
       chunks=CHUNKS)  # fmt: skip
def test_whatever_somebody_says_others_play_on(tmp_path_factory, caplog, login, chunks):
    """No input from any client disturbs the games of others."""
    caplog.set_level(logging.DEBUG)
    world = World(tmp_path_factory.mktemp("world"))
    first, second = world.begin("dora", "emil")
    viewer, _ = world.viewer()
    viewer.say("observe 1")
    offender = Client(world)
    if login in (("anna",), ("carl",)):
        offender.say("e1 x", login[0], f"password-of-{login[0]}")
    elif login == ("admin",):
        offender.say("e1 x", "admin", ADMIN_PASSWORD)
    else:
        offender.say(*login)
    for chunk in chunks:
        if not offender.closed:
            offender.send(chunk)
    world.pair()
    live = 1 in world.server.lobby.live_games  # the administrator may have ended it
    viewer.read()
    first.say("C3")
    if live:
        assert second.read()[-2:] == ["play b C3 10000", "genmove w 10000"]
        assert viewer.read() == ["update 1 C3 10000"]
    assert not any((first.closed, second.closed, viewer.closed))
    assert not [record for record in caplog.records if record.exc_info]
    world.store.close()
