"""Whole events of engines joined by a wire in memory: which games are played, and by whom."""

import errno
import gc
import json
from pathlib import Path

import attrs
import pytest

from linage_bot.match.contestant import Contestant
from linage_bot.match.report import TextReport
from linage_bot.match.store import write_sgf
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import EngineSettings, GameSettings, OpeningSettings, SprtSettings


def test_an_engine_that_always_fails_is_withdrawn(duel, play):
    """No night is spent on an engine that never works; begun again, it stays withdrawn."""
    event = duel("crash", games=20, max_failures=3)
    records, shown = play(event)
    assert len(records) == 3
    assert "bad is withdrawn: it failed in 3 games in succession" in shown
    records, shown = play(event)
    assert len(records) == 3
    assert "3 games already played, and none left without bad; the result:" in shown


def test_an_event_that_is_over_is_shown_and_not_played_again(duel, play, wires):
    """Starting a finished event again shows its result at once."""
    records, _ = play(duel())
    again, shown = play(duel())
    assert again == records
    assert "All games of this event have been played" in shown
    assert len(wires) == 2


def test_a_pair_of_games_shares_its_opening_with_sides_swapped(duel, play, wires):
    """Both engines play each opening from both sides."""
    event = duel(games=4, openings=OpeningSettings(random_moves=3, seed=5))
    records, _ = play(event)
    begins = [record["moves"][:3] for record in records]
    assert begins[0] == begins[1] != begins[2] == begins[3]
    assert {record["opening_moves"] for record in records} == {3}
    assert all(len(r["seconds"]) == len(r["moves"]) - 3 for r in records)
    told = wires[1].told
    assert f"play b {begins[0][0]}" in told
    assert f"play w {begins[0][1]}" in told


@pytest.mark.parametrize(
    ("tournament", "games"), [("round-robin", 12), ("gauntlet", 6), ("swiss", 8)]
)
def test_tournaments_of_several_engines_are_played_whole(duel, play, tournament, games):
    """Each tournament's pairings are played once, and the ratings are shown."""
    event = duel(games=2, concurrency=2)
    more = (
        EngineSettings(("engine", "seed=3"), name="third"),
        EngineSettings(("engine", "seed=4", "resign=2"), name="fourth"),
    )
    event = attrs.evolve(event, engines=event.engines + more, tournament=tournament)
    records, shown = play(event)
    assert sorted(record["number"] for record in records) == list(range(1, games + 1))
    assert len({json.dumps(record["key"]) for record in records}) == games
    assert "engine Elo ± games" in " ".join(shown.split())
    again, _ = play(event)
    assert again == records


def test_engines_that_have_left_are_let_go(duel, play):
    """An event of several engines keeps only the engines of running games in memory."""

    def count():
        gc.collect()
        return sum(isinstance(thing, Contestant) for thing in gc.get_objects())

    class Counting(TextReport):
        def game_finished(self, record):
            super().game_finished(record)
            kept.append(count() - before)

    before, kept = count(), []
    event = duel(games=2)
    more = (EngineSettings(("engine",), name="third"), EngineSettings(("engine",), name="fourth"))
    event = attrs.evolve(event, engines=event.engines + more, tournament="round-robin")
    play(event, report_class=Counting)
    assert kept == [2] * 12


def test_several_games_in_one_event_take_turns(duel, play):
    """An event may consist of several games."""
    games = (GameSettings(size=5), GameSettings("leblin", size=5), GameSettings("gardar", size=3))
    records, _ = play(duel(games=6, game=games, max_moves=30))
    assert [record["rules"]["id"] for record in records] == [
        name for name in ("linage", "leblin", "gardar") for _ in range(2)
    ]
    assert {record["ending"] for record in records} <= {"score", "adjudication"}


def test_a_sequential_test_ends_the_match_when_it_is_decided(duel, play):
    """A decided test plays no further game, now or after a restart."""
    openings = OpeningSettings(random_moves=2)
    event = duel("resign", games=400, sprt=SprtSettings(0, 200), openings=openings)
    records, shown = play(event)
    assert 10 < len(records) < 100
    assert "SPRT 0 to 200 normalized Elo: accepted" in shown
    again, shown = play(event)
    assert again == records
    words = f"{len(records)} games already played, and the test is decided; the result:"
    assert words in shown


def test_engines_without_the_pie_commands_are_refused(duel, play):
    """The error comes before any game and names the engine."""
    with pytest.raises(SettingFault, match=r"engines\[1\]\.command: does not have .* pie_choose"):
        play(duel("without=pie_choose", pie=True))


WRONG = [
    (EngineSettings(("missing",)), {}, "command: cannot start 'missing'"),
    (EngineSettings(("engine", "without=genmove")), {}, "command: does not have the command"),
    (EngineSettings(("engine",), options={"sped": 1}), {}, "options: refused 'linage-game"),
    (EngineSettings(("engine",), start_commands=("fail",)), {}, "start_commands[0]: refused"),
    (EngineSettings(("engine", "without=pie_offer")), {"pie": True}, "command: does not have"),
    (EngineSettings(("engine",)), {"openings": OpeningSettings(text="none")}, "openings.text"),
]


@pytest.mark.parametrize("tournament", ["match", "round-robin", "gauntlet", "swiss"])
@pytest.mark.parametrize(("wrong", "changes", "fault"), WRONG)
def test_a_file_can_be_corrected_before_the_first_game(
    duel, play, tournament, wrong, changes, fault
):
    """Nothing is written before the first game, so any fault of the file can be corrected."""
    count = 2 if tournament == "match" else 3
    engines = tuple(EngineSettings(("engine",), name=str(number)) for number in range(count))
    event = duel(games=2, engines=engines, tournament=tournament, max_moves=2)
    last = attrs.evolve(wrong, name=engines[-1].name)
    with pytest.raises(SettingFault) as caught:
        play(attrs.evolve(event, engines=(*engines[:-1], last), **changes))
    assert fault in str(caught.value)
    assert not Path(event.out).exists()
    records, _ = play(event)
    assert records


def test_who_stops_an_event_loses_only_the_games_that_were_going_on(duel, play):
    """Finished games are stored, and the same command plays the rest."""
    stopped, _ = play(duel(), stop_after=0.06)
    assert 0 < len(stopped) < 4
    whole, shown = play(duel())
    assert whole[: len(stopped)] == stopped
    assert [record["number"] for record in whole] == [1, 2, 3, 4]
    assert f"{4 - len(stopped)} to go" in shown


def test_who_stops_an_event_while_an_engine_quits_starts_no_other(duel, play, wires):
    """A stopped event starts no other engine, however slowly one quits."""
    event = duel("deaf", games=2)
    good, bad = event.engines
    third, fourth = (EngineSettings(("engine",), name=name) for name in ("third", "fourth"))
    event = attrs.evolve(event, engines=(good, third, bad, fourth), tournament="swiss")
    records, _ = play(event, stop_after=1.0)
    assert [record["players"] for record in records] == [["good", "bad"], ["bad", "good"]]
    assert len(wires) == 4, "each was tried once before the games"


def test_a_folder_that_takes_no_more_ends_the_event_by_its_key(duel, play, monkeypatch):
    """A full disk ends the event before further games, with the setting's name."""

    def full(_record, _event, _folder):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("linage_bot.match.store.write_sgf", full)
    with pytest.raises(SettingFault) as caught:
        play(duel(concurrency=2))
    assert str(caught.value) == f"out: {duel().out}: No space left on device"


def test_after_a_fault_of_the_disk_no_slot_plays_on(duel, play, monkeypatch):
    """After a game is lost to a disk fault no further game is stored, however slow engines quit."""
    calls = []

    def full_once(record, event, folder):
        calls.append(record)
        if len(calls) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_sgf(record, event, folder)

    monkeypatch.setattr("linage_bot.match.store.write_sgf", full_once)
    event = duel("deaf", games=20, concurrency=2)
    with pytest.raises(SettingFault, match="No space left on device"):
        play(event)
    assert len(calls) == 1
    records, _ = play(event)
    assert len(records) == 20
