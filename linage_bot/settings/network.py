"""A neural network that helps the search of an engine (docs/network.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import attrs

from linage_bot.rules.arguments import number, whole_number
from linage_bot.settings.checks import check_whole, within

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Planes: TypeAlias = npt.NDArray[np.float32]

Evaluate: TypeAlias = "Callable[[Planes], tuple[Any, Any]]"

SHARE: Final = 0.5
"""The share of the network in a value by default."""
EVALUATED_AT: Final = 8
"""The visits at which a position is evaluated by default."""
MOST_VISITS: Final = 1_000_000
"""The most of them that can be chosen."""


def _check_function(_network: object, _field: object, value: Any) -> None:
    if not callable(value):
        raise TypeError(f"evaluate: expected a function, not {type(value).__name__}")


@attrs.frozen
class Network:
    """A network that helps the search, as a function that evaluates positions.

    evaluate: called with the planes of one position or more, 32-bit floats in the shape
        (positions, planes, rows, columns), as `linage_bot.batch` draws them. It returns two arrays:
        a prior for each action, in the shape (positions, actions), and First's expected result, in
        the shape (positions,), from -1 for a loss to 1 for a win. Priors are at least 0; only their
        ratios among the legal moves count.
    share: the share of the network in the value of a visit, from 0 to 1; the rest is the result of
        the playout. With 0 the network is not used at all.
    visits: the number of visits at which a position gets children, if it has none yet, and is
        evaluated. With more of them the network is called less often.

    An engine calls the function on the thread that searches, never on two threads at once. Raises
    `TypeError` or `ValueError` for wrong values.
    """

    evaluate: Evaluate = attrs.field(validator=_check_function)
    share: float = attrs.field(default=SHARE, converter=number, validator=within(0.0, 1.0))
    visits: int = attrs.field(
        default=EVALUATED_AT,
        converter=whole_number,
        validator=[check_whole, within(1, MOST_VISITS)],
    )


def check_network(_settings: object, _field: object, value: Any) -> None:
    """Raise `TypeError` unless a value is a `Network` or None."""
    if value is not None and not isinstance(value, Network):
        raise TypeError(f"network: expected a Network, not {type(value).__name__}")
