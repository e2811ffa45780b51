"""The controller's side of UGI: matching answers to requests."""

import pytest

from protocol.session.errors import ConnectionLost, LocalProtocolError, RemoteProtocolError
from protocol.session.work import Reply
from protocol.ugi.controller import (
    MAX_DESCRIPTION_LINES,
    MAX_LINE_BYTES,
    UgiControllerSession,
)
from tests.protocol.ugi.test_engine import Talk


def greeted():
    session = UgiControllerSession()
    session.send("ugi")
    assert session.receive_data(b"ugiok\n") == [Reply(True)]
    return session


def test_an_engine_that_never_says_ugiok_is_told_what_it_said():
    """The error quotes the last line, complete or not, in place of `ugiok`."""
    session = UgiControllerSession()
    session.send("ugi")
    assert session.unfinished == ""
    session.receive_data(b"id name X\noption name a\n")
    assert session.unfinished == "'option name a' was received, but no 'ugiok'"
    session.receive_data(b"ugiok")
    assert session.unfinished == "'ugiok' was received, but not the end of that line"
    assert len(session.receive_data(b"\n")) == 1
    assert session.unfinished == ""


def test_each_question_gets_its_answer():
    """Lines in between are for people, and more words behind a move are not part of it."""
    session = UgiControllerSession()
    assert session.send("ugi") == b"ugi\n"
    assert session.receive_data(
        b"Engine 1.0 by X\r\nid name X\r\n\noption name a\r\nugiok\r\n"
    ) == [Reply(True, "Engine 1.0 by X\nid name X\noption name a")]
    assert session.notify("position", "startpos") == b"position startpos\n"
    assert session.send("isready") == b"isready\n"
    assert session.receive_data(b"info string hello\nrea") == []
    assert session.receive_data(b"dyok\n") == [Reply(True)]
    assert session.send("go", "nodes", "1") == b"go nodes 1\n"
    assert session.receive_data(b"info nodes 1 pv d4\nbestmove d4 ponder e5\n") == [
        Reply(True, "d4")
    ]
    session.send("query", "result")
    assert session.receive_data(b"response p1win\n") == [Reply(True, "p1win")]
    session.send("go")
    assert session.receive_data(b"bestmove\n") == [Reply(True, "")]
    assert session.waiting == 0
    assert session.interrupt() == b"stop\n"


def test_reports_of_a_search_are_passed_on():
    """Lines that answer nothing reach the caller at once, in their order."""
    session, lines = greeted(), []
    session.on_line = lines.append
    session.send("go")
    session.receive_data(b"info nodes 1 pv d4\ninfo nodes 2")
    assert lines == ["info nodes 1 pv d4"]
    assert session.receive_data(b" pv e5\nbestmove e5\n") == [Reply(True, "e5")]
    assert lines == ["info nodes 1 pv d4", "info nodes 2 pv e5"]


def test_the_transcript_tells_the_end_of_the_conversation():
    """The transcript ends with the last lines before a fault."""
    session = greeted()
    session.notify("position", "startpos")
    session.send("go")
    session.receive_data(b"info " + b"x" * 500 + b"\n")
    assert session.transcript[:3] == ("> ugi", "< ugiok", "> position startpos")
    assert len(session.transcript[-1]) < 210


def test_what_cannot_be_said_is_not_sent():
    """A mistake of ours is no fault of the engine's."""
    session = greeted()
    for words in [("",), ("position", "a\nquit"), ("x\ud800",)]:
        with pytest.raises(LocalProtocolError):
            session.notify(*words)
    with pytest.raises(LocalProtocolError, match="has no answer"):
        session.send("position", "startpos")
    assert session.waiting == 0


@pytest.mark.parametrize(
    ("asked", "said", "reason"),
    [
        ("isready", b"bestmove d4\n", "response without a command"),
        ("", b"readyok\n", "response without a command"),
        ("query x", b"response a\nresponse b\n", "response without a command"),
        ("go", b"x" * (MAX_LINE_BYTES + 1), "line too long: "),
    ],
)
def test_an_answer_that_nobody_asked_for_ends_the_conversation(asked, said, reason):
    """An unexpected answer ends the session, since later ones could not be matched."""
    session = greeted()
    if asked:
        session.send(*asked.split())
    outcomes = session.receive_data(said)
    failures = [outcome for outcome in outcomes if not isinstance(outcome, Reply)]
    assert isinstance(session.failure, RemoteProtocolError)
    assert str(session.failure).startswith(reason)
    assert all(failure is session.failure for failure in failures)
    assert session.receive_data(b"readyok\n") == []
    with pytest.raises(RemoteProtocolError):
        session.send("isready")


@pytest.mark.parametrize(
    "said", [b"? unknown command\n\n", b"= \n\n", b"hello\n" * (MAX_DESCRIPTION_LINES + 1)]
)
def test_what_speaks_something_else_is_found_out_at_once(said):
    """An engine of GTP in place of UGI is recognised at once, without a timeout."""
    session = UgiControllerSession()
    session.send("ugi")
    (outcome,) = session.receive_data(said)
    assert isinstance(outcome, RemoteProtocolError)
    assert str(outcome).count(outcome.line) == 1
    assert str(outcome).endswith("; check that the program speaks UGI")


def test_an_engine_that_is_gone_answers_everything_that_was_asked():
    """All waiting requests end when the engine is gone, including `quit`."""
    session = greeted()
    session.send("go")
    session.send("quit")
    outcomes = session.connection_lost("exited with status 3", ["oh no"])
    assert len(outcomes) == 2
    assert isinstance(outcomes[0], ConnectionLost)
    assert outcomes[0].last_lines[-1] == "! oh no"
    assert session.connection_lost("again") == []


def test_both_sides_understand_each_other():
    """Our engine session and our controller understand each other."""
    talk, session = Talk(), UgiControllerSession()

    def ask(*words):
        return session.receive_data(talk.session.receive_data(session.send(*words)))

    (greeting,) = ask("ugi")
    assert "id name Fake" in greeting.text
    assert ask("isready") == [Reply(True)]
    assert talk.session.receive_data(session.notify("position", "startpos", "moves", "a")) == b""
    assert ask("query", "x") == [Reply(True, "x 1")]
    assert ask("go", "depth", "2") == []
    said = talk.session.update(talk.works[0], Reply(True, "D4"))
    assert session.receive_data(said) == [Reply(True, "D4")]
    assert talk.session.receive_data(session.send("quit")) == b""
    assert talk.session.closed
