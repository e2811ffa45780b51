"""Commands of the pie: GTP has none, so these are ours. None of them changes anything."""

import attrs

from linage_bot.engine.command_job import CommandJob
from linage_bot.engine.pie.offer import FairPie
from linage_bot.gtp.engine import GtpEngine, commands
from linage_bot.rules.game import PASS, IllegalMove
from linage_bot.rules.options import BadOption
from protocol.session.arguments import parse_float
from protocol.session.errors import CommandFailed


@commands.register
def pie_kind(engine: GtpEngine) -> str:
    """Tell what the first player offers in this game: `komi`, `stone` or `none`."""
    return engine.game.pie


@commands.register
def pie_offer(engine: GtpEngine) -> CommandJob:
    """Tell the first player's offer: the komi, or the vertex of the first stone, nearest to even.

    Thinks as long as about one move, and plays nothing. Fails with `board not empty` after the
    beginning, and in a game without pie.
    """
    _pie_to_come(engine)
    game, settings = engine.game, engine.player.settings

    def run(job: CommandJob) -> str:
        pie = FairPie(game, settings, engine.limits(), job.stopped)
        if game.pie == "komi":
            return f"{pie.even_komi():g}"
        return game.board.vertex(pie.even_stone())

    return CommandJob(run, ends_by_itself=engine.bounded_by_visits)


@commands.register
def pie_choose(engine: GtpEngine, offer: str) -> CommandJob:
    """Tell which side the second player takes of an OFFER, a komi or a vertex: `black` or `white`.

    Thinks as long as about one move, and sets or plays nothing. Fails with `board not empty` after
    the beginning, `syntax error` for what is no komi of the game, `invalid color or coordinate` or
    `illegal move` for what is no stone, and in a game without pie.
    """
    _pie_to_come(engine)
    game, settings, stone = engine.game, engine.player.settings, None
    if game.pie == "komi":
        try:
            game = attrs.evolve(game, komi=parse_float(offer))
        except BadOption as error:
            raise CommandFailed(f"syntax error: {error}") from None
    else:
        stone = engine.move(offer)
        try:
            engine.position.play(stone)
        except IllegalMove as error:
            raise CommandFailed(f"illegal move: {error}") from None
        if stone == PASS:
            raise CommandFailed("illegal move: a pass is no stone")

    def run(job: CommandJob) -> str:
        return FairPie(game, settings, engine.limits(), job.stopped).side(stone).colour

    return CommandJob(run, ends_by_itself=engine.bounded_by_visits)


def _pie_to_come(engine: GtpEngine) -> None:
    if engine.game.pie == "none":
        raise CommandFailed(f"syntax error: {engine.game.name} has no pie")
    engine.check_empty("the pie comes before the first move")
