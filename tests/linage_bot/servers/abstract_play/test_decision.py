"""The bot chooses legal words, and clear decisions are right."""

import json
import threading

import pytest
from click.testing import CliRunner

from linage_bot.cli import main
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.servers.abstract_play.decision import BotMoveChooser
from linage_bot.servers.abstract_play.payloads import read_webhook
from linage_bot.servers.abstract_play.position import PLAY_SECOND, Phase, replay
from tests.linage_bot.servers.abstract_play.site_rules import may_send, words
from tests.linage_bot.servers.abstract_play.test_position import RECORDS

LIMITS = Limits(visits=300)


def chosen(site, **more):
    engine = Engine(visits=300, seed=1, resign_rate=None)
    return BotMoveChooser(engine, LIMITS, threading.Event(), **more).choose(site)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["webhook"]["gameid"])
def test_the_answer_is_legal_on_the_site(record):
    """The bot's word is in the site's recorded list of legal words, or a sensible komi."""
    site = read_webhook(json.dumps(record["webhook"]).encode()).position()
    word = chosen(site).word
    if record["komi_turn"]:
        assert abs(int(word)) < 33
    else:
        assert word in record["legal"]


@pytest.mark.parametrize(("komi", "second"), [("200", True), ("-200", False)])
def test_the_side_that_a_large_komi_gives_away_is_taken(komi, second):
    """The bot takes the side that an extreme komi favours."""
    word = chosen(replay(["size-9"], [komi])).word
    assert (word == PLAY_SECOND) is second


def test_the_komi_offered_is_near_the_even_one():
    """The komi that the bot offers on 9x9 is near the fair one."""
    assert -6 <= int(chosen(replay(["size-9"], [])).word) <= 8


def test_on_a_solved_board_the_komi_offered_is_its_score():
    """On a solved board the bot offers the exact score as komi."""
    assert chosen(replay(["size-5"], [])).word == "7"


def test_both_branches_of_the_pie_are_played_to_the_end():
    """The bot's words are legal in whole games on both branches of the pie."""
    for answer in (PLAY_SECOND, "b3"):
        site = replay(["size-6"], [])
        sent = []
        while site.phase is not Phase.OVER:
            word = answer if site.phase is Phase.PIE else chosen(site).word
            assert may_send(site, word), (sent, word)
            sent.append(word)
            site = site.after(word)
        assert sent.count("take-button") <= 1
        assert site == replay(["size-6"], sent)


LAST_FREE = ["c3", "b3", "c2", "b2"]  # of 3x3; c1 makes the rest Vertical's, a3 Horizontal's


@pytest.mark.parametrize(("komi", "word"), [("3", "c1"), ("4", "c1"), ("5", None)])
def test_the_last_stone_wins_or_draws_although_the_button_is_left(komi, word):
    """The bot plays the last stone that wins or draws instead of taking the button."""
    site = replay(["size-3"], [komi, PLAY_SECOND, *LAST_FREE])
    after = site.after("c1")
    assert after.phase is Phase.OVER
    assert after.position.scores() == (4, int(komi))
    answer = chosen(site).word
    assert answer == word or (word is None and answer in words(site))


def test_a_pass_that_wins_answers_a_pass():
    """The bot answers a pass with a pass that wins."""
    site = replay(["size-9"], ["5", PLAY_SECOND, "pass"])
    assert chosen(site).word == "pass"  # Horizontal has 5 points, Vertical none


def test_a_pass_that_loses_is_not_given():
    """The bot does not answer a pass with a pass that loses."""
    site = replay(["size-9"], ["-5", PLAY_SECOND, "pass"])
    assert chosen(site).word != "pass"


def test_what_the_site_refused_is_not_sent_again():
    """A refused word is not chosen again; when all are refused the bot resigns."""
    site = replay(["size-5"], ["0", PLAY_SECOND])
    banned = set()
    for _ in range(5):
        word = chosen(site, banned=frozenset(banned)).word
        assert word not in banned
        banned.add(word)
    assert chosen(site, banned=frozenset(words(site))).word == "resign"


def test_a_position_that_no_rules_allow_still_gets_an_answer():
    """The bot still moves in a position that breaks our rules."""
    cut_off = ["a2", "b1"]  # the corner has no line of its own
    site = replay(["size-7"], ["0", PLAY_SECOND, *cut_off])
    assert site.position.why_impossible() is not None
    assert chosen(site).word in words(site)


def run(text, *arguments):
    return CliRunner().invoke(main, ["abstract-play-move", "--visits", "60", *arguments], text)


def test_the_command_answers_a_state_with_a_move():
    """The command prints a legal move, and the same one for the same seed."""
    game = {"variants": ["size-9"], "moves": [["3", "c4"]]}
    first, again = (run(json.dumps(game), "--seed", "4") for _ in range(2))
    assert first.exit_code == 0
    assert first.stdout == again.stdout
    assert first.stdout.strip() in words(replay(["size-9"], ["3", "c4"]))


def test_the_command_explains_both_positions():
    """With `--explain` the command shows both boards and the seats before the move."""
    result = run(json.dumps({"variants": ["size-5"], "moves": [["3", "a4"]]}), "--explain")
    assert "4 X . . . ." in result.stdout  # there: a4
    assert " 1 . . . X ." in result.stdout  # ours: D1
    assert "Vertical (First) sits on seat 2" in result.stdout
    assert result.stdout.splitlines()[-1] in words(replay(["size-5"], ["3", "a4"]))


def test_before_the_first_ply_no_komi_has_been_offered():
    """Before the first ply the explanation says that no komi has been offered."""
    result = run(json.dumps({"variants": ["size-5"], "moves": []}), "--explain")
    assert "komi offered: none yet, " in result.stdout


def test_the_place_where_json_is_broken_is_told():
    """Broken JSON is reported with its line and column."""
    assert "not JSON: Expecting" in run('{"moves": [["3" "a4"]]}').stderr
    assert "line 1 column 17" in run('{"moves": [["3" "a4"]]}').stderr


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"moves": [["3", 4]]}', '{"moves": [["x"]]}', '{"variants": ["hex"]}',
     '{"game": "go", "stack": []}', '{"stack": [{}, {"lastmove": 3}], "variants": []}'],
)  # fmt: skip
def test_the_command_says_in_one_line_what_is_wrong(text):
    """Bad input is reported in one line with status 2."""
    result = run(text)
    assert result.exit_code == 2
    assert result.stderr.startswith("linage-bot: stdin: ")
    assert len(result.stderr.splitlines()) == 1


def test_the_command_prints_no_move_when_the_game_is_over():
    """For a finished game the command prints no move and has status 0."""
    moves = ["0", PLAY_SECOND, "pass", "pass"]
    result = run(json.dumps({"variants": [], "moves": moves}))
    assert (result.exit_code, result.stdout) == (0, "")
