"""Bad input: refused with the words that clients match, without any change."""

import pytest

from protocol.gtp.codec import MAX_LINE_BYTES
from tests.linage_bot.gtp.conversation import Conversation

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
    ("set_position b B1 b A2", "invalid position: a region has no line of 3 points"),
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
    """Bad input is refused with the standard words and changes no board, clock or parameter."""
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
    """Bad rules are refused in one short line, however long or deep the JSON is."""
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
    """Bytes that are not a command are refused and change nothing; an id is repeated."""
    client = Conversation()
    client.all(OPENING)
    before = client.state()
    client.output = b""
    client.send(line + b"\n")
    assert client.output.startswith(error)
    assert client.output.endswith(b"\n\n")
    assert client.state() == before


def test_a_placement_in_an_owned_region_is_refused():
    """A placement in an owned region is refused by name, and owners are drawn in advance."""
    client = Conversation(size="5")
    client.all(["gogui-setup b C1 b C2 b C3 b C4 b C5", "gogui-setup_player w"])
    assert client.fails("play w A1").startswith("illegal move: A1: ")
    assert client.ok("linage-owners").startswith("COLOR #")


def test_a_placement_that_strands_a_region_is_refused_and_not_listed_as_legal():
    """A placement that strands a region is refused, and is not listed as legal."""
    client = Conversation(size="4")
    client.all(["play b B1", "play w A3"])
    assert client.fails("play b A2").startswith("illegal move: A2: ")
    assert "A2" not in client.ok("gogui-rules_legal_moves").split()
