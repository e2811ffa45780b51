"""Whole conversations: every command, every bad input, any cut of the bytes."""

import itertools
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.gtp import commands
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from protocol.codec import MAX_LINE_BYTES
from protocol.engine import BUILT_INS
from tests.linage_bot.gtp.conversation import Conversation

# Every command in use: what is said before, the line, and what the answer looks like.
EXAMPLES = {
    "analyze": ([], None, ""),  # these three need a line that stops them: see test_analysis.py
    "kata-analyze": ([], None, ""),
    "lz-analyze": ([], None, ""),
    "boardsize": ([], "boardsize 7", "= "),
    "cgos-gameover": ([], "cgos-gameover B+Resign", "= "),
    "cgos-genmove_analyze": ([], "cgos-genmove_analyze b", r"= \n\{.*\}\nplay [A-E][1-5]"),
    "cgos-opponent_name": ([], "cgos-opponent_name rival", "= "),
    "cgos-opponent_rating": ([], "cgos-opponent_rating 1800?", "= "),
    "clear_board": (["play b C3"], "clear_board", "= "),
    "clear_cache": ([], "clear_cache", "= "),
    "cputime": ([], "cputime", r"= \d+\.\d+"),
    "final_score": ([], "final_score", r"= W\+0\.5"),
    "genmove": ([], "genmove b", r"= [A-E][1-5]"),
    "genmove_analyze": ([], "genmove_analyze b 100", r"= \ninfo move .*\nplay [A-E][1-5]"),
    "get_komi": ([], "get_komi", r"= 0\.5"),
    "gg-undo": (["play b C3", "play w C4"], "gg-undo 2", "= "),
    "gogui-analyze_commands": ([], "gogui-analyze_commands", r"= gfx/Region Owners/(.|\n)*"),
    "gogui-play_sequence": ([], "gogui-play_sequence b C3 w pass", "= "),
    "gogui-rules_board": (["play b A1"], "gogui-rules_board", r"= (\. \. \. \. \.\n){4}X \. .*"),
    "gogui-rules_board_gfx": ([], "gogui-rules_board_gfx", "= "),
    "gogui-rules_board_size": ([], "gogui-rules_board_size", "= 5"),
    "gogui-rules_final_result": ([], "gogui-rules_final_result", r"= Hor.* by 0\.5 \(komi 0\.5\)"),
    "gogui-rules_game_id": ([], "gogui-rules_game_id", "= Linage"),
    "gogui-rules_legal_moves": ([], "gogui-rules_legal_moves", "= A1 B1 .* E5 pass"),
    "gogui-rules_side_to_move": (["play b A1"], "gogui-rules_side_to_move", "= white"),
    "gogui-setup": ([], "gogui-setup b A1 w B2", "= "),
    "gogui-setup_player": ([], "gogui-setup_player w", "= "),
    "gogui-title": ([], "gogui-title", "= Linage 5, komi 0.5"),
    "gomill-cpu_time": ([], "gomill-cpu_time", r"= \d+\.\d+"),
    "gomill-describe_engine": ([], "gomill-describe_engine", "= linage-bot, 1 .*\nLinage 5.*"),
    "gomill-explain_last_move": (
        ["genmove b"],
        "gomill-explain_last_move",
        r"= win rate 100.0%, score lead \+6.5, proven: C1",
    ),
    "kata-genmove_analyze": ([], "kata-genmove_analyze b", r"= \ninfo move .*\nplay [A-E][1-5]"),
    "kata-get-param": ([], "kata-get-param maxVisits", "= 40"),
    "kata-get-rules": ([], "kata-get-rules", r'= \{"game": "linage", "size": "5", .*\}'),
    "kata-list_time_settings": ([], "kata-list_time_settings", "= none absolute .*"),
    "kata-list-params": (
        [],
        "kata-list-params",
        "= maxVisits maxTime threads seed maxNodes level resignRate liveGraphics",
    ),
    "kata-search": ([], "kata-search b", r"= [A-E][1-5]"),
    "kata-search_analyze": ([], "kata-search_analyze b", r"= \ninfo move .*\nplay [A-E][1-5]"),
    "kata-search_analyze_cancellable": (
        [],
        "kata-search_analyze_cancellable b",
        r"= \ninfo move .*\nplay [A-E][1-5]",
    ),
    "kata-search_cancellable": ([], "kata-search_cancellable", r"= [A-E][1-5]"),
    "kata-set-param": ([], "kata-set-param maxVisits 10", "= "),
    "kata-set-rules": ([], 'kata-set-rules {"game": "leblin"}', "= "),
    "kata-time_settings": ([], "kata-time_settings fischer 60 1", "= "),
    "kgs-time_settings": ([], "kgs-time_settings byoyomi 60 10 3", "= "),
    "komi": ([], "komi 2.5", "= "),
    "linage-game": ([], "linage-game gardar size=3", "= "),
    "linage-legal": ([], "linage-legal", r"= CIRCLE A1 .* E5\nTEXT 25 points"),
    "linage-owners": (["boardsize 3", "play b B2"], "linage-owners", "= (COLOR #.*)?"),
    "linage-param": ([], "linage-param", r"= (\[\S+\] \w+ \w+(\.\d+)?\n?){8}"),
    "linage-compile": ([], "linage-compile", "= "),
    "linage-pv": ([], "linage-pv b", r"= b [A-E][1-5].*"),
    "linage-region_values": (
        ["boardsize 3", "play b A1"],
        "linage-region_values",
        r'= (("")|[+-][\d.]+)( (("")|[+-][\d.]+)){2}\n.*\n.*',
    ),
    "linage-solve": (
        [],
        "linage-solve",
        r'= \{"exact": true, "to_move": "black", "score": 7, .*\}',
    ),
    "linage-temperatures": (
        ["boardsize 3"],
        "linage-temperatures",
        r"= 4 4 4\n4 4 4\n4 4 4",
    ),
    "linage-visits": ([], "linage-visits", r'= ((\d+|"")( (\d+|"")){4}\n?){5}'),
    "linage-win_rates": ([], "linage-win_rates", r'= ((\d+|"")( (\d+|"")){4}\n?){5}'),
    "loadsgf": ([], "loadsgf tests/linage_bot/gtp/game.sgf", "= black"),
    "lz-genmove_analyze": ([], "lz-genmove_analyze b", r"= \ninfo move .*\nplay [A-E][1-5]"),
    "name": ([], "name", "= linage-bot"),
    "pie_choose": ([], "pie_choose 99.5", "= white"),
    "pie_kind": ([], "pie_kind", "= komi"),
    "pie_offer": ([], "pie_offer", "= 7"),  # what 5x5 is worth
    "play": ([], "play b C3", "= "),
    "printsgf": (["play b C3"], "printsgf", r"= \(;FF\[4\](.|\n)*;B\[cc\]\)"),
    "rectangular_boardsize": ([], "rectangular_boardsize 7 5", "= "),
    "reg_genmove": ([], "reg_genmove b", r"= [A-E][1-5]"),
    "set_position": ([], "set_position b A1 w B2", "= "),
    "showboard": ([], "showboard", r"= \n  5 \. (.|\n)*Linage 5, black \(Vertical\) to move\n.*"),
    "time_left": ([], "time_left b 60 0", "= "),
    "time_settings": ([], "time_settings 60 10 5", "= "),
    "undo": (["play b C3"], "undo", "= "),
    "version": ([], "version", r"= \d+\.\d+.*"),
}


def test_every_command_has_an_example():
    """Whoever adds a command must say here what a client hears."""
    assert sorted(EXAMPLES) == sorted(commands)


@pytest.mark.parametrize("name", [name for name, (_, line, _) in EXAMPLES.items() if line])
def test_every_command_answers_as_its_example_says(name):
    """The whole answer matches, as clients that parse it rely on."""
    before, line, answer = EXAMPLES[name]
    client = Conversation()
    client.all(before)
    assert re.fullmatch(answer, client.ask(line))


@pytest.mark.parametrize("name", sorted(commands))
def test_every_command_refuses_arguments_that_make_no_sense(name):
    """In words that say what is wrong, with nothing changed and no bug shown."""
    client = Conversation()
    assert client.fails(f"{name} zero one two three four five six seven").startswith(
        ("syntax error", "invalid color or coordinate", "cannot load file")
    ), name


@pytest.mark.parametrize("name", sorted(commands))
def test_every_command_is_described_for_the_page_of_commands(name):
    """By a first line that is a sentence, and by a usage that begins with its name."""
    entry = commands[name]
    assert entry.doc.splitlines()[0][-1] in ".:;,"
    assert entry.usage.split()[0] == name


# A game in progress on 5x5, black to move; Vertical owns column E's rest after it.
OPENING = ("play b C3", "play w C2", "time_settings 300 10 5")

BAD_INPUT = [
    ("play_chess", "unknown command"),
    ("NAME", "unknown command"),
    ("play", "syntax error"),
    ("play b", "syntax error"),
    ("play b A1 A2", "syntax error"),
    ("name name", "syntax error"),
    ("undo 1", "syntax error"),
    ("play b I5", "invalid color or coordinate"),
    ("play b Z99", "invalid color or coordinate"),
    ("play b A6", "invalid color or coordinate"),
    ("play b F1", "invalid color or coordinate"),
    ("play b A0", "invalid color or coordinate"),
    ("play b A-1", "invalid color or coordinate"),
    ("play b A1000000000000000000000", "invalid color or coordinate"),
    ("play b A١", "invalid color or coordinate"),
    ("play b é5", "invalid color or coordinate"),
    ("play b resign", "invalid color or coordinate"),
    ("play x A1", "invalid color or coordinate"),
    ("play red A1", "invalid color or coordinate"),
    ("play b C3", "illegal move"),
    ("play w A1", "illegal move"),
    ("genmove w", "illegal move"),
    ("genmove x", "invalid color or coordinate"),
    ("genmove", "syntax error"),
    ("reg_genmove w", "illegal move"),
    ("kata-genmove_analyze w", "illegal move"),
    ("cgos-genmove_analyze w", "illegal move"),
    ("komi nan", "syntax error"),
    ("komi inf", "syntax error"),
    ("komi -inf", "syntax error"),
    ("komi 1e999", "syntax error"),
    ("komi 1e9", "syntax error: komi: 1e+09 is not a number of points from -10000 to 10000"),
    ("komi -10000.5", "syntax error: komi: -10000.5 is not a number of points"),
    ("komi 6,5", "syntax error"),
    ("komi 0x10", "syntax error"),
    ("komi 1_0", "syntax error"),
    ("komi ٣", "syntax error"),
    ("komi " + "9" * 401, "syntax error"),
    ("boardsize 2", "unacceptable size"),
    ("boardsize 26", "unacceptable size"),
    ("boardsize 0", "unacceptable size"),
    ("boardsize -5", "unacceptable size"),
    ("boardsize 9 26", "unacceptable size"),
    ("boardsize 999999999999999999", "unacceptable size"),
    ("boardsize 9999999999999999999999", "syntax error"),
    ("boardsize 9.5", "syntax error"),
    ("boardsize 9 9 9", "syntax error"),
    ("rectangular_boardsize 9", "syntax error"),
    ("rectangular_boardsize 2 9", "unacceptable size"),
    ("gg-undo 3", "cannot undo"),
    ("gg-undo -1", "syntax error"),
    ("gg-undo 999999999999999999", "cannot undo"),
    ("gg-undo 1e3", "syntax error"),
    ("gogui-play_sequence b A1 w", "syntax error"),
    ("gogui-play_sequence b A1 w A2 w A3", "illegal move"),
    ("gogui-play_sequence b A1 w C3", "illegal move"),
    ("gogui-play_sequence b A1 w A9", "invalid color or coordinate"),
    ("set_position b A1 w A1", "syntax error"),
    ("set_position b A1 w", "syntax error"),
    ("set_position b pass", "invalid color or coordinate"),
    ("set_position b A9", "invalid color or coordinate"),
    ("gogui-setup b A1", "board not empty"),
    ("pie_offer", "board not empty"),
    ("pie_choose 0.5", "board not empty"),
    ("pie_choose", "syntax error"),
    ("pie_kind komi", "syntax error"),
    ("gogui-setup_player w", "board not empty"),
    ("linage-game leblin", "board not empty"),
    ('kata-set-rules {"game": "leblin"}', "board not empty"),
    ("loadsgf /nonexistent/file.sgf", "cannot load file"),
    ("loadsgf .", "cannot load file"),
    ("loadsgf README.md", "cannot load file"),
    ("loadsgf " + "x" * 300, "cannot load file"),
    ("loadsgf tests/linage_bot/gtp/game.sgf 0", "cannot load file"),
    ("loadsgf tests/linage_bot/gtp/game.sgf -3", "cannot load file"),
    ("printsgf /nonexistent/file.sgf", "cannot write file"),
    ("time_settings 60 -1 5", "syntax error"),
    ("time_settings nan 10 5", "syntax error"),
    ("time_settings 60 10", "syntax error"),
    ("time_left b -1 0", "syntax error"),
    ("time_left b 1 -1", "syntax error"),
    ("time_left b inf 0", "syntax error"),
    ("time_left x 1 0", "invalid color or coordinate"),
    ("kgs-time_settings blitz 5", "syntax error"),
    ("kgs-time_settings byoyomi 5 5", "syntax error"),
    ("kgs-time_settings byoyomi 5 5 -5", "syntax error"),
    ("kata-time_settings fischer 5", "syntax error"),
    ("kata-time_settings fischer 5 -5", "syntax error"),
    ("kata-get-param speed", "syntax error"),
    ("kata-set-param maxVisits 0", "syntax error"),
    ("kata-set-param maxVisits -1", "syntax error"),
    ("kata-set-param maxVisits 9999999999999999999", "syntax error"),
    ("kata-set-param maxTime -1", "syntax error"),
    ("kata-set-param maxTime nan", "syntax error"),
    ("kata-set-param threads 0", "syntax error"),
    ("kata-set-param threads 1000000", "syntax error"),
    ("kata-set-param threads unlimited", "syntax error"),
    ("kata-set-param seed -1", "syntax error"),
    ("kata-set-param resignRate 2", "syntax error"),
    ("kata-set-param speed 2", "syntax error"),
    ("kata-analyze b speed 5", "syntax error"),
    ("kata-analyze b interval", "syntax error"),
    ("kata-analyze b interval -5", "syntax error"),
    ("kata-analyze b avoid b A9 1", "invalid color or coordinate"),
    ("kata-analyze b allow b C3 1", "syntax error"),
    ("kata-genmove_analyze b avoid b", "syntax error"),
]


@pytest.mark.parametrize(("line", "error"), BAD_INPUT, ids=[line[:40] for line, _ in BAD_INPUT])
def test_bad_input_is_refused_with_the_words_clients_match_and_changes_nothing(line, error):
    """Neither board nor clocks nor parameters, in the middle of a game."""
    client = Conversation()
    client.all(OPENING)
    assert client.fails(line).startswith(error)


BAD_RULES = [
    "",
    "tromp-taylor",
    "[]",
    "5",
    "null",
    "{",
    '{"game": "chess"}',
    '{"game": ["linage"]}',
    '{"game": null}',
    '{"size": 2}',
    '{"size": [5, 5]}',
    '{"size": "5x"}',
    '{"size": 1e400}',
    '{"komi": NaN}',
    '{"komi": Infinity}',
    '{"komi": 1e999}',
    '{"komi": "nan"}',
    '{"komi": 0.3}',
    '{"komi": 1e9}',
    '{"komi": 9999.999}',
    '{"komi": true}',
    '{"komi": null}',
    '{"line": 9}',
    '{"line": 2.5}',
    '{"line": true}',
    '{"button": 7}',
    '{"edition": "2017"}',
    '{"colour": "red"}',
    '{"line": ' + "9" * 5000 + "}",
    '{"komi": ' + "9" * 4000 + "}",
    "[" * 100_000,
    '{"a":' * 100_000,
    '{"line": "' + "x" * 100_000 + '"}',
    '{"' + "x" * 100_000 + '": 1}',
]


@pytest.mark.parametrize("rules", BAD_RULES, ids=[rules[:30] for rules in BAD_RULES])
def test_rules_that_cannot_be_are_refused_in_a_short_line_and_change_nothing(rules):
    """However long or deep the JSON: no screenful comes back, and no recursion error."""
    client = Conversation()
    error = client.fails(f"kata-set-rules {rules}")
    assert error.startswith("syntax error")
    assert len(error) < 300


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"name \xff\xfe", b"? syntax error"),
        (b"play b \xc3\xa95", b"? invalid color or coordinate"),
        (b"na\0me", b"? syntax error"),
        (b"play b A1\0", b"? syntax error"),
        (b"1" * 30 + b" play b A1", b"? syntax error"),
        (b"12", b"?12 syntax error"),
        (b"7 play b I5", b"?7 invalid color or coordinate"),
        (b"play b A1 " + b" " * MAX_LINE_BYTES, b"? syntax error: line too long"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_bytes_that_are_no_command_are_refused_and_change_nothing(line, error):
    """Not even a stone that a line too long would place; an id is repeated where there is one."""
    client = Conversation()
    client.all(OPENING)
    before = client.state()
    client.output = b""
    client.send(line + b"\n")
    assert client.output.startswith(error)
    assert client.output.endswith(b"\n\n")
    assert client.state() == before


def test_a_placement_in_an_owned_region_is_refused():
    """The reason names the point, and owners are drawn so that users see it coming."""
    client = Conversation(size="5")
    client.all(["gogui-setup b C1 b C2 b C3 b C4 b C5", "gogui-setup_player w"])
    assert client.fails("play w A1").startswith("illegal move: A1: ")
    assert client.ok("linage-owners").startswith("COLOR #")


def test_a_placement_that_strands_a_region_is_refused_and_not_listed_as_legal():
    """A GUI that offers legal moves alone never offers it."""
    client = Conversation(size="4")
    client.all(["play b B1", "play w A3"])
    assert client.fails("play b A2").startswith("illegal move: A2: ")
    assert "A2" not in client.ok("gogui-rules_legal_moves").split()


# ------------------------------------------------------------------- the end of the game


def play_to_the_end(client: Conversation) -> None:
    for ply in range(400):
        if not client.ok("gogui-rules_legal_moves"):
            return
        client.ok(f"genmove {'bw'[ply % 2]}")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", GAMES)
def test_after_the_end_of_every_game_genmove_passes_and_passes_are_accepted(game):
    """Score and board stay; undo takes back those passes first, then the game to its beginning."""
    client = Conversation(game, size="3")
    client.ok("kata-set-param resignRate never")
    client.ok("kata-set-param maxVisits 10")
    play_to_the_end(client)
    end = client.ok("showboard"), client.ok("final_score")
    played = len(client.engine.record.moves)
    assert "game over" in end[0]
    passes = ["genmove b", "genmove w", "reg_genmove w", "play w pass", "play w pass", "genmove b"]
    assert [client.ok(line) for line in passes] == ["pass", "pass", "pass", "", "", "pass"]
    assert client.fails("play b A1").startswith("illegal move")
    assert (client.ok("showboard"), client.ok("final_score")) == end
    # Two passes of genmove, two played and one more: five that undo takes back first.
    client.ok("gg-undo 5")
    assert (client.ok("showboard"), client.ok("final_score")) == end
    client.ok("undo")
    assert client.ok("gogui-rules_legal_moves")
    client.ok(f"gg-undo {played - 1}")
    assert client.fails("undo").startswith("cannot undo")


# ------------------------------------------------------------------- the bytes cut anywhere

SCRIPT = (
    b"\n1 name\r\n# a comment\n2 boardsize 5\nclear_board\n\tkomi\t1.5\n3 play b C3 # here\n"
    b"4 genmove w\nshowboard\nplay w C3\n\xff\n5 play b I5\n\n6 kata-genmove_analyze b 1000\n"
    b"known_command play\nundo\nlinage-visits\n7 foo\nna\0me\n123456789012345678901234567890 name\n"
    b"reg_genmove b\nprintsgf\nlist_commands\nfinal_score\n8 gogui-rules_legal_moves"
)


def said(pieces: list[bytes]) -> bytes:
    client = Conversation()
    for piece in pieces:
        client.send(piece)
        client.settle()
    client.end()
    client.settle()
    assert client.session.closed
    return client.output


WHOLE = []


@settings(max_examples=40)
@given(st.lists(st.integers(0, len(SCRIPT)), max_size=12))
def test_a_conversation_cut_into_any_pieces_has_the_same_replies(cuts):
    """A network may cut anywhere, even inside a character or a line's end."""
    if not WHOLE:
        WHOLE.append(said([SCRIPT]))
    edges = [0, *sorted(cuts), len(SCRIPT)]
    pieces = [SCRIPT[start:end] for start, end in itertools.pairwise(edges)]
    assert said(pieces) == WHOLE[0]
    assert b"internal error" not in WHOLE[0]


def test_a_conversation_byte_by_byte_has_the_same_replies():
    """The finest cut of all, searches and bad bytes included."""
    assert said([bytes([byte]) for byte in SCRIPT]) == said([SCRIPT])


# ------------------------------------------------------------------- any conversation

_vertices = st.one_of(
    st.builds("{}{}".format, st.sampled_from("ABCD"), st.integers(1, 4)),
    st.sampled_from(["pass", "PASS", "a1", "c2", "E5", "resign", "I5", "Z99", "tt", ""]),
)
_colours = st.sampled_from(["b", "w", "B", "white", "black", "x"])
_numbers = st.sampled_from(["0", "1", "2", "3", "5", "7", "-1", "0.5", "6.5", "1e9", "nan", "x"])
_lines = st.one_of(
    st.builds("play {} {}".format, _colours, _vertices),
    st.builds("genmove {}".format, _colours),
    st.builds("reg_genmove {}".format, _colours),
    st.builds("kata-genmove_analyze {} avoid b {} 1".format, _colours, _vertices),
    st.builds("boardsize {}".format, _numbers),
    st.builds("boardsize {} {}".format, _numbers, _numbers),
    st.builds("komi {}".format, _numbers),
    st.builds("gg-undo {}".format, _numbers),
    st.builds("time_settings {} {} {}".format, _numbers, _numbers, _numbers),
    st.builds("time_left {} {} {}".format, _colours, _numbers, _numbers),
    st.lists(st.tuples(_colours, _vertices), max_size=12).flatmap(
        lambda pairs: st.sampled_from(["set_position", "gogui-setup", "gogui-play_sequence"]).map(
            lambda name: " ".join([name, *(f"{colour} {vertex}" for colour, vertex in pairs)])
        )
    ),
    st.builds("gogui-setup_player {}".format, _colours),
    st.builds("linage-game {}".format, st.sampled_from([*GAMES, "chess"])),
    st.builds('kata-set-rules {{"line": {}}}'.format, _numbers),
    st.builds("kata-set-param {} {}".format, st.sampled_from(["seed", "threads"]), _numbers),
    st.sampled_from(
        (
            *("undo", "clear_board", "printsgf", "final_score", "linage-pv", "linage-win_rates"),
            *("gogui-rules_board", "gogui-rules_board_gfx", "gogui-rules_final_result", "stop"),
            *("linage-visits", "linage-legal", "linage-owners", "gogui-title", "clear_cache"),
            *("pie_kind", "pie_offer", "pie_choose 0.5", "pie_choose A1", "pie_choose nan"),
            *("gomill-explain_last_move", "cgos-genmove_analyze b", "showboard"),
        )
    ),
)


KNOWN_ERRORS = (
    *("syntax error", "illegal move", "invalid color or coordinate", "board not empty"),
    *("unacceptable size", "cannot undo", "cannot score"),
)


def check_agrees_with_the_rules(client: Conversation) -> None:
    """What GTP tells of the position is what the readable game says of the record."""
    position = client.engine.record.history().position
    names = [position.name_of(move) for move in position.moves()]
    assert client.ok("gogui-rules_legal_moves").split() == names
    assert client.ok("gogui-rules_side_to_move") == position.to_move.colour
    assert client.ok("final_score") == str(position.result()) or not position.game.counts_points
    stones = client.ok("gogui-rules_board").replace("X", "O").count("O")
    assert stones == position.stones.bit_count()
    assert (PASS in position.moves()) == position.may_pass()


@settings(max_examples=200)
@given(st.sampled_from([*GAMES]), st.lists(_lines, max_size=25))
def test_no_conversation_at_all_finds_an_internal_error(game, lines):
    """Every failure is one of the known ones; the position is what the rules make of the record."""
    client = Conversation(game, size="4" if game != "gardar" else "2")
    client.ok("kata-set-param maxVisits 10")
    for line in lines:
        answer = client.ask(line)
        assert answer[:2] in ("= ", "? "), line
        assert "internal error" not in answer, line
        if answer.startswith("? "):
            assert answer[2:].startswith(KNOWN_ERRORS), line
    if client.engine.game.counts_points or client.engine.position.over:
        check_agrees_with_the_rules(client)


@settings(max_examples=40)
@given(st.sampled_from([*GAMES]), st.data())
def test_a_played_game_is_at_every_move_what_the_rules_say(game, data):
    """Legal moves and whose turn it is, with moves taken back now and then."""
    client = Conversation(game, size="5" if game != "gardar" else "3")
    position = client.engine.game.start()
    path = [position]
    for _ in range(data.draw(st.integers(0, 30))):
        if position.over:
            break
        if len(path) > 1 and data.draw(st.integers(0, 4)) == 0:
            client.ok("undo")
            path.pop()
        else:
            move = data.draw(st.sampled_from(position.moves()))
            client.ok(f"play {position.to_move.colour} {position.name_of(move)}")
            path.append(position.play(move))
        position = path[-1]
        names = [position.name_of(move) for move in position.moves()]
        assert client.ok("gogui-rules_legal_moves").split() == names
        assert client.ok("gogui-rules_side_to_move") == position.to_move.colour


def test_the_session_itself_answers_the_commands_that_need_no_game():
    """They are listed with the others, and `stop` without a search is no error."""
    client = Conversation()
    for name in sorted(BUILT_INS):
        assert client.ok(f"known_command {name}") == "true"
    listed = client.ok("list_commands").splitlines()
    assert listed == sorted(BUILT_INS | commands)
    assert client.ok("known_command fly") == "false"
    assert client.ok("protocol_version") == "2"
    assert [client.ok("stop"), client.ok("gogui-interrupt"), client.ok("quit")] == ["", "", ""]
    assert client.session.closed
