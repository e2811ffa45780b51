"""A review as JSON; docs/analyze.md describes every key."""

import json
from typing import Any, Final

import attrs

from linage_bot.review.facts import MoveReview, Review
from linage_bot.rules.game import Player
from linage_bot.version import __version__

FORMAT: Final = 1
_DIGITS = 6


def to_json(review: Review) -> str:
    """Return one JSON document. The same review gives the same text."""
    return json.dumps(to_plain(review), ensure_ascii=False, indent=1)


def to_plain(review: Review) -> dict[str, Any]:
    """Return the facts as plain values, moves as vertices."""
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
            "visits": settings.visits,
            "seconds": settings.seconds,
            "threads": settings.threads,
            "seed": settings.seed,
            "proof_nodes": review.proof_nodes,
        },
        "exact_from": review.exact_from,
        "start": _plain(review.start),
        "moves": [_move(review, move) for move in review.moves],
        "mistakes": list(review.mistakes),
        "phases": [
            {
                "name": phase.name,
                "first": phase.first,
                "last": phase.last,
                **dict(zip(_COLOURS, map(_plain, phase.players), strict=True)),
            }
            for phase in review.phases
        ],
    }


_COLOURS: Final = tuple(player.colour for player in Player)


def _plain(found: Any) -> dict[str, Any]:
    """Return the fields of a result, numbers rounded."""
    return attrs.asdict(found, value_serializer=_rounded)


def _rounded(_found: object, _field: object, value: Any) -> Any:
    return round(value, _DIGITS) if isinstance(value, float) else value


def _move(review: Review, move: MoveReview) -> dict[str, Any]:
    name, fields = review.positions[0].name_of, _plain(move)
    del fields["before"]
    loss = {
        "win_rate": fields.pop("win_loss"),
        "score": fields.pop("score_loss"),
        "error": fields.pop("error"),
        "exact": fields.pop("exact"),
    }
    return {
        **fields,
        "player": move.player.colour,
        "move": name(move.move),
        "best": name(move.best),
        "line": list(map(name, move.line)),
        "reply": list(map(name, move.reply)),
        "loss": loss,
    }
