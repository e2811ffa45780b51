"""Which challenges are accepted."""

from linage_bot.servers.abstract_play.payloads import META_GAME, Challenge
from linage_bot.servers.abstract_play.position import BadGame, configure
from linage_bot.servers.abstract_play.settings import ChallengeSettings


def why_refused(challenge: Challenge, settings: ChallengeSettings, games: int) -> str | None:
    """The reason to refuse a challenge while we play `games`; None to accept it."""
    if challenge.game != META_GAME:
        return f"we do not play {challenge.game[:40]!r}, only {META_GAME}"
    try:
        game = configure(challenge.variants)
    except BadGame as error:
        return str(error)
    if game.board.columns not in settings.sizes:
        return f"size {game.board} is not played"
    if game.line not in settings.lines:
        return f"lines of {game.line} are not played"
    if challenge.clock_start_hours < settings.start_hours:
        return f"a clock of {challenge.clock_start_hours:g} h is too short"
    if challenge.clock_increment_hours < settings.increment_hours:
        return f"an increment of {challenge.clock_increment_hours:g} h is too short"
    if settings.most_hours is not None and challenge.clock_most_hours > settings.most_hours:
        return f"a clock of up to {challenge.clock_most_hours:g} h is too long"
    for player in challenge.challengers:
        if player in settings.blocked:
            return f"player {player!r} is blocked"
        if settings.players and player not in settings.players:
            return f"player {player!r} is not among those we play with"
    if settings.players and not challenge.challengers:
        return "nobody says who challenges"
    if games >= settings.games:
        return f"{games} games are under way"
    return None
