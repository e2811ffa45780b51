"""The real `linage-bot web` as a process, and a browser to look at it with."""

import contextlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, ROOT

expect.set_options(timeout=PATIENCE_SECONDS * 500)  # as long as a context waits
COMMAND = [sys.executable, "-m", "linage_bot", "web", "--port", "0"]
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The shell has no windows to draw: a page costs it half the processor time."""
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = {"desktop": DESKTOP, "phone": PHONE | {"color_scheme": "dark"}}
ONE_SIZE = ["desktop", pytest.param("phone", marks=pytest.mark.slow)]
"""Where the page does the same in either size, it is tried on a phone only by hand."""
_STATE = """() => new Promise(resolve => {
  const source = new EventSource(`/api/games/${location.pathname.split("/")[2]}/events`);
  source.addEventListener("table", event => {
    source.close();
    resolve(JSON.parse(event.data));
  });
})"""
_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def environment(root: Path) -> dict[str, str]:
    """Return the environment of a process that runs the code in `root`."""
    return {**ENVIRONMENT, "PYTHONPATH": str(root)}


@contextlib.contextmanager
def web_server(*arguments: str, root: Path = ROOT, cache: Path | None = None) -> Iterator[str]:
    """The address that a server prints, with the token, while it runs; `root` holds its code.

    `cache` is for compiled code, if not the usual one.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        web_process(
            *("--games", str(Path(folder, "games.sqlite"))), *arguments, root=root, cache=cache
        ) as (process, address),
    ):
        yield address
        assert process.poll() is None, "the server has died"


@contextlib.contextmanager
def web_process(
    *arguments: str, root: Path = ROOT, cache: Path | None = None
) -> Iterator[tuple[subprocess.Popen, str]]:
    """The same that may be killed, with its process."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=root,
        env=environment(root) | ({} if cache is None else {"LINAGE_BOT_CACHE": str(cache)}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    said: list[str] = []
    drain = threading.Thread(target=lambda: said.append(process.stderr.read()), daemon=True)
    drain.start()
    try:
        address = process.stdout.readline().strip()
        named = re.fullmatch(r"https?://[\w.]+:\d+/\?token=[\w-]{20,}", address)
        assert named, address
        yield process, address
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        drain.join(PATIENCE_SECONDS)
        process.stdout.close()
        process.stderr.close()
    assert "Traceback" not in said[0], said[0]


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The system's browser, without a window."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=list(_FLAGS), headless=True
        )
        yield browser
        browser.close()


class Visit:
    """A page of the board, and everything that must not happen on it."""

    def __init__(
        self, browser: Browser, address: str, *, at_start: bool = False, **context: object
    ) -> None:
        """Open a page at a table: from the start screen, unless `at_start`, by the door *Play*."""
        self.origin = "http://" + urlsplit(address).netloc
        self.context = browser.new_context(**context)
        self.context.set_default_timeout(PATIENCE_SECONDS * 500)
        self.faults: list[str] = []
        self.weights: dict[str, int] = {}
        self.page: Page = self.context.new_page()
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("request", self._asked)
        self.page.on("response", self._answered)
        self.page.goto(address)
        self.page.wait_for_selector("body.ready")
        if not at_start and self.page.is_visible("#welcome"):
            self.page.press("#door-play", "Enter")
            self.page.wait_for_selector("#page")

    def _said(self, message: object) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request: object) -> None:
        if not request.url.startswith((self.origin + "/", "blob:")):
            self.faults.append(f"request to {request.url}")

    def _answered(self, response: object) -> None:
        if "/static/" in response.url or response.request.resource_type == "document":
            self.weights[response.url] = int(response.headers.get("content-length", 0))

    def state(self) -> dict:
        """The table as the server sends it."""
        return self.page.evaluate(_STATE)

    def wait_for_text(self, selector: str, text: str) -> None:
        """Wait until an element contains a text."""
        self.page.wait_for_function(
            "([where, what]) => document.querySelector(where).textContent.includes(what)",
            arg=[selector, text],
        )

    def wait_for_turn(self) -> None:
        """Wait until the engine has moved."""
        self.page.wait_for_function(
            "() => !/thinking|choosing/.test(document.querySelector('#status').textContent)"
        )

    def new_game(
        self, game: str, size: str, seats: tuple[str, str], *, pie: bool = False, **options: str
    ) -> None:
        """Begin another game by the form; seats are levels, or empty for a person.

        In a pie the first of them offers, and the second chooses.
        """
        page = self.page
        before = page.url
        page.click("#new")
        page.select_option("#new-game", game)
        page.fill("#new-size", size)
        if pie:
            page.check("#new-pie")
        for player, seat in enumerate(seats):
            page.select_option(f"#seat-{player}", seat)
        if options:
            page.click("#new-dialog summary")
        for name, value in options.items():
            page.select_option(f"#option-{name}", value)
        page.click("#start")
        page.wait_for_function("before => location.href !== before", arg=before)
        page.wait_for_selector("#new-dialog:not([open])", state="attached")

    def load(self, text: str) -> None:
        """Show a game that is pasted, in a place of its own."""
        self.page.click("#load")
        self.page.fill("#load-text", text)
        self.load_entered()

    def load_entered(self) -> None:
        """Show the game that has been entered into the form."""
        before = self.page.url
        self.page.click("#load-start")
        self.page.wait_for_function("before => location.href !== before", arg=before)
        # The address changes first; the form is closed when the game is shown.
        self.page.wait_for_selector("#load-dialog:not([open])", state="attached")

    def dialogs(self) -> Iterator[str]:
        """Open the dialogs of the header one after another; yield the button of each."""
        for opener in ("#new", "#load", "#share", "#help"):
            self.page.click(opener)
            self.page.wait_for_selector("dialog[open]")
            yield opener
            self.page.keyboard.press("Escape")

    def follow(self, link: str) -> None:
        """Show the position of a link."""
        before = self.page.get_attribute("#save", "href")
        self.page.evaluate("link => { location.hash = link; }", link)
        self.page.wait_for_function(
            "before => document.querySelector('#save').getAttribute('href') !== before", arg=before
        )

    def tab(self, name: str) -> None:
        """Choose a tab: play, analysis, moves or review."""
        self.page.click(f"#tab-{name}")

    def analyse(self, switch: str = "analyse", *, on: bool = True) -> None:
        """Turn the analysis or the ownership on or off, in its tab."""
        self.tab("analysis")
        self.page.set_checked(f"#{switch}", on, force=True)

    def review(self) -> None:
        """Begin a review, in its tab."""
        self.tab("review")
        self.page.click("#review")

    def click(self, point: int) -> None:
        """Click a point of the board."""
        self.page.click(f'[data-point="{point}"]', force=True)

    def place(self, *points: int) -> None:
        """Click points one after the other, each when the one before is in the list of moves."""
        for number, point in enumerate(points, len(self.moves()) + 1):
            self.click(point)
            self.page.wait_for_selector(f'#moves [data-move="{number}"]', state="attached")

    def pass_(self) -> None:
        """Pass, and confirm it if the page asks."""
        turns = self.page.locator("#moves [data-move]:not(.undone)").count()
        self.page.click("#pass")
        moved = f'#moves [data-move="{turns + 1}"]:not(.undone), #pass-dialog[open]'
        self.page.wait_for_selector(moved, state="attached")
        if self.page.is_visible("#pass-dialog"):
            self.page.click("#pass-dialog [value=pass]")

    def message(self) -> str:
        """The message below the board."""
        return self.page.inner_text("#message")

    def moves(self) -> list[str]:
        """The moves of the game, in words, without those taken back and without variations."""
        return self.page.locator("#moves > li > button:not(.undone) .name").all_inner_texts()

    def stones(self) -> dict[int, str]:
        """The stones that are drawn: by point first, second or shared."""
        found = self.page.eval_on_selector_all(
            "[data-stone]",
            "stones => stones.map(stone => [Number(stone.dataset.stone), stone.classList[1]])",
        )
        return dict(found)

    def close(self) -> None:
        """The page is left; nothing may have gone wrong on it."""
        self.context.close()
        assert self.faults == []

    def __enter__(self) -> "Visit":
        return self

    def __exit__(self, kind: type | None, *_error: object) -> None:
        if kind is None:
            self.close()
        else:
            self.context.close()
