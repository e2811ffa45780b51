from collections.abc import Iterator

import numpy as np
import pytest
from agreement import agree, check_playouts, compare, moves_of, replay_published

from linage_bot.engine.kernels import load
from linage_bot.engine.kernels.contract import State, new_trail
from linage_bot.engine.kernels.hexagon.past import REMEMBERED, key_of
from linage_bot.engine.kernels.hexagon.sensible_moves import decides_inside, is_thrown_away
from linage_bot.engine.kernels.stones import EMPTY, bordered_at, bordered_cell
from linage_bot.engine.kernels.words import generator
from linage_bot.records.fen import from_fen
from linage_bot.rules.boards import Point, bits
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.gardar import Gardar, GardarPosition
from tests.examples import some_quick

SMALL = ("2", "3", "3", "4", "5")


@pytest.mark.parametrize("games", some_quick([15, 40], 15))
def test_plays_by_the_rules(games: int) -> None:
    """The compiled form has the readable form's moves and scores in random games."""
    agree(Gardar, seed=1, games=games, sizes=SMALL, longest=150)


@pytest.mark.thorough
def test_repetitions() -> None:
    """In long games on tiny boards the compiled form forbids the same repetitions."""
    agree(Gardar, seed=2, games=80, sizes=("2",), longest=150)


def test_largest_boards() -> None:
    """The compiled form has the readable form's moves on boards that fill its arrays."""
    agree(Gardar, seed=3, games=1, sizes=("9",), longest=150)
    agree(Gardar, seed=4, games=1, sizes=("13",), longest=10)


@pytest.mark.slow
def test_plays_by_the_rules_in_many_games() -> None:
    """The compiled form has the readable form's moves and scores in very many random games."""
    agree(Gardar, seed=5, games=1950, sizes=SMALL, longest=300)
    agree(Gardar, seed=6, games=50, sizes=("6", "7", "9", "13"), longest=400)


def test_published_positions() -> None:
    """The recorded games lead to the recorded positions."""
    replay_published(Gardar)


def test_largest_loop() -> None:
    """The ring along the edge of the largest board scores its 72 stones."""
    board = Gardar.configure("13").board
    position = GardarPosition(game=Gardar(board, 0), first=board.edge)
    kernel = load(position.game)
    assert kernel.score_lead(kernel.encode(position)[0]) == 2 * 72


@pytest.mark.parametrize(
    ("turns_ago", "barred"), [(1, True), (REMEMBERED, True), (REMEMBERED + 1, False)]
)
def test_forgets_the_oldest_boards(turns_ago: int, barred: bool) -> None:
    """A board may not be repeated within the number of turns that the state stores."""
    game = Gardar.configure("2")
    other, corner = (game.board.points, 0), (1, 0)
    boards = 10 * (other, other) + (corner, other) + (turns_ago - 1) * (other, other)
    position = GardarPosition(game=game, boards=boards)
    kernel = load(game)
    moves = moves_of(kernel, kernel.encode(position))
    assert (0 not in moves) is barred
    assert position.why_illegal(0) is not None  # the law forgets nothing


def test_keys_name_their_cells() -> None:
    """Each stone has a key of its own, with its cell in the low bits."""
    cells = [int(bordered_cell(x, y)) for x in range(25) for y in range(25)]
    keys = {int(key_of(cell, player)) for cell in cells for player in (0, 1)}
    assert len(keys) == 2 * len(cells)
    assert {key & 1023 for key in keys} == set(cells)


def test_playouts_repeat() -> None:
    """Playouts with one seed are the same, and a playout on a copy keeps the original unchanged."""
    check_playouts(Gardar.configure("5"))


def a_hundred_playouts(game: Gardar) -> Iterator[tuple[int, State]]:
    """Yield the score lead in half points and the final state of a hundred playouts."""
    kernel = load(game)
    root, scratch = kernel.encode(game.start()), np.zeros(1, kernel.dtype)
    word = generator(1)
    for _ in range(100):
        kernel.copy(scratch[0], root[0])
        yield kernel.playout(scratch[0], word, new_trail()), scratch[0]


def test_playouts_are_played_out() -> None:
    """A playout ends with two passes and leaves no dead stones worth a placement."""
    game = Gardar.configure("4")
    ended = 0
    for score_lead, state in a_hundred_playouts(game):
        assert load(game).score_lead(state) == score_lead
        ended += state["passes"] == 2
    assert ended > 95


@pytest.mark.parametrize("komi", [-40, 0, 40])
def test_no_komi_decides_a_playout_on_a_large_board(komi: int) -> None:
    """A playout continues until the stones give a player a large lead, with any komi."""
    leads = []
    for score_lead, state in a_hundred_playouts(Gardar.configure("6", komi)):
        leads.append(score_lead // 2 + komi)
        assert abs(leads[-1]) > 15 or state["passes"] == 2
    assert min(leads) < -15
    assert max(leads) > 15


@pytest.mark.parametrize("smothered", [False, True])
def test_a_stone_among_six_enemies_is_thrown_away_unless_it_takes_them(smothered: bool) -> None:
    """A stone among six enemies counts as thrown away unless it captures them."""
    game = Gardar.configure("3")
    point = game.board.point("C3")
    middle = 1 << point
    ring = game.board.neighbours(middle)
    outside = game.board.points & ~ring & ~middle if smothered else 0
    position = GardarPosition(game=game, first=ring, second=outside, to_move=Player.SECOND)
    state = load(game).encode(position)[0]
    before = state.copy()
    cell = bordered_at(point, game.board.columns)
    assert is_thrown_away(state["field"], cell, np.uint64(1)) is not smothered
    assert (state["field"]["stones"]["on"] == before["field"]["stones"]["on"]).all()


def test_who_decides_an_enclosure_from_inside() -> None:
    """The deciding points of an enclosure are found; none remain once the outer one is filled."""
    position = from_fen(
        "gardar 7/8/4x4/2oox1o2x/2o1ox2x2/3oo1xx4/5xx1x4/6xx4/3o3x3/5o4/2o2o3/8/7 o komi=0"
    )
    columns = position.game.board.columns
    inside, outside = map(position.game.board.point, ("F9", "G8"))

    def deciding(position: Position) -> set[tuple[Player, Point]]:
        field = load(position.game).encode(position)[0]["field"]
        return {
            (player, point)
            for player in Player
            for point in bits(position.game.board.points)
            if field["stones"]["on"][bordered_at(point, columns)] == EMPTY
            and decides_inside(field, bordered_at(point, columns), np.uint64(player))
        }

    assert deciding(position) == {(Player.FIRST, inside), (Player.SECOND, outside)}
    assert not deciding(position.play(outside))


def test_encodes_every_turn() -> None:
    """A state encoded late in a game equals the state that played the game."""
    game = Gardar.configure("3", 2)
    kernel, position = load(game), game.start()
    states = kernel.encode(position)
    for turn in range(60):
        moves = position.moves()
        move = moves[turn * 7 % (len(moves) - 1)] if turn % 9 else PASS
        kernel.play(states[0], move)
        position = position.play(move)
        fresh = kernel.encode(position)
        for field in ("to_move", "passes", "first_passer", "komi"):
            assert fresh[field] == states[field]
        ours, theirs = fresh["past"][0], states["past"][0]
        for field in ("turns", "key"):
            assert (ours[field] == theirs[field]).all()
        for player in (0, 1):
            turns = int(ours["turns"][player])
            for field in ("own", "all"):
                assert (ours[field][player][:turns] == theirs[field][player][:turns]).all()
        compare(kernel, states, position)
