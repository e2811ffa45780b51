"""The calibration of expected owners: its fit to games, and a report on how far it holds.

`benchmarks/calibration.py` calls it. The truth about a point is its owner at the end of the game
that was played on: 1 for First, -1 for Second, 0 for neither.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs
import numpy as np

from benchmarks.calibration_games import PARTS, recorded
from linage_bot.engine.calibration import OwnerTrust

_TRUTH = {"b": 1, "w": -1, "-": 0}
_POWERS = np.arange(0.4, 3.01, 0.1)
_RAW = OwnerTrust(1.0, 1.0, 1.0)
_EDGES = (0.3, 0.5, 0.7, 0.85, 0.95)  # of the bins, by how sure the random games are


@attrs.frozen
class Owners:
    """The points of one game's positions, as arrays with an entry for each point."""

    part: np.ndarray  # of the games
    random: np.ndarray  # after random games
    true: np.ndarray
    settled: np.ndarray  # whether it has an owner who keeps it in all random games

    def of(self, which: np.ndarray) -> "Owners":
        """Return some of the points."""
        return Owners(*(array[which] for array in attrs.astuple(self, recurse=False)))

    def shown(self, trust: OwnerTrust) -> np.ndarray:
        """Return the expected owners as shown."""
        values, places = np.unique(self.random, return_inverse=True)
        mapped = np.array([trust.of(each) for each in values])
        shown: np.ndarray = np.where(self.settled, trust.settled * self.random, mapped[places])
        return shown

    def error(self, trust: OwnerTrust) -> float:
        """Return the mean square error as shown."""
        return float(np.mean((self.shown(trust) - self.true) ** 2))


def read(files: Iterable[Path]) -> dict[str, Owners]:
    """Return the points of all positions whose owners were recorded, by game."""
    found: dict[str, list[Owners]] = {}
    for line in recorded(files):
        if "owned_now" not in line or not any(line["owners"]):
            continue
        random = np.array(line["owners"]) / 100
        now, true = (np.array([_TRUTH[each] for each in line[of]]) for of in ("owned_now", "owned"))
        part = np.full(len(random), line["game"] % PARTS)
        settled = (random == now) & (now != 0)
        game = line["board"].partition(":")[0]
        found.setdefault(game, []).append(Owners(part, random, true, settled))
    return {game: _joined(parts) for game, parts in sorted(found.items())}


def _joined(parts: Sequence[Owners]) -> Owners:
    columns = zip(*(attrs.astuple(each, recurse=False) for each in parts), strict=True)
    return Owners(*map(np.concatenate, columns))


def fitted(owners: Owners) -> OwnerTrust:
    """Return the trust with the least mean square error."""
    settled, others = owners.of(owners.settled), owners.of(~owners.settled)
    certain = round(float(np.mean(settled.random * settled.true)), 2)
    found = []
    for power in np.round(_POWERS, 1).tolist():
        mapped = others.shown(OwnerTrust(1.0, power, certain))
        share = float(mapped @ others.true / (mapped @ mapped))  # least squares
        found.append(OwnerTrust(round(share, 2), power, certain))
    return min(found, key=others.error)


def report(owners: Owners, game: str) -> None:
    """Print expected owners before and after, and the true ones, of games kept out of the fit."""
    shown = np.zeros(len(owners.random))
    for part in range(PARTS):
        trust = fitted(owners.of(owners.part != part))
        kept = owners.part == part
        shown[kept] = owners.of(kept).shown(trust)
    error = np.mean((shown - owners.true) ** 2)
    before = owners.error(_RAW)
    print(f"{game}: owners of {len(shown)} points, mean square {before:.4f}, {error:.4f}")
    sure, sign = np.abs(owners.random), np.sign(owners.random)
    print("  count  random   shown    true")
    bins = np.where(owners.settled, len(_EDGES) + 1, np.digitize(sure, _EDGES))
    for at in np.unique(bins):
        some = (bins == at) & (sure > 0)
        means = (np.mean(sign[some] * each[some]) for each in (owners.random, shown, owners.true))
        row = " ".join(f"{mean:7.2f}" for mean in means)
        print(f"{some.sum():7} {row}{'  settled' if at > len(_EDGES) else ''}")
