"""SGF with variations: read and written without loss, as sgfmill sees it."""

import itertools

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.records.grammar import sgf_grammar
from linage_bot.records.reading import from_sgf, study_from_sgf
from linage_bot.records.record import BadRecord, Record
from linage_bot.records.study import Study
from linage_bot.records.tree import MoveTree, Node
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player
from tests.examples import examples
from tests.linage_bot.records.test_records import PARAGRAPHS, records

FILE = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[5]RU[linage]KM[0.5]PB[Ann]PW[Bob]RE[B+R]GN[a \\] name]C[start]"
    ";B[cc]C[one]LB[aa:x][bb:y];C[a note];W[aa](;B[ee]BL[12.5];W[])(;C[alt];B[dd](;W[bb])"
    "(;W[be]N[x]))(;B[]))"
)


@st.composite
def studies(draw):
    """A game with moves, comments and properties of others anywhere."""
    facts = draw(records())
    positions, nodes = [facts.game.start()], [Node(comment=draw(PARAGRAPHS))]
    points = [PASS, *itertools.islice(bits(facts.game.board.points), 5)]
    for count in range(draw(st.integers(0, 12))):
        parent = draw(st.integers(0, count))
        position = positions[parent]
        legal = [each for each in points if position.why_illegal(each) is None]
        move = draw(st.sampled_from([None, *legal]))
        positions.append(position if move is None else position.play(move))
        nodes.append(
            Node(
                move=move,
                parent=parent,
                comment=draw(PARAGRAPHS.filter(bool) if move is None else PARAGRAPHS),
                foreign=draw(
                    st.sampled_from([(), (("LB", (b"aa:x", b"bb:\\]")),), (("N", (b"n",)),)])
                ),
            )
        )
    tree = MoveTree.of(nodes)
    given = min(facts.given, len(tree.moves(tree.line())))
    return Study(attrs.evolve(Study.of(facts).facts, given=given), tree)


def outline(text: str) -> list[tuple[int, dict[str, list[bytes]]]]:
    """Return a file's nodes and their numbers of children, as sgfmill reads them."""
    found, waiting = [], [sgf_grammar.parse_sgf_game(text.encode())]
    while waiting:
        tree = waiting.pop()
        for node in tree.sequence[:-1]:
            found.append((1, node))
        found.append((len(tree.children), tree.sequence[-1]))
        waiting += reversed(tree.children)
    return found


@settings(max_examples=examples(100), deadline=None)
@given(studies())
def test_a_study_survives_the_file(study):
    """No move, variation, comment or property of others is lost, nor is their order."""
    text = to_sgf(study).encode()
    again = study_from_sgf(text)
    assert again == study
    assert again.record == study.record == from_sgf(text)


@settings(max_examples=examples(100), deadline=None)
@given(studies())
def test_sgfmill_finds_in_the_file_what_is_in_the_study(study):
    """Moves, comments and where lines part."""
    own = {"FF", "GM", "CA", "AP", "SZ", "RU", "KM", "PB", "PW", "RE", "DT", "EV", "RO", "ON"}
    told = outline(to_sgf(study))
    for (children, raw), (_, node) in zip(told, study.tree.walk(), strict=True):
        assert children == len(node.children)
        assert bool(raw.get("B") or raw.get("W")) is (node.move is not None)
        assert ("C" in raw) is bool(node.comment)
        foreign = {name: raw[name] for name in raw if name not in own | {"B", "W", "C", "PL"}}
        assert foreign == {name: list(values) for name, values in node.foreign}


def test_a_file_is_saved_as_it_was_read():
    """All it says is there again; of ourselves we only say who wrote it."""
    before, after = outline(FILE), outline(to_sgf(study_from_sgf(FILE.encode())))
    assert after[0][1].pop("AP")[0].startswith(b"linage-bot")
    assert after[0][1].pop("RU") == [b"linage:line=3;button=off;edition=current"]
    assert before[0][1].pop("RU") == [b"linage"]
    assert after == before


def test_what_is_said_before_a_move_is_said_there():
    """A comment before a move stays there, as another variation may depend on it."""
    study = study_from_sgf(FILE.encode())
    told = {at: node.comment for at, node in study.tree.walk() if node.comment}
    assert told == {0: "start", 1: "one", 2: "a note", 6: "alt"}
    assert study.tree[6].move is None
    assert from_sgf(FILE.encode()).comments == {0: "start", 1: "one\na note"}


def test_stones_may_be_set_up_in_a_node_of_their_own():
    """Set-up stones before the first move are moved to the root."""
    study = study_from_sgf(b"(;SZ[5]RU[linage];AB[aa]PL[W];C[now](;W[bb])(;W[cc]))")
    assert (study.facts.setup, study.facts.to_move) == (((Player.FIRST, 20),), Player.SECOND)
    assert [node.comment for _, node in study.tree.walk()] == ["", "now", "", ""]
    assert study_from_sgf(to_sgf(study).encode()) == study


@pytest.mark.parametrize(
    "rest",
    [
        "(;AB[aa];W[ee];B[cc])",
        "(;AB[aa](;W[ee](;B[cc])))",
        "(;C[so](;AB[aa]C[it]PL[W];W[ee];B[cc]))",
        "(;AW[aa](;AE[aa](;AB[aa](;W[ee];B[cc]))))",
    ],
)
def test_stones_may_be_set_up_behind_a_bracket(rest):
    """All readers take it: those of the main line, and those of the whole tree."""
    text = f"(;SZ[9]RU[linage]{rest})"
    study, record = study_from_sgf(text), from_sgf(text)
    assert study.record == record
    assert (len(record.setup), record.to_move, len(record.moves)) == (1, Player.SECOND, 2)
    assert study_from_sgf(to_sgf(study)) == study


@pytest.mark.parametrize("other", [";W[ff]", ";B[ff]", ";AB[bb];W[ff]", ";C[before];W[ff];B[bb]"])
def test_a_variation_that_parts_before_the_set_up_is_closed(other):
    """A variation from another set-up is closed, and the saved file describes its board."""
    text = f"(;SZ[9]RU[linage]AW[cc](;AB[aa]AW[dd]AE[cc];W[ee];B[cc])({other}))"
    study = study_from_sgf(text)
    (closed,) = (node.closed for _, node in study.tree.walk() if node.closed)
    assert closed.reason == "move 1 of a variation: begins on another board than the main line"
    assert study.record == from_sgf(text)
    for _ in range(2):
        saved = to_sgf(study)
        assert f"(;AE[dd][aa]AW[cc]{other})" in saved.replace("\n", "")
        study = study_from_sgf(saved)
        assert study.record == from_sgf(text)


NODES = ["B[aa]", "W[ee]", "B[cc]", "W[dd]", "AB[bb]", "AW[bb]", "AE[bb]", "PL[W]", "C[x]", ""]
LINES_OF_PLAY = st.recursive(
    st.lists(st.sampled_from(NODES).map(";".__add__), min_size=1, max_size=3).map("".join),
    lambda below: st.tuples(
        st.lists(st.sampled_from(NODES).map(";".__add__), min_size=1, max_size=3).map("".join),
        st.lists(below.map("({})".format), min_size=1, max_size=3).map("".join),
    ).map("".join),
    max_leaves=4,
)


@settings(max_examples=100, deadline=None)
@given(LINES_OF_PLAY)
def test_a_game_is_read_alike_whether_its_variations_are_wanted_or_not(line):
    """The page and `loadsgf` open the same files, and refuse the others."""
    text = f"(;SZ[5]RU[linage]{line})"
    found = []
    for read in (lambda: study_from_sgf(text).record, lambda: from_sgf(text)):
        try:
            record = read()
            record.history()
            found.append(record)
        except BadRecord:
            found.append(None)
    assert found[0] == found[1]
    if found[0] is not None:
        saved = to_sgf(study_from_sgf(text))
        assert to_sgf(study_from_sgf(saved)) == saved
        assert from_sgf(saved) == found[0]


def test_a_root_may_have_a_move():
    """A root with a move gets a node of its own for it."""
    study = study_from_sgf(b"(;SZ[5]RU[linage]GN[x]B[aa]C[first];W[bb])")
    assert [(node.move, node.comment) for _, node in study.tree.walk()] == [
        (None, ""),
        (20, "first"),
        (16, ""),
    ]
    assert study.tree[0].foreign == (("GN", (b"x",)),)


def test_the_opening_is_named_as_it_was_unless_it_is_ours():
    """`ON` may be a person's word."""
    ours, theirs = (f"(;SZ[5]RU[linage]ON[{name}];B[aa])" for name in ("1 given move", "corner"))
    assert (
        study_from_sgf(ours.encode()).facts.given,
        to_sgf(study_from_sgf(ours.encode())).count("ON["),
    ) == (1, 1)
    assert "ON[corner]" in to_sgf(study_from_sgf(theirs.encode()))


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ("(;B[aa])(;W[aa])", "move 1 of a variation: white plays, but black is next"),
        (";B[aa](;W[bb])(;W[zz])", "move 2 of a variation: [zz] is not a point of the 5x5 board"),
        (";B[aa](;W[bb])(;AB[cc])", "move 1 of a variation: AB changes the board during play"),
        ("(;B[aa])(;AB[cc];B[bb])", "move 0 of a variation: AB changes the board during play"),
        ("(;B[aa])(;B[bb]W[cc])", "move 1 of a variation: more than one move in a node"),
        (
            ";B[aa](;W[bb])(;W[aa])",
            "move 2 of a variation: white A5: there is a stone on this point",
        ),
    ],
)
def test_a_variation_that_cannot_be_played_is_closed_and_kept(moves, message):
    """The variation keeps its text and gets the reason; the main line is read without errors."""
    text = f"(;SZ[5]RU[linage]{moves})"
    study = study_from_sgf(text.encode())
    (closed,) = (node for _, node in study.tree.walk() if node.closed)
    assert closed.closed.reason == message
    assert study.positions()
    assert study_from_sgf(to_sgf(study).encode()) == study
    (before, *rest), (after, *kept) = outline(text), outline(to_sgf(study))
    assert (kept, after[0]) == (rest, before[0])
    assert from_sgf(text.encode()).moves


def test_what_follows_in_a_closed_variation_is_kept_too():
    """Moves in a closed variation are kept, and other variations stay open."""
    text = "(;SZ[5]RU[linage];B[aa](;W[bb])(;W[cc];B[cc]N[no](;W[dd])(;B[ee]C[deep]))(;W[]))"
    study = study_from_sgf(text.encode())
    open_moves = [node.move for _, node in study.tree.walk() if not node.closed]
    assert open_moves == [None, 20, 16, 12, -1]
    assert outline(to_sgf(study))[1:] == outline(text)[1:]


def test_the_main_line_must_be_playable():
    """Otherwise the file is refused."""
    with pytest.raises(BadRecord, match=r"^move 2: white A5: there is a stone on this point$"):
        study_from_sgf(b"(;SZ[5]RU[linage];B[aa];W[aa])")


@pytest.mark.thorough
def test_a_file_may_have_very_many_variations():
    """A file may have very many variations, and any depth."""
    for text in ("(;C[deep]" * 5000 + ")" * 5000, "(;B[aa])" * 5000):
        study = study_from_sgf(f"(;SZ[5]RU[linage]{text})".encode())
        assert len(study.tree) == 5001
        assert study_from_sgf(to_sgf(study).encode()) == study


def test_positions_are_those_of_the_lines():
    """Every place has the one that playing by hand leads to; a note has that before it."""
    study = study_from_sgf(FILE.encode())
    positions, tree = study.positions(), study.tree
    for at, node in tree.walk():
        line = Record.of(study.facts.history(), comments={}).history()
        for move in tree.moves(tree.path(at)):
            line = line.play(move)
        assert positions[at] == line.position
        if node.parent is not None and node.move is None:
            assert positions[at] is positions[node.parent]
    assert study.facts.game == GAMES["linage"].configure("5", 0.5)
