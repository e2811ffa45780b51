"""The module of each game's kernel, and the name under which its code is stored."""

from typing import ClassVar

import pytest

from linage_bot.engine import kernels
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage


class Bare(Linage):
    """A game of this test, without a kernel."""

    name = "Bare Linage"


class Borrowed(Linage):
    """A game of this test that is played by the kernel of another one."""

    kernel_module: ClassVar[str | None] = "linage_bot.engine.kernels.linage"


def test_our_games_have_the_names_of_their_modules() -> None:
    """The names under which code was stored before there were other packages."""
    assert kernels.code_name(Leblin.configure()) == "leblin"
    assert kernels.code_name(Borrowed.configure()) == "linage"


def test_a_game_elsewhere_names_its_kernel() -> None:
    """It uses that module; a game that names none cannot be searched."""
    assert kernels.load(Borrowed.configure()) is kernels.load(Linage.configure())
    for function in (kernels.check, kernels.load):
        with pytest.raises(kernels.NoKernel, match=r"^Bare Linage .* in Bare\.kernel_module$"):
            function(Bare.configure())
