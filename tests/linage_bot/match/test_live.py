"""The display on a terminal."""

import io

import attrs
import pytest
from rich.console import Console
from twisted.internet.task import Clock

from linage_bot.arena.referee import Referee
from linage_bot.engine.jit.cache_folder import cache_folder
from linage_bot.engine.jit.progress import record
from linage_bot.engine.jit.single_compile import once
from linage_bot.match.live import LiveTable
from linage_bot.match.schedule import missing
from linage_bot.match.store import EventStore
from linage_bot.rules.linage import Linage
from linage_bot.settings.match import SprtSettings


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def live(settings, clock):
    tested = attrs.evolve(settings, sprt=SprtSettings(0, 50))
    store = EventStore.open(tested)
    console = Console(file=io.StringIO(), force_terminal=True, width=80, color_system=None)
    live = LiveTable(console, store, clock)
    yield live
    live.close()
    store.close()


def picture(live):
    console = Console(file=io.StringIO(), width=80)
    console.print(live.picture())
    return console.file.getvalue()


def test_it_shows_running_games_with_their_last_move_until_they_end(live, settings, game):
    """The display shows each game's number and last move, so that a hung engine is noticed."""
    watch = live.watch(missing(settings, {})[0])
    assert "game 1  ada – bea  move 0" in picture(live)
    referee = Referee(Linage.configure("5"))
    referee.judge("C3")
    watch(referee)
    assert "game 1  ada – bea  move 1  C3" in picture(live)
    record = game(1, "ada")
    live._store.append(record)
    live.game_finished(record)
    assert "game 1 " not in picture(live)


def test_a_game_that_was_kept_by_another_number_leaves_the_display(live, settings, game):
    """After accepted changes, when an earlier game has its number."""
    live._store.append(attrs.evolve(game(3, "ada"), number=1))
    live.watch(missing(settings, {})[0])
    record = game(1, "ada")
    live._store.append(record)
    live.game_finished(live._store.records[record.key])
    assert "game 1 " not in picture(live)


def test_it_shows_the_score_the_test_and_the_time_left(live, game, clock):
    """After two of four games, 10 s each: half is left, and a bound for the Elo."""
    assert "0/4" in picture(live)
    clock.advance(60)  # in which engines start, and compile
    live.watch(missing(live._settings, {})[0])
    for number, winner in ((1, "ada"), (2, "ada")):
        record = game(number, winner)
        clock.advance(10)
        live._store.append(record)
        live.game_finished(record)
    shown = picture(live)
    assert "2/4" in shown
    assert "0:00:20 left" in shown
    assert "LLR +0." in shown
    assert "ada – bea: Elo at least -636.4 (95 %)" in shown
    assert " ada " in shown.replace("\n", " ")


def test_it_leaves_nothing_behind_that_moves(live, game):
    """Finished games scroll by as lines, and the final table replaces the live display."""
    live.event_begins([Linage.configure("5")])
    record = game(1, "ada")
    live._store.append(record)
    live.game_finished(record)
    assert "1/4" in live._console.file.getvalue()
    live.close()
    assert not live._screen.is_started
    live.event_ended(interrupted=False)
    assert "First won 1" in live._console.file.getvalue()


def test_it_shows_how_far_an_engine_is_with_compiling(live, clock, monkeypatch, tmp_path):
    """A progress bar shows compilation, and disappears at its end or after a kill."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path / "cache"))
    live.event_begins([Linage.configure("5"), Linage.configure("7")])
    bars = []
    with once("kernels.linage", cache_folder()):
        for _ in range(3):
            record(40)
            clock.advance(0.3)
            bars += [line for line in picture(live).splitlines() if "compiling" in line]
        assert "compiling Linage, about " in bars[0]
        assert bars[0].rstrip().endswith("s left")
        assert len(set(bars)) == len(bars) == 3
        left_behind = (cache_folder() / "kernels.linage.progress").read_bytes()
    clock.advance(0.3)
    assert "compiling" not in picture(live)
    (cache_folder() / "kernels.linage.progress").write_bytes(left_behind)
    clock.advance(0.3)
    assert "compiling" not in picture(live)
