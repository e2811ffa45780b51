"""The games, one module each; `GAMES` has them by the name that `--game` takes."""

from collections.abc import Mapping

from linage_bot.rules.game import Game
from linage_bot.rules.registry import GameRegistry

GAMES: Mapping[str, type[Game]] = GameRegistry(
    {
        "linage": "linage_bot.rules.linage:Linage",
        "linage-two-color": "linage_bot.rules.two_color_linage:TwoColorLinage",
        "linage-parity": "linage_bot.rules.parity_linage:ParityLinage",
        "leblin": "linage_bot.rules.leblin:Leblin",
        "gardar": "linage_bot.rules.gardar:Gardar",
    }
)

__all__ = ["GAMES"]
