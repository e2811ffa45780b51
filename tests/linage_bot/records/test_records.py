import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot import __version__
from linage_bot.records.parsing import LONGEST_SGF
from linage_bot.records.reading import from_sgf
from linage_bot.records.record import BadRecord, EarlyEnd, Record, same_result
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.boards import HexBoard, bits
from linage_bot.rules.game import PASS, Game, Player
from linage_bot.rules.options import BadOption
from tests.examples import examples

LINAGE = GAMES["linage"]
GARDAR = GAMES["gardar"]
FIVE = LINAGE.configure("5")

# What SGF keeps: it turns tabs into spaces, and a one-line property has no line breaks.
LETTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp"))
LINES = st.text(LETTERS, max_size=20)
PARAGRAPHS = st.lists(LINES, max_size=3).map("\n".join)


@st.composite
def games(draw):
    """Any game, size, komi and options."""
    kind = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    if kind.board_kind is HexBoard:
        size = str(draw(st.integers(2, 13)))
    else:
        size = f"{draw(st.integers(3, 25))}x{draw(st.integers(3, 25))}"
    komi = draw(st.integers(-40, 40)) * kind.komi_step if kind.komi_step else None
    chosen = {}
    for name, option in kind.options().items():
        if isinstance(option.default, bool):
            values = st.sampled_from(["on", "off"])
        elif option.choices:
            values = st.sampled_from(option.choices)
        else:
            values = st.integers(option.minimum, min(option.maximum, 5)).map(str)
        chosen[name] = draw(values)
    try:
        return kind.configure(size, komi, chosen)
    except BadOption:  # Parity Linage refuses a board that breaks its condition from the start
        return kind.configure(size)


@st.composite
def records(draw):
    """A legal game with everything that a record can hold but setup stones."""
    game = draw(games())
    position, moves = game.start(), []
    for choice in draw(st.lists(st.integers(0, 10_000), max_size=8)):
        if position.over:
            break
        points = [PASS, *bits(game.board.points)]  # cheaper than listing Leblin's legal moves
        turned = choice % len(points)
        ordered = points[turned:] + points[:turned]
        moves.append(next(move for move in ordered if position.why_illegal(move) is None))
        position = position.play(moves[-1])
    comments = st.dictionaries(st.integers(0, len(moves)), PARAGRAPHS.filter(bool), max_size=2)
    return Record(
        game=game,
        moves=tuple(moves),
        players=(draw(LINES), draw(LINES)),
        result=str(position.result()) if position.over else None,
        date=draw(st.sampled_from([None, "2024-12-31"])),
        event=draw(LINES) or None,
        round=draw(st.sampled_from([None, "3 of 7"])),
        comments=draw(comments),
        given=draw(st.integers(0, len(moves))),
    )


def read(text: str, default_game: Game | None = None) -> Record:
    return from_sgf(text.encode(), default_game)


def refused(text: str, default_game: Game | None = None) -> str:
    """The one line that a user sees."""
    with pytest.raises(BadRecord) as caught:
        read(text, default_game)
    message = str(caught.value)
    assert "\n" not in message
    return message


@settings(max_examples=examples(60), deadline=None)
@given(records())
def test_reading_what_was_written_gives_the_same_record(record):
    """No game, size, option, name or comment is lost on the way through a file."""
    again = from_sgf(to_sgf(record).encode())
    assert again == record
    assert again.history().position == record.history().position


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.sampled_from(
    ["(", ")", ";", "[", "]", "\\", ":", "B", "W", "AB", "C", "[aa]", "[aa:cc]", "PL", "SZ[5]",
     "RU[linage]", "RU[", "KM[", "1e999]", "tt", "\n", "é", "CA[gbk]", "(;SZ[5]RU[linage]"]
), max_size=12).map("".join) | st.binary(max_size=40))  # fmt: skip
def test_no_file_does_worse_than_a_bad_record(rubbish):
    """Any file that cannot be read gives one clear line, never a traceback."""
    data = rubbish if isinstance(rubbish, bytes) else rubbish.encode()
    for game in (None, FIVE):
        fault = ""
        try:
            from_sgf(data, game, lambda line: line).history()
        except BadRecord as error:
            fault = str(error)
        assert len(fault.splitlines()) <= 1


def test_a_file_looks_like_this():
    """Go viewers can open it, and a reader finds the game and its options in RU."""
    record = Record(
        LINAGE.configure("9x7", 2.5, {"edition": "2016"}),
        moves=(FIVE.board.at(0, 0), LINAGE.configure("9x7").board.at(8, 6), PASS),
        players=("Ann", "Bob [x]"),
        result="B+7",
        date="2024-12-31",
        comments={0: "hello", 2: "a \\ and a ]"},
    )
    assert to_sgf(record).replace("\n", "") == (
        f"(;FF[4]AP[linage-bot:{__version__}]C[hello]CA[UTF-8]DT[2024-12-31]GM[1]KM[2.5]PB[Ann]"
        "PW[Bob [x\\]]RE[B+7]RU[linage:line=3;button=off;edition=2016]SZ[9:7]"
        ";B[ag];C[a \\\\ and a \\]]W[ia];B[])"
    )


def test_a_hexagon_is_written_as_its_array_and_its_side():
    """A Gardar file says the array's size to viewers and the side to people."""
    text = to_sgf(Record(GARDAR.configure("9"), moves=(GARDAR.configure("9").board.point("A1"),)))
    assert "SZ[17]" in text
    assert "RU[gardar:side=9" in text
    assert ";B[aq]" in text


@pytest.mark.parametrize(
    ("written", "komi"), [("6,5", 6.5), ("-7,50", -7.5), ("−0.5", -0.5), (" 6.5 ", 6.5)]
)
def test_komi_is_read_as_people_write_it(written, komi):
    """Komi may have a decimal comma or a typeset minus."""
    assert read(f"(;SZ[5]RU[linage]KM[{written}])").game.komi == komi
    assert read(f"(;SZ[5]KM[{written}])", FIVE).game.komi == komi


@pytest.mark.parametrize(
    ("claim", "result", "same"),
    [("B+3,5", "B+3.5", True), ("B+3,5", "B+4.5", False), ("B+3,5", "W+3.5", False)],
)
def test_results_agree_whatever_their_decimal_sign(claim, result, same):
    """A decimal comma hides no dispute."""
    assert same_result(claim, result) is same


def test_games_without_komi_write_none():
    """KM appears only where the rules know komi."""
    assert "KM" not in to_sgf(Record(GAMES["leblin"].configure("7")))
    assert "KM[0.5]" in to_sgf(Record(FIVE))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_setup_stones_survive_the_file_and_stand_on_the_board(game):
    """gogui-setup stones and the side to move come back."""
    kind = GAMES[game].configure("5")
    setup = ((Player.SECOND, 2), (Player.FIRST, 4), (Player.FIRST, 1))
    record = Record(kind, setup=setup, to_move=Player.SECOND)
    again = from_sgf(to_sgf(record).encode())
    assert again == record
    start = again.history().position
    assert (start.first, start.second, start.to_move) == (1 << 4 | 1 << 1, 1 << 2, Player.SECOND)


def test_rectangles_of_setup_stones_are_read():
    """FF[4]'s short form for a block of stones, and AE to take some off."""
    frames = read("(;SZ[25]RU[leblin]AB[aa:yy]AW[bb:xx];AE[cc:ww])").setup
    assert [sum(who is player for who, _ in frames) for player in Player] == [96, 88]
    record = read("(;SZ[5]RU[linage]AB[aa:bb]AW[ee];AE[bb]PL[W])")
    board = record.game.board
    assert record.setup == (
        *((Player.FIRST, board.point(vertex)) for vertex in ("A4", "A5", "B5")),
        (Player.SECOND, board.point("E1")),
    )
    assert record.to_move is Player.SECOND


def test_white_begins_after_a_handicap():
    """Handicap files without PL are common."""
    record = read("(;SZ[9]KM[0.5]HA[2]AB[cc][gg];W[ee];B[ce])", FIVE)
    assert record.to_move is Player.SECOND
    assert [position.to_move for position in record.history().positions] == [1, 0, 1]


@pytest.mark.parametrize(
    ("size", "vertex", "expected"),
    [("19", "tt", "pass"), ("9", "tt", "pass"), ("20", "tt", "U1"), ("20", "", "pass")],
)
def test_tt_is_a_pass_up_to_19(size, vertex, expected):
    """Old files pass with tt, which is a point on larger boards."""
    record = read(f"(;SZ[{size}]RU[linage];B[{vertex}])")
    assert record.game.start().name_of(record.moves[0]) == expected


def test_a_go_file_is_read_as_the_game_that_is_set_up():
    """loadsgf of a foreign file takes its size and komi and keeps the game and its options."""
    mine = LINAGE.configure("13", 0.5, {"edition": "2016"})
    record = read("(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]PB[A];B[cc];W[])", mine)
    assert record.game == LINAGE.configure("9", 6.5, {"edition": "2016"})
    assert record.moves == (record.game.board.point("C7"), PASS)
    assert read("(;SZ[9])", mine).game == LINAGE.configure("9", 0.5, {"edition": "2016"})
    assert read("(;KM[])", mine).game.board.size == "19"


@pytest.mark.parametrize(
    ("opening", "count"),
    [("1 given move", 1), (" 2 given moves ", 2), ("9 given moves", 3), ("low Chinese", 0)],
)
def test_the_opening_s_name_may_say_how_many_moves_were_given(opening, count):
    """Our own words only, and never more than there are moves."""
    record = from_sgf(f"(;SZ[5]RU[linage]ON[{opening}];B[aa];W[bb];B[cc])".encode())
    assert record.given == count


@pytest.mark.parametrize(
    ("result", "loser", "written"),
    [
        ("B+R", Player.SECOND, "B+R"),
        ("w+Resign", Player.FIRST, "W+R"),
        (" W+T ", Player.FIRST, "W+T"),
        ("B+Time", Player.SECOND, "B+T"),
        ("B+Forfeit", Player.SECOND, "B+F"),
        ("B+7", None, None),
        ("B+", None, None),
        ("0", None, None),
        ("?", None, None),
        (None, None, None),
    ],
)
def test_a_result_tells_whether_a_player_gave_up(result, loser, written):
    """A result of SGF, short or long, names the player who gave up."""
    conceded = EarlyEnd.of(result)
    assert (conceded and conceded.loser) == loser
    assert (conceded and str(conceded)) == written


def test_only_the_main_line_is_read():
    """Variations are comments on the game, not part of it."""
    record = read("(;SZ[5]RU[linage];B[aa](;W[bb];B[cc])(;W[dd](;B[ee])))")
    assert [record.game.board.vertex(move) for move in record.moves] == ["A5", "B4", "C3"]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf(;SZ[5]RU[linage]PB[Luis Bola\xc3\xb1os];B[aa])",
        b"\xef\xbb\xbf(;CA[ISO-8859-1]SZ[5]RU[linage]PB[Luis Bola\xc3\xb1os];B[aa])",
        b"(;CA[ISO-8859-1]SZ[5]RU[linage]PB[Luis Bola\xf1os];B[aa])",
        b"(;SZ[5]RU[linage]PB[Luis Bola\xf1os];B[aa])",
        b"(;CA[no-such]SZ[5]RU[linage]PB[Luis Bola\xc3\xb1os];B[aa])",
        "(;SZ[5]RU[linage]PB[Luis Bolaños];B[aa])".encode("utf-16"),
        "A (mail)\r\n\r\n(\r\n;SZ[5]\r\nRU[linage]PB[Luis Bolaños]\r\n;B[aa]\r\n)\r\n".encode(),
        "(;GaMe[1]SiZe[5]RU[Linage]PB[Luis Bolaños];B[aa])(;SZ[7])".encode(),
    ],
)
def test_files_come_in_many_wrappings(data):
    """Byte order marks, charsets, CRLF, mail headers and second games do no harm."""
    record = from_sgf(data, warn=lambda line: line)
    assert record.game == FIVE
    assert record.players == ("Luis Bolaños", "")
    assert record.moves == (FIVE.board.point("A5"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "SGF: no SGF data found"),
        ("(;SZ[5]RU[linage];B[aa", "SGF: the file ends within a value: no ] closes it"),
        ("(;SZ[5]RU[linage];B[aa] ! ;W[bb])", "SGF: '! ;W[bb])' is not part of a game"),
        ("(;RU[chess:line=3])", "RU[chess:line=3]: unknown game; the games are linage, "),
        ("(;AP[linage-bot:9]RU[hex])", "RU[hex]: unknown game"),
        ("(;GM[2])", "GM[2]: is neither Go nor one of our games"),
        ("(;RU[linage:depth=3])", "RU[linage:depth=3]: depth: Linage has no such option"),
        ("(;RU[linage:line=9])", "RU[linage:line=9]: line: '9' is not one of its values: 2 to 5"),
        ("(;RU[linage:line])", "RU[linage:line]: 'line' is not a new option NAME=VALUE"),
        ("(;RU[linage:line=3;line=3])", "RU[linage:line=3;line=3]: 'line=3' is not a new option"),
        ("(;RU[linage]KM[3.75])", "KM[3.75]: 3.75 is not a multiple of 0.5"),
        ("(;RU[gardar]KM[1,5])", "KM[1,5]: 1.5 is not a multiple of 1"),
        ("(;RU[leblin]KM[6.5])", "KM[6.5]: Leblin has no komi"),
        ("(;RU[linage]KM[1,000])", "KM[1,000]: not a number of points"),
        ("(;RU[linage]KM[1e9])", "KM[1e9]: not a number of points"),
        ("(;RU[linage]KM[six])", "KM[six]: not a number of points"),
        ("(;RU[linage]SZ[26])", "SZ[26]: a 26x26 board does not exist"),
        ("(;RU[linage]SZ[9x7])", "SZ[9x7]: not a board size such as 13 or 9:7"),
        ("(;RU[gardar]SZ[8])", "SZ[8]: no hexagon has an array of 8x8"),
        ("(;RU[gardar:side=9]SZ[9])", "RU[gardar:side=9]: SZ describes a board of side 5"),
        ("(;RU[gardar]SZ[5];B[aa])", "move 1: [aa] is not a point of the side-3 board"),
        ("(;RU[linage]SZ[5];B[aa];W[ff])", "move 2: [ff] is not a point of the 5x5 board"),
        ("(;RU[linage]SZ[5];B[A1])", "move 1: [A1] is not a point of the 5x5 board"),
        ("(;RU[linage]SZ[5];B[aa];B[bb])", "move 2: black plays, but white is next"),
        ("(;RU[linage]SZ[5];W[aa])", "move 1: white plays, but black is next"),
        ("(;RU[linage]SZ[5];B[aa]W[bb])", "move 1: more than one move in a node"),
        ("(;RU[linage]SZ[5];B[aa];AB[bb])", "move 1: AB changes the board during play"),
        ("(;RU[linage]SZ[5]AB[zz])", "AB: [zz] is not a point of the 5x5 board"),
        ("(;RU[linage]SZ[5]PL[X])", "PL[X]: neither B nor W"),
    ],
)
def test_faults_are_named_in_one_line(text, message):
    """The error is one line with the fault and its place."""
    assert refused(text, LINAGE.configure("13") if "GM[2]" in text else None).startswith(message)


def test_a_foreign_file_needs_a_game():
    """A Go file is refused unless a game is given."""
    assert refused("(;GM[1]RU[AGA])").startswith("RU[AGA]: names none of our games (linage, ")
    assert refused("(;GM[1])").startswith("RU: names none of our games (linage, ")


def test_long_and_broken_values_do_not_spoil_the_message():
    """An error stays one short line."""
    message = refused("(;SZ[" + "9\n" * 100 + "])")
    assert len(message) < 130


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"(;RU[linage:{'x' * 10_000}])", "is not a new option NAME=VALUE"),
        (f"(;RU[linage:line={'x' * 10_000}])", "is not one of its values: 2 to 5"),
        (f"(;RU[linage:{'x' * 10_000}=1])", "Linage has no such option"),
    ],
)
def test_a_long_option_does_not_spoil_the_message_either(text, message):
    """A long option is quoted by its beginning only."""
    assert message in refused(text)
    assert len(refused(text)) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"(;C[{'x' * LONGEST_SGF}])", "SGF: longer than 4 MiB"),
        (f"(;{'C[]' * 1_000_000})", "SGF: more than 500000 nodes, properties and values"),
        (f"({';' * 1_000_000})", "SGF: more than 500000 nodes"),
        (f"(;{'(' * 1_000_000}", "SGF: more than 500000 nodes"),
        (f"(;{'[' * 1_000_000}", "SGF: the file ends within a value"),
    ],
    ids=["long", "values", "nodes", "variations", "brackets"],
)
def test_what_no_game_needs_is_refused_before_it_takes_memory(text, message):
    """A parser makes several objects of each node and value."""
    assert refused(text).startswith(message)


def test_comments_on_one_move_are_joined_in_their_order():
    """Some programs write several."""
    record = read("(;SZ[5]RU[linage]C[one]C[two];C[three];B[aa]C[four])")
    assert record.comments == {0: "one\ntwo\nthree", 1: "four"}


def test_an_illegal_move_is_named_with_its_reason():
    """The record says which move broke which rule."""
    record = read("(;RU[linage]SZ[5];B[aa];W[aa])")
    with pytest.raises(BadRecord, match=r"^move 2: white A5: there is a stone on this point$"):
        record.history()


def test_a_record_s_history_has_every_position():
    """The start and one position after each move, as playing by hand does."""
    record = read("(;RU[linage]SZ[5];B[aa];W[bb];B[])")
    by_hand = [FIVE.start()]
    for vertex in ("A5", "B4"):
        by_hand.append(by_hand[-1].play(FIVE.board.point(vertex)))
    by_hand.append(by_hand[-1].play(PASS))
    assert list(record.history().positions) == by_hand


def test_a_comment_on_a_move_that_was_not_made_is_refused():
    """A comment would otherwise be lost without a word."""
    with pytest.raises(BadRecord, match="comment on move 1: there are 0 moves"):
        to_sgf(Record(FIVE, comments={1: "?"}))
