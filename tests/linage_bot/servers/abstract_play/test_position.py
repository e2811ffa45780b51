"""The site's position and ours agree on moves, turns and results."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, IllegalMove, Player
from linage_bot.servers.abstract_play.payloads import read_game, read_webhook
from linage_bot.servers.abstract_play.position import BadGame, Phase, configure, replay
from tests.linage_bot.servers.abstract_play.site_rules import move, words

CONFORMANCE = Path(__file__).parents[3] / "conformance" / "abstract-play.jsonl"
RECORDS = [json.loads(line) for line in CONFORMANCE.read_text().splitlines()]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["webhook"]["gameid"])
def test_a_position_offers_exactly_what_the_site_offers(record):
    """A position has the legal words and the seat to move that were recorded on the site."""
    wanted = read_webhook(json.dumps(record["webhook"]).encode())
    site = wanted.position()
    assert list(words(site)) == record["legal"]
    assert (site.phase is Phase.KOMI) == record["komi_turn"]
    assert site.seat_to_move == wanted.ply % 2 + 1


@pytest.mark.parametrize(
    ("variants", "size", "line"),
    [
        ([], "15", 3),
        (["size-11"], "11", 3),
        (["line-2"], "15", 2),
        (["size-19", "line-5"], "19", 5),
        (["line-4", "size-7"], "7", 4),
    ],
)
def test_variants_name_size_and_line(variants, size, line):
    """Variants give size and line; the default is 15x15 with lines of 3 and the button."""
    game = configure(variants)
    assert (game.board.size, game.line, game.button) == (size, line, True)


@pytest.mark.parametrize(
    "variants", [["size-26"], ["size-2"], ["line-6"], ["torus"], ["size-11", "size-13"], ["size-"]]
)
def test_variants_that_we_do_not_have_are_named(variants):
    """Unknown or contradictory variants are refused."""
    with pytest.raises(BadGame):
        configure(variants)


def test_play_second_gives_the_komi_to_horizontal_and_the_first_stone_to_vertical():
    """With *play-second*, Vertical is on seat 1 and places the first stone."""
    site = replay(["size-11"], ["5", "play-second"])
    assert not site.transposed
    assert site.position.game.komi == 5
    assert site.position.to_move is Player.FIRST
    assert (site.seat_to_move, site.seat_of(Player.FIRST)) == (1, 1)
    assert replay(["size-11"], ["5", "play-second", "c4"]).position.first == 1 << 3 * 11 + 2


def test_a_first_stone_of_seat_two_makes_the_transposed_game():
    """A first stone by seat 2 transposes the board inside; the site's cell names stay."""
    site = replay(["size-11"], ["5", "c4"])
    assert site.transposed
    assert site.position.game.komi == 5  # Second's: here Vertical's, on seat 1
    assert site.position.first == 1 << 2 * 11 + 3  # row and column exchanged
    assert site.position.to_move is Player.SECOND
    assert (site.seat_to_move, site.seat_of(Player.SECOND)) == (1, 1)
    assert site.cell(2 * 11 + 3) == "c4"


def test_owners_are_the_sites_owners_in_both_branches():
    """Owned regions belong to the same seat on the site and here, in both branches of the pie."""
    fence = ["b1", "b2", "b3", "a4"]  # cuts a1-a3 off
    for start, place in ((["0", "play-second"], 0), (["0", "b1"], 1)):
        words = [*start, *fence[place:]]
        site = replay(["size-7"], words)
        owned = [player for player in Player if site.position.regions.owned_by(player)]
        assert [site.seat_of(player) for player in owned] == [1]


def test_the_column_i_exists_there_and_not_in_gtp():
    """The site's columns include I, which GTP skips."""
    site = replay(["size-13"], ["0", "play-second"])
    point = site.position.game.board.point("J5")
    assert site.cell(point) == "i5"
    assert move(site, "i5") == point


@given(st.data())
def test_cells_come_back_from_the_site_as_they_went(data):
    """Every cell name is converted to a point and back, on boards of 3 to 25."""
    size = data.draw(st.integers(3, 25))
    start = data.draw(st.sampled_from([["3", "play-second"], ["3", "a1"]]))
    site = replay([f"size-{size}"], start)
    for point in bits(site.position.game.board.points):
        assert site.point(site.cell(point)) == point


@given(st.data())
def test_any_game_is_the_same_on_both_sides_to_its_end(data):
    """In random games the legal moves, turns and results agree with the site's to the end."""
    size, line = data.draw(st.sampled_from([(3, 2), (4, 2), (5, 3), (6, 3)]))
    site = replay([f"size-{size}", f"line-{line}"], [str(data.draw(st.integers(-9, 9)))])
    ours = None
    while site.phase is not Phase.OVER:
        word = data.draw(st.sampled_from(words(site)))
        if site.phase is Phase.PLAY and word == "pass" and site.button_left:
            with pytest.raises(IllegalMove):
                move(site, word)
            word = "take-button"
        if site.phase is Phase.PLAY:
            placed = move(site, word)
            assert site.word(placed) == word
            ours = (ours or site.position).play(placed)
        site = site.after(word)
        if ours is not None:
            assert attributes(ours) == attributes(site.position)
    assert words(site) == ()


def attributes(position):
    return (position.stones, position.to_move, position.button_taker, position.passes)


@pytest.mark.parametrize(
    ("words", "phase"),
    [
        ([], Phase.KOMI),
        (["-3"], Phase.PIE),
        (["0", "play-second"], Phase.PLAY),
        (["0", "play-second", "pass"], Phase.PLAY),
        (["0", "play-second", "pass", "pass"], Phase.OVER),
        (["0", "play-second", "pass", "take-button", "pass"], Phase.PLAY),
        (["0", "play-second", "take-button", "pass", "pass"], Phase.OVER),
        (["0", "play-second", "pass", "z99", "pass"], Phase.PLAY),
        (["0", "play-second", "c1", "c2"], Phase.PLAY),
        (["0", "play-second", "c1", "c2", "c3"], Phase.OVER),  # two columns, and no row
        (["0", "resign"], Phase.OVER),
    ],
)
def test_phases(words, phase):
    """The phase follows from the words; only successive passes end a game."""
    assert replay(["size-3"], words).phase is phase


def test_the_button_is_no_pass_and_a_pass_is_no_button():
    """Taking the button and passing are different words with different effects."""
    site = replay(["size-5"], ["0", "play-second", "pass"])
    assert words(site)[-2:] == ("pass", "take-button")
    assert site.search_position.passes == 0  # our rules would end the game with the button's pass
    taken = site.after("take-button")
    assert taken.position.button_taker is Player.SECOND
    assert taken.word(PASS) == "pass"


@pytest.mark.parametrize("start", [["3", "play-second"], ["3", "a1"]])
def test_sloppy_histories_are_survived(start):
    """Words without effect count as plies, as on the site."""
    site = replay(["size-5"], [*start, "z99", "aa1", "take-button", "take-button", "c3", "c3"])
    assert site.plies == 8
    assert site.position.stones.bit_count() == (1 if start[1] == "play-second" else 2)
    last = site.seat_of(site.position.button_taker)
    assert last == 2  # plies 5 and 6: seat 1, then seat 2
    assert site.phase is Phase.PLAY
    assert site.seat_to_move == site.seat_of(site.position.to_move)


def test_an_off_board_first_stone_still_accepts_the_komi():
    """A first stone off the board accepts the komi and leaves the board empty."""
    site = replay(["size-5"], ["3", "z99"])
    assert site.transposed
    assert site.position.stones == 0
    assert site.position.to_move is Player.SECOND


@pytest.mark.parametrize("offer", ["+4", "0", "-12", "999999999"])
def test_any_integer_is_a_komi(offer):
    """Any integer is accepted as a komi and limited to our range in the game."""
    site = replay(["size-11"], [offer])
    assert site.offer == int(offer)
    assert abs(site.position.game.komi) <= 10_000


@pytest.mark.parametrize(
    "words",
    [["a1"], ["3.5"], ["1e3"], ["0", "pass"], ["0", "take-button"], ["0", "play-second", "a"],
     ["0", "play-second", "play-second"], ["0", "play-second", ""], ["٣"], ["0", "a1b"]],
)  # fmt: skip
def test_words_that_are_no_moves_are_named(words):
    """A word that is no move is refused."""
    with pytest.raises(BadGame):
        replay([], words)


def test_a_game_that_the_site_calls_over_is_over():
    """A game that the site marks as over is over, even without final passes."""
    assert read_game(json.dumps(STATE)).position().phase is Phase.PLAY
    assert read_game(json.dumps({**STATE, "gameover": True})).position().phase is Phase.OVER


STATE = {
    "game": "linage",
    "variants": ["size-11"],
    "gameover": False,
    "winner": [],
    "stack": [
        {"currplayer": 1, "board": {"dataType": "Map", "value": []}},
        {"currplayer": 2, "lastmove": "3", "komi": 3},
        {"currplayer": 1, "lastmove": "c3", "komi": 3, "swapped": True},
        {"currplayer": 2, "lastmove": "take-button", "komi": 3, "buttontaker": 1},
    ],
}


@pytest.mark.parametrize(
    "text",
    [
        STATE,
        {"game": {"state": STATE}},
        {"game": {"id": "x", "state": json.dumps(STATE)}},
        {"metaGame": "linage", "variants": ["size-11"], "moves": [["3", "c3"], ["take-button"]]},
        {"variants": ["size-11"], "moves": ["3", "c3", "take-button"]},
    ],
)
def test_a_state_and_a_list_of_moves_are_the_same_game(text):
    """A wrapped state and a plain list of moves give the same position."""
    site = read_game(json.dumps(text)).position()
    assert site == replay(["size-11"], ["3", "c3", "take-button"])
    assert site.seat_to_move == 2
    assert site.seat_of(site.position.button_taker) == 1
