"""Every command: its response, its error and its description."""

import re

import pytest

from linage_bot.gtp import commands
from protocol.gtp.engine import BUILT_INS
from tests.linage_bot.gtp.conversation import Conversation

# Every command in use: the lines before it, the line, and a pattern of the response.
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
    """Every command has an example of its response in this file."""
    assert sorted(EXAMPLES) == sorted(commands)


@pytest.mark.parametrize("name", [name for name, (_, line, _) in EXAMPLES.items() if line])
def test_every_command_answers_as_its_example_says(name):
    """The whole response to each command matches its example."""
    before, line, answer = EXAMPLES[name]
    client = Conversation()
    client.all(before)
    assert re.fullmatch(answer, client.ask(line))


@pytest.mark.parametrize("name", sorted(commands))
def test_every_command_refuses_arguments_that_make_no_sense(name):
    """Senseless arguments are refused with a reason, and change nothing."""
    client = Conversation()
    assert client.fails(f"{name} zero one two three four five six seven").startswith(
        ("syntax error", "invalid color or coordinate", "cannot load file")
    ), name


@pytest.mark.parametrize("name", sorted(commands))
def test_every_command_is_described_for_the_page_of_commands(name):
    """Each command has a first sentence and a usage that begins with its name."""
    entry = commands[name]
    assert entry.doc.splitlines()[0][-1] in ".:;,"
    assert entry.usage.split()[0] == name


def test_the_session_itself_answers_the_commands_that_need_no_game():
    """Commands that need no game are listed, and `stop` without a search is accepted."""
    client = Conversation()
    for name in sorted(BUILT_INS):
        assert client.ok(f"known_command {name}") == "true"
    listed = client.ok("list_commands").splitlines()
    assert listed == sorted(BUILT_INS | commands)
    assert client.ok("known_command fly") == "false"
    assert client.ok("protocol_version") == "2"
    assert [client.ok("stop"), client.ok("gogui-interrupt"), client.ok("quit")] == ["", "", ""]
    assert client.session.closed
