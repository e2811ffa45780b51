"""Measure the time in which `linage-bot web` answers clicks while many browsers analyse.

Opens many pages, each in a browser context of its own, on one server; each page turns the analysis
on. Then the pages click in turn, a stone at a time. Prints the median, the 95th percentile and the
longest of the times from the click until the stone is drawn, in milliseconds.

    PYTHONPATH=. python benchmarks/web_load.py --pages 10 --clicks 20
"""

from __future__ import annotations

import argparse
import os
import statistics
import time

from tests.e2e.web_server import Visit, chromium, web_server

# Resolves with the milliseconds from the click to the stone, measured in the page.
_CLICK = """point => new Promise(resolve => {
  const began = performance.now();
  const drawn = new MutationObserver(() => {
    if (!document.querySelector(`#board [data-stone="${point}"]`)) return;
    drawn.disconnect();
    resolve(performance.now() - began);
  });
  drawn.observe(document.querySelector('#board .stones'), {childList: true});
  document.querySelector(`#board [data-point="${point}"]`)
    .dispatchEvent(new MouseEvent('click', {bubbles: true}));
})"""


def measure(pages: int, clicks: int, game: str, size: str, pause_seconds: float) -> list[float]:
    """Return the milliseconds of every click."""
    found = []
    with web_server() as address, chromium() as browser:
        visits = [Visit(browser, address) for _ in range(pages)]
        for visit in visits:
            visit.new_game(game, size, ("", ""))
            visit.analyse("ownership")
        for visit in visits:
            visit.page.wait_for_selector(".mark.best")
        for click in range(clicks):
            for visit in visits:
                legal = visit.state()["position"]["legal"]
                found.append(visit.page.evaluate(_CLICK, legal[(click * 37) % len(legal)]))
            time.sleep(pause_seconds)
        for visit in visits:
            visit.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--clicks", type=int, default=20, help="of each page")
    parser.add_argument("--game", default="linage")
    parser.add_argument("--size", default="15")
    parser.add_argument("--pause", type=float, default=0.5, help="seconds between rounds")
    arguments = parser.parse_args()
    found = sorted(
        measure(arguments.pages, arguments.clicks, arguments.game, arguments.size, arguments.pause)
    )
    late = found[int(0.95 * len(found))]
    print(
        f"{arguments.game} {arguments.size}: {len(found)} clicks on {arguments.pages} pages:"
        f" median {statistics.median(found):.0f} ms, 95 % within {late:.0f} ms,"
        f" longest {found[-1]:.0f} ms; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
    )


if __name__ == "__main__":
    main()
