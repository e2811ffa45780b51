"""Play the event of a TOML file, as `linage-bot match FILE [--report DIR]` does."""

import sys
from pathlib import Path

from twisted.internet.defer import Deferred
from twisted.internet.task import react

from linage_bot.config import ConfigError, load
from linage_bot.match import MatchSettings, SettingFault
from linage_bot.match.command import run


async def main(reactor):
    path = Path(sys.argv[1])
    try:
        report = sys.argv[3] if sys.argv[2:3] == ["--report"] else None
        status = await run(reactor, load(path, MatchSettings), report=report)
    except ConfigError as error:
        print(error, file=sys.stderr)
        status = 2
    except SettingFault as fault:
        print(f"{path}: {fault}", file=sys.stderr)
        status = 2
    raise SystemExit(status)


if __name__ == "__main__":
    react(lambda reactor: Deferred.fromCoroutine(main(reactor)))
