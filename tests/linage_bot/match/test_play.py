"""One game between two engines, joined by a wire in memory: what ends it, and whose fault it is."""

import attrs
import pytest

from linage_bot.settings.match import ClockSettings, GameSettings


def test_an_engine_may_be_told_options_of_its_own_and_the_referee_keeps_to_the_game(
    duel, play, wires
):
    """An engine's own options affect neither the opponent nor the referee."""
    event = duel(games=2)
    good, bad = event.engines
    told_less = attrs.evolve(bad, options={"line": 3, "edition": ""})
    records, _ = play(attrs.evolve(event, engines=(good, told_less)))
    told = wires[1].told
    assert "linage-game linage size=5 komi=0.5 line=3 button=off" in told
    assert {record["ending"] for record in records} == {"score"}
    assert records[0]["rules"]["options"]["edition"] == "current"


def test_resigning_is_no_fault_and_the_process_lives_on(duel, play, wires):
    """An engine that gives up loses that game, and plays the next one."""
    records, _ = play(duel("resign=2"))
    assert [record["result"] for record in records] == ["B+R", "W+R"] * 2
    assert len(wires) == 2


def test_an_engine_that_counts_otherwise_is_recorded_and_the_rules_decide(duel, play):
    """The rules decide the game, and the report mentions the engine's differing score."""
    records, shown = play(duel("boast", games=2))
    assert records[0]["claims"] == [records[0]["result"], "B+99"]
    assert records[0]["ending"] == "score"
    assert "The engines' scores differ from ours in game 1, 2" in shown


def test_who_takes_longer_than_the_clock_allows_loses_on_time(duel, play, wires):
    """The referee's clock decides exactly, and the engine receives its time."""
    clock = ClockSettings(move_seconds=0.2, margin_seconds=0.1)
    records, _ = play(duel("slow=2", games=2, clock=clock))
    assert [record["result"] for record in records] == ["B+T", "W+T"]
    told = wires[1].told
    assert "time_settings 0 0.2 1" in told
    assert "time_left w 0 1" in told


def test_an_engine_may_have_a_clock_of_its_own(duel, play):
    """A slow engine may be given more time than the other."""
    event = duel("slow=2", games=2, clock=ClockSettings(move_seconds=0.2))
    good, bad = event.engines
    patient = attrs.evolve(bad, clock=ClockSettings(main_seconds=60))
    records, _ = play(attrs.evolve(event, engines=(good, patient)))
    assert {record["ending"] for record in records} == {"score"}
    slowest = max(records[0]["seconds"])
    assert records[0]["seconds"].index(slowest) % 2 == 1


def test_a_move_limit_ends_a_game(duel, play):
    """A game at the move limit is scored on its current board."""
    records, _ = play(duel(games=1, max_moves=4))
    assert (records[0]["ending"], len(records[0]["moves"])) == ("adjudication", 4)


def test_a_komi_pie_is_offered_by_one_and_chosen_by_the_other(duel, play):
    """The game has the offered komi and the chosen colours."""
    records, _ = play(duel("choose=black", games=2, pie=True))
    # good offers in the first game and bad takes black; bad offers in the second, good white.
    assert [record["players"] for record in records] == [["bad", "good"], ["bad", "good"]]
    assert [record["rules"]["komi"] for record in records] == [2.0, 2.0]
    assert records[0]["pie"] == "good offered 2, bad chose Vertical"
    assert records[1]["pie"] == "bad offered 2, good chose Horizontal"


def test_a_stone_pie_puts_the_stone_on_the_board(duel, play):
    """The stone that was offered is the first move of the game."""
    game = GameSettings("leblin", size=5)
    records, _ = play(duel("choose=b", games=1, pie=True, game=game))
    assert records[0]["players"] == ["bad", "good"]
    assert (records[0]["moves"][0], records[0]["opening_moves"]) == ("C3", 1)
    assert records[0]["ending"] == "score"


@pytest.mark.parametrize(
    ("words", "number", "reason"),
    [
        ("offer=0.3", 2, "offered '0.3': komi: 0.3 is not a multiple of 0.5"),
        ("offer=nan", 2, "offered 'nan': komi: nan is not a number"),
        ("offer=much", 2, "offered 'much': could not convert"),
        ("choose=both", 1, "chose 'both', neither black nor white"),
    ],
)
def test_a_pie_that_makes_no_sense_forfeits(duel, play, words, number, reason):
    """An offer that no game can have, or a choice that is none, loses the game."""
    records, _ = play(duel(words, games=2, pie=True))
    failed = [record for record in records if record["ending"] == "forfeit"]
    assert [record["number"] for record in failed] == [number]
    assert failed[0]["reason"].startswith(reason)
    assert failed[0]["players"][failed[0]["winner"]] == "good"


def test_a_game_ends_when_both_engines_agree_on_the_score_long_enough(duel, play):
    """A game whose end both sides know need not be played out."""
    records, _ = play(duel(games=2, agree_moves=2))
    assert {record["ending"] for record in records} == {"adjudication"}
    assert records[0]["reason"] == "both engines agreed for 2 moves"
    boasting, _ = play(duel("boast", games=2, agree_moves=2, out=duel().out + "2"))
    assert {record["ending"] for record in boasting} == {"score"}


def test_without_the_referee_the_engines_score(duel, play):
    """Games by other rules than ours are won by what both engines say."""
    agreed, _ = play(duel(games=2, referee=False))
    assert {record["ending"] for record in agreed} == {"score"}
    assert all(record["result"] == record["claims"][0].upper() != "0" for record in agreed)
    event = duel("boast", games=2, referee=False, out=duel().out + "2")
    disputed, _ = play(event)
    assert {record["result"] for record in disputed} == {"0"}
    assert disputed[0]["reason"] == "the engines do not agree on the score"


@pytest.mark.parametrize(
    ("words", "letter", "reason"),
    [
        ("illegal=2", "F", "illegal move "),
        ("nonsense", "F", "'sideways' is not a move"),
        ("refuse=3", "F", "refused 'genmove "),
        ("crash=2", "F", "died: killed by SIGKILL"),
        ("deny=3", "F", "refused 'play "),
        ("hang=2", "T", "no answer to 'genmove' within 0.5 s"),
        ("slow=2", "T", "no answer to 'genmove' within 0.5 s"),
    ],
)
def test_whose_fault_it_is_loses_with_the_reason_and_begins_again(
    duel, play, wires, words, letter, reason
):
    """Each of its games is lost the same way, by a fresh engine; the other one lives on."""
    clock = ClockSettings(move_seconds=0.4) if letter == "T" else None
    records, _ = play(duel(words, clock=clock))
    for record in records:
        good = record["players"].index("good")
        assert (record["winner"], record["result"]) == (good, f"{'BW'[good]}+{letter}")
        assert record["reason"].startswith(reason)
        assert "genmove" in "".join(record["log"])
    assert len(wires) == 1 + len(records) == 5


@pytest.mark.parametrize("clock", [None, ClockSettings(move_seconds=1.0)])
def test_compiling_is_not_thinking(duel, play, wires, clock):
    """Our engines compile before the clock starts, and that time is not counted."""
    event = duel("compile=60", games=2, clock=clock)
    records, _ = play(event)
    assert max(seconds for record in records for seconds in record["seconds"]) == 0.001
    assert max(record["duration_seconds"] for record in records) < 1
    assert {record["ending"] for record in records} == {"score"}
    told = wires[1].told
    assert told.index("linage-compile") < next(n for n, line in enumerate(told) if "gen" in line)
    assert "linage-compile" not in wires[0].told


def test_what_a_move_took_is_kept(duel, play):
    """The record has the wall-clock seconds of each move."""
    (record,), _ = play(duel("slow=2", games=1, clock=ClockSettings(main_seconds=60)))
    assert record["seconds"][1] == 0.001
    assert record["seconds"][3] == 1.0
