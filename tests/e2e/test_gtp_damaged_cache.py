"""`linage-bot gtp` with damaged code in its cache, and with a full disk under it."""

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from linage_bot.engine.jit.cache_folder import cache_folder
from tests.e2e.engine import ENVIRONMENT
from tests.linage_bot.engine.kernels.damage import DAMAGES, ON_FULL_DISK

OPTIONS = ("--size", "5", "--visits", "30", "--solver", "off")
QUICK = {  # to compile; each is loaded before a first move
    "search.rooting.give_children-*": "empty",
    "kernels.linage.score_lead-*": "a folder",
}
PATIENCE_SECONDS = 290


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A copy of the code that is needed to search Linage without the solver."""
    good = cache_folder()
    assert good is not None
    folder = tmp_path / good.name
    folder.mkdir()
    for path in good.iterdir():
        if not path.name.startswith("solver."):
            shutil.copy(path, folder)
    return folder


def first_move(cache: Path, *first: str) -> list[str]:
    """Return the process's stderr after it has loaded the cached code and played a move."""
    done = subprocess.run(
        [sys.executable, *first, "-m", "linage_bot", "gtp", *OPTIONS],
        input=b"genmove b\nquit\n",
        capture_output=True,
        env={**ENVIRONMENT, "LINAGE_BOT_CACHE": str(cache.parent)},
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    move, end, _ = done.stdout.decode().split("\n\n")
    assert (move[:2], end) == ("= ", "= ")
    assert move[2:] not in ("", "resign")
    return done.stderr.decode().splitlines()


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="limits to the size of files are POSIX")
def test_some_damaged_files_and_a_full_disk(cache: Path) -> None:
    """Every process plays; it warns once if the cache cannot be repaired, and later ones do not."""
    for name, damage in QUICK.items():
        paths = list(cache.glob(name))  # one for each Python and Numba that were used here
        assert paths, name
        for path in paths:
            DAMAGES[damage](path, random.Random(1))
    for conditions in (ON_FULL_DISK, ()):
        (said,) = first_move(cache, *conditions)
        assert said.startswith(f"linage-bot: compiled code is unusable and compiled again: {cache}")
    assert first_move(cache) == []


@pytest.mark.slow
@pytest.mark.parametrize("damage", DAMAGES)
def test_all_files_damaged(cache: Path, damage: str) -> None:
    """The move comes, after one warning; the next process has none to give."""
    chance = random.Random(damage)
    for path in cache.iterdir():
        DAMAGES[damage](path, chance)
    (said,) = first_move(cache)
    assert "compiled code is damaged" in said
    assert first_move(cache) == []
