"""Whole conversations: games to their end, input divided anywhere, and any lines."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from tests.examples import examples
from tests.linage_bot.gtp.conversation import Conversation


def play_to_the_end(client: Conversation) -> None:
    for ply in range(400):
        if not client.ok("gogui-rules_legal_moves"):
            return
        client.ok(f"genmove {'bw'[ply % 2]}")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("game", GAMES)
def test_after_the_end_of_every_game_genmove_passes_and_passes_are_accepted(game):
    """After the end of a game passes are accepted, the score stays, and undo removes them."""
    client = Conversation(game, size="3")
    client.ok("kata-set-param resignRate never")
    client.ok("kata-set-param maxVisits 10")
    play_to_the_end(client)
    end = client.ok("showboard"), client.ok("final_score")
    played = len(client.engine.record.moves)
    assert "game over" in end[0]
    passes = ["genmove b", "genmove w", "reg_genmove w", "play w pass", "play w pass", "genmove b"]
    assert [client.ok(line) for line in passes] == ["pass", "pass", "pass", "", "", "pass"]
    assert client.fails("play b A1").startswith("illegal move")
    assert (client.ok("showboard"), client.ok("final_score")) == end
    # Two passes of genmove, two played and one more: five that undo takes back first.
    client.ok("gg-undo 5")
    assert (client.ok("showboard"), client.ok("final_score")) == end
    client.ok("undo")
    assert client.ok("gogui-rules_legal_moves")
    client.ok(f"gg-undo {played - 1}")
    assert client.fails("undo").startswith("cannot undo")


# ------------------------------------------------------------------- the bytes cut anywhere

SCRIPT = (
    b"\n1 name\r\n# a comment\n2 boardsize 5\nclear_board\n\tkomi\t1.5\n3 play b C3 # here\n"
    b"4 genmove w\nshowboard\nplay w C3\n\xff\n5 play b I5\n\n6 kata-genmove_analyze b 1000\n"
    b"known_command play\nundo\nlinage-visits\n7 foo\nna\0me\n123456789012345678901234567890 name\n"
    b"reg_genmove b\nprintsgf\nlist_commands\nfinal_score\n8 gogui-rules_legal_moves"
)


def said(pieces: list[bytes]) -> bytes:
    client = Conversation()
    for piece in pieces:
        client.send(piece)
        client.settle()
    client.end()
    client.settle()
    assert client.session.closed
    return client.output


WHOLE = []


@settings(max_examples=examples(40))
@given(st.lists(st.integers(0, len(SCRIPT)), max_size=12))
def test_a_conversation_cut_into_any_pieces_has_the_same_replies(cuts):
    """The responses do not depend on how the network divides the bytes."""
    if not WHOLE:
        WHOLE.append(said([SCRIPT]))
    edges = [0, *sorted(cuts), len(SCRIPT)]
    pieces = [SCRIPT[start:end] for start, end in itertools.pairwise(edges)]
    assert said(pieces) == WHOLE[0]
    assert b"internal error" not in WHOLE[0]


def test_a_conversation_byte_by_byte_has_the_same_replies():
    """Input sent byte by byte gets the same responses as in one piece."""
    assert said([bytes([byte]) for byte in SCRIPT]) == said([SCRIPT])


# ------------------------------------------------------------------- any conversation

_vertices = st.one_of(
    st.builds("{}{}".format, st.sampled_from("ABCD"), st.integers(1, 4)),
    st.sampled_from(["pass", "PASS", "a1", "c2", "E5", "resign", "I5", "Z99", "tt", ""]),
)
_colours = st.sampled_from(["b", "w", "B", "white", "black", "x"])
_numbers = st.sampled_from(["0", "1", "2", "3", "5", "7", "-1", "0.5", "6.5", "1e9", "nan", "x"])
_lines = st.one_of(
    st.builds("play {} {}".format, _colours, _vertices),
    st.builds("genmove {}".format, _colours),
    st.builds("reg_genmove {}".format, _colours),
    st.builds("kata-genmove_analyze {} avoid b {} 1".format, _colours, _vertices),
    st.builds("boardsize {}".format, _numbers),
    st.builds("boardsize {} {}".format, _numbers, _numbers),
    st.builds("komi {}".format, _numbers),
    st.builds("gg-undo {}".format, _numbers),
    st.builds("time_settings {} {} {}".format, _numbers, _numbers, _numbers),
    st.builds("time_left {} {} {}".format, _colours, _numbers, _numbers),
    st.lists(st.tuples(_colours, _vertices), max_size=12).flatmap(
        lambda pairs: st.sampled_from(["set_position", "gogui-setup", "gogui-play_sequence"]).map(
            lambda name: " ".join([name, *(f"{colour} {vertex}" for colour, vertex in pairs)])
        )
    ),
    st.builds("gogui-setup_player {}".format, _colours),
    st.builds("linage-game {}".format, st.sampled_from([*GAMES, "chess"])),
    st.builds('kata-set-rules {{"line": {}}}'.format, _numbers),
    st.builds("kata-set-param {} {}".format, st.sampled_from(["seed", "threads"]), _numbers),
    st.sampled_from(
        (
            *("undo", "clear_board", "printsgf", "final_score", "linage-pv", "linage-win_rates"),
            *("gogui-rules_board", "gogui-rules_board_gfx", "gogui-rules_final_result", "stop"),
            *("linage-visits", "linage-legal", "linage-owners", "gogui-title", "clear_cache"),
            *("pie_kind", "pie_offer", "pie_choose 0.5", "pie_choose A1", "pie_choose nan"),
            *("gomill-explain_last_move", "cgos-genmove_analyze b", "showboard"),
        )
    ),
)


KNOWN_ERRORS = (
    *("syntax error", "illegal move", "invalid color or coordinate", "board not empty"),
    *("unacceptable size", "cannot undo", "cannot score", "invalid position"),
)


def check_agrees_with_the_rules(client: Conversation) -> None:
    """Check that GTP's view of the position agrees with the readable game of the record."""
    position = client.engine.record.history().position
    names = [position.name_of(move) for move in position.moves()]
    assert client.ok("gogui-rules_legal_moves").split() == names
    assert client.ok("gogui-rules_side_to_move") == position.to_move.colour
    assert client.ok("final_score") == str(position.result()) or not position.game.counts_points
    stones = client.ok("gogui-rules_board").replace("X", "O").count("O")
    assert stones == position.stones.bit_count()
    assert (PASS in position.moves()) == position.may_pass()


@settings(max_examples=examples(200))
@given(st.sampled_from([*GAMES]), st.lists(_lines, max_size=25))
def test_no_conversation_at_all_finds_an_internal_error(game, lines):
    """Any commands get a success or a known error, and the position agrees with the rules."""
    client = Conversation(game, size="4" if game != "gardar" else "2")
    client.ok("kata-set-param maxVisits 10")
    for line in lines:
        answer = client.ask(line)
        assert answer[:2] in ("= ", "? "), line
        assert "internal error" not in answer, line
        if answer.startswith("? "):
            assert answer[2:].startswith(KNOWN_ERRORS), line
    if client.engine.game.counts_points or client.engine.position.over:
        check_agrees_with_the_rules(client)


@settings(max_examples=examples(40))
@given(st.sampled_from([*GAMES]), st.data())
def test_a_played_game_is_at_every_move_what_the_rules_say(game, data):
    """Legal moves and the side to move agree with the rules, even after undo."""
    client = Conversation(game, size="5" if game != "gardar" else "3")
    position = client.engine.game.start()
    path = [position]
    for _ in range(data.draw(st.integers(0, 30))):
        if position.over:
            break
        if len(path) > 1 and data.draw(st.integers(0, 4)) == 0:
            client.ok("undo")
            path.pop()
        else:
            move = data.draw(st.sampled_from(position.moves()))
            client.ok(f"play {position.to_move.colour} {position.name_of(move)}")
            path.append(position.play(move))
        position = path[-1]
        names = [position.name_of(move) for move in position.moves()]
        assert client.ok("gogui-rules_legal_moves").split() == names
        assert client.ok("gogui-rules_side_to_move") == position.to_move.colour
