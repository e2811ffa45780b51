"""Values and moves as text for readers."""

from collections.abc import Iterator, Sequence

from linage_bot.review.facts import MoveReview, Value
from linage_bot.rules.game import Game, Move, Player


def percent(share: float, digits: int = 1) -> str:
    """Return a share in percent: `57.8 %`."""
    return f"{100 * share:.{digits}f} %"


def points(value: float) -> str:
    """Return a number of points: `2.5 points`."""
    return "1 point" if value == 1 else f"{value:.3g} points"


def win_rate(value: Value) -> str:
    """Return First's win rate in percent.

    A proven result has no decimals, and a searched one is never 0 or 100 %.
    """
    if value.certain:
        return percent(value.win_rate, 0)
    return percent(min(0.999, max(0.001, value.win_rate)))


def score(value: Value) -> str:
    """Return First's lead: `+2.8`, and a proven one `+3`; a dash in games without points."""
    if value.score is None:
        return "–"
    if value.exact:
        return signed(value.score)
    return f"{value.score:+z.1f}".replace("-", "−")


def signed(number: float) -> str:
    """Return a number with its sign: `+2.5`, `−3` or `0`."""
    return f"{number:+g}".replace("-", "−") if number else "0"


def loss(move: MoveReview) -> str:
    """Return the win rate that a move lost; a dash for none."""
    return percent(move.win_loss) if move.win_loss >= 0.0005 else "–"


def score_loss(move: MoveReview) -> str:
    """Return the points that a move lost; a dash for none."""
    if move.score_loss is None or move.score_loss < 0.05:
        return "–"
    return f"{move.score_loss:g}" if move.exact else f"{move.score_loss:.1f}"


def costs(move: MoveReview) -> Iterator[tuple[str, str]]:
    """Yield the losses of a mistake, each with its unit."""
    if move.win_loss >= 0.0005:
        yield percent(move.win_loss), "of win rate"
    if move.score_loss is not None and move.score_loss >= 0.05:
        text = score_loss(move)
        yield text, "point" if text == "1" else "points"


def visits(value: Value) -> str:
    """Return the source of a value: its number of visits, or that it is proven."""
    if value.exact:
        return "proven"
    return "win proven" if value.certain else f"{value.visits:,}"


def names(game: Game, moves: Sequence[Move]) -> str:
    """Return moves by their vertices."""
    return " ".join(game.start().name_of(move) for move in moves)


def lead(game: Game, value: Value) -> str:
    """Return the leader and the lead: `Vertical leads by 2.8`; empty in games without points."""
    if value.score is None:
        return ""
    number = f"{abs(value.score):g}" if value.exact else f"{abs(value.score):.1f}"
    if float(number) == 0:
        return "the score is even"
    player = Player.FIRST if value.score > 0 else Player.SECOND
    return f"{game.players[player]} leads by {number}"


def outcome(game: Game, value: Value) -> str:
    """Return a proven value in words: `Vertical leads by 3`, or `Vertical wins` without points."""
    if value.score is not None:
        return lead(game, value)
    if value.win_rate == 0.5:
        return "a draw"
    return f"{_winner(game, value)} wins"


def _winner(game: Game, value: Value) -> str:
    """Return the name of the side that wins a proven position that is no draw."""
    return game.players[Player.SECOND if value.win_rate < 0.5 else Player.FIRST]


def verdict(game: Game, value: Value) -> str:
    """Return a value in words: `Vertical wins 57.8 %, Vertical leads by 2.8`.

    A proven value: `Vertical wins by 3 (proven)`.
    """
    if value.certain:
        if value.win_rate == 0.5:
            return "a draw (proven)"
        margin = f" by {abs(value.score):g}" if value.exact and value.score else ""
        return f"{_winner(game, value)} wins{margin} (proven)"
    facts = [f"{game.players[Player.FIRST]} wins {win_rate(value)}"]
    if value.score is not None:
        facts.append(lead(game, value))
    return ", ".join(facts)
