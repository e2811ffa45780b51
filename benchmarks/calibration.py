"""Fit the calibration of the engine's win rates, leads and owners, and show how far they hold.

    python -m benchmarks.calibration calibration.jsonl [more.jsonl]    # fit and report
    python -m benchmarks.calibration calibration.jsonl --write         # and change the engine

`benchmarks/calibration_games.py` makes the files. The reports are about games that were kept out of
the fit: the games of each third are shown by the fit of the other two. `--write` replaces the
tables in `linage_bot/engine/calibration.py` by the fit of all games, and the diagram in
`docs/images/reliability.svg`. The same files give the same tables, in a few seconds.
"""

import argparse
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from benchmarks import calibration_owners
from benchmarks.calibration_games import PARTS, recorded
from linage_bot.engine import calibration
from linage_bot.engine.analysis import with_power
from linage_bot.engine.calibration import LeadError, OddsPower
from linage_bot.engine.search.leads import FIRST_VISITS
from linage_bot.rules.game import Player

TABLE = Path(calibration.__file__)
DIAGRAM = Path(__file__).parents[1] / "docs" / "images" / "reliability.svg"
_USUAL, _RIDGE = OddsPower(2.4), 0.5  # a little weight on this power, where games say little
_EDGES = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)  # of the bins, by the favourite's win rate
_FEWEST = 30  # positions of a bin
_VISITS = (1_000, 10_000, 100_000)
_LEAST_SPREAD = 0.5  # points; with less the result is nearly proven


@attrs.frozen
class Estimate:
    """The win rate of a search that has not proven the result, for the player to move."""

    game: str
    match: tuple[str, int, int]  # the game that was played: its board, seed and number
    visits: int
    open: float  # share of the points
    rate: float
    won: float

    @property
    def part(self) -> int:
        """The part of the games that it belongs to."""
        return self.match[-1] % PARTS

    @property
    def log_odds(self) -> float:
        """The logarithm of the odds, bounded as for half a visit."""
        least = 0.5 / self.visits
        rate = min(max(self.rate, least), 1 - least)
        return math.log(rate / (1 - rate))


@attrs.frozen
class Shown:
    """A win rate of the position's favourite, and the result for that player."""

    match: tuple[str, int, int]
    rate: float
    won: float

    @classmethod
    def of(cls, estimate: Estimate, rate: float) -> "Shown":
        """Return the win rate `rate` of the player to move, seen by the favourite."""
        if rate < 0.5:
            return cls(estimate.match, 1 - rate, 1 - estimate.won)
        return cls(estimate.match, rate, estimate.won)


@attrs.frozen
class Bin:
    """Positions whose favourites have similar win rates."""

    count: int
    rate: float  # the mean
    won: float  # share of wins
    error: float  # standard error of the difference

    @classmethod
    def of(cls, some: Sequence[Shown]) -> "Bin":
        """Return the bin of these positions, of which those of one game are dependent."""
        sums: dict[object, float] = {}
        for each in some:
            sums[each.match] = sums.get(each.match, 0.0) + each.won - each.rate
        count = len(some)
        error = math.sqrt(sum(each**2 for each in sums.values())) / count
        rate, won = (
            sum(values) / count for values in zip(*((s.rate, s.won) for s in some), strict=True)
        )
        return cls(count, rate, won, error)

    def __str__(self) -> str:
        off = self.won - self.rate
        return (
            f"{self.count:6} {self.rate:7.1%} {self.won:7.1%} {off:+7.1%} ± {1.96 * self.error:.1%}"
        )


def read(files: Iterable[Path]) -> list[Estimate]:
    """Return the estimates of all positions that the search has not proven."""
    found = []
    for line in recorded(files):
        match = line["board"], line["seed"], line["game"]
        for visits, proven, *_, rate, _, _, _, _ in line["told"]:
            if not proven:
                game = line["board"].partition(":")[0]
                of = game, match, visits, line["open"], rate, line["won"]
                found.append(Estimate(*of))
    return found


def fitted(estimates: Sequence[Estimate]) -> OddsPower:
    """Return the power with the largest likelihood, by Newton's method."""
    odds = np.array([each.log_odds for each in estimates])
    features = odds[:, None] * np.array([(1.0, each.open - 0.5) for each in estimates])
    won = np.array([each.won for each in estimates])
    weights = usual = np.array(attrs.astuple(_USUAL))
    for _ in range(100):
        chances = 1 / (1 + np.exp(-features @ weights))
        slopes = features.T @ (won - chances) - _RIDGE * (weights - usual)
        bends = (features * (chances * (1 - chances))[:, None]).T @ features
        step = np.linalg.solve(bends + _RIDGE * np.eye(len(usual)), slopes)
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return OddsPower(*(round(float(weight), 2) for weight in weights))


def fitted_to_each(estimates: Sequence[Estimate]) -> dict[str, OddsPower]:
    """Return the power of each game."""
    names = sorted({each.game for each in estimates})
    return {name: fitted([each for each in estimates if each.game == name]) for name in names}


def kept_out(estimates: Sequence[Estimate]) -> list[tuple[Estimate, Shown]]:
    """Return each estimate as shown by the fit of the parts that its game does not belong to."""
    found = []
    for part in range(PARTS):
        powers = fitted_to_each([each for each in estimates if each.part != part])
        for each in estimates:
            if each.part == part:
                power = powers[each.game].at(each.open)
                found.append((each, Shown.of(each, with_power(each.rate, power))))
    return found


def bins(shown: Iterable[Shown]) -> list[Bin]:
    """Return the bins that have enough positions."""
    parts: dict[int, list[Shown]] = {}
    inner = _EDGES[1:-1]
    for each in shown:
        parts.setdefault(sum(each.rate >= edge for edge in inner), []).append(each)
    return [Bin.of(parts[at]) for at in sorted(parts) if len(parts[at]) >= _FEWEST]


def brier(shown: Iterable[Shown]) -> float:
    """Return the mean square of the difference between win rate and result."""
    return float(np.mean([(each.rate - each.won) ** 2 for each in shown]))


def report(pairs: Sequence[tuple[Estimate, Shown]]) -> None:
    """Print the reliability of win rates as shown: by game, and of all games by visits."""
    names = sorted({each.game for each, _ in pairs})
    for game, visits in [*((name, None) for name in names), *((None, each) for each in _VISITS)]:
        some = [
            pair
            for pair in pairs
            if game in (None, pair[0].game) and visits in (None, pair[0].visits)
        ]
        before = brier(Shown.of(each, each.rate) for each, _ in some)
        after = brier(shown for _, shown in some)
        about = game or f"all games, {visits:,} visits"
        print(f"{about}: {len(some)} estimates, Brier score {before:.4f}, calibrated {after:.4f}")
        print("  count   shown     won    off")
        for each in bins(shown for _, shown in some):
            print(each)


def _diagram(pairs: Sequence[tuple[Estimate, Shown]]) -> str:
    """Return the diagram: the share of wins by win rate, of the search and as shown."""
    from linage_bot.drawing.graphs import COLOURS, graph
    from linage_bot.drawing.palette import VARIABLES

    kinds = (
        ("win rates of the search", "second-strong", "s", (Shown.of(e, e.rate) for e, _ in pairs)),
        ("win rates as shown", "first-strong", "o", (shown for _, shown in pairs)),
    )

    def draw(axes: Any) -> None:
        axes.plot([0.5, 1], [0.5, 1], color=COLOURS["grid"], linestyle="-")
        for label, ink, marker, shown in kinds:
            found = bins(shown)
            axes.errorbar(
                [each.rate for each in found],
                [each.won for each in found],
                yerr=[1.96 * each.error for each in found],
                marker=marker,
                capsize=3,
                color=COLOURS[ink],
                linestyle="none",
                label=label,
            )
        axes.legend()

    name = "Share of wins by win rate, of the search and as shown"
    text = graph(name, draw, "win rate of the favourite", "share of wins", size=(6.4, 4.0))
    head, _, rest = text.partition(">")
    style = f"svg{{font-family:sans-serif}}{VARIABLES}"
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{rest}\n'


@attrs.frozen
class Lead:
    """The error of a lead measured at an even komi, and the spread of the playouts' scores."""

    game: str
    part: int  # of the games
    spread: float
    error: float


def read_leads(files: Iterable[Path]) -> list[Lead]:
    """Return the leads of all searches that can measure one; the truth is proven or played."""
    found = []
    for line in recorded(files):
        low, high = line["proven"] or (0, 1)
        truth = low if low == high else line.get("on_final")
        if truth is None or "even" not in line:
            continue
        sign, game = Player(line["player"]).sign, line["board"].partition(":")[0]
        for (visits, proven, *_, spread, _), even in zip(line["told"], line["even"], strict=True):
            leads = [lead + sign * (komi - line["komi"]) for komi, _, lead, _ in even]
            if visits > FIRST_VISITS and not proven and spread >= _LEAST_SPREAD:
                error = sum(leads) / len(leads) - truth
                found.append(Lead(game, line["game"] % PARTS, spread, error))
    return found


def fitted_lead_error(leads: Sequence[Lead]) -> LeadError:
    """Return the standard deviation with the largest likelihood, if errors are normal."""
    spreads, errors = (np.array([getattr(e, of) for e in leads]) for of in ("spread", "error"))
    found = []
    for power in np.arange(0, 2.51, 0.05):
        scale = math.sqrt(np.mean((errors / spreads**power) ** 2))
        found.append((float(np.mean(np.log(scale * spreads**power))), float(power), scale))
    _, power, scale = min(found)
    return LeadError(round(scale, 3), round(power, 2))


def report_leads(leads: Sequence[Lead], name: str) -> None:
    """Print the errors of a game's leads, as shown and true, by the spread of the playouts."""
    pairs = []
    for part in range(PARTS):
        error = fitted_lead_error([each for each in leads if each.part != part])
        pairs += [(e.spread, error.of(e.spread), e.error) for e in leads if e.part == part]
    print(f"{name}: errors of {len(leads)} leads\n spread   shown    true")
    for some in np.array_split(np.array(sorted(pairs)), PARTS + 2):
        shown, true = np.sqrt(np.mean(some[:, 1:] ** 2, axis=0))
        print(f"{np.mean(some[:, 0]):7.1f} {shown:7.2f} {true:7.2f}")


def _write_table(name: str, rows: Mapping[str, object]) -> None:
    """Replace a table in the engine."""
    lines = "".join(f'    "{game}": {row},\n' for game, row in rows.items())
    text = TABLE.read_text(encoding="utf-8")
    table = re.compile(rf"(?s)(?<=\n){name}: [^\n]*\n.*?\}}\n")
    head = table.search(text)
    assert head is not None
    first, _, _ = head[0].partition("\n")
    TABLE.write_text(text.replace(head[0], f"{first}\n{lines}}}\n"), encoding="utf-8")


def main() -> None:
    """Fit and report as the arguments say."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true", help="change the engine and the diagram")
    arguments = parser.parse_args()
    estimates = read(arguments.files)
    pairs, powers = kept_out(estimates), fitted_to_each(estimates)
    report(pairs)
    leads, errors = read_leads(arguments.files), {}
    for game in sorted({each.game for each in leads}):
        own = [each for each in leads if each.game == game]
        errors[game] = fitted_lead_error(own)
        report_leads(own, game)
    owners = calibration_owners.read(arguments.files)
    for game, points in owners.items():
        calibration_owners.report(points, game)
    trusts = {game: calibration_owners.fitted(points) for game, points in owners.items()}
    for game, power in powers.items():
        print(f"{game}: {power} {errors.get(game, '')} {trusts.get(game, '')}")
    if arguments.write:
        _write_table("POWERS", powers)
        _write_table("LEAD_ERRORS", errors)
        _write_table("OWNER_TRUST", trusts)
        DIAGRAM.write_text(_diagram(pairs), encoding="utf-8")


if __name__ == "__main__":
    main()
