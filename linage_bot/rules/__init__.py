"""The games, one module each; `GAMES` lists them by the name that `--game` takes."""

from collections.abc import Mapping

from linage_bot.rules.game import Game
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage
from linage_bot.rules.parity_linage import ParityLinage
from linage_bot.rules.registry import GameRegistry
from linage_bot.rules.two_color_linage import TwoColorLinage

GAMES: Mapping[str, type[Game]] = GameRegistry(
    (Linage, TwoColorLinage, ParityLinage, Leblin, Gardar)
)

__all__ = ["GAMES", "Gardar", "Leblin", "Linage", "ParityLinage", "TwoColorLinage"]
