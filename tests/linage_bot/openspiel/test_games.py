"""The games as OpenSpiel loads and plays them: the same games that the rules know."""

import copy
import json
import pickle
import random
import subprocess
import sys

import pyspiel
import pytest

from linage_bot import GAMES, PASS, BadOption, IllegalMove, Player
from tests.linage_bot.openspiel.loading import EACH, LOADED, after, history, loaded
from tests.linage_bot.rules.test_every_game import PERFT, VARIANTS, conformance_lines


def counted(state: pyspiel.State, depth: int) -> int:
    """Return the number of action sequences of length `depth`, by OpenSpiel's children."""
    if depth == 1:
        return len(state.legal_actions())
    return sum(counted(state.child(action), depth - 1) for action in state.legal_actions())


def test_every_game_is_there() -> None:
    """All games are registered by their documented names."""
    assert {"python_linage", "python_linage_two_color", "python_linage_parity"} <= set(
        pyspiel.registered_names()
    )
    assert {"python_leblin", "python_gardar"} <= set(pyspiel.registered_names())
    assert set(LOADED) == set(GAMES)


@pytest.mark.parametrize("id_", GAMES)
def test_as_many_sequences_of_moves(id_: str) -> None:
    """Perft by OpenSpiel's children is that of the rules."""
    for size, counts in PERFT[id_]:
        depth = 3 if counts[2] < 7000 else 2
        state = loaded(id_, {"size": size}).new_initial_state()
        assert [counted(state, each) for each in range(1, depth + 1)] == counts[:depth]


@pytest.mark.parametrize(("id_", "line"), conformance_lines())
def test_published_positions(id_: str, line: str) -> None:
    """Each recorded game leads to the recorded turn, legal actions and winner."""
    expected = json.loads(line)
    state = after(loaded(id_, expected["options"]).new_initial_state(), *expected["moves"])
    legal = {state.action_to_string(action) for action in state.legal_actions()} - {"pass"}
    assert legal == set(expected["legal"])
    assert state.is_terminal() is expected["over"]
    if not state.is_terminal():
        assert state.current_player() == "bw".index(expected["to_move"])
        assert state.returns() == [0, 0]
        return
    winner = expected.get("winner")
    if "scores" in expected:
        first, second = expected["scores"]
        winner = "b" if first > second else "w" if second > first else None
    assert state.returns() == {"b": [1, -1], "w": [-1, 1], None: [0, 0]}[winner]


@pytest.mark.parametrize("id_", GAMES)
def test_every_option_is_a_parameter(id_: str) -> None:
    """Sizes, komi and options mean the same as on the command line, and are written back."""
    for words in VARIANTS[id_]:
        game = loaded(id_, words)
        rest = {name: word for name, word in words.items() if name not in ("size", "komi")}
        komi = float(words["komi"]) if "komi" in words else None
        assert history(game.new_initial_state()).game == GAMES[id_].configure(
            words["size"], komi, rest
        )
        again = pyspiel.load_game(str(game))
        assert history(again.new_initial_state()).game == history(game.new_initial_state()).game
    parameters = pyspiel.load_game(LOADED[id_][0]).get_type().parameter_specification
    assert set(parameters) >= {"size", *GAMES[id_].options()}
    assert ("komi" in parameters) is (GAMES[id_].komi_step is not None)
    assert ("pie" in parameters) is (GAMES[id_].pie != "none")


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        ("python_linage(size=2)", BadOption, "size: a 2x2 board does not exist"),
        ("python_linage(komi=0.3)", BadOption, "komi: 0.3 is not a multiple of 0.5"),
        ("python_linage(size=4,line=5)", BadOption, "line: no line of 5 fits"),
        ("python_linage(edition=early)", BadOption, "edition: 'early' is not one of its values"),
        ("python_linage(edition=2016)", pyspiel.SpielError, "Wrong type for parameter edition"),
        ("python_leblin(komi=1)", pyspiel.SpielError, "Unknown parameter 'komi'"),
    ],
)
def test_what_is_no_game_is_refused(text: str, kind: type[Exception], reason: str) -> None:
    """The message names the parameter."""
    with pytest.raises(kind, match=reason):
        pyspiel.load_game(text)


@pytest.mark.parametrize("text", EACH)
def test_states_can_be_copied_and_sent(text: str) -> None:
    """Copied, pickled and deserialised states continue like the original and do not affect it."""
    state = pyspiel.load_game(text).new_initial_state()
    while not state.is_terminal() and len(state.history()) < 9:
        actions = state.legal_actions()
        state.apply_action(actions[len(state.history()) * 7 % len(actions)])
    before = str(state)
    other = state.clone()
    assert other.stage is state.stage
    copies = [pickle.loads(pickle.dumps(state)), copy.deepcopy(state)]
    copies.append(
        pyspiel.deserialize_game_and_state(
            pyspiel.serialize_game_and_state(state.get_game(), state)
        )[1]
    )
    for each in copies:
        assert str(each) == before
        assert each.history() == state.history()
        assert each.legal_actions() == state.legal_actions()
        assert each.stage.history == tuple(state.history())
    if not state.is_terminal():
        other.apply_action(other.legal_actions()[-1])
        assert str(other) != before
    assert str(state) == before
    if not state.is_terminal():
        kept = state.clone()
        state.apply_action(state.legal_actions()[-1])
        assert str(kept) == before
        assert kept.legal_actions() == copies[0].legal_actions()


@pytest.mark.parametrize("text", EACH)
def test_random_games_agree_with_the_readable_rules(text: str) -> None:
    """Turns, legal actions, ends and results are those of the history that a state has."""
    state, chance = pyspiel.load_game(text).new_initial_state(), random.Random(1)
    _, rows, columns = state.get_game().observation_tensor_shape()
    passing = rows * columns
    while not state.is_terminal():
        position = history(state).position
        if len(state.history()) > 2:  # a pie is over
            moves = [passing if move == PASS else move for move in position.moves()]
            assert state.legal_actions() == moves
            assert not position.over
        state.apply_action(chance.choice(state.legal_actions()))
    position = history(state).position
    assert position.over
    first = 2 * position.result().win_rate_of(Player.FIRST) - 1
    assert sorted(state.returns()) == sorted([first, -first])


def test_another_process_can_read_a_state(tmp_path) -> None:
    """Another process can unpickle a state without imports of its own."""
    game = pyspiel.load_game("python_gardar(size=3)")
    state = after(game.new_initial_state(), "C3", "pass", "B2")
    file = tmp_path / "state"
    file.write_bytes(pickle.dumps((game, state)))
    code = f"import pickle; print(pickle.load(open({str(file)!r}, 'rb'))[1])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip("\n") == str(state)


def test_what_is_illegal_changes_nothing() -> None:
    """An illegal action raises an error with the rule's name and leaves the state unchanged."""
    state = after(pyspiel.load_game("python_linage(size=5)").new_initial_state(), "C3")
    before = str(state)
    for action, reason in [
        (12, "C3: there is a stone on this point"),
        (26, "26: this action is not legal at this stage"),
        (99, "99: this action is not legal at this stage"),
    ]:
        with pytest.raises(IllegalMove, match=reason):
            state.apply_action(action)
    assert str(state) == before
    assert state.history() == [12]


def test_in_a_pie_the_other_player_chooses_sides() -> None:
    """After the pie, turns and returns follow the players, not the colours."""
    game = pyspiel.load_game("python_linage(size=5,pie=true)")
    state = game.new_initial_state()
    assert state.current_player() == 0
    words = [state.action_to_string(action) for action in state.legal_actions()]
    assert (words[0], words[-1], len(words)) == ("komi -25", "komi 25", 101)
    after(state, "komi 7.5")
    assert state.current_player() == 1
    assert [state.action_to_string(each) for each in state.legal_actions()] == [
        "take Vertical",
        "take Horizontal",
    ]
    changed, kept = after(state.clone(), "take Vertical"), after(state, "take Horizontal")
    assert (changed.current_player(), kept.current_player()) == (1, 0)
    assert history(kept).game.komi == 7.5
    assert after(changed, "pass", "pass").returns() == [1, -1]  # Horizontal, by komi
    assert after(kept, "pass", "pass").returns() == [-1, 1]


def test_a_first_stone_is_offered_where_there_is_no_komi() -> None:
    """Leblin's pie: a stone, a choice of sides, and White moves."""
    state = pyspiel.load_game("python_leblin(size=5,pie=true)").new_initial_state()
    after(state, "C3")
    assert state.current_player() == 1
    after(state, "take Black")
    assert history(state).position.to_move is Player.SECOND
    assert state.current_player() == 0
    assert len(state.legal_actions()) == 24


def test_a_game_without_pie_has_no_such_parameter() -> None:
    """Parity Linage's players know no komi and no first stone to offer."""
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'pie'"):
        pyspiel.load_game("python_linage_parity(pie=true)")


def test_no_game_goes_on_for_ever() -> None:
    """A game of Gardar ends at the maximal length and is scored on the current board."""
    game, chance = pyspiel.load_game("python_gardar(size=2,komi=1)"), random.Random(3)
    state = game.new_initial_state()
    while not state.is_terminal():  # pass only if there is no placement
        actions = state.legal_actions()
        state.apply_action(chance.choice(actions[:-1] or actions))
    assert len(state.history()) == game.max_game_length() == 141
    position = history(state).position
    assert not position.over
    first, second = position.scores()
    assert state.returns() == ([1, -1] if first > second else [-1, 1])


def test_a_missing_package_is_named_with_what_installs_it() -> None:
    """The error is one line with a command; the library itself works without pyspiel."""
    code = (
        "import sys; sys.modules['pyspiel'] = None; import linage_bot; import linage_bot.openspiel"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    said = done.stderr.splitlines()[-1]
    assert said.startswith("ModuleNotFoundError: linage_bot.openspiel needs pyspiel: ")
    assert said.endswith('pip install "linage-bot[openspiel]"')


def test_leaving_is_silent() -> None:
    """A program that has played ends with status 0; OpenSpiel frees games after Python's end."""
    code = (
        "import pyspiel, linage_bot.openspiel\n"
        "state = pyspiel.load_game('python_linage(size=4)').new_initial_state()\n"
        "state.apply_action(0); state.observation_tensor(0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
