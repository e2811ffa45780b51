"""The engine's side of GTP: order, ids, works and what stops them."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.gtp.commands import CommandTable
from protocol.gtp.engine import BUILT_INS, EngineSession
from protocol.session.answering import MAX_WAITING, State
from protocol.session.work import Reply, ReplyLine
from tests.protocol.gtp import counter
from tests.protocol.gtp.counter import Counter, HandWork, table


class Works(list[HandWork]):
    """All works that began, in their order."""

    def start(self, work: HandWork) -> None:
        work.start(print)
        self.append(work)


def make_session(max_output_bytes: int | None = None) -> EngineSession[Counter]:
    return counter.make_session(Works().start, max_output_bytes)


def begin(data: bytes) -> tuple[EngineSession[Counter], HandWork]:
    works = Works()
    session = counter.make_session(works.start)
    assert session.receive_data(data) == b""
    (work,) = works
    return session, work


def test_commands_are_answered_in_order_with_their_ids():
    """Blank lines and comments between them are not answered."""
    session = make_session()
    assert session.receive_data(b"1 add 3\nshow\n\n2 add 4 10\n# x\n3 show\n") == (
        b"=1 \n\n= 3\n\n=2 \n\n=3 43\n\n"
    )


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        (b"protocol_version\n", b"= 2\n\n"),
        (b"known_command show\n", b"= true\n\n"),
        (b"known_command quit\n", b"= true\n\n"),
        (b"known_command foo\n", b"= false\n\n"),
        (b"stop\n", b"= \n\n"),
        (b"gogui-interrupt\n", b"= \n\n"),
        (b"# interrupt\n", b""),
        (b"\n", b""),
        (b"4 foo\n", b"?4 unknown command: foo\n\n"),
        (b"add\n", b"? syntax error: usage: add AMOUNT [TIMES]\n\n"),
        (b"add x\n", b"? syntax error: not an integer: 'x'\n\n"),
        (b"add -1\n", b"? illegal move: -1 is negative\n\n"),
        (b"5 sh\x00ow\n", b"?5 syntax error: NUL byte\n\n"),
    ],
)
def test_every_line_gets_its_answer_and_the_session_goes_on(line, reply):
    """A refused command changes nothing: the number is still 0."""
    session = make_session()
    assert session.receive_data(line) == reply
    assert session.receive_data(b"show\n") == b"= 0\n\n"


def test_the_list_of_commands_has_one_a_line_and_the_built_in_ones_too():
    """Sorted, as clients ask for it before they rely on a command."""
    lines = make_session().receive_data(b"list_commands\n").decode()[2:].split()
    assert lines == sorted(table | BUILT_INS)
    assert "quit" in lines


def test_a_bug_in_a_command_is_answered_logged_and_survived(caplog):
    """The client gets an internal error with its id, and the log the traceback."""
    session = make_session()
    with caplog.at_level(logging.ERROR):
        reply = session.receive_data(b"6 break\nshow\n")
    assert reply == b"?6 internal error: RuntimeError('on purpose')\n\n= 0\n\n"
    assert "Traceback" in caplog.text


def test_quit_is_answered_and_nothing_after_it():
    """Commands after `quit` get no answer, in the same piece of input or later."""
    session = make_session()
    assert session.receive_data(b"show\nquit\nshow\n") == b"= 0\n\n= \n\n"
    assert session.closed
    assert session.receive_data(b"show\n") == b""
    assert session.receive_end() == b""
    assert not session.wants_data


def test_after_the_end_of_input_all_is_answered_then_the_session_is_over():
    """Half a line that was left is a command, too."""
    session = make_session()
    assert session.receive_data(b"show\nsho") == b"= 0\n\n"
    assert session.receive_data(b"w") == b""
    assert not session.closed
    assert session.receive_end() == b"= 0\n\n"
    assert session.closed


def test_a_table_may_not_take_the_sessions_own_commands():
    """An engine with a `stop` of its own could not be interrupted."""
    own: CommandTable[Counter] = CommandTable()
    own.named("stop")(lambda _counter: None)
    with pytest.raises(ValueError, match="stop"):
        EngineSession(own, Counter(), print)


# Works


def test_what_comes_behind_a_work_waits_for_its_end():
    """Commands after a work are answered in order once it has ended."""
    session, work = begin(b"9 hand\nshow\n")
    assert session.receive_data(b"add 1\nshow\n") == b""
    assert session.update(work, Reply(True, "D4")) == b"=9 D4\n\n= 0\n\n= \n\n= 1\n\n"
    assert work.told == ["start"]
    assert session.state is State.READY


def test_a_work_that_fails_is_answered_with_its_message():
    """A failed work is answered by a GTP error with its command's id."""
    session, work = begin(b"9 hand\n")
    assert session.update(work, Reply(False, "cannot score: no")) == b"?9 cannot score: no\n\n"


def test_progress_opens_the_reply_and_is_written_at_once():
    """A blank line within it cannot end the reply too early."""
    session, work = begin(b"9 hand\n")
    assert session.update(work, ReplyLine("info a")) == b"=9 \ninfo a\n"
    assert session.update(work, ReplyLine("info b\n\ninfo c")) == b"info b\n \ninfo c\n"
    assert session.update(work, Reply(True, "play D4")) == b"play D4\n\n"


def test_a_reply_opened_as_a_success_ends_well_formed_even_if_the_work_fails():
    """The `=` is already written, so the failure becomes a line of the reply."""
    session, work = begin(b"hand\n")
    session.update(work, ReplyLine("info a"))
    assert session.update(work, Reply(False, "out of memory")) == b"error: out of memory\n\n"


def test_reports_after_the_end_of_a_work_are_ignored():
    """A late report of a finished work is not taken for the next work's answer."""
    works = Works()
    session = counter.make_session(works.start)
    session.receive_data(b"hand\nhand\n")
    assert session.update(works[0], Reply(True, "one")) == b"= one\n\n"
    first, second = works
    assert session.update(first, ReplyLine("late")) == b""
    assert session.update(first, Reply(True, "late")) == b""
    assert session.update(second, Reply(True, "two")) == b"= two\n\n"


@pytest.mark.parametrize("line", [b"quit\n", b"stop\n", b"gogui-interrupt\n", b"# interrupt\n"])
def test_a_search_is_stopped_by_what_says_so(line):
    """Said twice, it is passed on once, and the best move so far is answered."""
    session, work = begin(b"hand\n")
    assert session.receive_data(line) == b""
    assert session.state is State.STOPPING
    session.receive_data(line)
    assert work.told == ["start", "stop"]
    assert session.update(work, Reply(True, "best")).startswith(b"= best\n\n")


@pytest.mark.parametrize("line", [b"\n", b"show\n", b"# x\n", b"\xff\n", b"stopp\n"])
def test_a_search_is_not_stopped_by_any_other_line(line):
    """Commands that a GUI sends ahead cost the search none of its time."""
    session, work = begin(b"hand\n")
    session.receive_data(line)
    assert work.told == ["start"]


@pytest.mark.parametrize(
    "line", [b"\n", b"show\n", b"# x\n", b"\xff\n", b"# interrupt\n", b"stop\n"]
)
def test_an_analysis_is_stopped_by_any_line_and_the_line_is_answered_after_it(line):
    """The analysis's reply is closed before the next command is answered, as GUIs expect."""
    session, work = begin(b"hand-analyze\n")
    session.update(work, ReplyLine("info a"))
    assert session.receive_data(line) == b""
    assert work.told == ["start", "stop"]
    reply = session.update(work, Reply(True))
    assert reply[:1] == b"\n"
    assert reply[1:] == make_session().receive_data(line)


def test_half_a_line_stops_nothing():
    """Only a complete line stops an analysis."""
    session, work = begin(b"hand-analyze\n")
    session.receive_data(b"sho")
    assert work.told == ["start"]
    session.receive_data(b"w\n")
    assert work.told == ["start", "stop"]


def test_quit_in_a_script_lets_the_search_before_it_finish():
    """Unlike a `quit` that comes while the search is running."""
    session, work = begin(b"hand\nquit\n")
    assert work.told == ["start", "input_ended"]
    assert session.update(work, Reply(True, "D4")) == b"= D4\n\n= \n\n"
    assert session.closed


def test_any_line_behind_an_analysis_in_a_script_stops_it():
    """Otherwise the script would never come to its end."""
    for behind in (b"\n", b"quit\n", b"show\n", b"# interrupt\n"):
        _, work = begin(b"hand-analyze\n" + behind)
        assert work.told == ["start", "stop"]


def test_an_interrupt_right_behind_a_search_in_one_piece_stops_it():
    """An `interrupt` directly after a search stops it, unlike a `quit`."""
    assert begin(b"hand\n# interrupt\n")[1].told == ["start", "stop"]


def test_the_end_of_input_does_not_stop_a_search_but_tells_it():
    """At the end of input the search finishes, and later commands are answered."""
    session, work = begin(b"hand\nshow\n")
    assert session.receive_end() == b""
    assert work.told == ["start", "input_ended"]
    assert session.update(work, Reply(True, "D4")) == b"= D4\n\n= 0\n\n"
    assert session.closed


def test_a_search_begun_after_the_end_of_input_is_told_too():
    """A search begun after the end of input learns of it, as no client can stop it."""
    works = Works()
    session = counter.make_session(works.start)
    session.receive_data(b"hand\nhand\n")
    session.receive_end()
    session.update(works[0], Reply(True))
    _, second = works
    assert second.told == ["start", "input_ended"]
    session.update(second, Reply(True))
    assert session.closed


def test_when_the_peer_vanishes_the_work_is_stopped_and_nothing_more_is_answered():
    """Losing the peer twice stops the work once."""
    session, work = begin(b"hand\nshow\n")
    session.abandon()
    session.abandon()
    assert work.told == ["start", "stop"]
    assert session.closed
    assert session.update(work, Reply(True, "D4")) == b""


def test_a_command_that_waited_begins_no_work_once_the_peer_has_vanished():
    """A queued command starts no work once the client has disconnected."""
    works = Works()
    session = counter.make_session(works.start)
    session.receive_data(b"hand\nhand\n")
    session.abandon()
    session.update(works[0], Reply(True))
    assert len(works) == 1


# Bounds


def test_a_session_with_many_commands_waiting_asks_to_read_no_more():
    """A full queue pauses reading until the work ends, which limits the memory."""
    session, work = begin(b"hand\n")
    session.receive_data(b"show\n" * MAX_WAITING)
    assert session.wants_data
    session.receive_data(b"show\n")
    assert not session.wants_data
    session.update(work, Reply(True))
    assert session.wants_data


def test_blank_lines_behind_a_waiting_command_do_not_pile_up():
    """100,000 of them are not reason enough to stop reading."""
    session, _ = begin(b"hand\nshow\n")
    session.receive_data(b"\n" * 100_000)
    assert session.wants_data


def test_a_bounded_session_answers_in_portions_and_loses_nothing():
    """Output comes in portions without loss, even after the end of input."""
    session = make_session(max_output_bytes=500)
    portions = [session.receive_data(b"lines 2\n" * 100)]
    while session.has_more:
        portions.append(session.receive_data(b""))
    assert max(map(len, portions)) < 1000
    assert b"".join(portions).count(b"\n\n") == 100
    session.receive_data(b"lines 2\n" * 10)
    session.receive_end()
    assert not session.closed
    while session.has_more:
        session.receive_data(b"")
    assert session.closed


# Any conversation

LINES = [
    b"show",
    b"7 add 2",
    b"",
    b"foo",
    b"a\x00",
    b"echo \xc3\xab",
    b"# interrupt",
    b"9",
    b"\xff",
]


@given(
    st.lists(st.sampled_from(LINES) | st.binary(max_size=12), max_size=8),
    st.lists(st.integers(0, 100), max_size=6),
)
def test_answers_do_not_depend_on_how_the_bytes_were_cut(lines, cuts):
    """Any lines, good or bad, compared with the same bytes in one piece."""
    stream = b"\n".join(lines)
    whole = make_session()
    expected = whole.receive_data(stream) + whole.receive_end()
    session = make_session()
    places = sorted(min(cut, len(stream)) for cut in cuts)
    got = b""
    for start, end in zip([0, *places], [*places, len(stream)], strict=True):
        got += session.receive_data(stream[start:end])
    assert got + session.receive_end() == expected


@given(st.lists(st.sampled_from(["hand", "hand-analyze", "show", "", "stop", "# interrupt"])))
def test_every_command_gets_exactly_one_answer_whatever_stops_what(lines):
    """Searches, analyses, stops and blank lines in any order."""
    works = Works()
    session = counter.make_session(works.start)
    output = b""
    for line in lines:
        output += session.receive_data(line.encode() + b"\n")
        while session.state is State.STOPPING:
            output += session.update(works[-1], Reply(True))
    output += session.receive_end()
    while not session.closed:
        output += session.update(works[-1], Reply(True))
    assert output.count(b"\n\n") == sum(line not in ("", "# interrupt") for line in lines)


def test_a_probe_of_the_peer_does_not_end_a_reply_that_has_begun():
    """Probes are empty lines between replies, and never end a reply."""
    assert make_session().probe() == b"\n"
    session, work = begin(b"hand\n")
    assert session.probe() == b"\n"
    session.update(work, ReplyLine("one"))
    assert session.probe() == b""
    session.update(work, Reply(True, "two"))
    assert session.probe() == b"\n"
