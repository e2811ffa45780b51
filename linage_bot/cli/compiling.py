"""A progress bar on a terminal for compilation, with the estimated time left."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from linage_bot.engine.search import loading
from linage_bot.engine.solver import loading as solver_loading
from linage_bot.rules.game import Game

_LOOK_SECONDS = 0.1


@contextmanager
def compiling_shown(game: Game) -> Iterator[None]:
    """Show a progress bar on a terminal while the game's search is compiled for the first time.

    Then show one for its solver. Another process may be the one that compiles them.
    """
    over = threading.Event()
    if not sys.stderr.isatty() or loading.compiled(game):
        yield
        return
    thread = threading.Thread(target=_show, args=(game, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _show(game: Game, over: threading.Event) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns = (
        TextColumn("compiling {task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        bar = bars.add_task("", total=1, left="", visible=False)
        looking = True
        while looking:
            seen = loading.compiling(game) or solver_loading.compiling(game)
            if seen is not None:
                left = f"about {seen.seconds_left:.0f} s left"
                bars.update(bar, description=seen.name, completed=seen.share, left=left)
            bars.update(bar, visible=seen is not None)
            looking = not over.wait(_LOOK_SECONDS)
