"""What was thought of a position, as people are told of it on one line of ASCII."""

from linage_bot.engine.analysis import Candidate
from linage_bot.engine.engine import Decision
from linage_bot.rules.game import Position


def reason_for(decision: Decision) -> str:
    """Why a move was chosen."""
    position = decision.analysis.position
    own = decision.analysis.seen_by(position.to_move)
    chosen = [each for each in own.candidates if decision.move in (each.move, None)]
    if not chosen:
        return "nothing to choose" if len(position.moves()) < 2 else "no time to think"
    why = "proven" if decision.exact else f"{own.visits} visits"
    if own.proven.exact and not decision.exact:  # but nobody knows by which move
        lead = own.proven.low
        result = "won" if lead > 0 else "lost" if lead < 0 else "drawn"
        why += f" ({f'{lead:+g}' if position.game.counts_points else result} by proof)"
    return in_words(position, chosen[0], why)


def in_words(position: Position, best: Candidate, why: str) -> str:
    """The best move's prospects, as the player to move sees them; `why` says how they are known."""
    lead = f", score lead {best.lead:+.1f}" if position.game.counts_points else ""
    line = " ".join(map(position.name_of, best.line))
    return f"win rate {best.win_rate:.1%}{lead}, {why}: {line}"
