"""How many examples a property test is given that needs more or fewer than the others."""

from hypothesis import settings

from tests.conftest import THOROUGH


def examples(thorough: int) -> int:
    """Return the number for the chosen Hypothesis profile; `thorough` is that of `.ci/run`."""
    return max(5, thorough * settings().max_examples // THOROUGH)
