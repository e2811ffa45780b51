"""Reports and the pages of a CGOS server in a browser: games are stepped through, text is text."""

import contextlib
import itertools
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from linage_bot.drawing import Picture
from linage_bot.drawing.html import SCRIPT
from linage_bot.drawing.steps import changes, steps
from linage_bot.rules import GAMES
from protocol.cgos.server import GenMove, Setup, parse_server_line
from tests.e2e.cgos_crowd import Line, Server, configured, crowd, eventually, serving
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS
from tests.e2e.test_web_axe import violations
from tests.e2e.test_web_page import audit

pytestmark = pytest.mark.thorough

HERE = Path(__file__).parent
EVIL = "<img src=x onerror=alert(1)>"
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
LOOKS = [
    (DESKTOP, "light"),
    (PHONE, "dark"),
    pytest.param(DESKTOP, "dark", marks=pytest.mark.thorough),
    pytest.param(PHONE, "light", marks=pytest.mark.thorough),
]
MATCH = """
name = "A <b>cup</b>"
games = 4
out = "{out}"
[game]
id = "linage"
size = 5
[[engines]]
name = "{evil}"
command = {good}
[[engines]]
name = "weak"
command = {weak}
"""
RECORD = (
    "(;FF[4]GM[1]KM[0.5]PB[{evil}]PW[Ben]RE[W+7.5]C[{evil}]"
    "RU[linage:line=3;button=off;edition=current]SZ[5];B[cd]C[what {evil}\nsays];W[da];B[dd];W[ec]"
    ";B[ed];W[ab];B[dc];W[cc];B[be];W[bc];B[];W[])"
).replace("{evil}", EVIL)
FAST = "[pairing]\ninterval_seconds = 0.05\npatience_seconds = 0\n[ratings]\ninterval_seconds = 0.2"


def linage_bot(*words: object) -> str:
    """Return the output of a command."""
    command = [sys.executable, "-m", "linage_bot", *map(str, words)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def match_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of a match that one engine has won 4 to 0."""
    folder = tmp_path_factory.mktemp("match")
    good = [sys.executable, str(HERE / "match_engine.py"), "seed=1"]
    weak = [sys.executable, str(HERE / "resigning_engine.py"), str(folder / "log")]
    file = folder / "match.toml"
    file.write_text(
        MATCH.format(out=folder / "out", evil=EVIL, good=json.dumps(good), weak=json.dumps(weak))
    )
    said = linage_bot("match", file, "--report", folder / "report")
    assert f"{EVIL} has won every pair 2–0, so there is no upper bound on the difference" in said
    return (folder / "report/index.html").as_uri()


@pytest.fixture(scope="module")
def review_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of `analyze` about a record whose names and comments try to be markup."""
    file = tmp_path_factory.mktemp("review") / "game.sgf"
    file.write_text(RECORD)
    linage_bot("analyze", file, "--visits", "60")
    return file.with_suffix(".html").as_uri()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on which three engines have played some games."""
    with serving(tmp_path_factory.mktemp("cgos"), more=FAST) as server:
        with crowd(server.port, ["anna", "bert", "carl"], configured("linage", "5")) as players:
            eventually(lambda: sum(len(each.over) for each in players) >= 16, server)
        yield server


@contextlib.contextmanager
def live_game(server: Server, *players: str) -> Iterator[tuple[int, Callable[[str, dict], None]]]:
    """A game between two new players: its number, and what makes the next move in it.

    At the end they leave amid the game, so that they would resume it when they return.
    """
    lines = {name: Line(server.port) for name in players}
    for name, line in lines.items():
        line.say("e1 test", name, f"password-of-{name}")

    def heard(line: Line, kind: type) -> Any:
        while not isinstance(message := parse_server_line(line.hear()), kind):
            pass
        return message

    setups = [heard(line, Setup) for line in lines.values()]
    movers = itertools.cycle([setups[0].black.name, setups[0].white.name])

    def move(word: str, analysis: dict) -> None:
        line = lines[next(movers)]
        heard(line, GenMove)
        line.say(f"{word} {json.dumps(analysis)}")

    try:
        yield setups[0].number, move
    finally:
        for line in lines.values():
            line.close()


class ReportVisit:
    """A page in a browser, with all errors on it."""

    def __init__(
        self, browser: Browser, address: str, viewport: dict, scheme: str = "light", **more
    ):
        phone = viewport is PHONE
        self.context = browser.new_context(
            viewport=viewport, color_scheme=scheme, has_touch=phone, is_mobile=phone, **more
        )
        self.context.set_default_timeout(PATIENCE_SECONDS * 500)
        self.faults: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda said: self.faults.append(said.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("dialog", lambda dialog: self.faults.append(f"alert {dialog.message}"))
        own = urlsplit(address).netloc or address  # a report is one file
        self.page.on("request", lambda asked: own in asked.url or self.faults.append(asked.url))
        self.page.goto(address)

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, kind: object, *_rest: object) -> None:
        if kind is None:
            assert self.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            # The audit cannot see behind numbers on stones; test_svg.py checks those.
            self.page.evaluate(
                "document.querySelectorAll('text[class^=lb-f-on]').forEach(e => e.remove())"
            )
            assert self.page.evaluate(audit("contrast")) == []
            assert self.page.evaluate(audit("names")) == []
            assert self.faults == []
        self.context.close()


def stones(page: Page) -> int:
    return page.locator(".viewer .stones circle").count()


def words(page: Page) -> str:
    return page.locator(".viewer .words").text_content()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize(("viewport", "scheme"), LOOKS)
def test_the_games_of_a_match_are_stepped_through(browser, match_page, viewport, scheme) -> None:
    """Games can be viewed by buttons, keys and a slider; names are plain text."""
    with ReportVisit(browser, match_page, viewport, scheme) as page:
        page.get_by_role("button", name="Step through Game 1").click()
        dialog = page.get_by_role("dialog", name=f"Game 1: {EVIL} – weak")
        assert dialog.is_visible()
        assert (words(page), stones(page)) == ("The start", 0)
        press(page, "Next")
        assert words(page).startswith(f"1. {EVIL} (Vertical): ")
        assert stones(page) == 1
        page.keyboard.press("End")
        last = stones(page)
        assert last >= 2
        assert (
            page.get_by_role("button", name="Next", exact=True).get_attribute("aria-disabled")
            == "true"
        )
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
        assert stones(page) == last
        slider = page.get_by_role("slider", name="Move")
        slider.focus()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        assert slider.get_attribute("aria-valuetext").startswith("2 of ")
        assert stones(page) == 2
        press(page, "Next game")
        assert page.get_by_role("dialog", name=f"Game 2: weak – {EVIL}").is_visible()
        assert stones(page) == 0
        assert page.get_by_role("dialog").get_by_role("link", name="SGF").is_visible()
        page.keyboard.press("Escape")
        assert not page.get_by_role("dialog").is_visible()
        assert page.evaluate("document.activeElement.textContent") == "Step through"


@pytest.mark.parametrize("id_", sorted(GAMES))
def test_the_viewer_draws_the_board_of_the_picture(browser, id_) -> None:
    """The same stones and coordinates lie as far from each other as in the picture."""
    game, chance = GAMES[id_].configure("4" if id_ == "gardar" else "7x5"), random.Random(2)
    positions = [game.start()]
    while not positions[-1].over and len(positions) < 15:
        positions.append(positions[-1].after(chance.choice(positions[-1].moves())))
    words = [""] * len(positions)
    data = json.dumps(steps(game, changes(positions), [None] * (len(positions) - 1), words, {}))
    picture = Picture(positions[-1]).svg()
    named = r'<text x="([\d.]+)" y="([\d.]+)">(\w+)<'
    round_ = r'<circle cx="([\d.]+)" cy="([\d.]+)" r="14()"'
    drawn = [place for shape in (named, round_) for place in re.findall(shape, picture)]
    page = browser.new_page()
    page.set_content(
        f'<div class="viewer">{picture}<script type="application/json">{data}</script></div>'
        f'<script type="module">{SCRIPT}</script>'
    )
    page.wait_for_selector(".viewer .stones circle", state="attached")
    redrawn = page.evaluate("""() => [
        ...[...document.querySelectorAll('.labels text')].map(t =>
            [t.getAttribute('x'), t.getAttribute('y'), t.textContent]),
        ...[...document.querySelectorAll('.stones circle')].map(c =>
            [c.getAttribute('cx'), c.getAttribute('cy'), ''])]""")
    page.close()
    assert _places(redrawn) == _places(drawn)


def _places(found: list[tuple[str, str, str]]) -> list[tuple[str, float, float]]:
    """Return names with their distances from the first, in about the steps of a board."""
    left, top = float(found[0][0]), float(found[0][1])
    return sorted(
        (name, round((float(x) - left) / 32, 1), round((float(y) - top) / 32, 1))
        for x, y, name in found
    )


@pytest.mark.parametrize(("viewport", "scheme"), LOOKS)
def test_a_one_sided_match_is_told_without_contradiction(
    browser, match_page, viewport, scheme
) -> None:
    """A one-sided match shows a bound and says in words which figures are unknown."""
    with ReportVisit(browser, match_page, viewport, scheme) as page:
        text = page.locator("body").inner_text()
        assert "2 of 4 games repeat an earlier one move for move" in text
        assert "Elo at least -636.4 (95 %)" in text  # the bound from one pair
        assert (
            f"{EVIL} has won every pair 2–0, so there is no upper bound on the difference" in text
        )
        assert "The games do not determine the advantage of moving first." in text
        assert "Elo has a bound at one end only" in text
        assert "∞" not in text
        assert "-0.0" not in text
        for graph in page.locator("svg.graph").all():
            assert graph.locator("path").count() > 3


@pytest.mark.parametrize(("viewport", "scheme"), LOOKS)
def test_the_game_of_a_review_is_stepped_through(browser, review_page, viewport, scheme) -> None:
    """The review shows values, mistakes and comments; a click on the graph leads to the move."""
    with ReportVisit(browser, review_page, viewport, scheme) as page:
        assert words(page).startswith("12. Horizontal pass: ")
        press(page, "First")
        assert words(page).startswith("the start: ")
        assert page.locator(".viewer .note").text_content() == EVIL
        page.keyboard.press("ArrowRight")
        assert words(page).startswith("1. Vertical C2: ")
        assert page.locator(".viewer .note").text_content().endswith(f"what {EVIL}\nsays")
        assert stones(page) == 1
        page.locator(".graph .strips a[href='#move-7']").first.click()
        assert words(page).startswith("7. Vertical ")
        assert stones(page) == 7
        assert (
            page.locator(".graph .strips a[aria-current]").first.get_attribute("href") == "#move-7"
        )
        assert "#" not in page.url


@pytest.mark.parametrize(("viewport", "scheme"), LOOKS)
def test_a_finished_game_of_the_server_is_stepped_through(
    browser, server, viewport, scheme
) -> None:
    """Keys, buttons and the move list work without a reload, and the address follows."""
    address = f"http://127.0.0.1:{server.web_port}/games/1"
    with ReportVisit(browser, f"{address}/2", viewport, scheme) as page:
        page.evaluate("window.same = true")
        assert words(page).startswith("2. ")
        assert stones(page) == 2
        page.keyboard.press("ArrowRight")
        assert (stones(page), page.url) == (3, f"{address}/3")
        press(page, "First")
        assert (stones(page), page.url) == (0, f"{address}/0")
        page.get_by_role("list").get_by_role("link").nth(3).click()
        assert (stones(page), page.url) == (4, f"{address}/4")
        assert page.locator("ol [aria-current]").count() == 1
        press(page, "Last")
        assert page.url == address
        assert page.evaluate("window.same")


@pytest.mark.parametrize(("viewport", "scheme"), LOOKS)
def test_a_player_has_a_rating_graph(browser, server, viewport, scheme) -> None:
    """The graph is visible and has a description for screen readers."""
    with ReportVisit(
        browser, f"http://127.0.0.1:{server.web_port}/players/anna", viewport, scheme
    ) as page:
        graph = page.get_by_role("group", name="Rating of anna over")
        box = graph.bounding_box()
        assert box["width"] > 300
        assert box["height"] > 100


@pytest.mark.parametrize(("viewport", "scheme"), LOOKS[:2])
def test_axe_finds_nothing(browser, server, match_page, review_page, viewport, scheme) -> None:
    """No violation on any page of the server, in a match's report, and in a review."""
    site = f"http://127.0.0.1:{server.web_port}"
    paths = ("", "/games", "/games/1", "/crosstable", "/players/anna", "/nothing")
    found = {}
    for address in (match_page, review_page, *(site + path for path in paths)):
        context = browser.new_context(viewport=viewport, color_scheme=scheme)
        page = context.new_page()
        page.goto(address)
        found[address] = violations(page)
        context.close()
    assert {address: each for address, each in found.items() if each} == {}


def test_a_live_game_goes_on_before_ones_eyes(browser, server) -> None:
    """A viewer at the last move sees the next one at once; players' comments are plain text."""
    with live_game(server, "mia", "ned") as (number, move):
        move("C3", {"winrate": 0.5, "comment": EVIL})
        with ReportVisit(
            browser, f"http://127.0.0.1:{server.web_port}/games/{number}", DESKTOP
        ) as page:
            assert words(page).endswith("C3")
            assert EVIL in page.locator(".viewer .note").text_content()
            move("A1", {})
            page.wait_for_function(
                "() => document.querySelector('.words').textContent.endsWith('A1')"
            )
            assert stones(page) == 2


def test_the_front_page_shows_the_next_moves_without_a_reload(browser, server) -> None:
    """The table of live games is renewed while a viewer looks at it."""
    with live_game(server, "olga", "paul") as (number, move):
        move("C3", {})
        with ReportVisit(browser, f"http://127.0.0.1:{server.web_port}", PHONE) as page:
            page.evaluate("window.same = true")
            link = page.get_by_role("link", name=str(number), exact=True)
            row = page.get_by_role("region", name="Live games").get_by_role("row").filter(has=link)
            row.get_by_role("cell", name="1", exact=True).wait_for()
            move("A1", {})
            row.get_by_role("cell", name="2", exact=True).wait_for()
            assert page.evaluate("window.same")


def test_without_a_script_all_can_be_read_and_stepped_through(
    browser, server, match_page, review_page
) -> None:
    """Pictures, and links on the server; no control that does nothing."""
    off = {"java_script_enabled": False}
    address = f"http://127.0.0.1:{server.web_port}/games/1"
    for page_address in (address, match_page, review_page):
        context = browser.new_context(**off)
        page = context.new_page()
        page.goto(page_address)
        assert page.locator("button, input").count() == 0
        assert page.locator("svg[role=img]").first.is_visible()
        if page_address == address:
            page.get_by_role("link", name="First").click()
            page.get_by_role("link", name="Next").click()
            assert page.url == f"{address}/1"
            assert page.locator("circle[r='14']").count() == 1
        context.close()
