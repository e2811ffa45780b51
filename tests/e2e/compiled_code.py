"""Caches in which part of the compiled code is missing, so that tests compile no more than that."""

import shutil
import threading
from pathlib import Path

from linage_bot.engine.jit.cache_folder import cache_folder
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules import GAMES


def copy_without(folder: Path, game: str, *names: str) -> Path:
    """Copy the compiled code into a folder without that of one game, and return the new cache.

    `names` are patterns for what else is left out. The code that games share is compiled first
    where it is missing.
    """
    assert wait_for_kernel(GAMES[game].configure(), threading.Event())
    good = cache_folder()
    assert good is not None
    cache = folder / "cache"
    kernel = type(GAMES[game].configure()).__module__.rpartition(".")[2]
    left_out = shutil.ignore_patterns(f"kernels.{kernel}.*", "*.progress", *names)
    shutil.copytree(good, cache / good.name, ignore=left_out)
    return cache
