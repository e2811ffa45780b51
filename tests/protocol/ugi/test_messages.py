"""The lines of UGI, both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.ugi.messages import (
    MAX_LINE_BYTES,
    AreYouReady,
    AskPosition,
    BeginGame,
    Go,
    Leave,
    NotUgi,
    SetOption,
    SetPosition,
    StopThinking,
    UgiGreeting,
    UgiOption,
    UgiRequestDecoder,
    encode_line,
    read_option,
)

REQUESTS = {
    b"ugi": UgiGreeting(),
    b"isready": AreYouReady(),
    b" isready\r": AreYouReady(),
    b"uginewgame": BeginGame(),
    b"stop": StopThinking(),
    b"quit": Leave(),
    b"query p1turn": AskPosition("p1turn"),
    b"setoption name threads value 2": SetOption("threads", "2"),
    b"setoption name Book File value a b": SetOption("Book File", "a b"),
    b"setoption name clear": SetOption("clear", ""),
    b"position startpos": SetPosition(None),
    b"position startpos moves": SetPosition(None),
    b"position\tstartpos moves D4 pass": SetPosition(None, ("D4", "pass")),
    b"position fen linage 5/5/5/5/5 x": SetPosition("linage 5/5/5/5/5 x"),
    b"position fen f moves D4": SetPosition("f", ("D4",)),
    b"go": Go(),
    b"go infinite": Go(infinite=True),
    b"go p1time 60000 p2time 1 p1inc 0 p2inc 5": Go(p1time=60000, p2time=1, p1inc=0, p2inc=5),
    b"go movetime 100 nodes 7 depth 3": Go(movetime=100, nodes=7, depth=3),
    b"go p1time -20": Go(p1time=0),
    b"go movetime -1 nodes -5 p2inc -0": Go(movetime=0, nodes=0, p2inc=0),
    b"go nodes 9999999999999999": Go(nodes=10**15 - 1),
    b"go infinite infinite nodes 3": Go(infinite=True, nodes=3),
    b"ugi now": UgiGreeting(),
    b"stop it": StopThinking(),
    b"query result now": AskPosition("result"),
    b"dance": NotUgi("unknown command: 'dance'"),
    b"query": NotUgi("usage: query QUESTION"),
    b"setoption threads 2": NotUgi("usage: setoption name NAME value VALUE"),
    b"setoption name value 2": NotUgi("usage: setoption name NAME value VALUE"),
    b"position": NotUgi("usage: position startpos|fen FEN [moves MOVE ...]"),
    b"position fen": NotUgi("usage: position startpos|fen FEN [moves MOVE ...]"),
    b"position startpos D4": NotUgi("usage: position startpos|fen FEN [moves MOVE ...]"),
    b"sto\x00p": NotUgi("control character"),
    b"\xff": NotUgi("not UTF-8"),
}


@pytest.mark.parametrize("line", REQUESTS)
def test_a_line_is_read_the_same_whole_byte_by_byte_and_with_more_behind_it(line):
    """The way in which a line is split changes nothing, and blank lines are ignored."""
    expected = [REQUESTS[line]]
    assert UgiRequestDecoder().receive_data(line + b"\n") == expected
    decoder = UgiRequestDecoder()
    pieces = [decoder.receive_data(bytes([byte])) for byte in line + b"\n"]
    assert [request for piece in pieces for request in piece] == expected
    assert UgiRequestDecoder().receive_data(b"\n" + line + b"\n \nstop\n") == [
        *expected,
        StopThinking(),
    ]


IGNORED = {
    b"go fast": (Go(), ("fast",)),
    b"go ponder nodes 5 searchmoves D4 E5": (Go(nodes=5), ("ponder", "searchmoves", "D4", "E5")),
    b"go nodes": (Go(), ("nodes",)),
    b"go nodes infinite": (Go(infinite=True), ("nodes",)),
    b"go nodes many depth 2": (Go(depth=2), ("nodes", "many")),
    b"go nodes 1e9": (Go(), ("nodes", "1e9")),
    b"go movetime 1.5 p1time": (Go(), ("movetime", "1.5", "p1time")),
    b"go nodes \xff": (Go(), ("not UTF-8",)),
    b"go nodes \x00": (Go(), ("control character",)),
    b"go " + b"x" * MAX_LINE_BYTES: (Go(), ("line too long",)),
}


@pytest.mark.parametrize("line", IGNORED, ids=[line[:20].decode("latin-1") for line in IGNORED])
def test_a_go_asks_for_a_move_whatever_else_it_says(line):
    """The runner waits for `bestmove`, so what sets no limit is ignored, and kept for the log."""
    (request,) = UgiRequestDecoder().receive_data(line + b"\n")
    assert (request, request.ignored) == IGNORED[line]


def test_a_last_line_needs_no_newline():
    """A script that was cut short is read in full."""
    decoder = UgiRequestDecoder()
    assert decoder.receive_data(b"isready\nquit") == [AreYouReady()]
    assert decoder.receive_end() == [Leave()]
    assert decoder.receive_end() == []


def test_an_endless_line_is_refused_once_and_the_next_is_read():
    """An overlong line is dropped once, without filling memory, and the next line is read."""
    decoder = UgiRequestDecoder()
    assert decoder.receive_data(b"x" * (MAX_LINE_BYTES + 1)) == [NotUgi("line too long")]
    assert decoder.receive_data(b"x" * 1000 + b"\nisready\n") == [AreYouReady()]


@given(st.binary(max_size=200))
def test_no_bytes_do_any_harm(data):
    """Every line is a request, if only one that is refused in a short line."""
    decoder = UgiRequestDecoder()
    for request in [*decoder.receive_data(data), *decoder.receive_end()]:
        if isinstance(request, NotUgi):
            assert 0 < len(request.reason) < 200


OPTIONS = {
    "option name pie type check default false": UgiOption(
        name="pie", kind="check", default="false"
    ),
    "option name threads type spin default 1 min 1 max 256": UgiOption(
        name="threads", kind="spin", default="1", least=1, most=256
    ),
    "option name game type combo default go var go var chess": UgiOption(
        name="game", kind="combo", default="go", choices=("go", "chess")
    ),
    "option name Book File type string default <empty>": UgiOption(
        name="Book File", kind="string", default="<empty>"
    ),
}


@pytest.mark.parametrize("line", OPTIONS)
def test_an_option_is_read_as_it_is_told(line):
    """An option's line is parsed, and written back unchanged."""
    assert read_option(line.split()) == OPTIONS[line]
    assert OPTIONS[line].line == line


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("option", None),
        ("option type spin", None),
        ("option name x", UgiOption(name="x", kind="string", default="")),
        (
            "option name x type spin default 1 min few max 9 nonsense",
            UgiOption(name="x", kind="spin", default="1", most=None),
        ),
    ],
)
def test_an_option_that_is_told_badly_is_read_as_far_as_it_goes(line, option):
    """An engine that is careless here can still play."""
    assert read_option(line.split()) == option


def test_what_is_said_is_one_line():
    """Line breaks and control characters are removed, so that any text is one line."""
    assert encode_line("a\nb\x00c\td") == b"abcd\n"
