"""The controller's side of GTP, and both sides joined."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.gtp.codec import MAX_REPLY_LINES
from protocol.gtp.controller import ControllerSession
from protocol.session.asking import TRANSCRIPT_LINES
from protocol.session.errors import ConnectionLost, LocalProtocolError, RemoteProtocolError
from protocol.session.work import Reply
from tests.protocol.gtp.counter import make_session


def test_answers_belong_to_commands_in_the_order_asked():
    """Answers may arrive in pieces; `waiting` is the number of missing ones."""
    session = ControllerSession()
    assert session.send("name") + session.send("play", "b", "D4") == b"name\nplay b D4\n"
    assert session.waiting == 2
    assert session.receive_data(b"= Fake\n\n? ill") == [Reply(True, "Fake")]
    assert session.receive_data(b"egal move\n\n") == [
        Reply(False, "illegal move"),
    ]
    assert session.waiting == 0


def test_a_command_that_cannot_be_said_is_not_asked():
    """No answer is waited for, and the transcript does not show it."""
    session = ControllerSession()
    with pytest.raises(LocalProtocolError):
        session.send("name\nquit")
    assert session.waiting == 0
    assert session.transcript == ()


def test_nonsense_fails_everything_asked_and_to_be_asked():
    """The answer in front of it counts; nothing later can be matched to a question."""
    session = ControllerSession()
    session.send("name")
    session.send("version")
    name, version, *rest = session.receive_data(b"= a\n\nBANG\n")
    assert name == Reply(True, "a")
    assert isinstance(version, RemoteProtocolError)
    assert rest == []
    with pytest.raises(RemoteProtocolError, match="BANG"):
        session.send("name")
    assert session.receive_data(b"= late\n\n") == []
    assert session.connection_lost("gone") == []


def test_an_answer_without_a_question_is_the_engines_fault():
    """Every later answer would go to the wrong command, so none is sent."""
    session = ControllerSession()
    assert session.receive_data(b"= hello\n\n") == []
    with pytest.raises(RemoteProtocolError, match=r"^response without a command: 'hello'$"):
        session.send("name")


BEGUN = [
    ("= name\n", "= name"),
    ("=\n", "="),
    ("=4 D4\n", "= D4"),
    ("= D4", "= D4"),  # not even a newline
    ("? unknown command\r\n", "? unknown command"),
    ("= name\nversion\npl", "= name\nversion\npl"),
    ("= " + "x" * 500 + "\n", "= " + "x" * 80),
]


@pytest.mark.parametrize(("sent", "shown"), BEGUN)
def test_an_answer_without_its_empty_line_is_unfinished(sent, shown):
    """The beginning of an unfinished answer is quoted, even if it arrives in pieces."""
    words = f"an answer has begun, {shown!r}, but no empty line has ended it"
    for size in (1, 3, len(sent)):
        session = ControllerSession()
        session.send("list_commands")
        assert session.unfinished == ""
        for start in range(0, len(sent), size):
            session.receive_data(sent[start : start + size].encode())
        assert session.unfinished == words
        session.receive_data(b"\n\n")
        assert session.unfinished == ""


@pytest.mark.parametrize("first", ["=\n", "= \r\n", "? cannot\n", "= C3\n"])
@pytest.mark.parametrize("second", ["= D4\n", "=\n", "?2 no\n", "= D4\n\n"])
def test_an_answer_that_begins_in_another_shows_that_the_empty_line_was_forgotten(first, second):
    """With several commands waiting, a missing empty line is reported at once with the answer."""
    session = ControllerSession()
    session.send("play", "b", "A1")
    session.send("genmove", "w")
    outcomes = session.receive_data((first + second).encode())
    assert [type(each) for each in outcomes] == [RemoteProtocolError] * 2
    assert str(outcomes[0]) == (
        f"an answer has begun, {first.strip()!r}, but no empty line has ended it before the next:"
        f" {second.strip()!r}"
    )


@pytest.mark.parametrize("text", ["= board =\n=====\n", "x\n= 3 stones\n", "x\n?\n"])
def test_lines_of_an_answer_may_begin_as_answers_do(text):
    """Diagrams with `=` are allowed if no other command waits, and often otherwise."""
    session = ControllerSession()
    session.send("showboard")
    (reply,) = session.receive_data(f"= {text}\n".encode())
    assert reply == Reply(True, text.strip())
    session.send("showboard")
    session.send("name")
    assert len(session.receive_data(b"= a\n=====\n==\n\n= b\n\n")) == 2


def test_an_answer_without_end_is_read_line_by_line_and_takes_no_memory():
    """Each line is passed on; the reply has none of them, and the next one is whole again."""
    session, lines = ControllerSession(), []
    session.on_line = lines.append
    session.keeps_lines = False
    session.send("kata-analyze")
    session.receive_data(b"=\n" + b"info move D4\n" * (MAX_REPLY_LINES + 1))
    assert lines == ["info move D4"] * (MAX_REPLY_LINES + 1)
    assert session.receive_data(b"\n") == [Reply(True)]
    session.send("lz-analyze")
    assert session.receive_data(b"? unknown command\n\n") == [Reply(False, "unknown command")]
    session.keeps_lines = True
    session.send("showboard")
    assert session.receive_data(b"= a\nb\n\n") == [Reply(True, "a\nb")]
    assert lines[-2:] == ["a", "b"]


def test_an_engine_that_dies_amid_an_answer_is_told_what_it_sent():
    """The end of the process alone would not say why."""
    session = ControllerSession()
    session.send("name")
    session.receive_data(b"= Fake\n")
    (lost,) = session.connection_lost("exited with status 0")
    assert str(lost) == (
        "exited with status 0: an answer has begun, '= Fake', but no empty line has ended it"
    )


def test_when_the_engine_is_gone_every_question_ends():
    """All waiting commands end with the reason and the engine's last words."""
    session = ControllerSession()
    session.send("name")
    session.send("version")
    answers = session.connection_lost("exited with status 3", ["last words"])
    assert len(answers) == 2
    for answer in answers:
        assert isinstance(answer, ConnectionLost)
        assert answer.last_lines == ("> name", "> version", "! last words")
    with pytest.raises(ConnectionLost, match="status 3"):
        session.send("name")


def test_the_transcript_tells_the_end_of_the_conversation_and_stays_short():
    """The transcript has both sides, marks refusals and cuts long lines."""
    session = ControllerSession()
    session.send("name")
    session.receive_data(b"= Fake\n\n")
    session.send("foo")
    session.receive_data(b"? unknown command\n\n")
    session.send("clear_board")
    session.receive_data(b"= \n\n")
    session.interrupt()
    assert session.transcript == (
        *("> name", "< Fake", "> foo", "< ? unknown command", "> clear_board", "< ="),
        "> # interrupt",
    )
    for _ in range(100):
        session.send("echo", "x" * 10_000)
        session.receive_data(b"= " + b"x" * 10_000 + b"\n\n")
    assert len(session.transcript) == TRANSCRIPT_LINES
    assert max(map(len, session.transcript)) < 300


COMMANDS = st.sampled_from(
    [("name",), ("add", "3"), ("add", "-3"), ("show",), ("lines", "3"), ("foo",), ("echo", "ë")]
)


@given(st.lists(COMMANDS, max_size=8), st.lists(st.integers(1, 30), min_size=1, max_size=5))
def test_both_ends_agree_whatever_the_wire_does(commands, chunk_sizes):
    """Any commands and any pieces both ways: each outcome fits its command."""
    controller, engine = ControllerSession(), make_session(print)
    to_engine = b"".join(controller.send(*command) for command in commands)
    answers = []
    turn = 0
    while to_engine:
        size = chunk_sizes[turn % len(chunk_sizes)]
        turn += 1
        reply = engine.receive_data(to_engine[:size])
        to_engine = to_engine[size:]
        for start in range(0, len(reply), size):
            answers += controller.receive_data(reply[start : start + size])
    number = 0
    for command, outcome in zip(commands, answers, strict=True):
        assert isinstance(outcome, Reply)
        match command:
            case "add", "3":
                number += 3
                assert outcome == Reply(True, "")
            case ("show",):
                assert outcome == Reply(True, str(number))
            case "echo", word:
                assert outcome == Reply(True, word)
            case "lines", "3":
                assert outcome.text.count("\n") == 2
            case ("foo",) | ("add", "-3"):
                assert not outcome.ok
