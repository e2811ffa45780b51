"""The bytes of GTP, both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.gtp.codec import (
    MAX_ID,
    MAX_LINE_BYTES,
    BadLine,
    BlankLine,
    Command,
    CommandDecoder,
    Interrupt,
    ReplyDecoder,
    encode_command,
    encode_reply,
    encode_reply_end,
    encode_reply_lines,
    encode_reply_start,
)
from protocol.session.errors import LocalProtocolError, RemoteProtocolError
from protocol.session.work import Reply, ReplyLine


def three_ways(make_decoder, data: bytes, after: bytes):
    """Return the events of `data` whole, byte by byte, and with more bytes behind it."""
    whole = make_decoder().receive_data(data)
    decoder = make_decoder()
    one_by_one = [event for byte in data for event in decoder.receive_data(bytes([byte]))]
    behind = make_decoder().receive_data(data + after)[: len(whole)]
    return whole, one_by_one, behind


COMMAND_LINES = [
    (b"name\n", Command("name")),
    (b"play b D4\n", Command("play", ("b", "D4"))),
    (b"  12 play\tb   D4  \r\n", Command("play", ("b", "D4"), 12)),
    (b"0 name\n", Command("name", (), 0)),
    (b"007 name\n", Command("name", (), 7)),
    (b"%d name\n" % MAX_ID, Command("name", (), MAX_ID)),
    (b"-1 name\n", Command("-1", ("name",))),
    (b"na\x01\x7f\x1bme\r\n", Command("name")),
    (b"name # a comment\n", Command("name")),
    (b"name#comment\n", Command("name")),
    (b"name # \xff\x00\n", Command("name")),
    ("loadsgf spiel/für_zoë.sgf\n".encode(), Command("loadsgf", ("spiel/für_zoë.sgf",))),
    ("x a\u00a0b\u3000c\n".encode(), Command("x", ("a\u00a0b\u3000c",))),
    (b"\n", BlankLine()),
    (b" \t\r\n", BlankLine()),
    (b"# a comment\n", BlankLine()),
    (b"#\xff\x00\n", BlankLine()),
    (b"# interrupt\n", Interrupt()),
    (b"# interrupt\r\n", Interrupt()),
    (b"# interrupted\n", BlankLine()),
    (b"name # interrupt\n", Command("name")),
    (b"na\x00me\n", BadLine("syntax error: NUL byte")),
    (b"\x00\n", BadLine("syntax error: NUL byte")),
    (b"5 na\x00me\n", BadLine("syntax error: NUL byte", 5)),
    (b"play b \xff\n", BadLine("syntax error: not UTF-8")),
    (b"3 play \xc3\n", BadLine("syntax error: not UTF-8", 3)),
    (b"%d name\n" % (MAX_ID + 1), BadLine(f"syntax error: id beyond {MAX_ID}")),
    (b"9" * 5000 + b" name\n", BadLine(f"syntax error: id beyond {MAX_ID}")),
    (b"5\n", BadLine("syntax error: id without a command", 5)),
]


@pytest.mark.parametrize(("line", "event"), COMMAND_LINES)
def test_every_kind_of_line_is_read_the_same_however_it_arrives(line, event):
    """Lines are read the same whole, byte by byte, and with more data; errors keep the id."""
    for events in three_ways(CommandDecoder, line, b"version\n"):
        assert events == [event]


def test_a_last_line_without_newline_counts():
    """A last line without newline, common in scripts, is read at the end of the input."""
    decoder = CommandDecoder()
    assert decoder.receive_data(b"name\nversion") == [Command("name")]
    assert decoder.receive_end() == [Command("version")]
    assert decoder.receive_end() == []


@pytest.mark.parametrize("size", [100, 1 << 16, 1 << 23])
def test_an_overlong_line_is_refused_once_and_the_next_line_is_read(size):
    """The error keeps the line's id, for large and small pieces of input."""
    data = b"8 echo " + b"x" * (3 * MAX_LINE_BYTES) + b"\nname\n"
    decoder = CommandDecoder()
    events = []
    for start in range(0, len(data), size):
        events += decoder.receive_data(data[start : start + size])
    assert events == [BadLine("syntax error: line too long", 8), Command("name")]


def test_a_line_at_the_bound_is_read_and_one_byte_more_is_refused_at_once():
    """The rest of the line is dropped, so one line makes one error."""
    fits = b"x" * 20
    assert CommandDecoder(20).receive_data(fits + b"\n") == [Command("x" * 20)]
    decoder = CommandDecoder(20)
    assert decoder.receive_data(fits) == []
    assert decoder.receive_data(b"x") == [BadLine("syntax error: line too long")]
    assert decoder.receive_data(b"x" * 1000) == []
    assert decoder.receive_data(b"\nname\n") == [Command("name")]
    assert CommandDecoder(20).receive_data(fits + b"x\nname\n") == [
        BadLine("syntax error: line too long"),
        Command("name"),
    ]


@pytest.mark.parametrize(
    ("reply", "data"),
    [
        (Reply(True, ""), b"= \n\n"),
        (Reply(True, "", 3), b"=3 \n\n"),
        (Reply(False, "unknown command: x", 0), b"?0 unknown command: x\n\n"),
        (Reply(True, "a\nb"), b"= a\nb\n\n"),
        (Reply(True, "a\n\n\n\nb\n\n"), b"= a\n \n \n \nb\n\n"),
        (Reply(True, "\n\na"), b"= \n \na\n\n"),
        (Reply(True, "a\r\n\r\nb\x00\x7f\tc"), b"= a\n \nb\tc\n\n"),
        (Reply(True, "zoë"), "= zoë\n\n".encode()),
        (Reply(False, "no file \udcff"), b"? no file \\udcff\n\n"),
    ],
)
def test_a_reply_has_its_space_and_no_empty_line_but_the_last(reply, data):
    """An empty line within would be the end of the reply to every client."""
    assert encode_reply(reply) == data


@given(st.text(), st.booleans(), st.none() | st.integers(0, MAX_ID))
def test_no_text_can_break_a_reply_in_two(text, ok, id_):
    """A controller reads one reply with its id from any text of a command."""
    data = encode_reply(Reply(ok, text, id_))
    assert data.find(b"\n\n") == len(data) - 2
    *lines, reply = ReplyDecoder().receive_data(data)
    assert isinstance(reply, Reply)
    assert (reply.ok, reply.id) == (ok, id_)
    assert all(isinstance(line, ReplyLine) for line in lines)


@given(st.lists(st.text(), max_size=5))
def test_no_text_can_break_a_stream(texts):
    """No text in a reply or in lines of progress can end the reply early."""
    data = encode_reply_start(None) + b"".join(map(encode_reply_lines, texts))
    assert b"\n\n" not in data
    events = ReplyDecoder().receive_data(data + encode_reply_end())
    assert [type(event) for event in events].count(Reply) == 1


def test_a_reply_of_any_size_is_encoded_and_read_back():
    """Ten megabytes, unharmed."""
    text = "\n".join(["x" * 1000] * 10_000)
    assert ReplyDecoder().receive_data(encode_reply(Reply(True, text)))[-1] == Reply(True, text)


word = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters=" #"), min_size=1
)


@given(word.filter(lambda w: not (w.isascii() and w.isdigit())), st.lists(word), st.integers(0, 9))
def test_an_engine_reads_the_command_that_a_controller_wrote(name, arguments, id_):
    """Any name and words, in any script, arrive as they were given."""
    command = Command(name, tuple(arguments), id_)
    assert CommandDecoder().receive_data(encode_command(command)) == [command]


@pytest.mark.parametrize(
    "command",
    [
        Command(""),
        Command("two words"),
        Command("12"),
        Command("name", ("a\nquit",)),
        Command("name", ("a\rb",)),
        Command("name", ("a\x00",)),
        Command("name", ("a#b",)),
        Command("na\tme"),
        Command("name", (), -1),
        Command("name", (), MAX_ID + 1),
        Command("loadsgf", ("\udcff",)),
    ],
)
def test_a_command_that_would_be_read_differently_is_not_sent(command):
    """A newline in a word would be a second command; the caller hears of it instead."""
    with pytest.raises(LocalProtocolError):
        encode_command(command)


def test_a_file_name_with_spaces_can_be_sent():
    """A caller need not quote or escape anything."""
    assert encode_command(Command("loadsgf", ("my game.sgf",))) == b"loadsgf my game.sgf\n"


REPLIES = [
    (b"= \n\n", Reply(True, "")),
    (b"=\n\n", Reply(True, "")),
    (b"= D4\n\n", Reply(True, "D4")),
    (b"=D4\n\n", Reply(True, "D4")),
    (b"=12 D4\n\n", Reply(True, "D4", 12)),
    (b"=12\n\n", Reply(True, "", 12)),
    (b"? cannot undo\r\n\r\n", Reply(False, "cannot undo")),
    (b"?7 cannot undo\n\n", Reply(False, "cannot undo", 7)),
    (b"\n\r\n= a\nb\n\n", Reply(True, "a\nb")),
    (b"=\na\n b \n\n", Reply(True, "a\n b ")),
    (b"= \xff\n\n", Reply(True, "\ufffd")),
]


@pytest.mark.parametrize(("data", "reply"), REPLIES)
def test_every_kind_of_reply_is_read_the_same_however_it_arrives(data, reply):
    """Replies are read with or without id, space and carriage returns, as engines differ."""
    for events in three_ways(ReplyDecoder, data, b"\n? more\n\n"):
        assert events[-1] == reply
        lines = [ReplyLine(line) for line in reply.text.split("\n") if line and reply.ok]
        assert events[:-1] == lines


@pytest.mark.parametrize("start", [b"login: \n", b"D4\n\n", b"\n\nWelcome\n", b"<html>\n\n"])
def test_a_program_that_does_not_speak_gtp_is_named_by_its_line(start):
    """The error quotes the first line of the program that was started instead of an engine."""
    for events in three_ways(ReplyDecoder, start, b"= fine\n\n"):
        (error,) = events
        assert isinstance(error, RemoteProtocolError)
        assert error.line == start.decode().strip("\n").split("\n")[0]
        assert str(error).count(repr(error.line)) == 1
        assert str(error).endswith("; check that the program speaks GTP")


def test_what_came_before_the_nonsense_is_kept_and_what_comes_after_is_ignored():
    """Output of an engine after a crash is not taken for an answer."""
    decoder = ReplyDecoder()
    reply, error = decoder.receive_data(b"= \n\nSegmentation fault\n= a\n\n")
    assert reply == Reply(True, "")
    assert isinstance(error, RemoteProtocolError)
    assert error.line == "Segmentation fault"
    assert decoder.receive_data(b"= b\n\n") == []


@pytest.mark.parametrize("data", [b"= " + b"x" * 200, b"= a\n" + b"bc\n" * 100])
def test_a_reply_beyond_the_bound_is_the_engines_fault(data):
    """Neither an endless line nor endless lines can fill the memory."""
    for events in three_ways(lambda: ReplyDecoder(max_reply_bytes=100), data, b""):
        assert isinstance(events[-1], RemoteProtocolError)
        assert "reply too long" in events[-1].reason


@given(st.lists(st.sampled_from([d for d, _ in REPLIES]), max_size=6), st.data())
def test_replies_do_not_depend_on_how_their_bytes_were_cut(replies, data):
    """Any replies in any pieces, compared with the same bytes in one."""
    stream = b"".join(replies)
    whole = ReplyDecoder().receive_data(stream)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = ReplyDecoder()
    events = []
    for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        events += decoder.receive_data(stream[start:end])
    assert events == whole
