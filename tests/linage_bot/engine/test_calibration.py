"""The calibration: shown win rates are further from one half than the search's own."""

import attrs
import pytest

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.calibration import OddsPower, calibrated, calibrated_owners
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player


def analysis_of(*rates: float, certain: float | None = None, visits: int = 10_000) -> Analysis:
    position = GAMES["linage"].configure("9").start()
    share = visits // len(rates)
    candidates = tuple(
        Candidate(move=at, visits=share, win_rate=rate, error=0.01, line=(at,), certain=certain)
        for at, rate in enumerate(rates)
    )
    return Analysis(position=position, candidates=candidates, visits=visits)


def rates(analysis: Analysis) -> list[float]:
    return [each.win_rate for each in analysis.candidates]


def test_shown_win_rates_are_further_from_one_half_and_in_the_same_order() -> None:
    """Win rates above one half rise, those below fall, one half stays, and the order stays."""
    shown = rates(calibrated(analysis_of(0.9, 0.6, 0.5, 0.4, 0.1)))
    assert shown[0] > 0.9
    assert 0.6 < shown[1] < 0.9
    assert shown[2] == 0.5
    assert shown == sorted(shown, reverse=True)


def test_both_players_are_treated_alike() -> None:
    """The calibration gives one player what it takes from the other."""
    found = analysis_of(0.8, 0.3, 0.01)
    first = calibrated(found)
    second = calibrated(found.seen_by(Player.SECOND)).seen_by(Player.FIRST)
    assert rates(first) == pytest.approx(rates(second))


@pytest.mark.parametrize("result", [0.0, 0.5, 1.0])
def test_proven_results_stay_as_they_are(result: float) -> None:
    """A proven result is shown exactly."""
    found = analysis_of(result, certain=result)
    assert calibrated(found).candidates == found.candidates


@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_move_that_won_all_or_none_of_its_visits_keeps_its_win_rate(rate: float) -> None:
    """Win rates of 0 and 1 are shown as they are, without an error."""
    assert rates(calibrated(analysis_of(rate))) == [rate]


def test_the_error_grows_as_the_win_rates_move_apart() -> None:
    """The error is that of the shown win rate: two win rates an error apart stay so."""
    near, nearer = calibrated(analysis_of(0.6, 0.601)).candidates
    assert near.error / 0.01 == pytest.approx((nearer.win_rate - near.win_rate) / 0.001, rel=0.02)


def test_the_power_is_never_below_one() -> None:
    """However full the board, no win rate is moved towards one half."""
    assert OddsPower(1.2, slope=1.0).at(0.0) == 1.0
    assert OddsPower(2.0, slope=1.0).at(1.0) == 2.5


def test_the_position_has_the_mean_of_all_visits() -> None:
    """The position's win rate is what the share of all playouts that were won is shown as."""
    assert calibrated(analysis_of(0.8, 0.6)).win_rate == pytest.approx(
        calibrated(analysis_of(0.7)).candidates[0].win_rate
    )


def test_a_lead_has_the_error_of_scores_not_of_playouts() -> None:
    """In an endgame of Linage scores are nearer to the lead than playouts are."""
    found = attrs.evolve(analysis_of(0.7).candidates[0], spread=6.0)
    shown = calibrated(attrs.evolve(analysis_of(0.7), candidates=(found,))).candidates[0]
    assert 2 < shown.spread < 4


EMPTY = GAMES["linage"].configure("3").start()
SETTLED = EMPTY.play(1).play(4).play(7)
"""Stones on column B leave both other columns to Vertical."""


def test_only_a_point_that_has_its_owner_already_is_certain() -> None:
    """A point that all random games agree on keeps its present owner; others stay uncertain."""
    assert calibrated_owners(SETTLED, [1, 0, 1] * 3) == (1, 0, 1) * 3
    assert all(0.6 < each < 0.9 for each in calibrated_owners(EMPTY, [1.0] * 9))
    assert all(-0.9 < each < -0.6 for each in calibrated_owners(SETTLED, [-1.0] * 9))


def test_owners_at_the_end_of_a_game_are_certain() -> None:
    """At the end of the game nothing is left to estimate."""
    end = GAMES["leblin"].configure("3").start()
    while not end.over:
        end = end.after(end.moves()[0])
    assert calibrated_owners(end, [1.0] * 9) == (1.0,) * 9


@pytest.mark.parametrize("game", ["linage", "linage-two-color", "leblin", "gardar"])
def test_sure_owners_are_shown_less_sure_and_in_the_same_order(game: str) -> None:
    """Owners that random games are sure of are shown less sure; both players are treated alike."""
    position = GAMES[game].configure("4").start()
    means = [at / 10 for at in range(-10, 11)] + [0.0] * (position.game.board.columns**2)
    means = means[: position.game.board.columns * position.game.board.rows]
    shown = calibrated_owners(position, means)
    assert all(abs(a) < abs(b) for a, b in zip(shown, means, strict=True) if abs(b) > 0.8)
    assert sorted(shown[:16]) == list(shown[:16])
    mirrored = calibrated_owners(position, [-each for each in means])
    assert mirrored == pytest.approx([-each for each in shown])


def test_games_of_other_packages_keep_their_win_rates() -> None:
    """A game without a calibration shows the search's own win rates."""

    class Unknown(type(GAMES["linage"].configure("9"))):  # type: ignore[misc]
        id = "unknown"

    found = analysis_of(0.7)
    game = Unknown(found.position.game.board, 0.5)
    assert rates(calibrated(attrs.evolve(found, position=game.start()))) == [0.7]


BEHIND = GAMES["linage"].configure("7", 6.5).start()  # where First wins a third of the playouts


def test_an_analysis_shows_calibrated_win_rates() -> None:
    """The engine's analyses are calibrated; those of weak levels and of plain UCT are not."""
    found = {}
    for name, settings in {"full": {}, "weak": {"level": 20}, "uct": {"search": "uct"}}.items():
        engine = Engine(seed=1, **settings)  # type: ignore[arg-type]
        found[name] = engine.analyse(BEHIND, Limits(400), proofs=False).candidates[0]
    wins = {name: 2 * each.win_rate * each.visits for name, each in found.items()}
    assert [name for name in wins if wins[name] == pytest.approx(round(wins[name]))] == [
        "weak",
        "uct",
    ]
    assert found["full"].win_rate < 0.3


def test_resigning_depends_on_the_win_rate_of_the_search() -> None:
    """A resign rate means the search's own win rate, as it did before there was a calibration."""
    decision = Engine(seed=1, resign_rate=0.25).play(BEHIND, Limits(400))
    assert decision.analysis.candidates[0].win_rate < 0.25
    assert decision.move is not None
