"""Finds the values of all small free regions, and writes the table that the solver begins with.

    python -m benchmarks.small_values     # the table beside values/shipped.py, in a minute or two

Each is found from nothing: what the table said before is not asked.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from benchmarks.small_regions import connected, is_free
from linage_bot.engine.kernels.words import unmixed
from linage_bot.engine.solver.effort import Array
from linage_bot.engine.solver.sums.records import H_LOW, MOST_VALUED, V_LOW
from linage_bot.engine.solver.sums.regions import KnownRegions
from linage_bot.engine.solver.sums.store import new_store
from linage_bot.engine.solver.values import shipped


def from_nothing(line: int) -> KnownRegions:
    """What finds all values by itself."""
    return KnownRegions(line, new_store(1), np.zeros(1, np.uint64), shipped.begin({}))


def arrays_of(line: int, most_points: int = MOST_VALUED) -> dict[str, Array]:
    """The arrays of a line, as `shipped` reads them, of regions of at most so many points."""
    regions = from_nothing(line)
    for points in range(1, most_points + 1):
        for cells in connected(points):
            if is_free(cells, line):
                token = regions.token(cells)
                assert token is not None
                regions.appraise(token >> 1)
    records = regions.records[shipped.GAP + 1 : regions.used]
    options = regions.options[: int(regions.head[0]["options"])]
    forms, shapes = records[records["points"] == 0], records[records["points"] > 0]
    # Forms and shapes have their numbers in the order in which they were met.
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
    np.savez_compressed(Path(str(shipped.FILE)), **found)


if __name__ == "__main__":
    main()
