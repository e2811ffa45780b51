"""Kernels for tests, loaded once."""

import threading

import pytest

from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules import GAMES


@pytest.fixture(scope="session")
def kernel_of():
    """Return a function that loads the kernel of a game by its id."""

    def load(game: str):
        return wait_for_kernel(GAMES[game].configure(), threading.Event())

    return load
