"""Find the values of all small free regions, and write the solver's initial table.

    python -m benchmarks.small_values     # the table beside values/shipped.py, in a minute or two

All values are computed from scratch; the old table is not used.
"""

import argparse
import sys

import numpy as np

from benchmarks.small_regions import connected, is_free
from linage_bot.engine.kernels.words import unmixed
from linage_bot.engine.solver.budgets import Array
from linage_bot.engine.solver.sums.records import H_LOW, MOST_VALUED, V_LOW
from linage_bot.engine.solver.sums.regions import KnownRegions
from linage_bot.engine.solver.sums.store import new_store
from linage_bot.engine.solver.values import shipped


def from_nothing(line: int) -> KnownRegions:
    """Return a store of known regions that starts without the shipped table."""
    return KnownRegions(line, new_store(1), np.zeros(1, np.uint64), shipped.begin({}))


def arrays_of(line: int, most_points: int = MOST_VALUED) -> dict[str, Array]:
    """Return the arrays of a line, as `shipped` reads them, of regions up to `most_points`."""
    regions = from_nothing(line)
    for points in range(1, most_points + 1):
        for cells in connected(points):
            if is_free(cells, line):
                token = regions.token(cells)
                assert token is not None
                regions.find_value(token >> 1)
    records = regions.records[shipped.GAP + 1 : regions.used]
    options = regions.options[: int(regions.head[0]["options"])]
    forms, shapes = records[records["points"] == 0], records[records["points"] > 0]
    # Forms and shapes are numbered in the order in which they were found.
    places = np.concatenate(([0], np.cumsum(records["points"] == 0)))

    def tokens(of: Array) -> Array:
        numbers = of >> 1
        found = 2 * places[np.where(numbers, numbers - shipped.GAP, 0)] + (of & 1)
        assert found.max(initial=0) < 1 << 16
        return found.astype(np.uint16)

    words = np.array([int(unmixed(key)) for key in shapes["key"]], "<u8")
    shapes, words = shapes[np.argsort(words)], np.sort(words)
    columns = [forms[name] for name in ("lefts", "rights", "negative", "odd")]
    columns += [forms["bounds"][:, V_LOW], forms["bounds"][:, H_LOW]]
    return {
        "forms": np.stack(columns, axis=1).astype(np.int8),
        "tokens": tokens(options["token"]),
        "offsets": options["offset"].astype(np.int8),
        "shapes": np.ascontiguousarray(words.view(np.uint8).reshape(-1, 8).T),  # packs better
        "values": tokens(shapes["value"]),
        "value_offsets": shapes["offset"].astype(np.int8),
    }


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    found = {}
    for line in shipped.LINES:
        arrays = arrays_of(line)
        print(
            f"lines of {line}: {arrays['shapes'].shape[1]} shapes, {len(arrays['forms'])} forms",
            file=sys.stderr,
        )
        found |= {f"{line}-{name}": array for name, array in arrays.items()}
    np.savez_compressed(shipped.FILE, **found)


if __name__ == "__main__":
    main()
