"""Thermographs of forms in compiled code: means, temperatures, and what moves gain.

With every move taxed by t, a thermograph's left wall is the best that Vertical gets by moving
first: the best right wall of what is left, less t. The right wall is the same for Horizontal. Where
they meet is the temperature, at which nobody gains by moving, and above it the mast, the mean.
Means add up in a sum. Walls rise and fall by 1 or not at all, so that each move halves at most the
units in which they meet: `HEAT_SCALE` is enough for those of a region of twelve points to be exact.

A wall at one tax is all that is needed: below a form's temperature it is the best that the player
gets at that tax, above it is the mean. What an option
gains is told at its form's temperature: how much better it is for who moves than the mean. That is
the temperature for a best move, also where it is a threat whose mean is no better; and playing
where it is hottest is a good order of moves (Berlekamp).
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

_HOTTEST = (1 << 31) - 1  # in points, scaled; no region of the search is half as hot
_FAR = 1 << 30


@compiled(types.int64(REGIONS, OPTIONS, types.int64, types.int64, types.int64))
def _wall(regions: Any, options: Any, token: int, player: int, tax: int) -> int:
    """Where the wall of Vertical (0) or Horizontal (1) is at a tax; both are scaled."""
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
    """Note a form's mean and temperature, and the gains of its options."""
    form, token = regions[number], 2 * number
    form.temperature = _HOTTEST  # so that walls do not stop at what is not known yet
    low, high = 0, HEAT_SCALE * (form.bounds[V_LOW] - form.bounds[H_LOW])  # hot, and not
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
