"""Numbers as sentences have them."""


def counted(number: float) -> str:
    """A number of points, with a minus sign where it needs one."""
    return f"{number:g}".replace("-", "−")


def points(count: int) -> str:
    """So many points."""
    return "1 point" if count == 1 else f"{count} points"
