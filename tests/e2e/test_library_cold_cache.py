"""A program that uses the library for the first time on a machine learns that it compiles."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.compiled_code import copy_without

PROGRAM = """
import json, logging, sys
logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
from linage_bot import Engine, History, Limits, game, warm
seen, board = [], game("leblin", size=5)
note = lambda progress: seen.append((progress.name, progress.share, progress.seconds_left))
if sys.argv[1] == "warm":
    warm(board, solver=False, on_compile=note)
else:
    Engine(on_compile=note).play(History(board), Limits(visits=10))
    Engine(on_compile=note).play(History(board), Limits(visits=10))
print(json.dumps(seen))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["play", "warm"])
def test_the_first_search_reports_that_it_compiles(how: str, tmp_path: Path) -> None:
    """The callback sees a growing share that ends at 1, once; the logger has one line."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "LINAGE_BOT_CACHE": str(copy_without(tmp_path, "leblin"))},
    )
    seen = [tuple(each) for each in json.loads(done.stdout) if each[0] == "Leblin"]
    shares = [share for _, share, _ in seen]
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[0] < 0.9
    assert shares.count(1) == 1
    assert seen[-1] == ("Leblin", 1, 0)
    assert "linage_bot.engine.search.loading: compiling Leblin for this machine" in done.stderr
