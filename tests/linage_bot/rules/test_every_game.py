"""Requirements for every game: a game added to `GAMES` fails here until it has everything.

`docs/adding.md` says how to add one. `test_nothing_is_missing` names a game's missing parts.

The playthroughs are goldens. After a change of rules regenerate them and read the difference:

    LINAGE_BOT_REGENERATE=1 pytest tests/linage_bot/rules/test_every_game.py -k playthrough
"""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.engine.kernels import load
from linage_bot.rules import GAMES
from linage_bot.rules.boards import Symmetry, bits
from linage_bot.rules.game import PASS, Game, IllegalMove, Player, Position, perft
from linage_bot.rules.line_games import LineGame
from tests.linage_bot.engine.kernels.agreement import moves_of
from tests.linage_bot.rules.diagrams import draw, place

ROOT = Path(__file__).parents[3]
CONFORMANCE = ROOT / "tests" / "conformance"
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"

# Options beside the default that change the legal moves or their scores.
VARIANTS: dict[str, list[dict[str, str]]] = {
    "linage": [
        {"size": "5x4"},
        {"size": "5", "edition": "2016", "line": "2", "button": "on"},
        {"size": "6x5", "line": "4", "komi": "-1"},
    ],
    "linage-two-color": [
        {"size": "4x5"},
        {"size": "5", "count_regions": "on", "line": "2", "button": "on", "komi": "3"},
    ],
    "linage-parity": [
        {"size": "4x5"},
        {"size": "5", "n": "2"},
        {"size": "5x6", "condition": "line", "passing": "off"},
    ],
    "leblin": [{"size": "4"}, {"size": "3x5"}],
    "gardar": [{"size": "3"}, {"size": "4", "komi": "-2"}],
}

PERFT = {
    "linage": [("3", [10, 83, 502]), ("4", [17, 265, 3648]), ("5", [26, 643, 14946])],
    "linage-two-color": [("4", [17, 265, 3648])],
    "linage-parity": [("4", [17, 273, 4104])],
    "leblin": [("5", [25, 600, 13800])],
    "gardar": [("3", [20, 381, 6878])],
}

# Size, seed and the longest a playthrough may get.
PLAYED = {
    "linage": ("4", 41, 30),
    "linage-two-color": ("4", 21, 30),
    "linage-parity": ("4x3", 93, 30),
    "leblin": ("4", 41, 30),
    "gardar": ("3", 106, 30),
}

each_game = pytest.mark.parametrize("id_", GAMES)


def configured(id_: str, words: dict[str, str]) -> Game:
    """A game from its size, komi and options in words."""
    options = dict(words)
    size, komi = options.pop("size", None), options.pop("komi", None)
    return GAMES[id_].configure(size, None if komi is None else float(komi), options)


def variants() -> list[Game]:
    """Every game in every variant."""
    return [configured(id_, words) for id_ in GAMES for words in VARIANTS.get(id_, [{}])]


def wander(game: Game, choices: list[int]) -> Position:
    """The position after random legal moves, fewer if the game ends."""
    position = game.start()
    for choice in choices:
        if position.over:
            break
        moves = position.moves()
        position = position.after(moves[choice % len(moves)])
    return position


wanderings = st.builds(
    wander, st.sampled_from(variants()), st.lists(st.integers(0, 2**30), max_size=60)
)


def conformance_lines() -> list[Any]:
    """One parameter per line of every game's file; a game without a file has an empty one."""
    found = []
    for id_ in GAMES:
        file = CONFORMANCE / f"{id_}.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else [""]
        found += [pytest.param(id_, line, id=f"{id_}-{i}") for i, line in enumerate(lines, 1)]
    return found


@each_game
def test_nothing_is_missing(id_: str) -> None:
    """A game comes with everything `docs/adding.md` asks for."""
    module = GAMES[id_].__module__.rpartition(".")[2]
    kernel_test = ROOT / "tests/linage_bot/engine/kernels" / f"test_{module}.py"
    rules_test = Path(__file__).parent / f"test_{module}.py"
    needed = {
        "its id, the key in GAMES": GAMES[id_].id == id_,
        "variants with other sizes and options, in VARIANTS here": len(VARIANTS.get(id_, [])) > 0,
        "known numbers of move sequences up to length 3, in PERFT here": (
            any(len(counts) >= 3 for _, counts in PERFT.get(id_, []))
        ),
        "a playthrough, in PLAYED here": id_ in PLAYED,
        "recorded positions": (CONFORMANCE / f"{id_}.jsonl").is_file(),
        "a page of rules": (ROOT / "docs" / "rules" / f"{id_}.md").is_file(),
        "a picture": (ROOT / "docs" / "images" / f"{id_}.svg").is_file(),
        "tests of its rules": rules_test.is_file(),
        "a kernel": (ROOT / "linage_bot/engine/kernels" / f"{module}.py").is_file(),
        "a test that its two forms agree": (
            kernel_test.is_file() and "agree(" in kernel_test.read_text(encoding="utf-8")
        ),
    }
    assert [thing for thing, there in needed.items() if not there] == []


@each_game
def test_it_has_a_compiled_form(id_: str) -> None:
    """The game's kernel loads and starts as the rules do."""
    game = GAMES[id_].configure()
    kernel = load(game)
    assert moves_of(kernel, kernel.encode(game.start())) == game.start().moves()


@each_game
def test_its_page_shows_it(id_: str) -> None:
    """The page of rules shows the game's picture and says how to start it."""
    page = (ROOT / "docs" / "rules" / f"{id_}.md").read_text(encoding="utf-8")
    assert f"(../images/{id_}.svg)" in page
    assert f"linage-bot gtp --game {id_}" in page


@pytest.mark.parametrize(("id_", "line"), conformance_lines())
def test_published_positions(id_: str, line: str) -> None:
    """Each recorded game leads to the recorded position: stones, turn, placements, score."""
    assert line, f"tests/conformance/{id_}.jsonl is missing or has an empty line"
    expected = json.loads(line)
    assert expected["game"] == id_
    game = configured(id_, expected["options"])
    board, position = game.board, game.start()
    for move in expected["moves"]:
        assert not position.over
        position = position.play(PASS if move == "pass" else board.point(move))
    assert board.vertices(position.first) == sorted(expected["stones"]["b"], key=board.point)
    assert board.vertices(position.second) == sorted(expected["stones"]["w"], key=board.point)
    assert set(board.vertices(position.placements())) == set(expected["legal"])
    assert position.to_move.letter == expected["to_move"]
    assert position.over is expected["over"]
    assert ("scores" in expected) is game.counts_points
    if game.counts_points:
        assert position.scores() == tuple(expected["scores"])
    else:
        winner = position.result().winner
        assert (winner.letter if winner is not None else None) == expected["winner"]


@each_game
def test_perft(id_: str) -> None:
    """The number of move sequences is the known one, on every board that has one."""
    for size, counts in PERFT.get(id_, []):
        start = GAMES[id_].configure(size).start()
        assert [perft(start, depth) for depth in range(1, len(counts) + 1)] == counts


@each_game
def test_the_rules_can_be_read(id_: str) -> None:
    """Each game has a page of rules with every option and every ruling its code states."""
    page = (ROOT / "docs" / "rules" / f"{id_}.md").read_text(encoding="utf-8")
    game = GAMES[id_]
    docstring = sys.modules[game.__module__].__doc__ or ""
    assert page.startswith(f"# {game.name}\n")
    assert game.author in page
    assert str(game.year) in page
    for name, option in game.options().items():
        assert f"`{name}`" in page
        assert option.values in page
    assert page.count("**Ruling**") == docstring.count("Ruling:")


def playthrough(id_: str) -> str:
    """A random game as text: ply, colour, move, how many were legal, the board, the scores."""
    size, seed, longest = PLAYED[id_]
    generator = random.Random(seed)
    position: Position = GAMES[id_].configure(size).start()
    lines = [f"{id_} size {size} seed {seed}"]
    for ply in range(1, longest + 1):
        if position.over:
            break
        moves = position.moves()
        placements = [move for move in moves if move != PASS]
        # Few passes, or the games would end before much has happened.
        likely = placements if placements and generator.random() < 0.9 else moves
        move = likely[generator.randrange(len(likely))]
        name = f"{position.to_move.colour} {position.name_of(move)}"
        position = position.play(move)
        scores = position.scores()
        score = "" if scores is None else f" scores {scores[0]:g} {scores[1]:g}"
        lines += [f"{ply} {name} of {len(moves)}{score}", draw(position)]
    return "\n".join([*lines, f"{'over' if position.over else 'stopped'} {position.result()}", ""])


@each_game
def test_playthrough(id_: str) -> None:
    """A seeded random game goes exactly as it went when the rules were last looked at."""
    file = PLAYTHROUGHS / f"{id_}.txt"
    text = playthrough(id_)
    assert text.count("\n") <= 200
    if os.environ.get("LINAGE_BOT_REGENERATE"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text


@each_game
def test_settings_read_back(id_: str) -> None:
    """The settings of a game, given to `configure`, make the same game."""
    for words in VARIANTS.get(id_, [{}]):
        game = configured(id_, words)
        assert GAMES[id_].configure(game.board.size, game.komi, game.settings()) == game


@given(wanderings)
def test_a_move_places_one_stone(position: Position) -> None:
    """A placement adds that stone alone, may remove enemy stones only, and gives up the turn."""
    own, enemy = (position.first, position.second)[:: -1 if position.to_move else 1]
    for move in position.moves():
        after = position.play(move)
        after_own, after_enemy = (after.first, after.second)[:: -1 if position.to_move else 1]
        assert after_own == own | (1 << move if move != PASS else 0)
        assert after_enemy & ~enemy == 0
        assert not after_own & after_enemy
        assert (after_own | after_enemy) & ~position.game.board.points == 0
        assert after.to_move is position.to_move.other
        if move == PASS:
            assert after_enemy == enemy


@given(wanderings)
def test_an_illegal_move_changes_nothing(position: Position) -> None:
    """Moves that are not listed raise an error with a reason and leave the position unchanged."""
    copy = attrs.evolve(position)  # type: ignore[type-var]
    legal = position.moves()
    assert list(legal[:-1] if position.may_pass() else legal) == list(bits(position.placements()))
    for move in (*bits(position.game.board.points), PASS):
        assert (position.why_illegal(move) is None) is (move in legal)
        if move not in legal:
            with pytest.raises(IllegalMove) as caught:
                position.play(move)
            assert caught.value.reason == position.why_illegal(move)
    assert position == copy
    assert hash(position) == hash(copy)


@given(wanderings)
def test_the_end_is_the_end(position: Position) -> None:
    """A game is over exactly when nothing may be played; the result agrees with the scores."""
    assert position.over is (not position.moves())
    scores, result = position.scores(), position.result()
    assert (scores is not None) is position.game.counts_points
    if scores is not None:
        winner = None if scores[0] == scores[1] else Player(scores[0] < scores[1])
        assert (result.winner, result.margin or 0) == (winner, abs(scores[0] - scores[1]))


@pytest.mark.parametrize("id_", GAMES)
def test_no_game_is_longer_than_its_rules_say(id_: str) -> None:
    """Games that pass before each stone end within the limit that the rules give."""
    for words in ({}, *VARIANTS.get(id_, ())):
        game, chance = configured(id_, {"size": "4", **words}), random.Random(1)
        if game.move_limit is None:
            continue
        position, count = game.start(), 0
        while not position.over:
            moves = position.moves()
            wanted = moves[-1:] if position.may_pass() and count % 2 == 0 else moves
            position, count = position.play(chance.choice(wanted)), count + 1
            assert count <= game.move_limit, (game, count)


@given(wanderings)
def test_what_counts_adds_up(position: Position) -> None:
    """The counted items sum to the scores; only a finished game has an ending."""
    counted, scores = position.counted(), position.scores()
    if counted and scores is not None:
        for player in Player:
            assert sum(each.value for each in counted if each.owner is player) == scores[player]
    assert all(each.points & ~position.game.board.points == 0 for each in counted)
    assert position.over or position.ending() == ""


@given(wanderings)
def test_areas_are_empty_points(position: Position) -> None:
    """Areas are empty points of the board; areas of one kind and owner are disjoint."""
    seen: dict[tuple[str, Player | None], int] = {}
    for area in position.areas():
        assert area.points
        assert area.points & ~position.empty == 0
        assert area.points & seen.get((area.kind, area.owner), 0) == 0
        seen[area.kind, area.owner] = seen.get((area.kind, area.owner), 0) | area.points


@given(wanderings)
def test_diagrams_read_back(position: Position) -> None:
    """A drawn position, read again, has the same stones."""
    again = place(position.game, draw(position))
    assert (again.first, again.second) == (position.first, position.second)


def image(position: Position, symmetry: Symmetry) -> Position:
    """The position under a symmetry; Vertical and Horizontal swap roles where rows turn."""
    game = attrs.evolve(position.game, board=symmetry.target)
    first, second = symmetry(position.first), symmetry(position.second)
    fields: dict[str, Any] = {"game": game, "first": first, "second": second}
    if swaps_roles(game, symmetry):
        fields |= {"first": second, "second": first, "to_move": position.to_move.other}
        taker = getattr(position, "button_taker", None)
        fields["button_taker"] = None if taker is None else taker.other
    if hasattr(position, "boards"):
        fields["boards"] = tuple((symmetry(a), symmetry(b)) for a, b in position.boards)
    turned: Position = attrs.evolve(position, **fields)  # type: ignore[type-var]
    return turned


def swaps_roles(game: Game, symmetry: Symmetry) -> bool:
    """Whether First's part is Second's after the symmetry."""
    return symmetry.transposes and isinstance(game, LineGame)


@given(wanderings)
def test_every_symmetry_keeps_the_rules(position: Position) -> None:
    """Turned or mirrored, a position has the turned placements, scores, areas and winner."""
    position = attrs.evolve(position, game=position.game.with_komi(0))  # type: ignore[type-var]
    for symmetry in position.game.board.symmetries():
        turned = image(position, symmetry)
        swaps = swaps_roles(position.game, symmetry)
        assert turned.placements() == symmetry(position.placements())
        assert (turned.may_pass(), turned.over) == (position.may_pass(), position.over)
        scores = position.scores()
        if scores is not None:
            assert turned.scores() == (scores[::-1] if swaps else scores)
        else:
            assert turned.result() == position.result()
        owners = {
            (
                a.kind,
                symmetry(a.points),
                a.owner.other if swaps and a.owner is not None else a.owner,
            )
            for a in position.areas()
        }
        assert owners == {(a.kind, a.points, a.owner) for a in turned.areas()}
