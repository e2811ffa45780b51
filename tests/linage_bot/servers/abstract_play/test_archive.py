"""The site's published games become records and openings; unplayable ones are left out."""

import json
import random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.cli import main
from linage_bot.records.reading import read_sgf
from linage_bot.records.writing import to_sgf
from linage_bot.rules.game import Player
from linage_bot.servers.abstract_play.archive import Archived, openings_of, read_archive
from linage_bot.servers.abstract_play.position import PLAY_SECOND, Phase, SitePosition, replay
from tests.linage_bot.servers.abstract_play.site_rules import words


def entry(variants, played, results=(1, 0), *, scores=(None, None), name="g-1", shown=None):
    """Return a game as the site publishes it, with its variants' display names in `shown`."""
    seats = zip(("Ana", "Bo"), results, scores, strict=True)
    return {
        "header": {
            "game": {"name": "Linage", "variants": variants if shown is None else shown},
            "site": {"name": "Abstract Play", "gameid": name},
            "date-start": "2026-09-01T10:00:00.000Z",
            "date-end": "2026-09-03T10:00:00.000Z",
            "date-generated": "2026-09-03T10:00:00.000Z",
            "players": [
                {"name": who, "userid": who.lower(), "result": result, "score": score}
                for who, result, score in seats
            ],
        },
        "moves": [played[number : number + 2] for number in range(0, len(played), 2)],
    }


def only(*entries):
    """Return the archive's results for these entries."""
    return list(read_archive(json.dumps(entries)))


def finished(size: int, answer: str, chance: random.Random) -> tuple[list[str], SitePosition]:
    """Play a game at random. Return its words and the final position."""
    played = [str(chance.randint(-9, 9))]
    site = replay([f"size-{size}"], played)
    while site.phase is not Phase.OVER:
        offered = [word for word in words(site) if word not in ("pass", PLAY_SECOND)]
        if not site.button_left:
            offered.append("pass")
        word = answer if site.phase is Phase.PIE else chance.choice(offered)
        played.append(word)
        site = site.after(word)
    return played, site


@given(st.sampled_from([PLAY_SECOND, "b3"]), st.integers(3, 7), st.randoms(use_true_random=False))
def test_a_game_is_the_same_in_our_terms(answer, size, chance):
    """An archived game keeps its stones, players, komi and result, and so does its SGF."""
    played, site = finished(size, answer, chance)
    result = site.position.result()
    seat = None if result.winner is None else site.seat_of(result.winner)
    results = (1, 1) if seat is None else (int(seat == 1), int(seat == 2))
    scores = tuple(result.margin * each for each in results) if seat else (4, 4)
    (game,) = only(entry([f"size-{size}"], played, results, scores=scores))
    assert isinstance(game, Archived), game
    record = game.record
    assert record.players == (("Ana", "Bo") if answer == PLAY_SECOND else ("Bo", "Ana"))
    assert (record.result, record.date) == (str(result), "2026-09-03")
    end = record.history().position
    assert (end.empty, end.to_move) == (site.position.empty, site.position.to_move)
    assert (str(end.result()), record.game.komi) == (str(result), int(played[0]))
    assert "Abstract Play g-1" in to_sgf(record)


@pytest.mark.parametrize(
    ("shown", "size", "line"),
    [
        (["13x13 board", "Lines of 3 (default)"], "13", "3"),
        (["Lines of 4", "15x15 board"], "15", "4"),
        (["Default board", "Default line"], "15", "3"),
        (["size-11", "line-2"], "11", "2"),
    ],
)
def test_variants_are_read_by_the_names_that_people_see(shown, size, line):
    """Variants are read by their display names and by their configuration names."""
    (game,) = only(entry([], ["3", PLAY_SECOND, "c3", "resign"], shown=shown))
    assert game.record.game.board.size == size
    assert str(game.record.game.settings()["line"]) == line


@pytest.mark.parametrize(
    ("word", "result"), [("resign", "B+R"), ("timeout", "B+T"), ("abandoned", "B+F")]
)
def test_a_game_that_was_given_up_says_why(word, result):
    """A game that was given up has the matching SGF result."""
    (game,) = only(entry(["size-11"], ["3", PLAY_SECOND, "c3", word]))
    assert (game.record.result, len(game.record.moves)) == (result, 1)
    assert game.record.mover(1) is Player.FIRST


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"moves": [["3", PLAY_SECOND], ["pass", "resign"]]}, "no such turn as 'pass'"),
        ({"moves": [["3", PLAY_SECOND], ["z99", "resign"]]}, "no such turn as 'z99'"),
        ({"moves": [["3", PLAY_SECOND], ["c3", "c3"], ["resign"]]}, "move 2"),
        ({"moves": [["three"]]}, "'three' is not a komi"),
        ({"moves": [[{"sequence": 1}]]}, "a move is not a text"),
        ({"moves": "c3"}, "moves: not a list"),
        ({"header": None}, "not a JSON object"),
        ({"moves": [["3", PLAY_SECOND], ["take-button", "pass"], ["pass"]]}, "by our rules"),
    ],
)
def test_what_our_rules_cannot_repeat_is_left_out_and_named(change, reason):
    """A game that our rules cannot replay is reported and left out; the others are read."""
    good = entry(["size-11"], ["3", PLAY_SECOND, "c3", "resign"])
    bad = {**entry(["size-11"], [], (0, 1), scores=(0, 99), name="odd"), **change}
    first, fault, last = only(good, bad, good)
    assert isinstance(first, Archived)
    assert isinstance(last, Archived)
    assert reason in str(fault)


def test_openings_that_are_alike_count_once():
    """Openings that are mirror images count once, except those mirrored at a diagonal."""
    lines = [["a1", "c2"], ["k11", "i10"], ["a1", "b3"], ["a1", "take-button"], ["a1"]]
    games = only(*(entry(["size-11"], ["0", PLAY_SECOND, *line, "resign"]) for line in lines))
    assert openings_of((game.record for game in games), 2) == {
        "linage-11-line-3": ["a1 c2", "a1 b3"]
    }


def test_the_command_writes_games_and_openings(tmp_path):
    """The command writes records and openings, and reports the number of games left out."""
    games = [
        entry(["size-13"], ["3", PLAY_SECOND, "c3", "i9", "resign"], name="one"),
        entry(["size-13"], ["-2", "d4", "k2", "resign"], name="two"),
        entry(["size-13"], ["3", PLAY_SECOND, "z99", "resign"], name="three"),
    ]
    file = tmp_path / "linage.json"
    file.write_text(json.dumps(games))
    arguments = ["--sgf", tmp_path / "sgf", "--openings", tmp_path / "openings", "--stones", "2"]
    done = CliRunner().invoke(main, ["abstract-play-games", *map(str, [file, *arguments])])
    assert (done.exit_code, done.stdout) == (0, "games: 2, openings: 2, skipped: 1\n")
    assert read_sgf(tmp_path / "sgf" / "one.sgf").result == "B+R"
    assert read_sgf(tmp_path / "sgf" / "two.sgf").players == ("Bo", "Ana")
    assert (tmp_path / "openings" / "linage-13-line-3.txt").read_text().splitlines()[1:] == [
        "c3 j9",
        "d4 b11",
    ]


@pytest.mark.parametrize("text", ["{}", "[", "nonsense"])
def test_what_is_no_list_of_games_is_refused_in_a_line(text):
    """Input that is no list of games is refused in one line with the file and the reason."""
    done = CliRunner().invoke(main, ["abstract-play-games", "-"], input=text)
    assert done.exit_code == 2
    assert "stdin: not" in done.output
