"""Win rates that hold, and leads with their errors.

Of the positions shown to be won at 70 %, about 70 % are won.
The win rate of a search is the share of its playouts that were won. That is too near to one half,
because good play keeps an advantage better than random play. So the odds of a win rate that is
shown are those of the search to a power, which depends on the game and on the open share of the
board (`OddsPower`):

    shown / (1 - shown) = (won / (1 - won)) ** power

One half stays one half, the order of moves stays the same, and both players are treated alike.
Proven results are not changed. The search itself and the choice to resign use its own win rates.
From 1,000 to 100,000 visits the powers differ by less than their errors.

The standard deviation that is shown with a lead is that of scores: proven ones, and those of games
continued at an even komi. It is a function of the deviation of the playouts' scores (`LeadError`).

The expected owners of points come from random games after the best line. If both play that line,
they hold, with better odds than random games have; if not, they mean little (`OwnerTrust`). Points
that have their owner already, and keep it in all random games, are nearly certain.

`benchmarks/calibration.py` fits all three to games; docs/analyze.md shows how far they hold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import attrs

from linage_bot.engine.analysis import Analysis, Candidate, with_power
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Player, Position


@attrs.frozen
class OddsPower:
    """The power in a game, a linear function of the open share of the board, at least 1."""

    half: float  # the power where half of the points are open
    slope: float = 0.0  # the power on an empty board, less that on a full one

    def at(self, open_share: float) -> float:
        """Return the power where this share of the points is open to the player to move."""
        return max(1.0, self.half + self.slope * (open_share - 0.5))


@attrs.frozen
class OwnerTrust:
    """The trust in owners after random games: their odds to a `power`, for a `share` of games."""

    share: float
    power: float
    settled: float  # the ownership of points that have their owner in all of them, and now

    def of(self, mean: float) -> float:
        """Return the expected ownership, 1 to -1, of a point with this mean after random games."""
        return self.share * (2 * with_power((1 + mean) / 2, self.power) - 1)


@attrs.frozen
class LeadError:
    """The standard deviation of scores from the lead: `scale` times a power of the playouts'."""

    scale: float
    power: float

    def of(self, spread: float) -> float:
        """Return it for a standard deviation of the playouts' scores, in points."""
        return self.scale * math.pow(spread, self.power) if spread else 0.0


POWERS: Final[dict[str, OddsPower]] = {
    "gardar": OddsPower(half=1.54, slope=1.86),
    "leblin": OddsPower(half=2.52, slope=1.83),
    "linage": OddsPower(half=2.22, slope=-0.01),
    "linage-parity": OddsPower(half=2.65, slope=-2.44),
    "linage-two-color": OddsPower(half=2.13, slope=1.26),
}
"""The powers by game; other games keep their win rates."""

LEAD_ERRORS: Final[dict[str, LeadError]] = {
    "gardar": LeadError(scale=5.8, power=0.3),
    "linage": LeadError(scale=0.114, power=1.8),
    "linage-two-color": LeadError(scale=0.696, power=1.1),
}
"""The errors of leads in the games that count points."""
_NO_ERROR: Final = LeadError(0.0, 1.0)

OWNER_TRUST: Final[dict[str, OwnerTrust]] = {
    "gardar": OwnerTrust(share=0.76, power=0.8, settled=0.91),
    "leblin": OwnerTrust(share=0.71, power=1.0, settled=0.9),
    "linage": OwnerTrust(share=0.75, power=1.5, settled=1.0),
    "linage-two-color": OwnerTrust(share=0.55, power=1.1, settled=0.99),
}
"""The trust in owners in the games whose points have owners."""


def calibrated(analysis: Analysis) -> Analysis:
    """Return a search's analysis with win rates that hold, and errors of leads.

    It must have no proofs by others yet.
    """
    position = analysis.position
    powers = POWERS.get(position.game.id)
    if powers is None:
        return analysis
    open_share = position.placements().bit_count() / position.game.board.count
    power = powers.at(open_share)
    errors = LEAD_ERRORS.get(position.game.id, _NO_ERROR)
    candidates = tuple(_calibrated(each, power, errors) for each in analysis.candidates)
    return attrs.evolve(analysis, candidates=candidates, power=power)


def _calibrated(candidate: Candidate, power: float, errors: LeadError) -> Candidate:
    if not candidate.visits:
        return candidate
    rate, spread = candidate.win_rate, errors.of(candidate.spread)
    if candidate.certain is not None or not 0 < rate < 1:
        return attrs.evolve(candidate, spread=spread)
    shown = with_power(rate, power)
    # The slope of the map: the odds' power changes with the win rate as this.
    slope = power * shown * (1 - shown) / (rate * (1 - rate))
    return attrs.evolve(candidate, win_rate=shown, error=slope * candidate.error, spread=spread)


def calibrated_owners(position: Position, owners: Sequence[float]) -> tuple[float, ...]:
    """Return the expected ownership of each cell, 1 to -1, from that after random games.

    Both are First's.
    """
    trust = OWNER_TRUST.get(position.game.id)
    if trust is None or position.over:
        return tuple(owners)
    shown = [trust.of(mean) for mean in owners]
    for player, points in zip(Player, position.owned, strict=True):
        for point in bits(points):
            if owners[point] == player.sign:
                shown[point] = trust.settled * player.sign
    return tuple(shown)
