"""Values of small regions in canonical form, compared with the readable theory."""

import functools
import itertools
import random
from collections import defaultdict
from collections.abc import Iterable

import pytest

from benchmarks.small_regions import connected
from benchmarks.small_values import from_nothing
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.report import report_on_regions
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.regions import KnownRegions
from linage_bot.engine.solver.values import shipped
from linage_bot.rules.linage import Linage
from tests.examples import some_quick
from tests.linage_bot.engine.solver import law
from tests.linage_bot.engine.solver.law import Cell
from tests.linage_bot.engine.solver.thermographs import Thermographs

Shape = tuple[Cell, ...]


@functools.cache
def free_shapes(points: int, line: int = 3) -> tuple[Shape, ...]:
    """Return all free regions of at most `points` points, one for each eight images."""
    return tuple(
        tuple(sorted(cells))
        for count in range(1, points + 1)
        for cells in sorted(connected(count), key=sorted)
        if law.has_line(cells, line, 1, 0) and law.has_line(cells, line, 0, 1)
    )


def token_of(known: KnownRegions, shape: Iterable[Cell]) -> int:
    token = known.token(shape)
    assert token is not None
    return token


def written(known: KnownRegions, shape: Iterable[Cell]) -> str:
    """Return the value of a region as text."""
    value = known.written(token_of(known, shape))
    assert value is not None
    return value


def on_side(shape: Shape) -> Shape:
    """Return the negative of a region."""
    return tuple((y, x) for x, y in shape)


def difference(one: Shape, other: Shape, line: int) -> tuple[int, int]:
    """Return V - H of one region less the other under best play, for either first player."""
    game = law.simplified(law.canonical(frozenset(shape)) for shape in (one, on_side(other)))
    return law.values(game, line)


SQUARE = tuple(itertools.product(range(3), range(3)))


@pytest.mark.parametrize(
    ("shape", "value"),
    [
        (SQUARE, "{4|-4}"),
        (tuple(itertools.product(range(3), range(4))), "{5|4}"),
        (tuple(itertools.product(range(4), range(3))), "{-4|-5}"),
        (tuple(cell for cell in SQUARE if cell != (0, 1)), "{5|{4|-4}}"),
        (tuple(cell for cell in SQUARE if cell != (1, 1)), "0"),
    ],
)
def test_worked_examples(shape: Shape, value: str) -> None:
    """The values of 3x3 and 3x4 agree with docs/solver/method.md."""
    assert written(from_nothing(3), shape) == value


@pytest.mark.parametrize(("line", "points"), some_quick([(2, 6), (3, 8), (4, 9)], 2, 4))
def test_values_written_alike_are_equal_and_others_are_not(line: int, points: int) -> None:
    """Values that are written alike have a difference of 0, and other values do not."""
    known, chance = from_nothing(line), random.Random(line)
    alike = defaultdict(list)
    for shape in free_shapes(points, line):
        for image in (shape, on_side(shape)):
            alike[written(known, image)].append(image)
    assert len(alike) > 5
    for shapes in alike.values():
        for other in chance.sample(shapes[1:], min(3, len(shapes) - 1)):
            assert difference(shapes[0], other, line) == (0, 0)
    for one, other in itertools.islice(itertools.combinations(sorted(alike), 2), 300):
        assert difference(alike[one][0], alike[other][0], line) != (0, 0)


def test_a_region_on_its_side_has_the_negative_value() -> None:
    """A region on its side has the negative value."""
    known = from_nothing(3)
    for shape in free_shapes(8):
        assert written(known, on_side(shape)) == negated(written(known, shape))


@pytest.mark.parametrize(
    ("points", "step"), [(9, 5), pytest.param(11, 300, marks=pytest.mark.slow)]
)
def test_means_and_temperatures_are_those_of_thermographs(points: int, step: int) -> None:
    """Means and temperatures agree exactly with the thermographs."""
    known, thermographs = from_nothing(3), Thermographs(3)
    for shape in free_shapes(points)[::step]:
        for image in (shape, on_side(shape)):
            assert written(known, image)
            found, expected = known.heat(token_of(known, image)), thermographs.of(image)
            assert found == (float(expected.mean), float(expected.temperature))


def negated(value: str) -> str:
    """Return the text of the negative of a value."""
    if not value.startswith("{"):
        return str(-int(value))
    sides: list[list[str]] = [[], []]
    depth, side, start = 0, 0, 1
    for at, letter in enumerate(value):
        depth += (letter == "{") - (letter == "}")
        if (depth == 1 and letter in "|,") or depth == 0:
            sides[side].append(negated(value[start:at].strip()))
            side, start = side + (letter == "|"), at + 1
    texts = [", ".join(sorted(texts, key=lambda text: (len(text), text))) for texts in sides]
    return f"{{{texts[1]}|{texts[0]}}}"


@pytest.mark.parametrize(
    ("points", "shapes", "values"),
    [(8, 330, 25), pytest.param(10, 5386, 365, marks=pytest.mark.slow)],
)
def test_how_many_values_there_are(points: int, shapes: int, values: int) -> None:
    """There are far fewer values than shapes, with a value and its negative counted once."""
    known = from_nothing(3)
    found = {written(known, shape) for shape in free_shapes(points)}
    assert len(free_shapes(points)) == shapes
    assert len({min(value, negated(value)) for value in found}) == values


def test_room_is_made_as_often_as_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrays that had to grow many times give the same values."""
    square = tuple(itertools.product(range(4), range(3)))
    expected = written(from_nothing(2), square)
    monkeypatch.setattr(shipped, "_FEWEST", 8)
    known = from_nothing(2)
    assert written(known, square) == expected
    assert len(known.options) > 64


def test_a_value_is_told_with_any_memory() -> None:
    """The value of a region is reported with any memory limit."""
    position = Linage.configure("3", 0).start()
    report = report_on_regions(position, Arena(3, most_bytes=1), SearchBudget())
    assert [region.value for region in report] == ["{4|-4}"]


@pytest.mark.parametrize(("line", "points"), some_quick([(2, 5), (3, 7), (4, 9)], 2, 3))
def test_a_sum_of_small_regions_is_worth_what_the_theory_says(line: int, points: int) -> None:
    """A sum of two or three small regions has the value of the theory."""
    chance = random.Random(line)
    for _ in range(40):
        arena = Arena(line)
        shapes = [chance.choice(free_shapes(points, line)) for _ in range(chance.choice((2, 3)))]
        signed = [chance.choice((shape, on_side(shape))) for shape in shapes]
        first, _ = law.values(
            law.simplified(law.canonical(frozenset(shape)) for shape in signed), line
        )
        tokens = [token_of(arena.regions, shape) for shape in signed]
        assert arena.at_least(tokens, first, SearchBudget())
        assert not arena.at_least(tokens, first + 1, SearchBudget())
