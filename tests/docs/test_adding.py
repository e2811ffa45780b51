"""The example of `docs/adding.md` works as the page says."""

import importlib.util
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from linage_bot.engine.kernels import contract
from linage_bot.engine.kernels.contract import Kernel, new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.game import Player, perft
from tests.linage_bot.engine.kernels.agreement import hash_data_of, moves_of, stones_of

PAGE = (Path(__file__).parents[2] / "docs" / "adding.md").read_text(encoding="utf-8")


def code(path: str) -> str:
    """The code that the page wants in a file."""
    found = re.search(rf"<!-- {re.escape(path)} -->\n```python\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def imported(name: str, folder: Path) -> ModuleType:
    """The page's module, imported under its own name from a file in the folder."""
    file = folder / f"{name}.py"
    file.write_text(code(name.replace(".", "/") + ".py"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The readable form."""
    yield imported("linage_bot.rules.col", tmp_path_factory.mktemp("col"))
    sys.modules.pop("linage_bot.rules.col")


def test_the_numbers_are_those_on_the_page(rules: ModuleType) -> None:
    """The example has the numbers of move sequences that the page derives by hand."""
    start = rules.Col.configure("3").start()
    counts = [perft(start, depth) for depth in (1, 2, 3)]
    assert "9, 72 and 336" in PAGE
    assert counts == [9, 72, 336]


def test_the_recorded_position_is_right(rules: ModuleType) -> None:
    """The line of the conformance file is true."""
    found = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    expected = json.loads(found[1])
    game = rules.Col.configure(expected["options"]["size"])
    position = game.start()
    for move in expected["moves"]:
        position = position.play(game.board.point(move))
    assert set(game.board.vertices(position.placements())) == set(expected["legal"])
    assert game.board.vertices(position.first) == expected["stones"]["b"]


def test_both_forms_agree(
    rules: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example's kernel has the moves and winners of its rules, and plays to an end."""
    monkeypatch.setattr(contract, "FOLDER", None)  # nothing to keep for a folder that goes away
    kernel = Kernel.of(imported("linage_bot.engine.kernels.col", tmp_path))
    sys.modules.pop("linage_bot.engine.kernels.col")
    chance, winners = random.Random(1), set()
    for size in ("3", "4x6", "5", "25x3", "4", "6x3", "7", "8"):
        position = rules.Col.configure(size).start()
        states = kernel.encode(position)
        while not position.over:
            assert moves_of(kernel, states) == position.moves()
            assert kernel.score_lead(states[0]) == 0
            move = chance.choice(position.moves())
            kernel.play(states[0], move)
            position = position.play(move)
        assert moves_of(kernel, states) == ()
        winner = position.result().winner
        assert kernel.score_lead(states[0]) == (1 if winner is Player.FIRST else -1)
        assert hash_data_of(kernel, states, position)[0] == stones_of(position)
        winners.add(winner)
        word, trail = generator(2), new_trail()
        fresh, copied = kernel.encode(position.game.start()), np.zeros(1, kernel.dtype)
        kernel.copy(copied[0], fresh[0])
        assert kernel.playout(copied[0], word, trail) in (1, -1)
        assert 0 < trail[0] <= position.game.board.count
        assert moves_of(kernel, fresh) == position.game.start().moves()
    assert winners == {Player.FIRST, Player.SECOND}
