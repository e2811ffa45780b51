"""Ownership from playouts: the expected owner of each point, checked by the readable rules."""

import statistics

import pytest

from linage_bot.engine.search.playouts import ownership, playouts
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Position


def placed(position: Position, *names: str) -> Position:
    """Return the position after moves by name."""
    for name in names:
        position = position.play(PASS if name == "pass" else position.game.board.point(name))
    return position


def rows(position: Position, values: tuple[float, ...]) -> list[list[float]]:
    """Return the values row by row, the bottom row first."""
    columns = position.game.board.columns
    return [list(values[start : start + columns]) for start in range(0, len(values), columns)]


@pytest.mark.parametrize("game", GAMES)
def test_every_point_has_a_mean_owner_that_depends_on_the_seed_alone(kernel_of, game):
    """Owners are from -1 to 1, and 0 off the hexagon and where no player owns points."""
    position = GAMES[game].configure("4").start()
    board, line = position.game.board, position.moves()[:1]
    found, again, other = (
        ownership(kernel_of(game), position, line, 60, seed) for seed in (1, 1, 2)
    )
    assert found == again
    assert len(found) == board.columns * board.rows
    assert all(-1 <= value <= 1 for value in found)
    if game == "linage-parity":  # no player owns anything there
        assert not any(found)
        return
    assert found != other
    assert len(set(found)) > 4
    assert not any(value for point, value in enumerate(found) if not board.points >> point & 1)


def test_a_finished_game_has_the_owners_that_the_rules_give(kernel_of):
    """A finished game has the owners that the rules give."""
    position = placed(GAMES["linage"].configure("3x4").start(), "B1", "B2", "B3", "B4")
    position = position.play(PASS).play(PASS)
    assert rows(position, ownership(kernel_of("linage"), position, (), 3, 1)) == [[1, 0, 1]] * 4
    wide = placed(GAMES["linage"].configure("4x3").start(), "A2", "B2", "C2", "pass", "D2")
    found = rows(wide, ownership(kernel_of("linage"), wide, (PASS, PASS), 3, 1))
    assert found == [[-1] * 4, [0] * 4, [-1] * 4]


def test_stones_with_a_colour_belong_to_their_player(kernel_of):
    """Stones with a colour belong to their player, and empty points to neither."""
    position = placed(GAMES["gardar"].configure("3").start(), "C3", "A1")
    line = (PASS, PASS)
    found = ownership(kernel_of("gardar"), position, line, 2, 1)
    owners = dict(enumerate(found))
    board = position.game.board
    assert {point: value for point, value in owners.items() if value} == {
        board.point("C3"): 1,
        board.point("A1"): -1,
    }


def test_the_numbers_add_up_to_the_mean_score(kernel_of):
    """In Linage the owners sum to the mean score lead of the playouts."""
    position = GAMES["linage"].configure("5x7", 0.0).start()
    kernel = kernel_of("linage")
    found = ownership(kernel, position, (), 200, 9)
    score_leads = [score_lead for score_lead, _, _ in playouts(kernel, position, (), 200, 9)]
    assert sum(found) == pytest.approx(statistics.fmean(score_leads) / 2)


def test_the_line_is_played_first(kernel_of):
    """The moves of the line are played first, so their stones have certain owners."""
    position = GAMES["linage-two-color"].configure("5").start()
    found = ownership(kernel_of("linage-two-color"), position, (0, 2, 4), 20, 4)
    bottom = rows(position, found)[0]
    assert [bottom[0], bottom[2], bottom[4]] == [1, -1, 1]
