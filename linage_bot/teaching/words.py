"""Numbers as sentences have them."""


def counted(number: float) -> str:
    """A number of points, with a minus sign where it needs one."""
    return f"{number:g}".replace("-", "−")


def points(count: int) -> str:
    """So many points."""
    return "1 point" if count == 1 else f"{count} points"


COUNT = {2: "two", 3: "three", 4: "four", 5: "five"}
"""Small numbers in words."""


def listed(names: list[str]) -> str:
    """`A1`, `A1 and B1`, `A1, B1 and C1`."""
    *before, last = names
    return f"{', '.join(before)} and {last}" if before else last
