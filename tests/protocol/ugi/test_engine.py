"""The engine's side of UGI: the order of answers, requests during a search, and stopping it."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.session.answering import MAX_WAITING, State
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine
from protocol.ugi.engine import UgiSession
from protocol.ugi.messages import MAX_LINE_BYTES, Go, UgiOption
from tests.protocol.gtp.counter import HandWork


class Player:
    """A game that only remembers the requests it received."""

    name = "Fake"
    author = "nobody"

    def __init__(self):
        self.said = []
        self.ready = None

    def options(self):
        return [UgiOption(name="hash", kind="spin", default="1", least=1, most=9)]

    def set_option(self, name, value):
        if name == "bad":
            raise CommandFailed("no such option")
        if name == "broken":
            raise RuntimeError("on purpose")
        self.said.append((name, value))
        return "noted" if name == "odd" else ""

    def begin_game(self):
        self.said.append("game")

    def set_position(self, fen, moves):
        self.said.append((fen, *moves))

    def ask(self, question):
        return f"{question} {len(self.said)}"

    def get_ready(self):
        ready, self.ready = self.ready, None
        return ready

    def think(self, go):
        if go.nodes == 0:
            raise CommandFailed("no nodes")
        self.said.append(go)
        return HandWork()


class Talk:
    """A session with its player and its works."""

    def __init__(self, **bounds):
        self.player = Player()
        self.works = []
        self.closings = []
        self.session = UgiSession(self.player, self._start, lambda: self.closings.append(1))
        for name, value in bounds.items():
            setattr(self.session, name, value)

    def _start(self, work):
        work.start(print)
        self.works.append(work)

    def say(self, *lines):
        data = "".join(f"{line}\n" for line in lines).encode()
        return self.session.receive_data(data).decode().splitlines()

    def end(self):
        return self.session.receive_end().decode().splitlines()

    def report(self, update):
        return self.session.update(self.works[-1], update).decode().splitlines()

    def found(self, move):
        return self.report(Reply(True, move))


def test_an_engine_says_who_it_is_and_what_can_be_set():
    """The greeting ends with `ugiok` and is sent again on request."""
    greeting = [
        "id name Fake",
        "id author nobody",
        "option name hash type spin default 1 min 1 max 9",
        "ugiok",
    ]
    talk = Talk()
    assert talk.say("ugi") == greeting
    assert talk.say("isready", "ugi") == ["readyok", *greeting]


def test_what_has_no_answer_gets_none():
    """Setting up is silent where nothing is wrong."""
    talk = Talk()
    lines = ["uginewgame", "setoption name hash value 2", "position startpos moves a b", "stop", ""]
    assert talk.say(*lines) == []
    assert talk.player.said == ["game", ("hash", "2"), (None, "a", "b")]


def test_what_is_wrong_is_told_in_one_line_and_the_conversation_goes_on(caplog):
    """Internal errors are reported in one line too, and their traceback goes to the log."""
    talk = Talk()
    assert talk.say("dance", "setoption name bad value 1", "go nodes 0") == [
        "info string error: unknown command: 'dance'",
        "info string error: no such option",
        "info string error: no nodes",
        "bestmove 0000",
    ]
    with caplog.at_level(logging.ERROR):
        assert talk.say("setoption name broken", "query x") == [
            "info string error: internal: RuntimeError('on purpose')",
            "response x 0",
        ]
    assert "on purpose" in caplog.text
    assert talk.say("setoption name odd value 1") == ["info string noted"]


def test_a_search_tells_lines_and_then_two_words():
    """`bestmove` comes once, when the work is over."""
    talk = Talk()
    assert talk.say("go nodes 5") == []
    assert talk.player.said == [Go(nodes=5)]
    assert talk.report(ReplyLine("info nodes 3 pv D4")) == ["info nodes 3 pv D4"]
    assert talk.found("D4") == ["bestmove D4"]
    assert talk.report(Reply(True, "E5")) == []


def test_a_search_that_fails_still_answers():
    """A runner that waits for `bestmove` does not wait for ever."""
    talk = Talk()
    talk.say("go")
    assert talk.report(Reply(False, "the game is over")) == [
        "info string error: the game is over",
        "bestmove 0000",
    ]
    talk.say("go")
    assert talk.report(talk.session.failed(RuntimeError("x"))) == [
        "info string error: internal: RuntimeError('x')",
        "bestmove 0000",
    ]


def test_while_a_search_runs_what_changes_nothing_is_answered_and_the_rest_waits():
    """A running search does not delay `isready` and `query`; other requests wait for its end."""
    talk = Talk()
    talk.say("go infinite")
    assert talk.say("isready", "query p1turn") == ["readyok", "response p1turn 1"]
    assert talk.say("position startpos", "query p1turn", "isready") == ["readyok"]
    assert talk.works[0].told == ["start"]
    assert talk.say("stop", "stop") == []
    assert talk.works[0].told == ["start", "stop"]
    assert talk.found("D4") == ["bestmove D4", "response p1turn 2"]


def test_a_stop_ends_what_came_before_it_and_nothing_else():
    """A script of two searches ends each by its own `stop`, however fast it is sent."""
    talk = Talk()
    said = talk.say("go infinite", "stop", "go infinite", "isready")
    assert said == ["readyok"]
    assert talk.works[0].told == ["start", "stop"]
    assert talk.found("D4") == ["bestmove D4"]
    assert talk.works[1].told == ["start"]
    assert talk.say("stop") == []
    assert talk.works[1].told == ["start", "stop"]


def test_a_stop_ends_a_search_behind_which_another_one_waits():
    """The runner gets one move for each `go`, and none of them takes any time."""
    talk = Talk()
    talk.say("go infinite")
    talk.say("position startpos moves E5", "go nodes 50", "go", "stop", "go depth 1")
    for move in ("D4", "C3", "B2"):
        assert talk.works[-1].told == ["start", "stop"]
        assert talk.found(move) == [f"bestmove {move}"]
    assert talk.works[-1].told == ["start"]
    assert talk.player.said == [
        Go(infinite=True),
        (None, "E5"),
        Go(nodes=50),
        Go(),
        Go(depth=1),
    ]


def test_a_stop_does_not_wait_until_the_engine_is_ready_for_the_game():
    """A `stop` sent during preparation makes the engine move at once, but only after a `go`."""
    talk = Talk()
    ready = talk.player.ready = HandWork()
    talk.say("uginewgame", "isready", "stop")
    assert ready.told == ["start"]
    talk.say("go", "stop")
    assert ready.told == ["start", "stop"]
    assert talk.report(Reply(True)) == ["readyok"]
    assert talk.works[-1].told == ["start", "stop"]


def test_words_that_set_no_limit_are_named_once():
    """A misspelt limit is not obeyed, and who wrote it can find out."""
    talk = Talk()
    assert talk.say("go node 5") == ["info string ignored: 'node 5'"]
    assert talk.found("D4") == ["bestmove D4"]


def test_what_a_script_says_behind_a_search_does_not_cut_it_short():
    """`go` and `quit` in one piece: the search is whole, unless it would never end."""
    talk = Talk()
    said = talk.say("go nodes 5", "position startpos", "query x", "quit", "query y")
    assert said == []
    assert talk.works[0].told == ["start", "input_ended"]
    assert talk.found("D4") == ["bestmove D4", "response x 2"]
    assert talk.session.closed
    assert talk.closings == [1]


def test_quit_ends_a_search_that_runs():
    """`quit` during a search stops it, so closing the window does not wait."""
    talk = Talk()
    talk.say("go infinite")
    assert talk.say("quit") == []
    assert talk.works[0].told == ["start", "stop"]
    assert talk.found("D4") == ["bestmove D4"]
    assert talk.session.closed
    assert talk.say("isready") == []


def test_quit_ends_the_searches_that_wait_too():
    """`quit` also stops queued searches, and each still sends its `bestmove`."""
    talk = Talk()
    talk.say("go infinite")
    talk.say("go nodes 1000000000", "quit", "go")
    for _ in range(2):
        assert talk.works[-1].told[:2] == ["start", "stop"]
        assert talk.found("D4") == ["bestmove D4"]
    assert talk.session.closed


def test_the_end_of_the_input_ends_the_session_after_the_last_answer():
    """The end of input ends the session after the last answer, as `quit` does."""
    talk = Talk()
    assert talk.say("isready") == ["readyok"]
    assert talk.end() == []
    assert talk.session.closed
    talk = Talk()
    talk.say("go nodes 1")
    assert talk.end() == []
    assert talk.works[0].told == ["start", "input_ended"]
    assert talk.found("D4") == ["bestmove D4"]
    assert talk.session.closed


def test_getting_ready_for_a_game_delays_ready():
    """`readyok` is sent only after all preparation, so none of it runs on a player's clock."""
    talk = Talk()
    talk.player.ready = HandWork()
    assert talk.say("isready", "isready", "go") == []
    assert talk.report(Reply(True)) == ["readyok", "readyok"]
    assert talk.found("D4") == ["bestmove D4"]
    talk.player.ready = HandWork()
    talk.say("isready")
    assert talk.report(Reply(False, "no compiler")) == [
        "info string error: no compiler",
        "readyok",
    ]


def test_a_peer_that_vanished_stops_the_search():
    """A search is stopped, and no answer sent, if the peer disconnects."""
    talk = Talk()
    talk.say("go infinite")
    talk.session.abandon()
    assert talk.works[0].told == ["start", "stop"]
    assert talk.closings == [1]
    assert talk.found("D4") == []


def test_lines_of_progress_may_be_lost_and_moves_may_not():
    """A peer that does not read misses only what newer lines replace."""
    talk = Talk()
    assert talk.session.may_be_lost(ReplyLine("info"))
    assert not talk.session.may_be_lost(Reply(True, "D4"))


def test_much_at_once_is_answered_in_bounded_pieces():
    """Each call writes limited output; the next calls write the rest."""
    talk = Talk(max_output_bytes=50)
    said = talk.say(*["isready"] * 20)
    assert 0 < len(said) < 20
    while talk.session.has_more:
        said += talk.say()
    assert said == ["readyok"] * 20
    talk = Talk(enough=lambda: True)
    said = talk.say(*["isready"] * 300)
    assert len(said) < 300
    while talk.session.has_more:
        said += talk.say()
    assert said == ["readyok"] * 300


def test_a_session_reads_no_further_while_much_waits():
    """A client that sends on during a search cannot fill the memory."""
    talk = Talk()
    talk.say("go infinite")
    assert talk.session.wants_data
    talk.say(*["uginewgame"] * (MAX_WAITING + 1))
    assert not talk.session.wants_data
    assert talk.say("x" * (MAX_LINE_BYTES + 1)) == []


def test_a_search_without_a_limit_ends_when_no_more_is_read():
    """An unlimited search stops when the queue is full and a `stop` could not be read."""
    talk = Talk()
    talk.say("go infinite")
    talk.say(*["query x"] * MAX_WAITING, "uginewgame", *["query x"] * MAX_WAITING)
    assert talk.works[0].told == ["start", "stop"]
    talk = Talk()
    talk.say("go nodes 5", *["uginewgame"] * (MAX_WAITING + 1))
    assert talk.works[0].told == ["start"]
    assert talk.found("D4") == ["bestmove D4"]


SCRIPT = b"ugi\nsetoption name hash value 3\nisready\nfoo\nquery a\nposition startpos\nquery b\n"


@given(st.lists(st.integers(0, len(SCRIPT)), max_size=12))
def test_however_the_bytes_are_cut_the_answers_are_the_same(cuts):
    """A slow line and a fast one say the same."""
    talk = Talk()
    ends = sorted({*cuts, len(SCRIPT)})
    pieces = [SCRIPT[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    said = b"".join(talk.session.receive_data(piece) for piece in pieces)
    assert said == Talk().session.receive_data(SCRIPT)


GO = ["go", "go infinite", "go nodes 0", "go nodes", "go fast 3", "go infinite nodes 7", "go \x00"]
WORDS = [
    *("ugi", "isready", "uginewgame", "stop", "stop now", "query x", "query", "dance", ""),
    *("position startpos", "position fen x moves a", "position", "setoption name bad value 1"),
]


def answers(talk, lines):
    """All that is said; at `found` the search that runs has found a move."""
    said = []
    for line in lines:
        if line != "found":
            said += talk.say(line)
        elif talk.works:
            said += talk.found("D4")
    return said


@given(st.lists(st.sampled_from([*GO, *GO, *WORDS, "found"]), max_size=25), st.booleans())
def test_every_question_is_answered_once_and_after_stop_at_once(lines, ready):
    """No search is lost, none answers twice, and none runs on behind a `stop`."""
    talk = Talk()
    talk.player.ready = HandWork() if ready else None
    said = answers(talk, [*lines, "stop"])
    while talk.session.state is not State.READY:
        assert talk.works[-1].told[:2] == ["start", "stop"] or talk.session._search is None
        said += talk.found("D4")
    for asked, answer in [("ugi", "ugiok"), ("isready", "readyok"), ("query x", "response")]:
        assert sum(line.startswith(answer) for line in said) == lines.count(asked)
    assert sum(line.startswith("bestmove ") for line in said) == sum(map(lines.count, GO))
    said += talk.end()
    assert talk.session.closed


@given(st.lists(st.sampled_from([*GO, *WORDS, "found"]), max_size=25), st.booleans())
def test_the_end_comes_behind_the_last_answer(lines, quits):
    """Whether the input ends or the runner says `quit`, no `go` is left without its move."""
    talk = Talk()
    said = answers(talk, lines)
    said += talk.say("quit", "go") if quits else talk.end()
    while talk.session.state in (State.WORKING, State.STOPPING):
        assert {"stop", "input_ended"} & set(talk.works[-1].told)
        said += talk.found("D4")
    assert talk.session.closed
    assert sum(line.startswith("bestmove ") for line in said) == sum(map(lines.count, GO))


@pytest.mark.parametrize("state", [State.READY, State.WORKING])
def test_abandoning_twice_does_no_harm(state):
    """Abandoning a session twice closes it once."""
    talk = Talk()
    if state is State.WORKING:
        talk.say("go")
    talk.session.abandon()
    talk.session.abandon()
    assert talk.closings == [1]
