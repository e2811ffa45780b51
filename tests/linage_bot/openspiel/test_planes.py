"""The observations of a state, as planes and as text."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from linage_bot.openspiel.planes import PIE_PLANES, PLANES
from tests.linage_bot.openspiel.loading import EACH, after


def planes(state: pyspiel.State) -> np.ndarray:
    """The tensor in its shape."""
    shape = state.get_game().observation_tensor_shape()
    return np.array(state.observation_tensor(0)).reshape(shape)


def drawn(plane: np.ndarray) -> list[str]:
    """A plane as a diagram, the highest row first, as boards are."""
    return ["".join(".x"[int(each)] for each in row) for row in plane[::-1]]


def test_stones_and_what_may_be_played_stand_where_they_are_on_the_board() -> None:
    """Row 0 is row 1; a point's number is its place in the plane, and the action to play there."""
    state = pyspiel.load_game("python_linage_two_color(size=4,rows=3)").new_initial_state()
    after(state, "B1", "D3")
    seen = planes(state)
    assert seen.shape == (len(PLANES), 3, 4)
    assert drawn(seen[0]) == ["....", "....", ".x.."]
    assert drawn(seen[1]) == ["...x", "....", "...."]
    assert drawn(seen[2]) == ["xxx.", "xxxx", "x.xx"]
    assert np.flatnonzero(seen[3]).tolist() == [each for each in state.legal_actions() if each < 12]
    assert not seen[4:].any()


def test_stones_of_one_colour_are_one_plane() -> None:
    """The order and owner of stones do not matter, so the same board is the same tensor."""
    start = pyspiel.load_game("python_linage(size=5)").new_initial_state()
    one, other = after(start.clone(), "A1", "C3", "E5"), after(start, "E5", "C3", "A1")
    assert drawn(planes(one)[0]) == ["....x", ".....", "..x..", ".....", "x...."]
    assert not planes(one)[1].any()
    assert (planes(one) == planes(other)).all()
    assert str(one) == str(other)


def test_passes_and_the_turn_fill_planes() -> None:
    """Planes show the turn, whether a pass ends the game, and the owner of the half point."""
    state = pyspiel.load_game("python_linage(size=4,button=true)").new_initial_state()
    everywhere = []
    for move in ("A1", "pass", "pass", "pass"):
        after(state, move)
        seen = planes(state)[4:]
        assert (seen == seen[:, :1, :1]).all()
        everywhere.append([int(plane[0, 0]) for plane in seen])
    # Second to move, pass ends, First's, Second's half point
    assert everywhere == [[1, 0, 0, 0], [0, 0, 0, 1], [1, 1, 0, 1], [0, 0, 0, 1]]
    gardar = after(pyspiel.load_game("python_gardar(size=3)").new_initial_state(), "pass")
    assert planes(gardar)[4:, 0, 0].tolist() == [1, 1, 1, 0]


def test_the_corners_that_a_hexagon_lacks_are_no_points() -> None:
    """Missing corners of a hexagon are neither empty nor occupied, and have no action."""
    state = pyspiel.load_game("python_gardar(size=3)").new_initial_state()
    assert drawn(planes(state)[2]) == ["..xxx", ".xxxx", "xxxxx", "xxxx.", "xxx.."]
    assert state.legal_actions() == [*np.flatnonzero(planes(state)[3]), 25]


def test_a_pie_has_planes_of_its_own() -> None:
    """Planes show the pie's stage, the First player, and the offered komi."""
    state = pyspiel.load_game("python_linage(size=5,pie=true,komi=0.0)").new_initial_state()
    seen = [planes(state)[8:, 0, 0].tolist()]
    for action in ("komi 5", "take Vertical"):
        seen.append(planes(after(state, action))[8:, 0, 0].round(3).tolist())
    assert seen == [[1, 0, 0, 0], [0, 1, 0, 0.2], [0, 0, 1, 0.2]]
    assert len(seen[0]) == len(PIE_PLANES)


@pytest.mark.parametrize("text", EACH)
def test_both_ways_to_observe_show_the_same(text: str) -> None:
    """OpenSpiel's observation and the state's own tensor and text agree, for both players."""
    game = pyspiel.load_game(text)
    state, observation = game.new_initial_state(), make_observation(game)
    while not state.is_terminal() and len(state.history()) < 6:
        state.apply_action(state.legal_actions()[0])
    for player in range(2):
        observation.set_from(state, player)
        assert observation.tensor.tolist() == state.observation_tensor(player)
        assert observation.string_from(state, player) == str(state)


def test_an_observation_has_no_parameters() -> None:
    """Unknown parameters raise an error."""
    game = pyspiel.load_game("python_leblin(size=4)")
    with pytest.raises(ValueError, match="take no parameters"):
        make_observation(game, params={"colour": "red"})


@pytest.mark.parametrize(
    "text",
    ["python_linage(size=3)", "python_leblin(size=3)", "python_gardar(size=2)"],
)
def test_equal_texts_are_equal_states(text: str) -> None:
    """Algorithms that keep states by their texts confuse none, and need not keep one twice."""
    states = [pyspiel.load_game(text).new_initial_state()]
    for _ in range(4):
        states = [state.child(action) for state in states for action in state.legal_actions()]
        found: dict[str, pyspiel.State] = {}
        for state in states:
            same = found.setdefault(str(state), state)
            assert same.stage.position == state.stage.position or "linage" in text
            assert same.legal_actions() == state.legal_actions()
            assert same.returns() == state.returns()
        sequences, states = len(states), list(found.values())
    assert (len(states) < sequences) is ("gardar" not in text)


def test_the_text_tells_what_is_not_on_the_board() -> None:
    """The text shows the turn, the passes and the result."""
    state = pyspiel.load_game("python_linage(size=3,button=true)").new_initial_state()
    after(state, "pass", "pass")
    assert str(state).splitlines() == [
        "  3 . . .",
        "  2 . . .",
        "  1 . . .",
        "    A B C",
        "",
        "to move: Vertical",
        "passes: 1",
        "button taker: Vertical",
    ]
    assert "over: 0" in str(after(state, "pass"))
