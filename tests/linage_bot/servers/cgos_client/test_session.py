"""One connection without I/O: replies, events and violations of the protocol."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.servers.cgos_client.session import Broken, ClientSession, ClientStage
from linage_bot.settings.checks import Secret
from protocol.cgos.player import MoveAnswer, Ready
from protocol.cgos.server import GameOver, GenMove, Info, Play, ProtocolQuery, Setup
from protocol.cgos.words import Rated, TimedMove
from protocol.session.arguments import Colour

LOGIN = b"protocol genmove_analyze\nusername\npassword\n"
SETUP = b"setup 7 9 5.5 60000 rival(1800?) linus(1500)"


def session(*sent: bytes) -> ClientSession:
    made = ClientSession("linus", Secret("s3cret"))
    for data in sent:
        made.receive_data(data)
    made.outgoing()
    return made


def test_the_login_is_answered_line_by_line():
    """The login is answered line by line, and the announced game is reported."""
    one = ClientSession("linus", Secret("s3cret"))
    assert one.receive_data(b"protocol genmove_analyze linage line=3\n") == [
        ProtocolQuery(True, "linage", (("line", "3"),))
    ]
    assert one.analyze
    hello = one.outgoing().split()
    assert (hello[0], hello[-1]) == (b"e1", b"genmove_analyze")
    assert one.receive_data(b"username\n") == []
    assert one.outgoing() == b"linus\n"
    assert one.stage is ClientStage.LOGGING_IN
    assert one.receive_data(b"password\n") == []
    assert one.outgoing() == b"s3cret\n"
    assert one.stage is ClientStage.WAITING


def test_a_server_without_analysis_is_not_offered_any():
    """A server that does not announce analysis is not offered any."""
    one = ClientSession("linus", Secret("s3cret"))
    one.receive_data(b"protocol\n")
    assert not one.analyze
    assert b"genmove_analyze" not in one.outgoing()


def test_a_game_from_setup_to_ready():
    """A game produces the right events and replies from its setup to `ready`."""
    one = session(LOGIN)
    setup = Setup(
        number=7,
        size=9,
        komi=5.5,
        level_ms=60_000,
        white=Rated("rival", "1800?"),
        black=Rated("linus", "1500"),
    )
    assert one.receive_data(SETUP + b"\ngenmove b 60000\n") == [
        setup,
        GenMove(Colour.BLACK, 60_000),
    ]
    assert (one.stage, one.colour) == (ClientStage.PLAYING, Colour.BLACK)
    one.send(MoveAnswer("D4", '{"moves":[]}'))
    assert one.outgoing() == b'D4 {"moves":[]}\n'
    assert one.receive_data(b"play w E5 59000\ngameover 2026-01-31 B+1 well played\n") == [
        Play(Colour.WHITE, "E5", 59_000),
        GameOver("2026-01-31", "B+1", "well played"),
    ]
    one.send(Ready())
    assert one.outgoing() == b"ready\n"
    assert one.stage is ClientStage.WAITING


def test_a_setup_may_come_with_moves_to_catch_up():
    """A setup may contain moves with their clocks, as after a lost connection."""
    (setup,) = session(LOGIN).receive_data(SETUP + b" D4 59000 pass 58000\n")
    assert setup.moves == (TimedMove("D4", 59_000), TimedMove("pass", 58_000))


@pytest.mark.parametrize("sent", [(), (LOGIN,), (LOGIN, SETUP + b"\n")])
def test_the_name_is_told_in_any_state_and_changes_none(sent):
    """`username` is answered at any time and changes nothing."""
    one = session(*sent)
    stage = one.stage
    assert one.receive_data(b"username\n") == []
    assert one.outgoing() == b"linus\n"
    assert one.stage is stage


@pytest.mark.parametrize(
    ("sent", "refused"),
    [
        ((), True),
        ((b"info hello\n",), True),  # which says nothing about the password
        ((LOGIN,), True),
        ((LOGIN, b"info hello\n"), False),
        ((LOGIN, SETUP + b"\n"), False),
    ],
)
def test_an_error_is_a_refusal_until_the_server_has_let_us_in(sent, refused):
    """An error counts as a refusal only before the login is complete."""
    events = session(*sent).receive_data(b"Error: wrong password\nusername\n")
    assert events == [Broken("message of the server: wrong password", refused)]


@pytest.mark.parametrize(
    "reason",
    [
        # the original's two servers
        "Sorry, password doesn't match",
        "Password must be at least 3 characters.",
        "User name must be no more than 18 characters long.",
        "Not removing dead stones, many timeout, changed strength, or many similar programs."
        " Change setting and try another name.",
        "invalid response",
        # ours
        "Linus is taken, and linus differs from it only in capital letters",
        "a name has 3 to 18 characters, of A-Z a-z 0-9 _ . -",
        "a password has 3 to 64 characters",
        # any server's
        "Bad credentials",
        "this account is banned",
    ],
)
def test_what_the_user_has_to_fix_is_refused_for_good(reason):
    """A wrong name or password is a permanent refusal."""
    (event,) = session(LOGIN).receive_data(f"Error: {reason}\n".encode())
    assert event.refused


@pytest.mark.parametrize(
    "reason",
    [
        "You are already logged on!  Closing connection.",
        "user linus is already connected",
        "this name is in use",
        "too many connections",
        "too many connections from your address",
        "too many wrong passwords; try again in a minute",
        "too many new players from your address; try again in an hour",
        "this name was registered a moment ago",
        "the server is full: too many users",
        "Closed for maintenance, no user may log in",
        "the server is going down",
        "no login",
        "database is locked",
        "",
    ],
)
def test_what_may_pass_is_no_refusal_for_good(reason):
    """A busy server or an old connection is a temporary refusal."""
    (event,) = session(LOGIN).receive_data(f"Error: {reason}\n".encode())
    assert not event.refused


@pytest.mark.parametrize(
    "lines",
    [
        b"genmove b 1\n",
        b"play w D4 1\n",
        b"setup 7 9 5.5 60000 alice bob\n",
        b"setup 7\n",
        b"\xff\n",
        b"x" * 65_537,
        SETUP + b"\ngenmove w 1\n",
        SETUP + b"\nplay w D4# 1\n",
        SETUP + b"\nplay w resign 1\n",
        SETUP + b" D4 1 sideways 1\n",
        SETUP.replace(b"rival", b"riv#al") + b"\n",
        SETUP.replace(b"1800?", "zwölf".encode()) + b"\n",
        b"protocol genmove_analyze lin#age\n",
        b"protocol genmove_analyze linage line=#\n",
        SETUP + b"\nplay b D4 1\n",
        SETUP + b"\ngameover 2026-01-31 B+1\ngenmove b 1\n",
    ],
)
def test_what_the_protocol_forbids_breaks_the_connection_and_nothing_more_is_heard(lines):
    """A line that breaks the protocol closes the connection, and later lines are ignored."""
    one = session(LOGIN)
    events = one.receive_data(lines)
    assert isinstance(events[-1], Broken)
    assert one.stage is ClientStage.CLOSED
    assert one.receive_data(b"\nusername\n") == []
    assert one.outgoing() == b""


def test_other_lines_are_news():
    """Other lines are reported as information."""
    assert session(LOGIN).receive_data(b"info a b\nok\n") == [Info("a b"), Info("ok")]


lines = st.lists(
    st.binary(max_size=20)
    | st.sampled_from([SETUP, b"genmove b 1", b"play w D4 1", b"gameover 2026-01-31 B+1"])
    | st.sampled_from([b"protocol", b"username", b"password", b"info x", b"Error: x", b"setup 1"])
)


@given(lines, st.integers(1, 30))
def test_any_lines_lead_to_events_and_the_same_however_they_arrive(sent, size):
    """Any input produces the same events however it is split."""
    data = b"\n".join(sent) + b"\n"
    whole, cut = session(), session()
    events = whole.receive_data(data)
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert [event for piece in pieces for event in cut.receive_data(piece)] == events
    assert whole.outgoing() == cut.outgoing()
    assert [isinstance(event, Broken) for event in events[:-1]].count(True) == 0
