"""Levels of play, from a beginner to full strength.

Weak levels look at little and then choose carelessly: at random, a move with n visits with a weight
of n to the power of 1 / carelessness. They never play what the search has not looked at, and never
pass unless passing looks best. Measured distances are in docs/search/notebook.md.
"""

import attrs


@attrs.frozen
class Level:
    """How a level plays."""

    visits: int | None  # a move; None: as much as the settings and the clock allow
    carelessness: float = 0.0  # 0: always the best move


LEVELS = (
    Level(30, 0.6),
    Level(40, 0.5),
    Level(52, 0.41),
    Level(70, 0.33),
    Level(95, 0.25),
    Level(130, 0.17),
    Level(190, 0.08),
    Level(280),
    Level(450),
    Level(None),
)
