"""Settings of all tests: how many examples a property is given, and no deadlines.

The README's command runs a quick form of the property tests. `.ci/run` runs them again, with
`--hypothesis-profile=thorough`, together with the tests marked `thorough`.
"""

import os

from hypothesis import HealthCheck, settings

QUICK, THOROUGH = 25, 100  # examples of a property that asks for no number of its own

# A busy machine is no failure, so there is no deadline.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=QUICK, **_PATIENT)
settings.register_profile("thorough", max_examples=THOROUGH, **_PATIENT)
settings.load_profile("quick")


def pytest_xdist_auto_num_workers() -> int:
    """Return the workers that `-n auto` starts: one more than processors, as many tests wait."""
    return (os.cpu_count() or 1) + 1
