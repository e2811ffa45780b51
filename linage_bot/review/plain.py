"""A review as JSON; docs/analyze.md describes every key."""

import json
from collections.abc import Sequence
from typing import Any, Final

from linage_bot import __version__
from linage_bot.review.facts import Losses, MoveReview, Review, Value
from linage_bot.rules.game import Move, Player

FORMAT: Final = 1
_DIGITS = 6


def to_json(review: Review) -> str:
    """One document. The same review gives the same text."""
    return json.dumps(to_plain(review), ensure_ascii=False, indent=1)


def to_plain(review: Review) -> dict[str, Any]:
    """The facts as plain values, moves as vertices."""
    record, settings = review.record, review.settings
    return {
        "format": FORMAT,
        "game": {
            "id": record.game.id,
            "size": record.game.board.size,
            "komi": record.game.komi,
            "options": record.game.settings(),
        },
        "players": dict(zip(_COLOURS, record.players, strict=True)),
        "result": record.result,
        "date": record.date,
        "event": record.event,
        "round": record.round,
        "engine": {
            "version": __version__,
            "visits": settings.most_visits,
            "seconds": settings.seconds,
            "threads": settings.threads,
            "seed": settings.seed,
            "proof_nodes": settings.proof_nodes,
        },
        "exact_from": review.exact_from,
        "start": _value(review.start),
        "moves": [_move(review, move) for move in review.moves],
        "mistakes": list(review.mistakes),
        "phases": [
            {
                "name": phase.name,
                "first": phase.first,
                "last": phase.last,
                **dict(zip(_COLOURS, map(_losses, phase.players), strict=True)),
            }
            for phase in review.phases
        ],
    }


_COLOURS: Final = tuple(player.colour for player in Player)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, _DIGITS)


def _value(value: Value) -> dict[str, Any]:
    return {
        "win_rate": _rounded(value.win_rate),
        "score": _rounded(value.score),
        "visits": value.visits,
        "error": _rounded(value.error),
        "certain": value.certain,
        "exact": value.exact,
    }


def _move(review: Review, move: MoveReview) -> dict[str, Any]:
    def names(moves: Sequence[Move]) -> list[str]:
        return [review.positions[0].name_of(each) for each in moves]

    return {
        "number": move.number,
        "player": move.player.colour,
        "move": names([move.move])[0],
        "phase": move.phase,
        "given": move.given,
        "after": _value(move.after),
        "best": names([move.best])[0],
        "line": names(move.line),
        "reply": names(move.reply),
        "loss": {
            "win_rate": _rounded(move.win_loss),
            "score": _rounded(move.score_loss),
            "error": _rounded(move.error),
            "exact": move.exact,
        },
    }


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "moves": losses.moves,
        "win_rate": _rounded(losses.win_loss),
        "score": _rounded(losses.score_loss),
    }
