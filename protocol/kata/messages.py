"""KataGo's JSON analysis protocol, one object a line: message types, and the server's lines.

A query requests one or several positions of one game; each is answered by any number of lines
with `isDuringSearch` true and one with it false. An action requests something else and gets one
answer of its own. Games and legal moves are not known here: rules and moves are words.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import attrs

from protocol.gtp.analysis import MoveInfo, Restriction
from protocol.session.arguments import Colour

Fields: TypeAlias = dict[str, Any]
Stone: TypeAlias = tuple[Colour, str]
Warned: TypeAlias = tuple[str, str]
"""A query's field, and a description of the problem with it."""


class BadRequest(Exception):
    """A line without a valid request; its known parts are included in the answer."""

    def __init__(self, reason: str, field: str | None = None, id_: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.field = field
        self.id = id_


class BadField(ValueError):
    """An invalid field of a query; `reason` says why."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


@attrs.frozen(kw_only=True)
class Query:
    """Positions of one game to be analysed, by the number of moves before them.

    `turns` and `priorities` go together, each turn once. `unknown` are fields without a meaning.
    """

    id: str
    moves: tuple[Stone, ...]
    rules: str | Mapping[str, Any]
    columns: int
    rows: int
    initial_stones: tuple[Stone, ...] = ()
    initial_player: Colour | None = None
    komi: float | None = None
    turns: tuple[int, ...]
    priorities: tuple[int, ...]
    max_visits: int | None = None
    settings: Mapping[str, Any] = attrs.field(factory=dict)
    report_seconds: float | None = None
    ownership: bool = False
    moves_ownership: bool = False
    policy: bool = False
    pv_visits: bool = False
    pv_length: int | None = None
    avoid: tuple[Restriction, ...] = ()
    allow: tuple[Restriction, ...] = ()
    unknown: tuple[str, ...] = ()


@attrs.frozen
class Action:
    """Any request other than a query; `fields` is the whole request, which is echoed."""

    name: str
    id: str
    fields: Mapping[str, Any]
    terminate_id: str | None = None  # None: every query
    turns: tuple[int, ...] | None = None  # None: every turn

    def concerns(self, id_: str, turn: int) -> bool:
        """Return whether this action terminates the analysis of a turn of the query `id_`."""
        return self.terminate_id in (None, id_) and (self.turns is None or turn in self.turns)


@attrs.frozen(kw_only=True)
class RootInfo:
    """The values of the position itself, from the viewer's side; `exact_` marks proven values."""

    player: Colour
    visits: int
    winrate: float
    score_lead: float
    this_hash: str = ""
    sym_hash: str = ""
    exact_winrate: float | None = None
    exact_lead: float | None = None


@attrs.frozen(kw_only=True)
class PositionReport:
    """The analysis of a position, with all values from the view of `viewer`.

    `ownership` and `policy` are listed row by row from the top left, `policy` with the pass last.
    """

    viewer: Colour
    moves: tuple[MoveInfo, ...]
    root: RootInfo
    ownership: tuple[float, ...] | None = None
    policy: tuple[float, ...] | None = None
    pv_visits: bool = False


def error_line(error: BadRequest) -> bytes:
    """Return the line that reports an invalid or impossible request."""
    return _line(_known({"error": error.reason, "field": error.field, "id": error.id}))


def warning_line(id_: str, field: str, reason: str) -> bytes:
    """Return the line that reports a problem in a query which is processed nevertheless."""
    return _line({"warning": reason, "field": field, "id": id_})


def echo_line(action: Action, **more: object) -> bytes:
    """Return the line that confirms an action."""
    return _line({**action.fields, **more})


def no_results_line(
    id_: str, turn: int, error: str | None = None, warned: Sequence[Warned] = ()
) -> bytes:
    """Return the last line of a position without results; `error` describes an internal failure."""
    fields = {"id": id_, "isDuringSearch": False, "noResults": True, "turnNumber": turn}
    return _line(_known({**fields, "error": error, "warnings": _warnings(warned)}))


def result_line(
    id_: str, turn: int, report: PositionReport, *, final: bool, warned: Sequence[Warned] = ()
) -> bytes:
    """Return a line with the analysis of a position, the position's last one if `final`."""
    root = report.root
    fields = {
        "id": id_,
        "isDuringSearch": not final,
        "turnNumber": turn,
        "moveInfos": [_move_info(report, each) for each in report.moves],
        "rootInfo": _known(
            {
                "currentPlayer": _letter(root.player),
                "winrate": _rate(root.winrate),
                "scoreLead": _score(root.score_lead),
                "scoreSelfplay": _score(root.score_lead),
                "utility": _utility(root.winrate),
                "visits": root.visits,
                "thisHash": root.this_hash,
                "symHash": root.sym_hash,
                "exactWinrate": root.exact_winrate,
                "exactLead": root.exact_lead,
            }
        ),
        "ownership": _rounded(report.ownership, 3),
        "policy": _rounded(report.policy, 6),
        "warnings": _warnings(warned),
    }
    return _line(_known(fields))


def _move_info(report: PositionReport, move: MoveInfo) -> Fields:
    own = report.root.player is report.viewer
    # The bound is pessimistic for the player who moves, from either view.
    bound = move.lower_bound if own else move.upper_bound
    return _known(
        {
            "move": move.move,
            "visits": move.visits,
            "winrate": _rate(move.winrate),
            "scoreMean": _score(move.score_lead),
            "scoreStdev": _score(move.score_spread),
            "scoreLead": _score(move.score_lead),
            "scoreSelfplay": _score(move.score_lead),
            "prior": round(move.prior, 6),
            "utility": _utility(move.winrate),
            "lcb": _rate(bound),
            "utilityLcb": _utility(bound),
            "order": move.order,
            "pv": move.pv or (move.move,),
            "pvVisits": move.pv_visits if report.pv_visits else None,
            "ownership": _rounded(move.ownership, 3),
            "exactWinrate": _rate(move.winrate) if move.certain else None,
            "exactLead": _score(move.score_lead) if move.exact else None,
        }
    )


def _warnings(warned: Sequence[Warned]) -> list[Fields] | None:
    return [{"field": field, "warning": reason} for field, reason in warned] or None


def _line(fields: Fields) -> bytes:
    # ASCII only, so that half a surrogate pair is echoed unchanged.
    return json.dumps(fields, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def _known(fields: Fields) -> Fields:
    return {name: value for name, value in fields.items() if value is not None}


def _rate(rate: float) -> float:
    return round(rate, 6)


def _score(score: float) -> float:
    return round(score, 4) + 0.0  # without a negative zero


def _utility(rate: float) -> float:
    return round(2 * rate - 1, 6) + 0.0


def _rounded(values: Sequence[float] | None, digits: int) -> list[float] | None:
    return None if values is None else [round(value, digits) + 0.0 for value in values]


def _letter(colour: Colour) -> str:
    return colour.value.upper()
