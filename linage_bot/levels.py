"""Levels of play, from a beginner to full strength.

Weak levels look at little and then choose carelessly: among the moves looked at, the one with the
best win rate after a random error. They never play what the search has not looked at, and
never pass unless passing looks best. Measured distances are in docs/search.md.
"""

from __future__ import annotations

import attrs


@attrs.frozen
class Level:
    """How a level plays; `carelessness` is the standard deviation of the error in win rates."""

    visits: int | None  # a move; None: as much as the settings and the clock allow
    carelessness: float = 0.0


LEVELS = (
    Level(20, 0.15),
    Level(30, 0.10),
    Level(45, 0.07),
    Level(70, 0.04),
    Level(120, 0.02),
    Level(220),
    Level(450),
    Level(900),
    Level(1800),
    Level(None),
)
