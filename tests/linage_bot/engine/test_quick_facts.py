"""Facts about a position that are known before any search."""

import pytest

from linage_bot.engine.quick_facts import fingerprints, policy
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from linage_bot.rules.history import History


@pytest.mark.parametrize("game", GAMES)
def test_the_policy_is_a_distribution_over_the_legal_moves(game):
    """Each legal move has a positive share, and the shares sum to 1."""
    history = History(GAMES[game].configure("5"))
    for _ in range(4):
        found = policy(history.position)
        assert tuple(found) == history.position.moves()
        assert min(found.values()) > 0
        assert sum(found.values()) == pytest.approx(1)
        history = history.play(max(found, key=found.get))


def test_in_linage_a_move_with_a_larger_prior_has_a_larger_share():
    """In Linage a move that breaks the opponent's lines has a larger share than a pass."""
    start = GAMES["linage"].configure("5").start()
    first, second = policy(start), policy(start.play(PASS))
    assert first[2] > first[PASS] > first[10]
    assert second[10] > second[PASS] > second[2]


@pytest.mark.parametrize("game", GAMES)
def test_a_fingerprint_is_the_position_s_own(game):
    """Different positions have different fingerprints, and the same position always has its own."""
    start = History(GAMES[game].configure("5"))
    others = [start, *(start.play(move) for move in start.position.moves())]
    found = [fingerprints(each.position)[0] for each in others]
    assert len(set(found)) == len(others)
    assert [fingerprints(each.position)[0] for each in others] == found


@pytest.mark.parametrize("game", ["linage", "leblin", "gardar"])
def test_a_mirror_image_has_the_same_second_fingerprint(game):
    """A mirror image has another first fingerprint and the same second one."""
    start = GAMES[game].configure("5").start()
    points = start.game.board.symmetries()[3].image
    one, other = start.play(3), start.play(points[3])
    assert fingerprints(one)[0] != fingerprints(other)[0]
    assert fingerprints(one)[1] == fingerprints(other)[1]


def test_in_linage_rows_and_columns_are_not_exchanged():
    """In Linage exchanging rows and columns changes the second fingerprint."""
    start = GAMES["linage"].configure("5").start()
    assert fingerprints(start.play(1))[1] != fingerprints(start.play(5))[1]
