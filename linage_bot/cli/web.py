"""`linage-bot web`: the board in a browser."""

import ipaddress

import click

from linage_bot.cli.options import (
    UserError,
    check_exposure,
    expose_option,
    game_options,
    play_options,
)
from linage_bot.cli.running import run_until
from linage_bot.rules.game import Game
from linage_bot.settings.playing import PlaySettings

_WHAT_OTHERS_CAN = (
    "whoever sees the address with its token can play and use this machine's processor"
)


@click.command()
@game_options
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8413,
    show_default=True,
    help="Where to listen; 0: any that is free.",
)
@click.option("--open", "open_browser", is_flag=True, help="Start the browser.")
@play_options(
    "level",
    "visits",
    "seconds",
    "threads",
    level={
        "default": 5,
        "help": "Of the engine that is proposed: from a beginner to full strength.",
    },
    visits={"help": "Most visits a move of the engine."},
    seconds={"default": 3.0, "help": "Most seconds a move of the engine."},
)
@click.option(
    "--listen",
    default="127.0.0.1",
    metavar="ADDRESS",
    show_default=True,
    help="The address to listen on; one that others can reach needs --expose.",
)
@expose_option
def web(
    game: Game, port: int, open_browser: bool, play: PlaySettings, listen: str, expose: bool
) -> None:
    """Serve the board to a browser on this machine.

    Prints the address to open, on a line of its own. Only who has it, with its token, gets in.
    """
    address = _address(listen, expose)

    from twisted.internet.error import CannotListenError

    from linage_bot.web.command import run

    try:
        run_until(
            lambda reactor: run(
                reactor,
                game=game,
                play=play,
                address=address,
                port=port,
                open_browser=open_browser,
                tell=click.echo,
            )
        )
    except CannotListenError as error:
        from protocol.listening import why_not

        # What is wrong may be either: a port in use, or an address of another machine.
        raise UserError(f"--listen {address} --port {port}: {why_not(error)}") from None


def _address(text: str, expose: bool) -> str:
    """The address to listen on; raises `UserError`."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if text == "localhost" else text)
    except ValueError:
        raise UserError(f"--listen: {text!r} is not an address such as 127.0.0.1 or ::1") from None
    check_exposure(str(address), expose, _WHAT_OTHERS_CAN)
    return str(address)
