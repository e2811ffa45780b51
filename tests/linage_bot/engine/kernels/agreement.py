"""Play a game's readable and compiled form side by side, for the kernel tests of all games.

agree(Linage, seed=1, games=40)          # random games over random boards and options
replay_published(Linage)                 # the recorded games of tests/conformance
check_playouts(Linage.configure("9"))    # same seed, same score lead; copies are independent
check_uniform(Linage.configure("3"), seed=1, playouts=10_000)  # against exact probabilities
"""

import json
import math
import random
from pathlib import Path

import numpy as np

from linage_bot.engine.kernels import load
from linage_bot.engine.kernels.contract import MOST_MOVES, Kernel, States, new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.boards import SquareBoard, bits
from linage_bot.rules.game import PASS, Game, Player, Position
from linage_bot.rules.history import History
from linage_bot.rules.options import BadOption

CONFORMANCE = Path(__file__).parents[3] / "conformance"
_BIG_BOARDS = ("25x3", "3x25", "13x11", "19")


def agree(
    game_class: type[Game], seed: int, games: int, sizes: tuple[str, ...] = (), longest: int = 2000
) -> None:
    """Play random games of up to `longest` moves and compare the two forms on the way.

    Boards are drawn from `sizes`, or at random; options always at random.
    """
    chance = random.Random(seed)
    for _ in range(games):
        game = random_game(game_class, chance, sizes)
        _play_both(game, chance, longest)


def agree_on(game: Game, seed: int, games: int) -> None:
    """Do the same as `agree` on one board with one set of options."""
    chance = random.Random(seed)
    for _ in range(games):
        _play_both(game, chance, longest=2000)


def random_game(game_class: type[Game], chance: random.Random, sizes: tuple[str, ...] = ()) -> Game:
    """Return the game on a random board with random komi and options."""
    while True:
        size = chance.choice(sizes) if sizes else _random_size(game_class, chance)
        step = game_class.komi_step
        komi = 0 if step is None else chance.randint(-9, 9) * step
        options = {}
        for name, option in game_class.options().items():
            if isinstance(option.default, bool):
                options[name] = chance.choice(("on", "off"))
            elif option.choices:
                options[name] = chance.choice(option.choices)
            else:
                most = min(option.maximum, option.minimum + chance.choice((0, 3, 3, 3, 30)))
                options[name] = str(chance.randint(option.minimum, most))
        try:
            return game_class.configure(size, komi, options)
        except BadOption:  # not on this board: draw again
            continue


def _random_size(game_class: type[Game], chance: random.Random) -> str:
    if game_class.board_kind is not SquareBoard:
        return str(chance.randint(2, 5))
    if chance.random() < 0.02:
        return chance.choice(_BIG_BOARDS)
    return f"{chance.randint(3, 9)}x{chance.randint(3, 9)}"


def _play_both(game: Game, chance: random.Random, longest: int) -> None:
    """Play one random game and compare half of its positions, and every final one.

    Second begins a quarter of the games, as after a set-up.
    """
    begins = Player.SECOND if chance.random() < 0.25 else Player.FIRST
    kernel, position = load(game), History(game, begins=begins).position
    states = kernel.encode(position)
    passing = chance.choice((0.0, 0.03, 0.1))
    for ply in range(longest + 1):
        moves = position.moves()
        # A kernel may find things out when asked, so it must also do without being asked.
        if chance.random() < 0.5 or not moves or ply == longest:
            compare(kernel, states, position)
        if chance.random() < 0.1:
            compare(kernel, kernel.encode(position), position)
        if not moves or ply == longest:
            return
        placements = moves[:-1] if moves[-1] == PASS else moves
        wants_pass = not placements or (chance.random() < passing and moves[-1] == PASS)
        move = PASS if wants_pass else chance.choice(placements)
        kernel.play(states[0], move)
        position = position.after(move)


def compare(kernel: Kernel, states: States, position: Position) -> None:
    """Check the state's moves, score lead and hash data against the position, in any order."""
    expected = score_lead_of(position)
    assert kernel.score_lead(states[0]) == expected, position
    assert moves_of(kernel, states) == position.moves(), position
    assert kernel.score_lead(states[0]) == expected, position
    found, word = hash_data_of(kernel, states, position)
    assert found == stones_of(position), position
    assert (found, word) == hash_data_of(kernel, kernel.encode(position), position), position


def moves_of(kernel: Kernel, states: States) -> tuple[int, ...]:
    """Return the legal moves of the first state."""
    moves = np.empty(MOST_MOVES, np.int64)
    return tuple(int(move) for move in moves[: kernel.legal(states[0], moves)])


def hash_data_of(kernel: Kernel, states: States, position: Position) -> tuple[tuple[int, ...], int]:
    """Return the first state's value for each point of the board, and its remaining hash word."""
    board = position.game.board
    points = np.empty(board.columns * board.rows, np.int64)
    word = kernel.hash_data(states[0], points)
    return tuple(points.tolist()), int(word)


def score_lead_of(position: Position) -> int:
    """Return the score lead as kernels count it: half points, or 1, -1 and 0 for a winner."""
    scores = position.scores()
    if scores is not None:
        return round(2 * (scores[0] - scores[1]))
    winner = position.result().winner
    if winner is None:
        return 0
    return 1 if winner is Player.FIRST else -1


def stones_of(position: Position) -> tuple[int, ...]:
    """Return the stones as kernels report them: stones without a colour are First's.

    In Parity Linage, where only regions count, no stones are reported.
    """
    board, second = position.game.board, 1 if position.game.one_colour else 2
    tells = position.game.id != "linage-parity"
    return tuple(
        tells * ((position.first >> point & 1) + second * (position.second >> point & 1))
        for point in range(board.columns * board.rows)
    )


def copy_of(kernel: Kernel, states: States) -> States:
    """Return an array of one state, copied as the search does it."""
    copies = np.zeros(1, kernel.dtype)
    kernel.copy(copies[0], states[0])
    return copies


def score_leads(kernel: Kernel, states: States, seed: int, playouts: int) -> list[int]:
    """Return the score leads of some playouts from a state, which stays unchanged."""
    word, scratch, found = generator(seed), np.zeros(1, kernel.dtype), []
    for _ in range(playouts):
        kernel.copy(scratch[0], states[0])
        found.append(kernel.playout(scratch[0], word, new_trail()))
    return found


def check_playouts(game: Game, playouts: int = 50) -> None:
    """Check that playouts depend on the seed alone and change only their own copy."""
    kernel, position = load(game), game.start()
    states = kernel.encode(position)
    for move in position.moves()[:2]:
        kernel.play(states[0], move)
        position = position.after(move)
        first = score_leads(kernel, states, 7, playouts)
        assert score_leads(kernel, states, 7, playouts) == first
        assert score_leads(kernel, states, 8, playouts) != first
        compare(kernel, states, position)
        compare(kernel, copy_of(kernel, states), position)


def uniform_score_leads(game: Game) -> dict[int, float]:
    """Return the exact probability of each score lead after uniform placements to the end.

    For tiny boards: all positions are visited once.
    """
    layer = {_key(game.start()): (game.start(), 1.0)}
    ends: dict[int, float] = {}
    while layer:
        following: dict[object, tuple[Position, float]] = {}
        for position, probability in layer.values():
            placements = tuple(bits(position.placements()))
            if not placements:
                # The first to find none passes, which may be worth something.
                score_lead = score_lead_of(
                    position.after(PASS) if position.may_pass() else position
                )
                ends[score_lead] = ends.get(score_lead, 0.0) + probability
            for move in placements:
                after = position.after(move)
                before = following.get(_key(after), (after, 0.0))[1]
                following[_key(after)] = after, before + probability / len(placements)
        layer = following
    return ends


def _key(position: Position) -> object:
    """Return the stones, on which the remainder of such a playout depends."""
    return position.stones if position.game.one_colour else (position.first, position.second)


def check_uniform(game: Game, seed: int, playouts: int) -> None:
    """Check that playouts end at each score lead with its probability, within five deviations."""
    exact, kernel = uniform_score_leads(game), load(game)
    found = score_leads(kernel, kernel.encode(game.start()), seed, playouts)
    assert set(found) <= set(exact)
    for score_lead, probability in exact.items():
        deviation = math.sqrt(probability * (1 - probability) / playouts)
        assert abs(found.count(score_lead) / playouts - probability) <= 5 * deviation + 1e-9, (
            score_lead
        )


def replay_published(game_class: type[Game]) -> None:
    """Check that each recorded game has the recorded moves, end and score in the kernel too."""
    lines = (CONFORMANCE / f"{game_class.id}.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        expected = json.loads(line)
        options = dict(expected["options"])
        size, komi = options.pop("size", None), options.pop("komi", None)
        game = game_class.configure(size, None if komi is None else float(komi), options)
        kernel, board = load(game), game.board
        states = kernel.encode(game.start())
        for name in expected["moves"]:
            kernel.play(states[0], PASS if name == "pass" else board.point(name))
        moves = moves_of(kernel, states)
        assert {board.vertex(move) for move in moves if move != PASS} == set(expected["legal"])
        assert (not moves) is expected["over"]
        if "scores" in expected:
            first, second = expected["scores"]
            assert kernel.score_lead(states[0]) == round(2 * (first - second))
        else:
            assert kernel.score_lead(states[0]) == {"b": 1, "w": -1, None: 0}[expected["winner"]]
