"""Analysis with real searches: the content of the lines, and the input that stops them."""

import json
import threading
import time

import pytest

from linage_bot.engine.calibration import OWNER_TRUST
from linage_bot.rules import GAMES
from linage_bot.settings.playing import PlaySettings
from protocol.cgos.analysis import parse_cgos_json
from protocol.gtp.analysis import AnalysisLine, parse_analysis
from tests.examples import some_quick
from tests.linage_bot.gtp.conversation import PATIENCE_SECONDS, Conversation

# A test ends sooner only if something stops it; a proof would end the search of 5x5.
LONG = PlaySettings(seconds=3600.0, seed=3, solver=False)
ENDLESS = ["kata-analyze b 1", "analyze 1", "lz-analyze b interval 1", "kata-analyze interval 1"]


def analysis(line: str, count: int = 3, **options: object) -> list[str]:
    """Return the first lines of an analysis, which is then stopped by a blank line."""
    client = Conversation(**options)
    client.send(line.encode() + b"\n")
    lines = client.hear_lines(count)
    client.send(b"\n")
    client.settle()
    assert client.output.startswith(b"= \ninfo ")
    assert client.output.endswith(b"\n\n")
    return lines


def check(client: Conversation, found: AnalysisLine) -> None:
    """Check that the numbers are plausible and that every variation is legal."""
    start = client.engine.position
    assert [each.order for each in found.candidates] == list(range(len(found.candidates)))
    assert min(each.visits for each in found.candidates) > 0
    # Wins that are certain come first and losses that are last; the others go by visits.
    visits = [each.visits for each in found.candidates if 0 < each.winrate < 1]
    assert visits == sorted(visits, reverse=True)
    for each in found.candidates:
        assert 0 <= each.winrate <= 1
        assert each.pv[0] == each.move
        position = start
        for word in each.pv:
            names = {position.name_of(move): move for move in position.moves()}
            position = position.play(names[word])


@pytest.mark.parametrize("game", some_quick(GAMES, "linage", "linage-parity"))
def test_every_line_of_analysis_is_well_formed_and_its_variations_are_legal(game):
    """In every game the lines are well formed and the variations legal, in the right order."""
    for line in analysis("kata-analyze b 1", game=game, size="4"):
        found = parse_analysis(line)
        check(Conversation(game, "4"), found)


def test_leela_zeros_form_has_rates_as_whole_numbers_and_no_score():
    """Leela Zero's format has win rates from 0 to 10,000 and no score."""
    for line in analysis("lz-analyze b 1"):
        words = line.split()
        assert "scoreLead" not in words
        for at in (index for index, word in enumerate(words) if word == "winrate"):
            assert 0 <= int(words[at + 1]) <= 10_000
        check(Conversation(), parse_analysis(line))


def sabakis(command: str, winrate: str) -> list[float]:
    """Return the percentages that old and new versions of Sabaki read from a win rate."""
    old = float(winrate) * 100 if "." in winrate else float(winrate) / 100
    new = float(winrate) * 100 if command.startswith("kata") else float(winrate) / 100
    return [old, new]


@pytest.mark.parametrize("kind", ["analyze", "genmove_analyze"])
@pytest.mark.parametrize("dialect", ["", "kata-", "lz-"])
def test_sabaki_reads_the_same_percents_in_every_version(dialect, kind):
    """Old and new versions of Sabaki read the same percentages from each command."""
    command = dialect + kind
    for komi in ("-30", "0.5", "30"):  # won, open, lost
        client = Conversation()
        client.ok(f"komi {komi}")
        client.output = b""
        client.send(f"{command} b 1\n".encode())
        words = client.hear_lines(1)[0].split()
        client.send(b"\n")
        client.settle()
        rates = [words[at + 1] for at, word in enumerate(words) if word == "winrate"]
        assert rates
        for rate in rates:
            old, new = sabakis(command, rate)
            assert old == new
            assert 0 <= old <= 100
        if komi != "0.5":
            assert (sabakis(command, rates[0])[0] > 50) == (komi == "-30")
        assert ("scoreLead" in words) == (dialect != "lz-")


def test_win_rate_and_score_are_those_of_the_colour_that_asks():
    """Win rates and scores are from the view of the named colour, or else of the side to move."""
    # Vertical is far ahead on komi.
    for colour, ahead in (("b", True), ("w", False), ("", True)):
        client = Conversation()
        client.ok("komi -30")
        client.output = b""
        client.send(f"kata-analyze {colour} 1\n".encode())
        best = parse_analysis(client.hear_lines(1)[0]).candidates[0]
        assert (best.winrate > 0.9, best.score_lead > 20) == (ahead, ahead)
        assert ahead or (best.winrate < 0.1 and best.score_lead < -20)
        client.send(b"\n")
        client.settle()


@pytest.mark.parametrize("game", ["linage-two-color", "gardar"])
def test_ownership_is_told_on_request_as_the_colour_that_asks_sees_it(game):
    """Ownership has one value for each point, from the view of the named colour."""
    values = {}
    for colour in "bw":
        client = Conversation(game, "4", settings=LONG)
        client.all(["play b D1", "play w A1", "play b pass"])
        position, board = client.engine.position, client.engine.board
        client.output = b""
        # A pass ends the game, so the owners are those of the stones, as sure as they are now.
        client.send(f"kata-analyze {colour} 1 ownership true allow w pass 1\n".encode())
        found = parse_analysis(client.hear_lines(1)[0])
        client.send(b"\n")
        client.settle()
        assert [each.pv for each in found.candidates] == [("pass",)]
        assert len(found.ownership) == board.columns * board.rows
        bottom = found.ownership[-board.columns :]
        sure = OWNER_TRUST[game].settled
        assert (bottom[0], bottom[3]) == ((-sure, sure) if colour == "b" else (sure, -sure))
        assert position.stones.bit_count() == 2
        values[colour] = found.ownership
    assert values["b"] == tuple(-value for value in values["w"])


def test_ownership_comes_with_a_generated_move_too_and_only_when_asked_for():
    """Ownership is sent only on request, and never in Leela Zero's format."""
    *_, line, _play = Conversation().ok("kata-genmove_analyze b 1 ownership true").splitlines()
    owners = parse_analysis(line).ownership
    assert len(owners) == 25
    assert max(map(abs, owners)) <= 1
    assert len(set(owners)) > 4
    for words in ("kata-analyze b 1", "kata-analyze b 1 ownership false"):
        assert parse_analysis(analysis(words, count=1)[0]).ownership is None
    assert "ownership" not in analysis("lz-analyze b 1 ownership true", count=1)[0]


@pytest.mark.parametrize(
    ("restriction", "wanted"),
    [
        ("allow b A1,C3,pass 1", {"A1", "C3", "pass"}),
        ("allow b C3 10 avoid b A1 1", {"C3"}),
        ("allow b A1,A2 1 avoid b A2 1", {"A1"}),
        ("allow b C3,D4 1 allow b D4,E5 1", {"D4"}),
    ],
)
def test_only_moves_that_are_allowed_and_not_avoided_are_looked_at(restriction, wanted):
    """Restrictions in one request are combined, and moves without visits are listed as well."""
    for line in analysis(f"kata-analyze b 1 minmoves 9 {restriction}"):
        assert {each.move for each in parse_analysis(line).candidates} == wanted


def test_moves_avoided_are_left_out_and_those_of_the_other_colour_do_not_matter():
    """Avoided moves are left out of an analysis and of a generated move; passes can be avoided."""
    (line,) = analysis("kata-analyze b 1 allow b C3,D4,E5 1 avoid b C3 1 avoid w D4 1", count=1)
    assert {each.move for each in parse_analysis(line).candidates} == {"D4", "E5"}
    (line,) = analysis("kata-analyze b 1 avoid b C3,pass 1", count=1)
    assert not {each.move for each in parse_analysis(line).candidates} & {"C3", "pass"}
    move = Conversation().ok("kata-genmove_analyze b allow b E5 1").splitlines()[-1]
    assert move == "play E5"


def test_no_more_moves_are_told_than_asked_for():
    """An analysis lists at most `maxmoves` moves, but at least one."""
    for asked, told in ((1, 1), (4, 4), (0, 1)):
        (line,) = analysis(f"kata-analyze b 1 maxmoves {asked}", count=1)
        assert len(parse_analysis(line).candidates) == told


def test_moves_without_visits_are_told_only_to_have_as_many_as_asked_for():
    """Moves without visits are added only up to `minmoves`, and never beyond `maxmoves`."""
    client = Conversation(settings=PlaySettings(visits=3, seed=1, solver=False))
    for asked, told in (("", 3), ("minmoves 2", 3), ("minmoves 5", 5), ("minmoves 99", 26)):
        line = client.ok(f"kata-search_analyze b 100 {asked}").splitlines()[1]
        found = parse_analysis(line).candidates
        assert [each.order for each in found] == list(range(told))
        assert sum(each.visits > 0 for each in found) == 3
        client.ok("clear_board")
    line = client.ok("kata-search_analyze b 100 minmoves 9 maxmoves 4").splitlines()[1]
    assert len(parse_analysis(line).candidates) == 4


def test_when_no_move_is_left_to_look_at_the_request_is_refused():
    """A request that avoids every move is refused in one line."""
    points = ",".join(f"{column}{row}" for column in "ABCDE" for row in range(1, 6))
    line = f"kata-analyze b 1 avoid b {points},pass 1"
    assert Conversation().fails(line).startswith("syntax error")


@pytest.mark.parametrize("line", ENDLESS)
@pytest.mark.parametrize("stop", [b"\n", b"name\n", b"stop\n", b"# interrupt\n", b"# words\n"])
def test_any_line_at_all_ends_an_analysis(line, stop):
    """Any line ends an analysis: an empty one, a comment or a command, which gets its response."""
    client = Conversation()
    client.send(b"5 " + line.encode() + b"\n")
    client.hear_lines(2)
    assert client.thinking
    client.send(stop)
    client.settle()
    first, *rest = client.output.decode().split("\n\n")
    assert first.startswith("=5 \ninfo move ")
    assert rest == {b"name\n": ["= linage-bot", ""], b"stop\n": ["= ", ""]}.get(stop, [""])


def test_half_a_line_does_not_end_an_analysis():
    """Half a line does not end an analysis; the rest of the line does."""
    client = Conversation()
    client.send(b"kata-analyze b 1\nna")
    client.hear_lines(3)
    assert client.thinking
    client.send(b"me\n")
    client.settle()
    assert client.output.endswith(b"\n\n= linage-bot\n\n")


def test_the_end_of_input_ends_an_analysis_and_the_session():
    """At the end of input the response is closed by an empty line and the session ends."""
    client = Conversation()
    client.send(b"kata-analyze b 1\n")
    client.hear_lines(1)
    client.end()
    client.settle()
    assert client.session.closed
    assert client.output.endswith(b"\n\n")


def test_analysis_of_a_finished_game_waits_in_silence():
    """An analysis of a finished game prints no lines until the next input ends it."""
    client = Conversation()
    client.all(["play b pass", "play w pass"])
    client.output = b""
    client.send(b"kata-analyze b 1\n")
    client.send(b"\n")
    client.settle()
    assert client.output == b"= \n\n"


@pytest.mark.parametrize("stop", [b"stop\n", b"# interrupt\n", b"gogui-interrupt\n", b"quit\n"])
@pytest.mark.parametrize("line", ["genmove b", "reg_genmove b", "lz-genmove_analyze b 1"])
def test_an_hour_of_thought_ends_at_once_with_a_legal_move(line, stop):
    """`stop`, an interrupt or `quit` ends a search with a legal move; queued commands follow."""
    client = Conversation(settings=LONG)
    client.send(line.encode() + b"\n")
    client.send(b"\n")
    client.send(b"name\n")
    assert client.thinking
    client.send(stop)
    client.settle()
    answer = client.output.decode().split("\n\n")[0]
    word = answer.split()[-1]
    start = Conversation().engine.position
    assert word in [start.name_of(move) for move in start.moves()]
    assert "\n\n= linage-bot\n\n" in client.output.decode()
    assert client.session.closed == (stop == b"quit\n")


def test_the_end_of_input_ends_a_search_by_the_clock_but_not_one_by_visits():
    """At the end of input a search by visits makes all its visits before the session closes."""
    by_clock = Conversation(settings=LONG)
    by_clock.send(b"genmove b\n")
    by_clock.end()
    by_clock.settle()
    assert by_clock.session.closed
    by_visits = Conversation(size="7", settings=PlaySettings(visits=5000, seed=1))
    by_visits.send(b"genmove b\ngomill-explain_last_move\nquit\n")
    by_visits.end()
    by_visits.settle()
    assert b", 5000 visits:" in by_visits.output


def test_a_peer_that_vanishes_leaves_no_search_behind():
    """A lost connection ends its search instead of keeping a processor busy."""
    client = Conversation(size="7", settings=LONG)
    before = set(threading.enumerate())
    client.send(b"genmove b\n")
    found: list[threading.Thread] = []
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not found and time.monotonic() < deadline:
        begun = {each for each in threading.enumerate() if each.is_alive()} - before
        found = [each for each in begun if each.name == "search"]
    (search,) = found
    client.session.abandon()
    search.join(PATIENCE_SECONDS)
    assert not search.is_alive()


@pytest.mark.parametrize("stop", [b"\n", b"name\n", b"stop\n", b"# interrupt\n", b"quit\n"])
@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("kata-search_cancellable", "=5 cancelled"),
        ("kata-search_cancellable b", "=5 cancelled"),
        ("kata-search_analyze_cancellable b 1", "play cancelled"),
    ],
)
def test_any_line_cancels_a_search_that_says_so(line, answer, stop):
    """A cancelled search returns no move and leaves the position unchanged."""
    client = Conversation(settings=LONG)
    before = client.engine.position
    client.send(b"5 " + line.encode() + b"\n")
    assert client.thinking
    client.send(stop)
    client.settle()
    assert client.output.decode().split("\n\n")[0].splitlines()[-1] == answer
    assert client.engine.position is before
    assert client.session.closed == (stop == b"quit\n")


@pytest.mark.parametrize("line", ["kata-search b", "kata-search_analyze b 1"])
def test_a_search_that_cannot_be_cancelled_is_told_to_stop_and_gives_its_best(line):
    """A search that cannot be cancelled ends by `stop` alone, with its best move."""
    client = Conversation(settings=LONG)
    client.send(line.encode() + b"\n")
    client.send(b"\nname\n")
    assert client.thinking
    client.send(b"stop\n")
    client.settle()
    word = client.output.decode().split("\n\n")[0].split()[-1]
    assert word in client.ok("gogui-rules_legal_moves").split()


def test_a_search_plays_nothing_and_leaves_the_clocks_alone():
    """A search plays no move and uses no clock, and a colour out of turn is refused."""
    client = Conversation()
    client.ok("time_settings 60 0 0")
    before = (client.engine.position, dict(client.engine.clocks))
    move = client.ok("kata-search")
    for name in ("kata-search_cancellable", "kata-search_analyze", "kata-search b"):
        client.ok(name)
    assert (client.engine.position, client.engine.clocks) == before
    client.ok(f"play b {move}")
    assert client.fails("kata-search b").startswith("illegal move")


def test_a_search_resigns_where_genmove_would():
    """A search returns `resign` where genmove would resign."""
    client = Conversation(settings=PlaySettings(visits=300, seed=1))
    client.ok("komi 30")
    assert client.ok("kata-search") == client.ok("genmove b") == "resign"


@pytest.mark.parametrize("name", ["kata-genmove_analyze", "genmove_analyze"])
def test_a_move_with_analysis_is_played_and_its_last_line_says_it_all(name):
    """A move with analysis is played, and the last line has all forty visits."""
    client = Conversation(size="7")
    start = client.engine.position
    *lines, play = client.ok(f"{name} b 100").splitlines()[1:]
    found = parse_analysis(lines[-1])
    other = Conversation(size="7")
    assert other.engine.position == start
    check(other, found)
    assert sum(each.visits for each in found.candidates) == 40
    assert play == f"play {found.candidates[0].move}"
    assert client.ok("gogui-rules_side_to_move") == "white"
    assert client.ask(f"{name} b").startswith("? illegal move")


@pytest.mark.parametrize(
    "line", ["kata-genmove_analyze b 1", "cgos-genmove_analyze b", "lz-genmove_analyze b 1"]
)
def test_who_does_not_read_meanwhile_still_gets_the_last_line_before_the_move(line):
    """A client that reads slowly still receives the last analysis line and the move."""
    replies = []
    for lags in (False, True):
        client = Conversation(size="7")
        client.lags = lags
        first, *_, last, play = client.ask(line).split("\n")
        replies.append((first, last, play))
    assert replies[0] == replies[1]


def test_cgos_gets_one_line_of_json_then_the_move():
    """CGOS gets one line of JSON, with all visits and the played move first."""
    client = Conversation(size="7")
    text, play = client.ok("cgos-genmove_analyze b").splitlines()[1:]
    found = parse_cgos_json(text)
    assert play == f"play {found[0].move}"
    assert json.loads(text)["visits"] == 40
