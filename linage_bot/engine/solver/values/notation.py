"""Values as combinatorial game theory writes them: 3, {5|4}, {9|{2|-3}}."""

from typing import Any

from linage_bot.engine.solver.values.forms import options_of


def written(regions: Any, options: Any, token: int, offset: int) -> str:
    """A value: Vertical's options, then Horizontal's, the shortest first.

    For the arrays of `tables`. Values that are equal are written alike, others are not.
    """
    sides = []
    for player in range(2):
        values = options_of(regions, options, token, player)
        texts = [written(regions, options, form, offset + more) for form, more in values]
        sides.append(", ".join(sorted(texts, key=lambda text: (len(text), text))))
    return f"{{{sides[0]}|{sides[1]}}}" if sides[0] else str(offset)
