"""Search tasks of a table, run as on a worker."""

import threading
from functools import partial

import pytest

from linage_bot.engine.engine import Engine
from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules import GAMES
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.thinking.tasks import Analyse


@pytest.mark.parametrize(("given", "processors", "threads"), [(1, 1, 1), (1, 4, 4), (2, 1, 2)])
def test_an_analysis_uses_its_processors_or_the_threads_of_the_settings(given, processors, threads):
    """With four idle processors an analysis has four threads, else as many as the settings say."""
    history = History.of(GAMES["linage"].configure("7").start())
    engine = StickyObject(partial(Engine, PlaySettings(threads=given)))
    task = Analyse(engine, 0, history, ownership=False)
    search = threading.Thread(target=task.run, args=(threading.Event(), processors))
    search.start()
    most = 0
    while search.is_alive():
        most = max(most, sum(each.name == "helper" for each in threading.enumerate()))
    assert 1 + most == threads
