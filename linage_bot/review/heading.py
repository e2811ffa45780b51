"""The head of a review's page: who played what, and how it ended."""

from collections.abc import Iterator

from linage_bot import __version__
from linage_bot.records import same_result
from linage_bot.review.facts import Review, ReviewSettings
from linage_bot.rules.game import Player

_ENDINGS = {"R": "by resignation", "T": "on time", "F": "by forfeit"}  # SGF's


def title(review: Review) -> str:
    """The players, or the game where their names are not known."""
    names = [name.strip() for name in review.record.players]
    return " – ".join(names) if all(names) else review.record.game.name


def facts(review: Review) -> Iterator[tuple[str, str]]:
    """What is known of the game beside its moves and players."""
    record = review.record
    yield "Result", _result(review)
    for name, fact in (("Event", record.event), ("Round", record.round), ("Date", record.date)):
        if fact:
            yield name, fact
    options = ", ".join(f"{name} {value}" for name, value in record.game.settings().items())
    if options:
        yield "Options", options
    yield "Analysed by", _engine(review.settings)


def _result(review: Review) -> str:
    """The record's result in words, and ours where the board says otherwise."""
    last = review.positions[-1]
    said, counted = review.record.result, str(last.result())
    if not said:
        return _outcome(review, counted) if last.over else "unfinished"
    if last.over and not same_result(said, counted):
        return f"{_outcome(review, said)}; on the board {_outcome(review, counted)}"
    return _outcome(review, said)


def _outcome(review: Review, result: str) -> str:
    """`Vertical wins by 7.5` for `B+7.5`; what is not in SGF's form stays as it is."""
    winner, plus, margin = result.strip().partition("+")
    for player in Player:
        if plus and winner.upper() == player.letter.upper():
            role = review.record.game.players[player]
            margin = margin.strip()
            how = _ENDINGS.get(margin[:1].upper(), f"by {margin}") if margin else ""
            return f"{role} wins {how}".strip()
    return "a draw" if result.strip() in ("0", "Draw") else result


def _engine(settings: ReviewSettings) -> str:
    limits = []
    if settings.most_visits is not None:
        limits.append(f"{settings.most_visits:,} visits")
    if settings.seconds is not None:
        limits.append(f"{settings.seconds:g} s")
    threads = "" if settings.threads == 1 else f", {settings.threads} threads"
    return (
        f"linage-bot {__version__}, {' or '.join(limits)} a search{threads}, seed {settings.seed}"
    )
