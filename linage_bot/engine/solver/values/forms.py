"""Values of small regions in canonical form: what they are, and how compiled code reads them.

A game is worth a number, or it is *hot*: {L | R}, what Vertical and what Horizontal can make of it.
In a number nobody moves, and in sums of such games nobody gains by passing (Milnor): G is at least
H exactly if G - H, with Horizontal to move, is at least 0. So a hot game keeps its value under the
two rules of combinatorial game theory (`values`):

- an option goes that another one of the same player is at least as good as (*dominated*);
- an option that the opponent can answer by something at least as good for them as the whole game
  (*reversible*) gives way to what could be played after the answer; to nothing after a number.

What is left is the same for equal games: their canonical form. So regions of different shapes
become one token of the search, with few moves, and cancel where their values do. (In other scoring
games the score if play stopped now would matter, too. Here it decides only what a cold region is
worth, and that is a number.)

A *form* is a hot canonical form, moved so that its stops add up to 0 or 1; a value is a form and a
number to be added, its offset. Forms stand among the regions (`tables`), as regions without
points: their stops as bounds, their options in an array of values. A form and its negative share a
number, as shapes do. One that is its own negative, but for the 1 that its stops and so the two may
add up to, is always named by its even token. Token 0 is the form of all numbers.
"""

from typing import Any

from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.sums.moves import packed
from linage_bot.engine.solver.sums.records import HEAT_SCALE, NUMBERS, OPTIONS, PAIR, REGIONS
from linage_bot.engine.solver.sums.tables import negative_value

MOST_OPTIONS = 128  # of either player


class Full(Exception):
    """There is no room for another form: make some and call again; what was found stays found."""


@compiled(PAIR(REGIONS, types.int64))
def value_of(regions: Any, token: int) -> tuple[int, int]:
    """The value of a region that has been appraised."""
    region = regions[token >> 1]
    if token & 1:
        return negative_value(regions, region.value, region.offset)
    return int(region.value), int(region.offset)


@compiled(types.int64(REGIONS, types.int64, types.int64))
def option_count(regions: Any, token: int, player: int) -> int:
    """How many options Vertical (0) or Horizontal (1) has in a form."""
    form = regions[token >> 1]
    return int(form.rights) if player ^ (token & 1) else int(form.lefts)


@compiled(PAIR(REGIONS, OPTIONS, types.int64, types.int64))
def chosen(regions: Any, options: Any, token: int, number: int) -> tuple[int, int]:
    """The value that an option leaves; those of the even token's Vertical come first."""
    option = options[regions[token >> 1].options + number]
    if token & 1:
        return negative_value(regions, option.token, option.offset)
    return int(option.token), int(option.offset)


@compiled(PAIR(REGIONS, OPTIONS, types.int64, types.int64, types.int64))
def option(regions: Any, options: Any, token: int, player: int, at: int) -> tuple[int, int]:
    """One of a player's options."""
    first = regions[token >> 1].lefts if player ^ (token & 1) else 0
    return chosen(regions, options, token, first + at)


@compiled(types.int64(REGIONS, types.int64, types.int64))
def mean_of(regions: Any, token: int, offset: int) -> int:
    """The mean of a value, in points times `HEAT_SCALE`."""
    mean = int(regions[token >> 1].mean)
    return (-mean if token & 1 else mean) + HEAT_SCALE * offset


@compiled(
    types.int64(REGIONS, OPTIONS, types.int64, types.int64, types.int64, NUMBERS, types.int64)
)
def list_options(
    regions: Any, options: Any, number: int, favour: int, place: int, moves: Any, end: int
) -> int:
    """Append a player's options in a form to `moves`, as `list_moves` does for shapes."""
    form = regions[number]
    first, beyond = (0, form.lefts) if favour > 0 else (form.lefts, form.lefts + form.rights)
    for at in range(first, beyond):
        moves[end] = packed(options[form.options + at].gain + (1 << 24), place, at)
        end += 1
    return end


def written(regions: Any, options: Any, token: int, offset: int) -> str:
    """A value as combinatorial game theory writes it: 3, {5|4}, {9|{2|-3}}.

    Vertical's options come first, the shortest first. Values that are equal are written alike,
    others are not.
    """
    sides = []
    for player in range(2):
        count = option_count(regions, token, player)
        values = [option(regions, options, token, player, at) for at in range(count)]
        texts = [written(regions, options, form, offset + more) for form, more in values]
        sides.append(", ".join(sorted(texts, key=lambda text: (len(text), text))))
    return f"{{{sides[0]}|{sides[1]}}}" if sides[0] else str(offset)
