"""Openings: from files or by chance, legal, the same every time."""

import attrs
import pytest

from linage_bot.engine import kernels
from linage_bot.match.openings import BALANCED, Book, balanced_openings
from linage_bot.records.record import Record
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.linage import Linage
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import GameSettings, OpeningSettings


@pytest.fixture
def book(settings):
    def book(*games, **openings):
        games = games or (GameSettings(size=5),)
        return Book.load(attrs.evolve(settings, game=games, openings=OpeningSettings(**openings)))

    return book


def test_without_openings_games_begin_at_the_beginning(settings):
    """Without openings there are no given moves, and no file is in the fingerprint."""
    book = Book.load(settings)
    assert book.moves(3) == ()
    assert book.game(3).id == "linage"
    assert book.digest == ""


def test_random_openings_depend_on_seed_and_number_alone(book):
    """Openings are independent of the order of requests; eight differ, and none ends the game."""
    one, two = book(random_moves=4, seed=7), book(random_moves=4, seed=7)
    openings = [one.moves(number) for number in range(8)]
    assert [two.moves(number) for number in reversed(range(8))] == openings[::-1]
    assert all(len(set(opening)) == 4 for opening in openings)
    assert len(set(openings)) == 8
    assert book(random_moves=4, seed=8).moves(0) != openings[0]
    position = one.game(0).start()
    for move in openings[0]:
        position = position.play(move)
    assert not position.over


def test_games_take_turns(book):
    """Two games alternate from one opening to the next."""
    games = (GameSettings(size=5), GameSettings("leblin", size=5))
    both = book(*games, random_moves=2)
    assert [both.game(number).id for number in range(4)] == ["linage", "leblin"] * 2


def test_a_text_list_has_an_opening_a_line(book, tmp_path):
    """Comments and empty lines are skipped, the list repeats, and its digest shows changes."""
    path = tmp_path / "openings.txt"
    path.write_text("# centre\nc3 a1\n\nB2, pass, d4  # knight\n")
    listed = book(text=str(path))
    point = listed.game(0).board.point
    assert listed.moves(0) == (point("C3"), point("A1"))
    assert listed.moves(1) == (point("B2"), -1, point("D4"))
    assert listed.moves(2) == listed.moves(0)
    before = listed.digest
    path.write_text("c3 a2\n")
    assert book(text=str(path)).digest != before


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_list_may_begin_with_a_byte_order_mark(book, tmp_path, encoding):
    """A byte order mark in the list is no part of the first move."""
    path = tmp_path / "openings.txt"
    path.write_text("c3 a1 # ½\n", encoding=encoding)
    listed = book(text=str(path))
    assert listed.moves(0) == (12, 0)


def test_several_games_go_through_the_list_together(book, tmp_path):
    """Each opening is played in every game before the next one."""
    path = tmp_path / "openings.txt"
    path.write_text("c3\nb2\n")
    games = (GameSettings(size=5), GameSettings(size=7))
    listed = book(*games, text=str(path))
    names = [listed.game(number).board.vertex(listed.moves(number)[0]) for number in range(6)]
    assert names == ["C3", "C3", "B2", "B2", "C3", "C3"]


def test_an_sgf_file_gives_its_first_moves(book, tmp_path):
    """Every pair of games gets all moves of the file, or as many as configured."""
    path = tmp_path / "game.sgf"
    path.write_text(to_sgf(Record(Linage.configure("5"), (12, 0, 4, -1))))
    assert book(sgf=(str(path),)).moves(0) == (12, 0, 4, -1)
    assert book(sgf=(str(path),), moves=2).moves(5) == (12, 0)


def test_of_an_sgf_file_with_several_games_the_first_is_said_to_be_the_opening(
    book, tmp_path, caplog
):
    """The others are not left out without a word."""
    path = tmp_path / "games.sgf"
    path.write_text("(;GM[1]SZ[5];B[cc];W[aa])(;GM[1]SZ[5];B[aa])")
    assert book(sgf=(str(path),)).moves(0) == (12, 20)
    assert caplog.messages == [f"openings.sgf[0]: {path}: SGF: 2 games; only the first is read"]


TEXT_FAULTS = [
    ("c3 c3", "line 1: move 2 is illegal in Linage: C3: there is a stone on this point"),
    ("c3\nz9", "line 2: move 1: 'z9' is not a point of the 5x5 board"),
    ("pass pass", "line 1: the game is over after this opening; shorten it"),
    ("# none", "has no openings; write one on each line"),
]


@pytest.mark.parametrize(("text", "reason"), TEXT_FAULTS)
def test_a_fault_in_the_list_names_its_line(book, tmp_path, text, reason):
    """Before the first game, and not when its turn comes."""
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(SettingFault) as caught:
        book(text=str(path))
    assert str(caught.value) == f"openings.text: {path}: {reason}"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("not SGF", "SGF: no SGF data found"),
        ("(;GM[1]SZ[5];B[cc];W[cc])", "move 2 is illegal in Linage: C3: there is a stone"),
        ("(;GM[1]SZ[5]AB[cc];W[aa])", "has stones set up before the first move"),
        ("(;GM[1]SZ[7];B[aa])", "its board is 7, but the event's is 5"),
    ],
)
def test_a_fault_in_an_sgf_file_names_the_file(book, tmp_path, content, reason):
    """The error names the file and its fault: bad SGF, illegal move, set-up stones, other board."""
    path = tmp_path / "game.sgf"
    path.write_text(content)
    with pytest.raises(SettingFault) as caught:
        book(sgf=(str(path),))
    assert str(caught.value).startswith(f"openings.sgf[0]: {path}: {reason}")


def test_a_file_that_is_not_there_is_named(book):
    """The error has the setting's key and the file's name."""
    with pytest.raises(SettingFault, match=r"openings.text: /none.txt: No such file"):
        book(text="/none.txt")
    with pytest.raises(SettingFault, match=r"openings.sgf\[0\]: /none.sgf: No such file"):
        book(sgf=("/none.sgf",))


def test_more_random_moves_than_a_game_has_are_refused(book):
    """No event may begin whose openings leave nothing to play."""
    with pytest.raises(SettingFault, match=r"openings\.random_moves: game ends before 30 moves"):
        book(random_moves=30)


LISTS = sorted(file.name.removesuffix(".txt") for file in BALANCED.iterdir())


def test_balanced_openings_are_those_of_the_board(book):
    """Each game of an event has its own list; every game has one at its default size."""
    defaults = {f"{game.id}-{game.default_size}" for game in GAMES.values()}
    assert {"linage-9", "linage-13", "linage-19"} | defaults <= set(LISTS)
    both = book(GameSettings(size=9), GameSettings(size=13), balanced=True)
    assert len(both.moves(0)) in (4, 5, 6)
    assert both.moves(2) != both.moves(0) == both.moves(2 * len(both.lines[0]))
    assert max(max(both.moves(number)) for number in range(1, 21, 2)) >= 81


@pytest.mark.parametrize(
    ("game", "named"),
    [
        (GameSettings(size=5), "no openings are shipped for Linage 5x5, komi 0.5 line=3"),
        (GameSettings(size=9, komi=3.5), "no openings are shipped for Linage 9x9, komi 3.5 line=3"),
        (
            GameSettings(size=9, options={"line": 4}),
            "no openings are shipped for Linage 9x9, komi 0.5 line=4",
        ),
    ],
)
def test_a_board_without_balanced_openings_is_named(book, game, named):
    """A board, komi or option without balanced openings is an error."""
    with pytest.raises(SettingFault, match="openings.balanced: " + named):
        book(game, balanced=True)


def test_balanced_openings_are_games_for_the_library():
    """Each opening is a game so far; a board or komi that has none gives none."""
    found = balanced_openings(Linage.configure("9"))
    assert {len(game) for game in found} <= {4, 5, 6}
    assert not any(game.position.over for game in found)
    assert balanced_openings(Linage.configure("8")) == ()
    assert balanced_openings(Linage.configure("9", 3)) == ()
    with pytest.raises(TypeError, match="game: expected Game, not str"):
        balanced_openings("linage")


@pytest.mark.thorough
@pytest.mark.parametrize("name", LISTS)
def test_no_two_balanced_openings_are_alike(book, name):
    """Balanced openings differ under all symmetries, are legal, and do not end the game."""
    id_, size = name.rsplit("-", 1)
    listed = book(GameSettings(id_, size=size), balanced=True)
    symmetries = kernels.load(listed.game(0)).symmetries(listed.game(0).board)
    seen = set()
    for number in range(len(listed.lines[0])):
        position = listed.game(0).start()
        for move in listed.moves(number):
            position = position.play(move)
        assert not position.over
        seen.add(min((each(position.first), each(position.second)) for each in symmetries))
    assert len(seen) == len(listed.lines[0])
