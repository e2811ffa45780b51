"""Two people in two browsers at one table, of a server that may be killed."""

import re
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route

from tests.e2e.test_web_page import audit
from tests.e2e.web_server import Visit, web_process

NO_SERVER = re.compile(
    r"error: Failed to load resource: (net::ERR_\w+|the server responded with a status of 502 .*)"
)


class Servers:
    """Servers run one after the other with the same games and address."""

    def __init__(self, folder: Path) -> None:
        self._games = str(folder / "games.sqlite")
        self._port = 0
        self._running = ExitStack()
        self.address = ""

    def start(self, *more: str) -> None:
        arguments = "--games", self._games, "--visits", "30", "--level", "1", "--size", "5"
        process = web_process(*arguments, "--port", str(self._port), *more)
        self._process, address = self._running.enter_context(process)
        assert self.address in ("", address), "the token lasts"
        self.address, self._port = address, urlsplit(address).port

    def move_to(self, port: int) -> None:
        """Use another port from the next start on."""
        self.address, self._port = "", port

    def freeze(self) -> None:
        """Suspend the server, as if all connections had silently died."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self.stop()

    def stop(self) -> None:
        self._running.close()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    servers = Servers(tmp_path)
    servers.start()
    yield servers
    servers.stop()


@contextmanager
def coming_and_going(*visits: Visit) -> Iterator[None]:
    """Ignore the pages' errors about a missing server within this block."""
    yield
    for visit in visits:
        visit.faults = [fault for fault in visit.faults if not NO_SERVER.fullmatch(fault)]


def is_offline(visit: Visit, offline: bool = True) -> None:
    visit.page.wait_for_function(
        "offline => document.body.classList.contains('offline') === offline", arg=offline
    )


@pytest.mark.thorough
def test_a_game_goes_on_after_the_server_is_killed(browser: Browser, servers: Servers) -> None:
    """Both pages reconnect by themselves and keep the game, its variations and comments."""
    with Visit(browser, servers.address) as one, Visit(browser, servers.address) as two:
        one.new_game("linage", "5", ("", ""))
        two.page.goto(one.page.url)
        one.place(12, 0, 24)
        one.page.click("#undo")
        one.page.wait_for_selector('#moves [data-move="3"].undone', state="attached")
        one.click(4)
        for visit in (one, two):
            visit.page.wait_for_selector('[data-stone="4"]')
        with coming_and_going(one, two):
            servers.kill()
            for visit in (one, two):
                is_offline(visit)
            one.click(20)
            one.wait_for_text("#message", "the server does not answer")
            servers.start()
            for visit in (one, two):
                is_offline(visit, False)
        assert one.moves() == two.moves() == ["C3", "A1", "E1"]
        two.click(20)
        one.page.wait_for_selector('[data-stone="20"]')
        one.tab("moves")
        one.page.click("#moves .branch button")
        one.wait_for_text("#status", "In a variation, at move 3")
        one.analyse()
        one.page.wait_for_selector(".mark.best")
        two.click(2)
        for visit in (one, two):  # one looks at a variation
            visit.page.wait_for_selector('#moves [data-move="5"]:not(.undone)', state="attached")
        with coming_and_going(one, two):
            servers.kill()
            servers.start()
            two.page.reload()
            two.page.wait_for_selector('[data-stone="2"]')
            is_offline(one, False)
        assert one.moves() == two.moves() == ["C3", "A1", "E1", "A5", "C1"]
        assert one.page.locator("#moves .branch").count() == 1
        one.wait_for_text("#status", "In a variation, at move 3")
        one.page.wait_for_selector(".mark.best")
        assert not two.page.is_checked("#analyse")
        one.page.reload()
        one.wait_for_text("#status", "In a variation, at move 3")
        one.page.wait_for_selector(".mark.best")


@pytest.mark.thorough
def test_a_connection_that_falls_silent_is_lost(browser: Browser, servers: Servers) -> None:
    """A page reports a silent connection as lost, and reconnects when the server answers."""
    with Visit(browser, servers.address) as visit:
        visit.new_game("linage", "5", ("", ""))
        visit.page.clock.install()
        visit.page.reload()
        visit.place(12)
        try:
            servers.freeze()
            visit.page.clock.fast_forward("01:00")
            is_offline(visit)
            visit.page.clock.fast_forward("01:00")
        finally:
            servers.thaw()
        is_offline(visit, False)
        visit.place(0)


@pytest.mark.thorough
def test_a_comment_written_without_a_server_is_kept(browser: Browser, servers: Servers) -> None:
    """A comment typed while offline stays in its field and is sent on reconnection."""
    with Visit(browser, servers.address) as visit:
        visit.new_game("linage", "5", ("", ""))
        visit.place(12)
        visit.tab("moves")
        with coming_and_going(visit):
            servers.kill()
            is_offline(visit)
            visit.page.fill("#comment", "a long thought")
            visit.wait_for_text("#message", "the server does not answer")
            servers.start()
            is_offline(visit, False)
            visit.page.wait_for_selector("#moves .noted", state="attached")
        assert visit.state()["comment"] == visit.page.input_value("#comment") == "a long thought"
        visit.page.fill("#comment", "")
        visit.page.wait_for_selector("#moves .noted", state="detached")
        assert visit.state()["comment"] == ""


def begin_with_friend(visit: Visit, *, pie: bool = False) -> tuple[str, str]:
    """A game of Linage 5x5 whose second seat is a friend's: the links for the friend and others."""
    page = visit.page
    before = page.url
    page.click("#new")
    page.select_option("#seat-0", "")
    page.select_option("#seat-1", "friend")
    if pie:
        page.check("#new-pie")
    page.click("#start")
    page.wait_for_function("before => location.href !== before", arg=before)
    friends = page.get_by_label("Link for", exact=False)
    page.wait_for_selector("#link-look")
    return friends.first.input_value(), page.input_value("#link-look")


def let_in(browser: Browser, link: str, **context: object) -> Visit:
    """Open a link in a separate browser context without the token."""
    assert "token" not in link
    return Visit(browser, link, **context)


@pytest.mark.thorough
def test_two_play_by_a_link_while_a_third_looks_on(browser: Browser, servers: Servers) -> None:
    """A game of two with a spectator survives a server kill; help is allowed only after its end."""
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    with ExitStack() as open_:
        one = open_.enter_context(Visit(browser, servers.address))
        friends, others = begin_with_friend(one)
        one.wait_for_text("#seats", "not here yet")
        two = open_.enter_context(let_in(browser, friends, **phone))
        three = open_.enter_context(let_in(browser, others))
        assert "seat=" not in two.page.url
        assert "guest=" not in two.page.url
        one.wait_for_text("#seats", "the other playerhere")
        two.wait_for_text("#seats", "Horizontal: you")
        three.wait_for_text("#seats", "You are watching.")
        one.wait_for_text("#seats", "1 spectator is watching.")
        late = open_.enter_context(let_in(browser, friends))
        late.wait_for_text("#message", "another person has this seat already")
        late.wait_for_text("#seats", "You are watching.")

        one.wait_for_text("#status", "Vertical to move: it is your turn.")
        assert "Your move" in one.page.title()
        icon = one.page.locator("link[rel=icon]")
        assert icon.get_attribute("href") == "/static/icon-turn.svg"
        one.page.evaluate(HEAR)
        two.click(12)
        three.click(12)
        one.click(12)
        for visit in (two, three):
            visit.page.wait_for_selector('[data-stone="12"]')
        two.wait_for_text("#status", "Horizontal to move: it is your turn.")
        assert "Your move" not in one.page.title()
        assert icon.get_attribute("href") == "/static/icon.svg"
        one.click(1)
        one.wait_for_text("#message", "it is the other's turn")
        two.click(0)
        one.page.wait_for_selector('[data-stone="0"]')
        one.page.wait_for_function("() => !document.querySelector('#message').textContent")
        assert one.page.evaluate("heard") == 1
        check_closed(one, two, three)
        one.page.once("dialog", lambda dialog: dialog.accept("<i>Ann</i>"))
        one.page.get_by_role("button", name="Add your name").click()
        two.wait_for_text("#seats", "Vertical: <i>Ann</i>")
        two.wait_for_text("#score", "<i>Ann</i>")
        assert two.page.locator("#seats i").count() == 0
        one.page.click("#seats summary")
        for visit in (one, two):
            for what in ("contrast", "names"):
                assert visit.page.evaluate(audit(what)) == []
        assert two.page.evaluate("() => document.documentElement.scrollWidth") == 390
        three.page.keyboard.press("Home")
        three.wait_for_text("#status", "Looking at move 0 of 2")
        assert (len(three.stones()), len(one.stones())) == (0, 2)
        assert one.page.evaluate(POST, ["analyse", {"on": True, "ownership": False}]) == FAIR
        assert two.page.evaluate(POST, ["review", {"on": True}]) == FAIR
        assert "only the two players" in three.page.evaluate(POST, ["resign", {}])

        with coming_and_going(one, two, three, late):
            servers.kill()
            for visit in (one, two):
                is_offline(visit)
            servers.start()
            for visit in (one, two, three, late):
                is_offline(visit, False)
            two.page.reload()
            two.wait_for_text("#seats", "Horizontal: you")
        # The server's own address leads a guest back to the game, and to no other.
        two.page.goto(f"{two.origin}/")
        two.wait_for_text("#seats", "Horizontal: you")
        two.page.click("#home")
        assert [each for each in DOORS if two.page.is_visible(f"#door-{each}")] == ["learn"]
        two.page.get_by_role("listitem").get_by_text("with a friend").click()
        two.wait_for_text("#seats", "Horizontal: you")
        one.click(24)
        two.page.wait_for_selector('[data-stone="24"]')
        three.page.keyboard.press("End")
        two.page.on("dialog", lambda dialog: dialog.accept())
        two.page.click("#resign")
        for visit in (one, two, three):
            visit.wait_for_text("#status", "Horizontal resigned: Vertical wins.")
        assert one.moves() == two.moves() == three.moves() == ["C3", "A1", "E5"]
        assert one.page.is_visible("#end-new")
        assert two.page.is_visible("#end-new")
        assert not three.page.is_visible("#end-new")
        for visit in (one, three):
            visit.analyse()
            visit.page.wait_for_selector(".mark.best")
        assert "cannot be changed" in one.page.evaluate(POST, ["undo", {}])
        first = one.page.url
        one.tab("play")
        one.page.get_by_role("button", name="Rematch").click()
        one.page.wait_for_function("before => location.href !== before", arg=first)
        assert not three.page.is_visible("#rematch")
        two.page.get_by_role("button", name="Join the next game").click()
        two.page.wait_for_url(one.page.url)
        one.wait_for_text("#seats", "Horizontal: <i>Ann</i> (you)")  # remembered by the browser
        two.wait_for_text("#status", "Vertical to move: it is your turn.")
        two.click(6)
        one.page.wait_for_selector('[data-stone="6"]')
        two.page.goto("about:blank")
        one.wait_for_text("#seats", "away")


def last_game(visit: Visit) -> None:
    """Return to the last game from the list on the start screen."""
    visit.page.goto(f"{visit.origin}/")
    visit.page.wait_for_selector("body.ready")
    visit.page.click("#home")
    visit.page.get_by_role("listitem").get_by_text("with a friend").first.click()


@pytest.mark.thorough
def test_friends_play_one_game_after_another(browser: Browser, servers: Servers) -> None:
    """Two friends have a code, names, a game, a rematch, a crash, and a new game by the guest."""
    servers.stop()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        origin = f"http://127.0.0.1:{free.getsockname()[1]}"
    reachable = "--origin", origin  # as if it were an address in the local network
    servers.move_to(urlsplit(origin).port)
    servers.start(*reachable)
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "color_scheme": "dark"}
    with ExitStack() as open_:
        one = open_.enter_context(Visit(browser, servers.address))
        friends, _ = begin_with_friend(one)
        code = one.page.get_by_role("img", name="QR code: Link for Horizontal")
        code.wait_for()
        assert one.page.evaluate(audit("names")) == []
        two = open_.enter_context(let_in(browser, friends, **phone))
        one.wait_for_text("#seats", "the other playerhere")
        assert code.count() == 0  # the seat is taken
        for visit, name in ((one, "Ann"), (two, "Bo")):
            visit.page.once("dialog", lambda dialog, name=name: dialog.accept(name))
            visit.page.get_by_role("button", name="Add your name").click()
        one.wait_for_text("#seats", "Horizontal: Bo")
        two.wait_for_text("#seats", "Vertical: Ann")
        one.click(12)
        two.wait_for_text("#status", "it is your turn")
        two.page.on("dialog", lambda dialog: dialog.accept())
        two.page.click("#resign")
        two.page.get_by_role("button", name="Rematch").click()
        one.page.get_by_role("button", name="Join the next game").click()
        two.wait_for_text("#seats", "Vertical: Bo (you)")
        two.click(6)
        one.page.wait_for_selector('[data-stone="6"]')

        with coming_and_going(one, two):
            servers.kill()
            servers.start(*reachable)
            for visit in (one, two):
                is_offline(visit, False)
                last_game(visit)
                visit.page.wait_for_selector('[data-stone="6"]')
        one.click(18)
        two.page.wait_for_selector('[data-stone="18"]')

        two.page.click("#resign")
        two.page.get_by_role("button", name="New game").click()
        assert two.page.locator("#seat-0").count() == 0  # both stay
        two.page.select_option("#new-game", "leblin")
        two.page.fill("#new-size", "7")
        assert two.page.evaluate("() => document.documentElement.scrollWidth") == 390
        two.page.click("#start")
        two.wait_for_text("#title", "Leblin")
        one.page.get_by_role("button", name="Join the next game").click()
        one.wait_for_text("#status", "Black to move: it is your turn.")
        one.click(24)
        two.page.wait_for_selector('[data-stone="24"]')
        two.wait_for_text("#seats", "White: Bo (you)")


@pytest.mark.thorough
def test_a_seat_is_not_lost_with_the_answer(browser: Browser, servers: Servers) -> None:
    """A proxy that fails after the seat was taken leaves the link, and a reload has the seat."""

    def lose(route: Route) -> None:
        route.fetch()
        route.fulfill(status=502)

    with Visit(browser, servers.address) as one:
        friends, others = begin_with_friend(one)
        with let_in(browser, others) as two, coming_and_going(two):
            two.page.route("**/take", lose)
            two.page.goto(friends)
            two.wait_for_text("#message", "502")
            two.page.unroute("**/take")
            two.page.reload()
            two.wait_for_text("#seats", "Horizontal: you")
            assert "seat=" not in two.page.url


HEAR = """() => {
  window.heard = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function () { window.heard += 1; start.call(this); };
}"""
DOORS = ("learn", "play", "puzzles", "friend")
FAIR = "that is closed while the game runs, to be fair to both"
POST = """async ([action, fields]) => {
  const { post } = await import("/static/api.js");
  const name = location.pathname.split("/")[2];
  return post(`games/${name}/${action}`, fields).then(() => "done", error => error.message);
}"""


def check_closed(*visits: Visit) -> None:
    """Check that help and undo cannot be clicked."""
    closed = ["undo", "redo", "analyse", "ownership", "review", "edit", "promote", "comment"]
    closed += ["warn-pass", "warn-mistake"]
    for visit in visits:
        for name in closed:
            assert visit.page.is_disabled(f"#{name}"), name
        assert visit.page.locator("#score select").count() == 0


@pytest.mark.thorough
def test_a_pie_is_shared_with_a_friend(browser: Browser, servers: Servers) -> None:
    """The friend chooses a side; colours follow the players, and viewing a link takes no seat."""
    with Visit(browser, servers.address) as one:
        friends, _ = begin_with_friend(one, pie=True)
        one.page.goto(friends.replace("?guest", "?x"))
        one.page.wait_for_selector("body.ready")
        one.wait_for_text("#message", "You have a seat at this table already")
        with let_in(browser, friends) as two:
            two.wait_for_text("#status", "The other player is choosing an offer")
            assert two.page.locator("#offer").count() == 0
            one.page.fill("#offer", "2.5")
            one.page.click("#make-offer")
            two.page.click("#choose-0")
            one.wait_for_text("#seats", "Horizontal: you")
            two.wait_for_text("#status", "Vertical to move: it is your turn.")
            two.click(12)
            one.page.wait_for_selector('[data-stone="12"]')
            assert not any(two.page.is_visible(f"#{name}") for name in ("new", "load", "puzzles"))
