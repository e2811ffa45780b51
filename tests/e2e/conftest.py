"""Fixtures for tests of whole programs. Playwright is imported where it is used."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from linage_bot.rules import GAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.e2e.cgos_peer import Client, Peer
    from tests.e2e.web_server import Visit


@pytest.fixture(scope="session", autouse=True)
def _compiled(worker_id: str) -> None:
    """Compiling takes longer than some tests wait for an answer, so it is done before them all.

    Workers side by side begin at different ends, and find the other's half done when they come
    to it.
    """
    games = sorted(GAMES, reverse=worker_id.endswith(("1", "3", "5", "7", "9")))
    command = [sys.executable, "-m", "linage_bot", "warm", *games]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="session")
def web_address() -> Iterator[str]:
    """A server whose engines are weak and fast, for all tests of a worker."""
    from tests.e2e.web_server import web_server

    with web_server("--visits", "30", "--level", "1", "--size", "5") as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Share one browser among a worker's tests; each `Visit` has its own cookies and storage."""
    from tests.e2e.web_server import CHROMIUM, chromium

    if CHROMIUM is None:
        reason = "chromium-headless-shell and chromium are missing"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with chromium() as browser:
        yield browser


@pytest.fixture
def visit(browser: Browser, web_address: str) -> Iterator[Visit]:
    """A page of the board; at the end nothing may have gone wrong on it."""
    from tests.e2e.web_server import Visit

    with Visit(browser, web_address) as visit:
        yield visit


@pytest.fixture
def peer() -> Iterator[Peer]:
    """A CGOS server that follows a script."""
    from tests.e2e.cgos_peer import Peer

    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Callable[[str], Client]]:
    """Yield a maker of CGOS clients; check at the end that no log shows a traceback or password."""
    from tests.e2e.cgos_peer import Client, end_well

    clients = []

    def make(text: str) -> Client:
        clients.append(Client(tmp_path, text))
        return clients[-1]

    yield make
    end_well(clients)


@pytest.fixture
def no_logged_failures() -> Iterator[None]:
    """Twisted catches what our callbacks raise and logs it; here it fails the test."""
    from twisted.logger import globalLogPublisher

    failures = []

    def observe(event: dict[str, object]) -> None:
        if "log_failure" in event:
            failures.append(event["log_failure"])

    globalLogPublisher.addObserver(observe)
    yield
    globalLogPublisher.removeObserver(observe)
    assert failures == []
