"""The lines of CGOS: between server and player, and between server and viewer."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cgos.player import (
    Credentials,
    Hello,
    MoveAnswer,
    Ready,
    parse_answer,
    parse_credentials,
    parse_hello,
    why_no_name,
)
from protocol.cgos.server import (
    GameOver,
    GenMove,
    Info,
    PasswordQuery,
    PlainLine,
    Play,
    ProtocolQuery,
    ServerError,
    Setup,
    UsernameQuery,
    parse_server_line,
)
from protocol.cgos.viewer import (
    GameEnded,
    Match,
    MoveUpdate,
    Observe,
    Observed,
    ResultUpdate,
    UnknownGame,
    parse_viewer_request,
)
from protocol.cgos.words import (
    MAX_LINE_BYTES,
    LineDecoder,
    Rated,
    TimedMove,
    cgos_result,
    encode,
    sgf_result,
)
from protocol.session.arguments import Colour
from protocol.session.errors import LocalProtocolError, RemoteProtocolError

ALICE, BOB = Rated("alice", "1850"), Rated("bob", "1800?")


def setup(number, size, komi, level_ms, white, black, moves=()) -> Setup:
    game = {"number": number, "size": size, "komi": komi, "level_ms": level_ms}
    return Setup(**game, white=white, black=black, moves=moves)


GAME = {"number": 7, "size": 9, "komi": 7.0, "white": ALICE, "black": BOB}
SERVER_LINES = [
    ("protocol", ProtocolQuery()),
    ("protocol genmove_analyze", ProtocolQuery(True)),
    ("protocol genmove_analyze linage", ProtocolQuery(True, "linage")),
    (
        "protocol genmove_analyze linage edition=2023 line=3",
        ProtocolQuery(True, "linage", (("edition", "2023"), ("line", "3"))),
    ),
    ("username", UsernameQuery()),
    ("password", PasswordQuery()),
    ("info Maximum time until next round: 00:10", Info("Maximum time until next round: 00:10")),
    ("info", Info("")),
    ("setup 1 19 7.5 900000 alice(1850) bob(1800?)", setup(1, 19, 7.5, 900_000, ALICE, BOB)),
    (
        "setup 1 9 -7 900000 alice(1850) bob(1800?) D4 899000 pass -3",
        setup(1, 9, -7.0, 900_000, ALICE, BOB, (TimedMove("D4", 899_000), TimedMove("pass", -3))),
    ),
    ("setup 1 9 0 1 alice bob", setup(1, 9, 0.0, 1, Rated("alice"), Rated("bob"))),
    ("genmove b 899000", GenMove(Colour.BLACK, 899_000)),
    ("genmove w -12", GenMove(Colour.WHITE, -12)),
    ("play w D4 899000", Play(Colour.WHITE, "D4", 899_000)),
    ("gameover 2026-01-31 B+3.5", GameOver("2026-01-31", "B+3.5")),
    (
        "gameover 2026-01-31 W+Illegal Illegal move error:KO move:D4",
        GameOver("2026-01-31", "W+Illegal", "Illegal move error:KO move:D4"),
    ),
    ("Error: Sorry, password doesn't match", ServerError("Sorry, password doesn't match")),
    ("ok", PlainLine("ok")),
    ("alice waiting 0 1800.0 3.0", PlainLine("alice waiting 0 1800.0 3.0")),
]


@pytest.mark.parametrize(("line", "message"), SERVER_LINES)
def test_every_line_of_a_server_is_read_and_written(line, message):
    """Encoding a parsed message restores its line exactly."""
    assert parse_server_line(line) == message
    assert message.line == line
    assert encode(message) == line.encode() + b"\n"


def test_spaces_between_words_and_words_behind_the_name_are_no_matter():
    """Extra spaces and unknown extra words are accepted."""
    assert parse_server_line("setup 1 9 0 1 alice bob  D4 5 ").moves == (TimedMove("D4", 5),)
    assert parse_server_line("protocol x=1 genmove_analyze").options == ()
    assert parse_server_line("username please") == UsernameQuery()


@pytest.mark.parametrize(
    "line",
    [
        "setup",
        "setup 1 9 0 1 alice",
        "setup 1 9 0 1 alice bob D4",
        "setup 1 9 0 1 alice bob D4 soon",
        "setup x 9 0 1 alice bob",
        "setup -1 9 0 1 alice bob",
        "setup 1 0 0 1 alice bob",
        "setup 1 9 nan 1 alice bob",
        "setup 1 9 0 -1 alice bob",
        "setup 1 9 0 1 (9) bob",
        "setup 1 9 0 1 alice bob(9",
        "genmove",
        "genmove x 1",
        "genmove b",
        "genmove b 1 2",
        "genmove b " + "9" * 5000,
        "play b D4",
        "play b D4 ٣",
        "gameover",
        "gameover 2026-01-31",
    ],
)
def test_a_known_word_with_wrong_arguments_is_the_servers_fault(line):
    """The fault quotes the line, but no more than 80 characters of it."""
    with pytest.raises(RemoteProtocolError) as caught:
        parse_server_line(line)
    assert caught.value.line == line[:80]


PLAYER_LINES = [
    (parse_hello, "e1 cgosPython 1.0.0 genmove_analyze", Hello("cgosPython 1.0.0", True)),
    (parse_hello, "e1", Hello("")),
    (parse_hello, "v1 viewer", Hello("viewer", viewer=True)),
    (parse_answer, "D4", MoveAnswer("D4")),
    (parse_answer, 'resign {"moves": []}', MoveAnswer("resign", '{"moves": []}')),
    (parse_credentials, "secret", Credentials("secret")),
    (parse_credentials, "secret new.one", Credentials("secret", "new.one")),
]


@pytest.mark.parametrize(("parse", "line", "message"), PLAYER_LINES)
def test_every_line_of_a_player_is_read_and_written(parse, line, message):
    """Greetings, passwords, and moves with or without an analysis."""
    assert parse(line) == message
    assert message.line == line
    assert Ready().line == "ready"


@pytest.mark.parametrize(
    ("parse", "line"),
    [
        (parse_hello, ""),
        (parse_hello, "e2 client"),
        (parse_hello, "GET / HTTP/1.1"),
        (parse_answer, ""),
        (parse_credentials, ""),
        (parse_credentials, "ab"),
        (parse_credentials, "secret newer newest"),
        (parse_credentials, "x" * 65),
    ],
)
def test_what_no_player_says_is_the_players_fault(parse, line):
    """A browser's request or an overlong password raises `RemoteProtocolError`, not a crash."""
    with pytest.raises(RemoteProtocolError):
        parse(line)


def test_a_password_is_never_shown():
    """A password is shown neither in a message's `repr` nor in an error."""
    assert "secret" not in repr(parse_credentials("secret secreter"))
    with pytest.raises(RemoteProtocolError) as caught:
        parse_credentials("secret secreter secretest")
    assert "secret" not in f"{caught.value} {caught.value.line}"


@pytest.mark.parametrize("name", ["abc", "Linage-0.1_x", "_ab", "a" * 18])
def test_names_that_can_be_registered(name):
    """Three to eighteen letters, digits, underscores, dots and hyphens."""
    assert why_no_name(name) is None


@pytest.mark.parametrize("name", ["", "ab", "a" * 19, "1abc", "a b", "añb", "abc\n", "a(b)"])
def test_names_that_cannot(name):
    """Too short, too long, a digit in front, or a character that CGOS lines need otherwise."""
    assert why_no_name(name)


MOVES = (TimedMove("D4", 899_000), TimedMove("pass", 5))
VIEWER_LINES = [
    ("match 7 - - 9 7 alice(1850) bob(1800?) -", Match(**GAME)),
    (
        "match 7 2026-01-31 09:30 9 7 alice(1850) bob(1800?) W+Time",
        Match(**GAME, when="2026-01-31 09:30", result="W+Time"),
    ),
    ("setup 7 ?", UnknownGame(7)),
    ("setup 7 - - 9 7 alice(1850) bob(1800?) 900000", Observed(**GAME, level_ms=900_000)),
    (
        "setup 7 - - 9 7 alice(1850) bob(1800?) 900000 D4 899000 pass 5",
        Observed(**GAME, level_ms=900_000, moves=MOVES),
    ),
    (
        "setup 7 2026-01-31 09:30 9 7 alice(1850) bob(1800?) 900000 D4 899000 pass 5 Draw",
        Observed(**GAME, level_ms=900_000, moves=MOVES, when="2026-01-31 09:30", result="Draw"),
    ),
    ("update 7 D4 899000", MoveUpdate(7, "D4", 899_000)),
    ("update 7 B+Resign", ResultUpdate(7, "B+Resign")),
    ("gameover 7 B+Resign 1000 2000", GameEnded(7, "B+Resign", 1000, 2000)),
]


@pytest.mark.parametrize(("line", "message"), VIEWER_LINES)
def test_every_line_for_viewers_is_written(line, message):
    """Games that are played, finished or unknown, their moves and their results."""
    assert message.line == line
    assert encode(message) == line.encode() + b"\n"


def test_a_viewer_asks_for_a_game():
    """A viewer requests a game by a number of at least 0; other words are left to the server."""
    assert parse_viewer_request("observe 7") == Observe(7)
    assert Observe(7).line == "observe 7"
    assert parse_viewer_request("quit") == PlainLine("quit")
    for line in ("observe", "observe x", "observe 1 2", "observe -1"):
        with pytest.raises(RemoteProtocolError):
            parse_viewer_request(line)


# Any message, any bytes

names = st.from_regex(r"[A-Za-z_.-][A-Za-z0-9_.-]{2,17}", fullmatch=True)
ratings = st.sampled_from(["", "0", "1800", "1800?"])
players = st.builds(Rated, names, ratings)
numbers = st.integers(0, 10**12)
times = st.integers(-(10**9), 10**9)
words = st.from_regex(r"[A-Za-z0-9+.]{1,8}", fullmatch=True)
texts = st.text("aé \u3000?!", max_size=20).map(lambda text: " ".join(text.split()))
moves = st.lists(st.builds(TimedMove, words, times), max_size=4).map(tuple)
komis = st.floats(allow_nan=False, allow_infinity=False)
server_messages = st.one_of(
    st.builds(Info, texts),
    st.builds(setup, numbers, st.integers(1, 99), komis, numbers, players, players, moves),
    st.builds(GenMove, st.sampled_from(Colour), times),
    st.builds(Play, st.sampled_from(Colour), words, times),
    st.builds(GameOver, words, words, texts),
    st.builds(ServerError, texts),
)


@given(server_messages)
def test_what_was_written_is_read_back(message):
    """Any message of a server, with any name, komi, clock and comment."""
    assert parse_server_line(message.line) == message


@given(st.lists(server_messages, max_size=5), st.data())
def test_lines_are_the_same_however_their_bytes_arrive(messages, data):
    """The network may cut anywhere, even within a character."""
    raw = b"".join(encode(message) for message in messages)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=8)))
    decoder = LineDecoder()
    lines = []
    for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True):
        lines += decoder.receive_data(raw[start:end])
    assert [parse_server_line(line) for line in lines] == messages


@given(st.binary(), st.binary())
def test_garbage_is_a_fault_with_a_name_and_the_next_line_is_heard(garbage, after):
    """Any bytes give text or a `RemoteProtocolError`, and nothing else is raised."""
    decoder = LineDecoder()
    lines = decoder.receive_data(garbage) + decoder.receive_data(after + b"\nusername\n")
    for line in lines:
        assert isinstance(line, str | RemoteProtocolError)
        for parse in (parse_server_line, parse_viewer_request, parse_hello, parse_answer,
                      parse_credentials):  # fmt: skip
            if isinstance(line, str):
                with contextlib.suppress(RemoteProtocolError):
                    parse(line)
    assert lines[-1] == "username"


shapes = st.lists(
    st.sampled_from(
        ["setup", "play", "genmove", "gameover", "match", "update", "observe", "b", "w"]
    )
    | st.sampled_from(["1", "-1", "1e400", "nan", "()", "a(b)", "-", "?", "=", "D4", ""]),
    max_size=14,
).map(" ".join)


@given(shapes)
def test_lines_that_are_almost_right_are_a_fault_with_a_name(line):
    """Known words with odd values raise a `RemoteProtocolError` or nothing."""
    for parse in (parse_server_line, parse_viewer_request):
        with contextlib.suppress(RemoteProtocolError):
            parse(line)


@given(st.data())
def test_a_line_with_a_wrong_word_is_a_fault_that_quotes_it_or_a_message_that_can_be_sent(data):
    """A line with one wrong word is refused and quoted, or its message survives a round trip."""
    words = data.draw(st.sampled_from([line.split(" ") for line, _ in SERVER_LINES]))
    place = data.draw(st.integers(0, len(words) - 1))
    wrong = data.draw(st.sampled_from(["-1", "1e400", "nan", "a(b)", "-", "?", "=", "D4", "0"]))
    line = " ".join([*words[:place], wrong, *words[place + data.draw(st.integers(0, 1)) :]])
    try:
        message = parse_server_line(line)
    except RemoteProtocolError as error:
        fault = error.line
    else:
        assert parse_server_line(message.line) == message
        return
    assert fault == line[:80]


def test_carriage_returns_tabs_and_blank_lines_are_forgiven():
    """Lines from Windows or from a person at a terminal are read."""
    assert LineDecoder().receive_data(b"\n \r\n username\r\nplay\tb D4 5\n") == [
        "username",
        "play b D4 5",
    ]


@pytest.mark.parametrize("line", [b"a\x00b\n", b"a\x1bb\n", b"\xff\n", "a\x85b\n".encode()])
def test_what_is_no_text_is_a_fault(line):
    """NUL, escape and broken UTF-8 reach no log, and the next line is heard."""
    fault, after = LineDecoder().receive_data(line + b"username\n")
    assert isinstance(fault, RemoteProtocolError)
    assert after == "username"


def test_an_endless_line_is_reported_at_the_bound_and_forgotten():
    """An overlong line is reported once, its rest is dropped, and the next line is read."""
    decoder = LineDecoder()
    longest = b"x" * MAX_LINE_BYTES
    assert decoder.receive_data(longest + b"\n") == [longest.decode()]
    assert decoder.receive_data(longest) == []
    (fault,) = decoder.receive_data(b"x")
    assert isinstance(fault, RemoteProtocolError)
    assert fault.reason == "line too long"
    assert decoder.receive_data(b"x" * MAX_LINE_BYTES) == []
    assert decoder.receive_data(b"\nusername\n") == ["username"]


@pytest.mark.parametrize(
    "message",
    [
        Info("two\nlines"),
        Info("x" * MAX_LINE_BYTES),
        Play(Colour.BLACK, "D4 resign", 1),
        Play(Colour.BLACK, "", 1),
        setup(1, 9, 0.0, 1, Rated("a b"), BOB),
        PlainLine("a\x00b"),
    ],
)
def test_what_a_line_cannot_say_is_our_fault(message):
    """A space or newline inside a word, or too long a line, is never sent."""
    with pytest.raises(LocalProtocolError):
        encode(message)


@pytest.mark.parametrize(
    ("result", "sgf"),
    [("B+Resign", "B+R"), ("w+time", "W+T"), ("W+Illegal", "W+F"), ("B+3.5", "B+3.5"),
     ("B+", "B+"), ("Draw", "0"), ("Abort", "Void"), ("", "")],
)  # fmt: skip
def test_results_are_known_to_sgf(result, sgf):
    """Results in any letter case become SGF results, so that other programs can open records."""
    assert sgf_result(result) == sgf


@pytest.mark.parametrize(
    ("sgf", "result"),
    [("B+R", "B+Resign"), ("W+T", "W+Time"), ("W+F", "W+Illegal"), ("B+3.5", "B+3.5"),
     ("B+", "B+"), ("0", "Draw")],
)  # fmt: skip
def test_results_are_told_as_cgos_tells_them(sgf, result):
    """Results are written as CGOS writes them, and read back."""
    assert cgos_result(sgf) == result
    assert sgf_result(result) == sgf
