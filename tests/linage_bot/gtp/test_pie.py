"""The pie over GTP: fair offers and sensible choices, without changes to the session."""

import pytest

from linage_bot.engine.pie.fair import known_stones
from linage_bot.rules import GAMES
from tests.linage_bot.gtp.conversation import Conversation

KOMI_GAMES = [name for name, game in GAMES.items() if game.pie == "komi"]


def size_of(game):
    return "3" if game == "gardar" else "5"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_what_kind_of_pie_it_has(game):
    """Every game reports its kind of pie: a komi, a first stone or none."""
    assert Conversation(game).ok("pie_kind") == GAMES[game].pie


@pytest.mark.parametrize("game", KOMI_GAMES)
def test_an_offered_komi_is_one_of_the_game_and_without_draws_where_it_can_be(game):
    """An offered komi is valid, under 25 and without draws where the game has half points."""
    client = Conversation(game, size={"linage": "7x8"}.get(game, size_of(game)))
    komi = float(client.ok("pie_offer"))
    step = GAMES[game].komi_step
    assert komi % step == 0
    assert komi % 1 == (0.5 if step == 0.5 else 0)
    assert abs(komi) < 25


def test_on_a_solved_board_the_offer_is_the_score_and_the_choice_proven():
    """On a solved board the offer is the exact score, and the choice follows from it."""
    client = Conversation(size="5")
    assert client.ok("pie_offer") == "7"
    assert client.ok("pie_choose 6.5") == "black"
    assert client.ok("pie_choose 7.5") == "white"


def test_on_9x9_the_offer_is_that_of_long_self_play():
    """On 9x9 the offer comes from long self-play and does not depend on the present komi."""
    client = Conversation(size="9")
    offer = client.ok("pie_offer")
    for komi in ("0.5", "-20"):
        client.ok(f"komi {komi}")
        assert client.ok("pie_offer") == offer


def test_of_leblins_first_stones_the_most_even_is_offered_and_the_side_chosen_by_its_trials():
    """In Leblin the most even first stone is offered, and trials decide the side."""
    client = Conversation("leblin", size="3")
    assert client.ok("pie_choose B2") == "black"
    assert client.ok("pie_choose A1") == "white"
    client = Conversation("leblin", size="9")
    game = client.engine.position.game
    doubts = {trial.stone: abs(trial.first_wins - 0.5) for trial in known_stones(game)}
    assert doubts[game.board.point(client.ok("pie_offer"))] == min(doubts.values())


@pytest.mark.parametrize("game", KOMI_GAMES)
def test_the_offer_does_not_hang_on_the_komi_before(game):
    """With a komi of -20, 0 and 20 before, the offers differ by at most four points."""
    client = Conversation(game, size="4" if game == "gardar" else "7x8")
    client.ok("kata-set-param maxVisits 300")
    offers = []
    for komi in ("-20", "0", "20"):
        client.ok(f"komi {komi}")
        offers.append(float(client.ok("pie_offer")))
    assert max(offers) - min(offers) <= 4


@pytest.mark.parametrize("game", KOMI_GAMES)
def test_a_large_komi_is_taken_and_a_very_negative_one_is_left_to_the_other(game):
    """A very large komi makes the engine take White, and a very negative one Black."""
    client = Conversation(game, size=size_of(game))
    assert client.ok("pie_choose 60") == "white"
    assert client.ok("pie_choose -60") == "black"


def test_an_offered_stone_is_a_legal_first_move_and_can_be_chosen_about():
    """An offered stone is a legal first move, and `pie_choose` accepts it."""
    client = Conversation("leblin")
    vertex = client.ok("pie_offer")
    assert client.ok(f"pie_choose {vertex}") in ("black", "white")
    client.ok(f"play b {vertex}")


def test_the_pie_changes_nothing_and_the_same_seed_gives_the_same_offer():
    """The pie changes no state and no later move, and a seed repeats the offer."""
    client = Conversation()
    before = client.state()
    offer = client.ok("pie_offer")
    client.ok("pie_choose 0.5")
    assert client.state() == before
    assert client.ok("pie_offer") == offer
    with_pie = client.ok("genmove b")
    assert Conversation().ok("genmove b") == with_pie


@pytest.mark.parametrize(
    ("game", "offer", "error"),
    [
        ("linage", "much", "syntax error"),
        ("linage", "nan", "syntax error"),
        ("linage", "0.3", "syntax error: komi: 0.3 is not a multiple of 0.5"),
        ("linage", "1e9", "syntax error: komi: "),
        ("gardar", "0.5", "syntax error: komi: 0.5 is not a multiple of 1"),
        ("leblin", "Z9", "invalid color or coordinate"),
        ("leblin", "0.5", "invalid color or coordinate"),
        ("leblin", "pass", "illegal move"),
        ("linage-parity", "A1", "syntax error: Parity Linage has no pie"),
    ],
)
def test_an_offer_that_the_game_does_not_have_is_refused(game, offer, error):
    """An invalid offer is refused with the reason."""
    client = Conversation(game, size=size_of(game))
    assert client.fails(f"pie_choose {offer}").startswith(error)


def test_there_is_no_offer_in_a_game_without_pie_nor_after_the_beginning():
    """An offer is refused without a pie, and after a move, a pass or a set-up stone."""
    assert Conversation("linage-parity").fails("pie_offer").startswith("syntax error: Parity")
    for line in ("play b C3", "play b pass", "gogui-setup b C3"):
        client = Conversation()
        client.ok(line)
        for late in ("pie_offer", "pie_choose 0.5"):
            assert client.fails(late).startswith("board not empty")


def test_stop_ends_an_offer_with_the_best_so_far():
    """`stop` ends an offer of a komi with the best one so far."""
    client = Conversation(size="9x8")
    client.ok("kata-set-param maxVisits 100000000")
    client.send(b"pie_offer\n")
    assert client.thinking
    client.output = b""
    client.send(b"stop\n")
    client.settle()
    answer = client.output.decode().split("\n")[0]
    assert answer.startswith("= ")
    float(answer[2:])
