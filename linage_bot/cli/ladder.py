"""`linage-bot ladder`: a rating for any engine, from games against fixed rungs."""

import re
from pathlib import Path
from typing import Any

import click

from linage_bot.cli.match import event_options, play
from linage_bot.cli.options import UserError


@click.command()
@event_options
def ladder(file: Path, **how: Any) -> None:
    """Rate an engine by games against rated engines.

    After an interruption, run it again to resume. docs/ladder.md describes every key of FILE.toml.
    """
    from linage_bot.match.ladder import LadderLines
    from linage_bot.settings.checks import SettingFault
    from linage_bot.settings.ladder import LadderSettings
    from linage_bot.settings.reading import load

    try:
        settings = load(file, LadderSettings)
        try:
            event = settings.event()
        except ValueError as error:
            raise SettingFault("rungs", str(error)) from None
        raise SystemExit(play(event, report_class=LadderLines, **how))
    except SettingFault as fault:
        raise UserError(f"{file}: {_in_file(str(fault))}") from None


def _in_file(fault: str) -> str:
    """Return the message with the file's keys in place of the keys of the match settings."""

    def key(found: re.Match[str]) -> str:
        place = int(found["place"] or -1)
        return "engine" if place == 0 else "rungs" if place < 0 else f"rungs[{place - 1}]"

    return re.sub(r"\bengines(\[(?P<place>\d+)\]|(?=[,)]))", key, fault)
