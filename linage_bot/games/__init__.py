"""The games, one module each; `GAMES` lists them by the name that `--game` takes."""

from linage_bot.game import Game
from linage_bot.games.gardar import Gardar
from linage_bot.games.leblin import Leblin
from linage_bot.games.linage import Linage
from linage_bot.games.parity_linage import ParityLinage
from linage_bot.games.two_color_linage import TwoColorLinage

GAMES: dict[str, type[Game]] = {
    game.id: game for game in (Linage, TwoColorLinage, ParityLinage, Leblin, Gardar)
}

__all__ = ["GAMES", "Gardar", "Leblin", "Linage", "ParityLinage", "TwoColorLinage"]
