"""Thermographs of forms, compiled: means, temperatures and the gains of moves.

If every move is taxed by t, the left wall of a thermograph is the best result that Vertical gets by
moving first: the best right wall of the positions after a move, less t. The right wall is the same
for Horizontal. The walls meet at the temperature, at which neither player gains by moving. Above it
is the mast, which is the mean. Means add up in a sum. Walls rise and fall by 1 or not at all, so
each move at most halves the units in which they meet: with `HEAT_SCALE` the numbers of a region of
twelve points are exact.

Only the wall at one tax is needed: below a form's temperature it is the best result that the player
gets at that tax, above it is the mean. The gain of an option is measured at its form's temperature:
how much better than the mean the option is for the player who moves. For a best move this is the
temperature, even if the move is a threat whose mean is no better. To play in the hottest region is
a good order of moves (Berlekamp).
"""

from typing import Any

from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.sums.records import (
    ESTIMATE_SCALE,
    H_LOW,
    HEAT_SCALE,
    OPTIONS,
    REGIONS,
    V_LOW,
)
from linage_bot.engine.solver.values.forms import mean_of, option, option_count

_HOTTEST = (1 << 31) - 1  # in scaled points: more than twice that of any region searched
_FAR = 1 << 30


@compiled(types.int64(REGIONS, OPTIONS, types.int64, types.int64, types.int64))
def _wall(regions: Any, options: Any, token: int, player: int, tax: int) -> int:
    """Return the wall of Vertical (0) or Horizontal (1) at a tax; both are times `HEAT_SCALE`."""
    if tax >= regions[token >> 1].temperature:
        return mean_of(regions, token, 0)
    sign, best = (-1 if player else 1), -_FAR
    for at in range(option_count(regions, token, player)):
        after, offset = option(regions, options, token, player, at)
        value = _wall(regions, options, after, 1 - player, tax) + HEAT_SCALE * offset
        best = max(best, sign * value - tax)
    return sign * best


@compiled(types.void(REGIONS, OPTIONS, types.int64))
def cool(regions: Any, options: Any, number: int) -> None:
    """Store a form's mean and temperature, and the gains of its options."""
    form, token = regions[number], 2 * number
    form.temperature = _HOTTEST  # so that `_wall` does not use the mean, which is not known yet
    low, high = 0, HEAT_SCALE * (form.bounds[V_LOW] - form.bounds[H_LOW])  # hot at low; not at high
    while low + 1 < high:
        tax = (low + high) >> 1
        if _wall(regions, options, token, 0, tax) > _wall(regions, options, token, 1, tax):
            low = tax
        else:
            high = tax
    left, right = _wall(regions, options, token, 0, high), _wall(regions, options, token, 1, high)
    form.mean, form.temperature = (left + right) >> 1, high
    for at in range(form.lefts + form.rights):
        player = 0 if at < form.lefts else 1
        move = options[form.options + at]
        after = _wall(regions, options, move.token, 1 - player, high)
        gain = (after + HEAT_SCALE * move.offset - form.mean) // (HEAT_SCALE // ESTIMATE_SCALE)
        move.gain = -gain if player else gain
