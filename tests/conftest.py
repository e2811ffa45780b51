"""Settings of all tests: how many examples a property is given, and no deadlines.

The README's command runs a quick form of the property tests. `.ci/run` runs them again, with
`--hypothesis-profile=thorough`, together with the tests marked `thorough`.
"""

import gc
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

QUICK, THOROUGH = 10, 100  # examples of a property that asks for no number of its own

# A busy machine is no failure, so there is no deadline.
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("quick", max_examples=QUICK, **_PATIENT)
settings.register_profile("thorough", max_examples=THOROUGH, **_PATIENT)
settings.load_profile("quick")

# A shell that starts a job in the background has it ignore Ctrl-C, and so would the programs that
# tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers() -> int:
    """Return the workers that `-n auto` starts: one more than processors, as many tests wait."""
    from linage_bot.engine.jit.single_compile import processors

    return processors() + 1


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection: they live until the end.

    One property runs before: with its first one, Hypothesis looks for the owner of its random
    numbers, and from Python 3.14 on the collector does not name owners that are exempt.
    """
    settings(max_examples=1, database=None)(given(st.none())(lambda _: None))()
    gc.freeze()


@pytest.fixture
def own_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Give the test its own folder of exact values, so that the user's is neither read nor written.

    Compiled code is found where it always is.
    """
    from linage_bot.engine.jit.code_cache import FOLDER

    cache = tmp_path / "cache"
    cache.mkdir()
    if FOLDER is not None:
        (cache / FOLDER.name).symlink_to(FOLDER, target_is_directory=True)
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(cache))
    return cache / "values"
