"""Formatting of numbers and lists for sentences."""


def counted(number: float) -> str:
    """Return a number of points as text, with a true minus sign if it is negative."""
    return f"{number:g}".replace("-", "−")


def points(count: int) -> str:
    """Return a number of points with its unit, as `1 point` or `2 points`."""
    return "1 point" if count == 1 else f"{count} points"


COUNT = {2: "two", 3: "three", 4: "four", 5: "five"}
"""Small numbers in words."""


def listed(names: list[str]) -> str:
    """Return names as a list in a sentence: `A1`, `A1 and B1`, `A1, B1 and C1`."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
