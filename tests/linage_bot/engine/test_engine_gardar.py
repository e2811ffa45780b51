"""The engine ends a game of Gardar that it has won."""

import pytest

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.records.fen import from_fen
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.gardar import GardarPosition
from linage_bot.rules.history import History
from linage_bot.settings.playing import FULL_STRENGTH
from tests.examples import some_quick
from tests.linage_bot.engine.choosing import choose, start

WON = """
   . X X X
  . X O X X
 X O X . . X
X X X . X X O
 O X X . X O
  O X X X .
   . . O .
"""

LED = (  # by First, 36.5 points ahead, with loops and most of the board
    "gardar ooo4/1oxo1x2/oxxoooo2/oxxxxooo2/oxxx1xooo2/oxxxxxo1ox2/1xxxxxx2ox2/xxxxxx1xxxox/"
    "oxxxxxxxxo1/ooxxxxxxxo/ooxxxxxx1/ooxxxxxo/oo1oooo x komi=0 first_passer=x"
)

OPEN = (  # led by First, 42.5 points ahead, with most of the board, but open to the edge
    "gardar x3xxxxx/1xx1xxxxxx/xxxxxxxxxo1/ooxxxxx1o3/x2x1xxxx4/1o2xxxxxx4/1xx1xxxxxxx4/3oxxxx4o2x/"
    "o3xxxx1xxx3xx/4xxxxxxxxxxxx/1xxxxxx1xxxxxxx/ox1xo1xx1x1xxo/oxx3x1oxx2/x2o4x1x1/oooo4xxx/"
    "oo1oxooxxx/o2oo1xxx x komi=0 first_passer=o"
)

EARLY = (  # Second has fewer stones, the board is open, and First may close a ring at D11
    "gardar 9/5o4/3o7/7x4/xx3x7/x1x6x4/1xxx9o1/16/17/11x4/15/10x3/5x1xoo3/6xo1o2/7oo2/10/2x6 o "
    "komi=0 first_passer=o"
)

RING = (  # a ring of First's, stone by stone a bridge from the next
    "gardar 6/3x3/2x2x2/1x5x1/10/2x5x2/10/1x5x1/2x2x2/3x3/6 o komi=0 first_passer=o"
)

EYE = (  # First will take F8 and G9, and with them a loop, by F9, unless Second fills G8
    "gardar 7/8/4x4/2oox1o2x/2o1ox2x2/3oo1xx4/5xx1x4/6xx4/3o3x3/5o4/2o2o3/8/7 o komi=0"
)


def won(**past) -> GardarPosition:
    """Return a position on a board of side 4 where First leads by 15 points."""
    game = GAMES["gardar"].configure("4")
    stones = dict(zip(bits(game.board.points), WON.split(), strict=True))
    first, second = (
        sum(1 << point for point, on in stones.items() if on == player) for player in "XO"
    )
    return GardarPosition(game=game, first=first, second=second, **past)


@pytest.mark.parametrize("visits", [30, 100, 1000])
def test_who_has_won_in_gardar_passes_instead_of_filling(visits):
    """A player who has won in Gardar passes instead of paying for more stones."""
    for seed in range(3):
        assert choose(Engine(seed=seed), won(), Limits(visits=visits)).move == PASS


def test_who_has_lost_in_gardar_does_not_play_on_for_ever():
    """A losing player answers a pass by a pass, but by a stone where that may help."""
    stones = (won().first, won().second)
    lost = won(to_move=Player.SECOND, passes=1, first_passer=Player.FIRST, boards=(stones,))
    assert choose(Engine(seed=1, resign_rate=None), lost).move == PASS
    early = start("gardar", "4").play(PASS)  # the first pass is worth half a point
    for seed in range(5):
        assert choose(Engine(seed=seed, level=3, resign_rate=None), early).move != PASS


@pytest.mark.parametrize("level", [1, 3, FULL_STRENGTH])
def test_a_pass_that_wins_a_game_of_gardar_is_played_at_once(level):
    """Even the weakest engine plays a pass that wins the game at once."""
    stones = (won().first, won().second)
    offered = won(passes=1, first_passer=Player.SECOND, boards=(stones, stones))
    assert choose(Engine(seed=1, level=level), offered, Limits(visits=2)).move == PASS


@pytest.mark.parametrize(("fen", "win_rate"), [(LED, 0.6), (OPEN, 0.5)])
def test_who_leads_a_large_board_of_gardar_is_not_taken_for_the_loser(fen, win_rate):
    """A player who leads on a large board of Gardar is evaluated as ahead."""
    for seed in (1, 2, 3):
        decision = choose(Engine(seed=seed), from_fen(fen), Limits(visits=400))
        assert decision.analysis.seen_by(Player.FIRST).win_rate > win_rate


@pytest.mark.parametrize("seed", some_quick([1, 2, 3], 2))
def test_a_ring_of_bridges_in_gardar_counts_as_closed(seed):
    """A ring of bridges in Gardar is evaluated as closed."""
    analysis = choose(Engine(seed=seed), from_fen(RING), Limits(visits=400)).analysis
    assert analysis.seen_by(Player.FIRST).win_rate > 0.5


@pytest.mark.parametrize("seed", some_quick([1, 2, 3], 2))
def test_a_loop_in_gardar_is_defended_before_it_is_taken_from_inside(seed):
    """A loop in Gardar is defended by the stone on its last outer point."""
    position = from_fen(EYE)
    decision = choose(Engine(seed=seed), position, Limits(visits=8000))
    assert position.name_of(decision.move) == "G8"


@pytest.mark.thorough
@pytest.mark.parametrize("seed", some_quick([1, 2, 3], 2))
def test_nobody_passes_while_a_large_board_of_gardar_is_open(seed):
    """On an open board of Gardar a pass gets no visits, although stones cost points at first."""
    for position in (from_fen(EARLY), start("gardar", "9")):
        analysis = choose(Engine(seed=seed), position, Limits(visits=2000)).analysis
        assert PASS not in {each.move for each in analysis.candidates if each.visits}


@pytest.mark.parametrize("fen", [LED, OPEN, EARLY.replace("first_passer", "passes=1 first_passer")])
def test_passes_that_may_be_wise_are_thought_about(fen):
    """A pass is searched where a player leads by far, and in answer to a pass."""
    analysis = choose(Engine(seed=1), from_fen(fen), Limits(visits=400)).analysis
    assert PASS in {each.move for each in analysis.candidates if each.visits}


WEAK = [("3", {"level": 3}), ("4", {"level": 3}), ("4", {"visits": 100})]


@pytest.mark.parametrize(("size", "settings"), WEAK)
def test_weak_engines_end_their_games_of_gardar(size, settings):
    """Weak engines finish a game of Gardar against themselves within five turns a point."""
    for seed in (1, 2):
        engines = [Engine(seed=2 * seed + each, resign_rate=None, **settings) for each in (0, 1)]
        history = History(GAMES["gardar"].configure(size))
        while not history.position.over:
            engine = engines[len(history.moves) % 2]
            history = history.play(engine.play(history).move)
            assert len(history.moves) < 5 * history.game.board.count
