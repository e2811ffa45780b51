"""Take the screenshots of the web page for the documentation, docs/images/web-*.png.

Needs Chromium and the packages of the tests: `PYTHONPATH=. python docs/photograph.py [NAME …]`.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from linage_bot.engine.puzzles.puzzle import shipped_puzzles
from tests.e2e.web_server import Visit, chromium, web_server

IMAGES = Path(__file__).parent / "images"
LINAGE = (
    "game=linage&size=13&komi=0.5&moves="
    "kmlkklbcgmakkaackbllcmbkablalcmaldckaajccjajcilhhlcbcdbjjmlbbbdbcebgchjlcfdeccfkjbicfdhmfcecge"
    "hcibgbhkheelgkjddkffimkkdcgjil"
)
LINAGE_END = (
    f"{LINAGE}jjmblehhhikckilmmjdfegggehfggcfhghjhgicgfieifjkjlgmclfhjiggdhdidkdjgkejejf----"
)
SHORT = "game=linage&size=9&moves=eeefdfggcgccddhhbbdbicedfe"
TWO_COLOR = (
    "game=linage-two-color&size=11&komi=0.5&moves="
    "ihggcgbgcfaidccccdddcehgcbbcchbibaeccjdkcijhadkheefcicbhigbjifjciejijjiiikhijbkbiddehhgiedgdef"
    "ffdfhcibbfbdhbkaijgh"
)
PARITY = (
    "game=linage-parity&size=9&moves="
    "ddhiihhbcagcedgbaficebbaeaaihfbihchgahbhffhagdchgaccfhfdehceghfa"
)
LEBLIN = (
    "game=leblin&size=9&moves="
    "feeeeddddefdefcdggffgeecebeefcdfedcfeecedgegccdhehdccgfbecfgegdbbgeahdidgbgcichchbfifhieigeihhg"
    "ichghhfbh"
)
GARDAR = (
    "game=gardar&size=6&komi=0&moves="
    "--egdgee--fhifdddfefccdehhceiicd--gd--dccfffechgbegg--ghhigeih--igedehfifgfdiegifg--eifchf--"
    "jigfhekgkh--kfjgjechijjkaejgkikghjjgkkjfbgkgafjj"
)


def opened(visit: Visit, link: str) -> None:
    """Show the position of a link."""
    before = visit.page.url
    visit.page.click("#load")
    visit.page.fill("#load-text", link)
    visit.page.click("#load-dialog button.primary")
    visit.page.wait_for_function("before => location.href !== before", arg=before)
    visit.page.wait_for_timeout(300)


def analysed(visit: Visit, *, ownership: bool = False, seconds: float = 5) -> None:
    """Start an analysis of the position and wait for `seconds`."""
    visit.analyse("ownership" if ownership else "analyse")
    visit.page.wait_for_selector(".mark.best")
    whole_graph(visit)
    visit.page.wait_for_timeout(1000 * seconds)


def whole_graph(visit: Visit) -> None:
    """Wait until every position of the game is analysed."""
    visit.page.wait_for_function(
        "moves => document.querySelector('#graph .rate')?.points.length > moves",
        arg=visit.state()["played"],
    )


def start(visit: Visit) -> None:
    """Show the start screen."""
    visit.page.click("#home")
    visit.page.wait_for_selector("#start-board svg")


def linage(visit: Visit) -> None:
    """Show a game in progress, with the best moves and the graph."""
    opened(visit, LINAGE)
    analysed(visit)


def line(visit: Visit) -> None:
    """Show the line of play of the best move as numbered stones."""
    opened(visit, LINAGE)
    analysed(visit)
    visit.page.locator("#candidates tbody tr").first.hover()


def ownership(visit: Visit) -> None:
    """Show the expected owner of each point."""
    opened(visit, LINAGE)
    analysed(visit, ownership=True)


def two_color(visit: Visit) -> None:
    """Show a game of Two-color Linage."""
    opened(visit, TWO_COLOR)
    visit.tab("moves")


def parity(visit: Visit) -> None:
    """Show a game of Parity Linage."""
    opened(visit, PARITY)
    visit.tab("moves")


def leblin(visit: Visit) -> None:
    """Show a game of Leblin with its lifelines."""
    opened(visit, LEBLIN)


def gardar(visit: Visit) -> None:
    """Show a game of Gardar on its hexagonal board."""
    opened(visit, GARDAR)
    analysed(visit)


def refused(visit: Visit) -> None:
    """Click a point on which the rules forbid a stone."""
    opened(visit, LINAGE)
    refused = visit.state()["position"]["refused"]
    stranding = [each for each in refused if "without a line" in each["reason"]]
    visit.click(max(stranding, key=lambda each: len(each["about"]))["points"][0])
    visit.page.wait_for_selector("#message.refused")


def lesson(visit: Visit) -> None:
    """Give a wrong answer in a step of the lesson."""
    visit.page.get_by_role("button", name="Lesson", exact=True).click()
    visit.page.get_by_role("button", name="Step 3: Owner").click()
    visit.page.click('#lesson-board [data-point="17"]', force=True)
    visit.page.wait_for_selector("#lesson-message.wrong")


def rules(visit: Visit) -> None:
    """Show the rules with their pictures."""
    visit.page.click("#help")
    visit.page.wait_for_selector("#rules img")
    visit.page.wait_for_timeout(500)
    visit.page.eval_on_selector("#rules figure", "figure => figure.scrollIntoView()")


def over(visit: Visit) -> None:
    """Show the end of a game, with its count."""
    opened(visit, LINAGE_END)


def new(visit: Visit) -> None:
    """Show the form of a new game."""
    visit.page.click("#new")


def exact(visit: Visit) -> None:
    """Show exact values near the end of a game."""
    opened(visit, LINAGE_END[:-22])
    visit.analyse()
    visit.wait_for_text("#verdict", "Exact")
    visit.page.wait_for_function("() => document.querySelectorAll('.mark.proven').length > 4")


def explorer(visit: Visit) -> None:
    """Show the value of every first move of a solved board."""
    opened(visit, "game=linage&size=6&komi=0")
    visit.analyse()
    visit.page.wait_for_selector("#values-rows li")


def puzzle(visit: Visit) -> None:
    """Make a wrong move in a puzzle, which shows its refutation."""
    found = next(each for each in shipped_puzzles().values() if each.game.board.size == "7")
    visit.page.click("#puzzles")
    visit.page.wait_for_selector("#puzzle-goal")
    listed = [each for each in shipped_puzzles().values() if each.game.id == found.game.id]
    visit.page.select_option("#puzzle-number", str(listed.index(found)))
    visit.wait_for_text("#subtitle", "7")
    (step, *_) = found.steps
    visit.click(min(move for move, each in step.wrong.items() if move >= 0 and len(each.line) > 2))
    visit.page.wait_for_selector("#puzzle-said.wrong")


def two(visit: Visit) -> None:
    """Show a new table of two with the link for the friend and its QR code."""
    visit.page.evaluate("localStorage.name = 'Ann'")
    visit.page.click("#new")
    visit.page.fill("#new-size", "9")
    visit.page.select_option("#seat-0", "")
    visit.page.select_option("#seat-1", "friend")
    visit.page.click("#start")
    visit.page.wait_for_selector(".code svg")
    visit.place(40)


def phone(visit: Visit) -> None:
    """Tap on the best move of an analysis, which shows its line on the board above."""
    opened(visit, LINAGE)
    analysed(visit)
    visit.page.locator("#candidates tbody th button").first.tap()
    visit.page.wait_for_selector(".line .dream")


def learn(visit: Visit) -> None:
    """Repeat a mistake of the game, which shows its refutation."""
    opened(visit, SHORT)
    visit.tab("review")
    visit.page.click("#learn")
    visit.page.wait_for_selector("#mistake-goal:not(:empty)", timeout=300_000)
    visit.click(70)  # H8, the move of the game
    visit.page.wait_for_selector("#mistake-said.wrong")


DESKTOP = {"viewport": {"width": 1180, "height": 800}}
DARK = {**DESKTOP, "color_scheme": "dark"}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "device_scale_factor": 1.5}
STATES: dict[str, tuple[dict, Callable[[Visit], None]]] = {
    "start": (DESKTOP, start),
    "linage": (DESKTOP, linage),
    "line": (DESKTOP, line),
    "ownership": (DARK, ownership),
    "two-color": (DESKTOP, two_color),
    "parity": (DESKTOP, parity),
    "leblin": (DESKTOP, leblin),
    "gardar": (DESKTOP, gardar),
    "refused": (DESKTOP, refused),
    "lesson": (DESKTOP, lesson),
    "rules": (DESKTOP, rules),
    "over": (DESKTOP, over),
    "new": (DARK, new),
    "exact": (DESKTOP, exact),
    "explorer": (DESKTOP, explorer),
    "puzzle": (DESKTOP, puzzle),
    "two": (DARK, two),
    "learn": (DESKTOP, learn),
    "phone": (PHONE, phone),
    "phone-dark": ({**PHONE, "color_scheme": "dark"}, leblin),
}


def photograph(browser: Browser, address: str, name: str) -> None:
    """Bring a page into a state and save a screenshot of it."""
    context, prepare = STATES[name]
    with Visit(browser, address, **context) as visit:
        if name not in ("start", "lesson"):
            visit.page.get_by_role("button", name="No lesson, thanks").click()
        prepare(visit)
        if name != "phone":
            visit.page.evaluate("() => scrollTo(0, 0)")
        picture = Image.open(io.BytesIO(visit.page.screenshot()))
    few = picture.convert("RGB").quantize(192, method=Image.Quantize.MEDIANCUT)
    few.save(IMAGES / f"web-{name}.png", optimize=True)  # a third of the bytes, as good to look at


def main() -> None:
    """Take the screenshots of the named states, or of all."""
    with (
        web_server("--seconds", "2", "--listen", "0.0.0.0", "--expose") as address,
        chromium() as browser,
    ):
        for name in sys.argv[1:] or STATES:
            photograph(browser, address, name)


if __name__ == "__main__":
    main()
