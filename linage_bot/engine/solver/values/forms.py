"""Values of small regions in canonical form, and functions with which compiled code reads them.

The value of a game is a number, or the game is *hot*: {L | R}, the games that Vertical and that
Horizontal can make of it. No player moves in a number, and in sums of these games no player gains
by passing (Milnor): G is at least H exactly if G - H, with Horizontal to move, is at least 0. So a
hot game keeps its value under the two rules of combinatorial game theory (`values`):

- an option is removed if another option of the same player is at least as good (*dominated*);
- an option that the opponent can answer so that they have at least as much as in the whole game
  (*reversible*) is replaced by the options that could follow the answer, or by none if the position
  after the answer is a number.

The result is the same for equal games: their canonical form. So regions of different shapes become
one token of the search, with few moves, and cancel if their values do. (In other scoring games the
score if play stopped now would matter, too. Here it decides only the value of a cold region, which
is a number.)

A *form* is a hot canonical form, shifted so that its stops add up to 0 or 1. A value is a form plus
a number, its offset. Forms are stored among the regions (`tables`) as regions without points: their
stops as bounds, their options in an array of values. A form and its negative share a record number,
as shapes do. If a form is its own negative, except for the 1 that its stops and so the two may add
up to, it is always named by its even token. Token 0 is the form of all numbers.
"""

from typing import Any

from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.sums.moves import packed
from linage_bot.engine.solver.sums.records import HEAT_SCALE, NUMBERS, OPTIONS, PAIR, REGIONS
from linage_bot.engine.solver.sums.tables import negative_value

MOST_OPTIONS = 128  # of each player


class OutOfSpace(Exception):
    """An error that reports that there is no room for another form.

    The caller should make room and call again; results found so far are kept.
    """


@compiled(PAIR(REGIONS, types.int64))
def value_of(regions: Any, token: int) -> tuple[int, int]:
    """Return the value of a region that has been appraised: a form's token and an offset."""
    region = regions[token >> 1]
    if token & 1:
        return negative_value(regions, region.value, region.offset)
    return int(region.value), int(region.offset)


@compiled(types.int64(REGIONS, types.int64, types.int64))
def option_count(regions: Any, token: int, player: int) -> int:
    """Return the number of options that Vertical (0) or Horizontal (1) has in a form."""
    form = regions[token >> 1]
    return int(form.rights) if player ^ (token & 1) else int(form.lefts)


@compiled(PAIR(REGIONS, OPTIONS, types.int64, types.int64))
def chosen(regions: Any, options: Any, token: int, number: int) -> tuple[int, int]:
    """Return the value after an option; those of the even token's Vertical are numbered first."""
    option = options[regions[token >> 1].options + number]
    if token & 1:
        return negative_value(regions, option.token, option.offset)
    return int(option.token), int(option.offset)


@compiled(PAIR(REGIONS, OPTIONS, types.int64, types.int64, types.int64))
def option(regions: Any, options: Any, token: int, player: int, at: int) -> tuple[int, int]:
    """Return the value after one of a player's options in a form; Vertical is 0, Horizontal 1."""
    first = regions[token >> 1].lefts if player ^ (token & 1) else 0
    return chosen(regions, options, token, first + at)


@compiled(types.int64(REGIONS, types.int64, types.int64))
def mean_of(regions: Any, token: int, offset: int) -> int:
    """Return the mean of a value, in points times `HEAT_SCALE`."""
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
    """Return a value in the notation of combinatorial game theory: 3, {5|4}, {9|{2|-3}}.

    Vertical's options come first, and of each player's options the shortest. Equal values have the
    same text, and different values have different texts.
    """
    sides = []
    for player in range(2):
        count = option_count(regions, token, player)
        values = [option(regions, options, token, player, at) for at in range(count)]
        texts = [written(regions, options, form, offset + more) for form, more in values]
        sides.append(", ".join(sorted(texts, key=lambda text: (len(text), text))))
    return f"{{{sides[0]}|{sides[1]}}}" if sides[0] else str(offset)
