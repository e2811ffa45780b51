"""How many nodes a proof is going to take: a rule learnt from measured proofs.

The logarithm of the nodes grows with the points of the largest region, less with those of the
second, and least with those of the others. `benchmarks/endgames.py` measures proofs and prints the
numbers below.
"""

import math
from collections.abc import Sequence

# Of the score and a best move, 137 positions of 9x9 games at 0.1 s a move, 2026-11-22.
_LARGEST, _SECOND, _OTHERS, _ALWAYS = 0.169, 0.051, 0.025, -0.15
_ERROR = 0.55  # standard deviation of the logarithm


def expected_nodes(sizes: Sequence[int]) -> float:
    """The median of the nodes that positions with free regions of these sizes take."""
    largest, second, *others = [*sorted(sizes, reverse=True), 0, 0]
    exponent = _LARGEST * largest + _SECOND * second + _OTHERS * sum(others) + _ALWAYS
    return float(10**exponent)


def chance(expected: float, nodes: float) -> float:
    """How likely a proof with this median takes at most so many nodes."""
    if nodes < 1:
        return 0.0
    return 0.5 * (1 + math.erf(math.log10(nodes / expected) / _ERROR / math.sqrt(2)))
