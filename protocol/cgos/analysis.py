"""The analysis that may follow a move on CGOS: JSON on one line.

    {"winrate": 0..1, "score": x, "visits": n, "comment": "…", "moves": [
        {"move": "D4", "winrate": …, "score": …, "prior": …, "visits": …, "pv": "D4 Q16"}]}

All keys are optional; rates and scores are from the view of the player who moves.  Servers drop a
player whose line is over 64 KiB, so ours are cut at `MAX_ANALYSIS_BYTES`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from protocol.gtp.analysis import MoveInfo, read_number
from protocol.session.errors import RemoteProtocolError

MAX_ANALYSIS_BYTES: Final = 48 << 10
_BRIEF_KEYS: Final = ("winrate", "score", "visits", "comment")


def cgos_json(candidates: Sequence[MoveInfo], comment: str = "") -> str:
    """Return the analysis of a move: one line of JSON, short enough for the server.

    Candidates that do not fit are left out, the last ones first.
    """
    ordered = sorted(candidates, key=lambda c: c.order)
    moves = [
        {
            "move": c.move,
            "winrate": round(c.winrate, 6),
            "score": round(c.score_lead, 4),
            "prior": round(c.prior, 6),
            "visits": c.visits,
            "pv": " ".join(c.pv or (c.move,)),
        }
        for c in ordered
    ]
    whole: dict[str, Any] = {}
    if ordered:
        whole = {
            "winrate": moves[0]["winrate"],
            "score": moves[0]["score"],
            "visits": sum(c.visits for c in ordered),
        }
    if comment:
        whole["comment"] = comment[:1000]
    return _fitting({**whole, "moves": moves})


def _fitting(whole: dict[str, Any]) -> str:
    """Return the table as JSON with as many of its moves as fit and all its other keys."""
    moves = whole["moves"]
    while True:
        text = _compact_json({**whole, "moves": moves})
        if len(text) <= MAX_ANALYSIS_BYTES or not moves:
            return text
        moves = moves[: len(moves) * 3 // 4]


def _compact_json(value: object) -> str:
    # Plain ASCII, so that characters are bytes.
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def compact_cgos_json(text: str) -> str:
    """Return a client's analysis as one line that fits; raise `RemoteProtocolError` if it is bad.

    Unknown keys are kept unless the line is too long; then they are dropped first, the last moves
    next.
    """
    whole = _load(text)
    try:
        line = _compact_json(whole)
        if len(line) <= MAX_ANALYSIS_BYTES:
            return line
        moves = whole.get("moves")
        brief: dict[str, Any] = {key: whole[key] for key in _BRIEF_KEYS if key in whole}
        line = _fitting({**brief, "moves": moves if isinstance(moves, list) else []})
    except (ValueError, RecursionError):
        raise _invalid_analysis(text) from None
    if len(line) > MAX_ANALYSIS_BYTES:
        raise _invalid_analysis(text)
    return line


def parse_cgos_json(text: str) -> tuple[MoveInfo, ...]:
    """Read the analysis of a CGOS move; raise `RemoteProtocolError` if it is invalid."""
    try:
        moves = _load(text)["moves"]
        return tuple(_read_move(move, order) for order, move in enumerate(moves))
    except (TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise _invalid_analysis(text) from None


def _load(text: str) -> dict[str, Any]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        raise _invalid_analysis(text) from None
    if not isinstance(whole, dict):
        raise _invalid_analysis(text)
    return whole


def _invalid_analysis(text: str) -> RemoteProtocolError:
    return RemoteProtocolError("not a CGOS analysis", text[:200])


def _read_move(move: Mapping[str, object], order: int) -> MoveInfo:
    name = str(move["move"])
    numbers = {
        key: read_number(float, str(move.get(key, 0)), name)
        for key in ("visits", "winrate", "score", "prior")
    }
    return MoveInfo(
        move=name,
        visits=int(numbers["visits"]),
        winrate=numbers["winrate"],
        score_lead=numbers["score"],
        prior=numbers["prior"],
        order=order,
        pv=tuple(str(move.get("pv", "")).split()) or (name,),
    )
