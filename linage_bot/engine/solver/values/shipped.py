"""The values that come with the program: those of all free regions of at most twelve points.

For each length of lines the file has the canonical forms, in an order in which the options of each
come before it, and the shapes with their values. `benchmarks/small_values.py` writes it. Facts that
follow at once from these, such as means and hashes, are computed when the file is read.
"""

import functools
import logging
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from linage_bot.engine.solver.budgets import Array
from linage_bot.engine.solver.sums.records import (
    HEAD,
    KNOWN_PAIR,
    MOST_NEW,
    OPTION,
    REGION,
    STACKED,
    VALUED,
    Known,
)
from linage_bot.engine.solver.sums.small_region_values import fill_values
from linage_bot.engine.solver.values.making import restore

FILE = Path(__file__).with_name("shipped.npz")
LINES = range(2, 6)
GAP = STACKED - 1  # the number of a form less its place in the file; places begin with 1
_FEWEST = 1 << 12  # the first number of records, a power of two
_DTYPES = {  # of the arrays of each length of lines, with `N` forms and `S` shapes
    "forms": np.int8,  # [N, 6] as `restore` takes them
    "tokens": np.uint16,  # of all options: 2 * place + sign; place 0 is the form of all numbers
    "offsets": np.int8,
    "shapes": np.uint8,  # [8, S] the bytes, in order, of the words that `tables.name_shape` mixes
    "values": np.uint16,  # [S] tokens, too
    "value_offsets": np.int8,
}

_log = logging.getLogger(__name__)


class InitialTables(NamedTuple):
    """The arrays of regions and values before any search, with room for more."""

    records: Array
    slots: Array
    options: Array
    values: Array
    used: int
    options_used: int


@functools.cache
def beginning(line: int) -> InitialTables:
    """Return the values that come with the program for a length of lines.

    If there are none, or the file is missing or damaged, the arrays have no values; a problem with
    the file is logged as a warning.
    """
    if line not in LINES:
        return begin({})
    try:
        with FILE.open("rb") as file, np.load(file) as archive:
            return begin({name: archive[f"{line}-{name}"] for name in _DTYPES})
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, zlib.error):
        _log.warning("%s is missing or damaged, so it is not used", FILE)
        return begin({})


def begin(found: Mapping[str, Array]) -> InitialTables:
    """Return the arrays filled with the data of one length of lines, or empty without data."""
    forms, options, offsets, shapes, values, value_offsets = (
        found.get(name, np.zeros((0, 0), dtype)) for name, dtype in _DTYPES.items()
    )
    size, places, head = _FEWEST, 1, np.zeros(1, HEAD)
    while STACKED + len(forms) + MOST_NEW > size:
        size *= 2
    while places < 2 * values.size:
        places *= 2
    records = np.zeros(size, REGION)
    records[0]["negative"] = 1  # number 0 is the form of all numbers
    known = Known(
        regions=records,
        slots=np.zeros(2 * size, np.int32),
        options=np.zeros(_FEWEST + options.size, OPTION),
        values=np.zeros(places, VALUED),
        pairs=np.zeros(1, KNOWN_PAIR),
        head=head[0],
        rows=np.zeros(1, np.uint64),
        store=np.zeros(2, np.uint64),
        marks=np.zeros(1, np.uint64),
    )
    head["regions"] = STACKED
    if found:
        restore(known, forms.astype(np.int64), _numbered(options), offsets.astype(np.int64))
        words = np.ascontiguousarray(shapes.T).view("<u8")[:, 0]
        fill_values(known.values, words, _numbered(values), value_offsets.astype(np.int64))
    return InitialTables(
        records, known.slots, known.options, known.values, *head[["regions", "options"]][0]
    )


def _numbered(tokens: Array) -> Array:
    """Return tokens by the numbers of the forms, from tokens by their places in the file."""
    return np.where(tokens > 1, tokens.astype(np.int64) + 2 * GAP, tokens)
