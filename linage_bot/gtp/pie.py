"""Commands for the pie rule: our own, because GTP has none. They change nothing."""

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
    """Return the kind of offer that the first player makes: `komi`, `stone` or `none`."""
    return engine.game.pie


@commands.register
def pie_offer(engine: GtpEngine) -> CommandJob:
    """Return the first player's offer: the komi, or the first stone, that makes the game most even.

    The search takes as long as one move, and nothing is played. Fails with `board not empty` after
    the first move, and with `syntax error` in a game without a pie.
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
    """Return the side that the second player chooses for OFFER, a komi or vertex: black or white.

    The search takes as long as one move, and nothing is set or played. Fails with `board not empty`
    after the first move, with `syntax error` if OFFER is not a komi of the game or the game has no
    pie, and with `invalid color or coordinate` or `illegal move` if OFFER is not a legal stone.
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
            raise CommandFailed("illegal move: the offer must be a stone, not a pass")

    def run(job: CommandJob) -> str:
        return FairPie(game, settings, engine.limits(), job.stopped).side(stone).colour

    return CommandJob(run, ends_by_itself=engine.bounded_by_visits)


def _pie_to_come(engine: GtpEngine) -> None:
    if engine.game.pie == "none":
        raise CommandFailed(f"syntax error: {engine.game.name} has no pie")
    engine.check_empty("the pie comes before the first move")
