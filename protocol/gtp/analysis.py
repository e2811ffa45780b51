"""Search results as the lines that GUIs and servers read, in both directions.

Three dialects: `kata-analyze` (KataGo's: rates are fractions), `lz-analyze` (Leela Zero's: rates
are whole numbers out of 10,000, and there is no score) and `analyze` (KataGo's fields with Leela
Zero's rates); `cgos.analysis` has another one.  Rates and scores are from the view of the requested
colour.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeVar

import attrs

from protocol.session.arguments import (
    Colour,
    parse_bool,
    parse_colour,
    parse_count,
    parse_float,
    shown,
)
from protocol.session.errors import CommandFailed, RemoteProtocolError

Number = TypeVar("Number", int, float)


@attrs.frozen
class MoveInfo:
    """One move that a search examined; `winrate` and `prior` are 0..1, `order` 0 is the best.

    `error` is the standard error of `winrate`; None: that of the mean of so many games.
    `score_spread` is the standard deviation of the playouts' scores. `exact`: the score lead is
    proven; `certain`: `winrate` is proven, as a result. Only `kata.messages` sends `pv_visits` and
    `ownership`, which is the ownership after the move.
    """

    move: str
    visits: int
    winrate: float
    score_lead: float = 0.0
    prior: float = 0.0
    order: int = 0
    pv: tuple[str, ...] = ()
    score_spread: float = 0.0
    exact: bool = False
    certain: bool = False
    pv_visits: tuple[int, ...] = ()
    ownership: tuple[float, ...] | None = None
    error: float | None = None

    @property
    def lower_bound(self) -> float:
        """The lower end of the 95 % confidence interval of `winrate`, called `lcb` by clients."""
        return max(0.0, self.winrate - self._margin)

    @property
    def upper_bound(self) -> float:
        """The upper end of the same interval; from the opponent's view it is the lower end."""
        return min(1.0, self.winrate + self._margin)

    @property
    def _margin(self) -> float:
        error = self.error
        if error is None:
            error = math.sqrt(self.winrate * (1 - self.winrate) / max(1, self.visits))
        return 1.96 * error


@attrs.frozen
class Root:
    """The proven values of the position itself; None where unproven."""

    winrate: float | None = None
    score_lead: float | None = None


EMPTY_ROOT: Final = Root()


@attrs.frozen
class AnalysisLine:
    """One parsed line: the candidates, the ownership of each point, and proven values.

    Points are in row-major order from the top.
    """

    candidates: tuple[MoveInfo, ...]
    ownership: tuple[float, ...] | None = None
    root: Root = EMPTY_ROOT


@attrs.frozen
class Restriction:
    """A list of moves of `colour` to avoid, or to allow alone, for the first `depth` moves."""

    colour: Colour
    moves: tuple[str, ...]
    depth: int


@attrs.frozen
class AnalyzeRequest:
    """The arguments of an analysis command."""

    colour: Colour | None = None
    interval_seconds: float = 1.0
    min_moves: int = 0
    max_moves: int | None = None
    ownership: bool = False
    avoid: tuple[Restriction, ...] = ()
    allow: tuple[Restriction, ...] = ()


# Writing


def _number(value: float, digits: int) -> str:
    """Return a short decimal without exponent and without a negative zero."""
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _utility(rate: float) -> str:
    """Return a win rate on the scale from -1, lost, to 1, won."""
    return _number(2 * rate - 1, 6)


def _proof_fields(root: Root, candidate: MoveInfo) -> str:
    """Return the end of a segment in both dialects, with the fields that mark numbers as proven.

    Clients skip unknown keys.  The best move's segment also holds the position's proven values, so
    that they are sent once a line.  The variation is never empty, because clients read a line up to
    its `pv`.
    """
    words = f" order {candidate.order}"
    if candidate.order == 0:
        words += "" if root.winrate is None else f" exactRootWinrate {_number(root.winrate, 1)}"
        words += "" if root.score_lead is None else f" exactRootLead {_number(root.score_lead, 4)}"
    words += f" exactWinrate {_number(candidate.winrate, 1)}" if candidate.certain else ""
    words += f" exactLead {_number(candidate.score_lead, 4)}" if candidate.exact else ""
    return f"{words} pv {' '.join(candidate.pv or (candidate.move,))}"


def kata_line(
    candidates: Iterable[MoveInfo],
    ownership: Sequence[float] | None = None,
    root: Root = EMPTY_ROOT,
) -> str:
    """Return one line of `kata-analyze`; empty without candidates.

    Win rates have a decimal point even when they are whole: Sabaki reads them as percentages
    otherwise.
    """
    return _line_with_scores(candidates, ownership, root, "{:.6f}".format, _fraction)


def analyze_line(
    candidates: Iterable[MoveInfo],
    ownership: Sequence[float] | None = None,
    root: Root = EMPTY_ROOT,
) -> str:
    """Return one line of `analyze`: as `kata_line`, with rates as whole numbers out of 10,000.

    Sabaki 0.60 expects that from the command's name; older versions accept both, by the decimal
    point.
    """
    return _line_with_scores(candidates, ownership, root, _ten_thousandths, _ten_thousandths)


def _fraction(rate: float) -> str:
    """Return a rate as KataGo writes priors."""
    return _number(rate, 6)


def _ten_thousandths(rate: float) -> str:
    """Return a rate as Leela Zero writes it, a whole number out of 10,000."""
    return str(round(10_000 * rate))


def _line_with_scores(
    candidates: Iterable[MoveInfo],
    ownership: Sequence[float] | None,
    root: Root,
    rate: Callable[[float], str],
    prior: Callable[[float], str],
) -> str:
    """Return a line of KataGo's fields, with win rates and priors formatted by the two functions.

    LizzieYzy reads the score from `scoreMean`; our one score is written to all its fields.
    """
    parts = [
        f"info move {c.move} visits {c.visits} utility {_utility(c.winrate)}"
        f" winrate {rate(c.winrate)}"
        f" scoreMean {_number(c.score_lead, 4)} scoreStdev {_number(c.score_spread, 4)}"
        f" scoreLead {_number(c.score_lead, 4)} scoreSelfplay {_number(c.score_lead, 4)}"
        f" prior {prior(c.prior)}"
        f" lcb {rate(c.lower_bound)} utilityLcb {_utility(c.lower_bound)}{_proof_fields(root, c)}"
        for c in candidates
    ]
    if ownership is not None and parts:
        parts.append("ownership " + " ".join(_number(value, 3) for value in ownership))
    return " ".join(parts)


def lz_line(
    candidates: Iterable[MoveInfo],
    _ownership: Sequence[float] | None = None,
    root: Root = EMPTY_ROOT,
) -> str:
    """Return one line of `lz-analyze`, which omits ownership; empty without candidates."""
    return " ".join(
        f"info move {c.move} visits {c.visits} winrate {_ten_thousandths(c.winrate)}"
        f" prior {_ten_thousandths(c.prior)} lcb {_ten_thousandths(c.lower_bound)}"
        f"{_proof_fields(root, c)}"
        for c in candidates
    )


# Reading


def parse_analysis(line: str) -> AnalysisLine:
    """Read a line of `kata-analyze`, `lz-analyze` or `analyze`; unknown keys are skipped.

    Raises `RemoteProtocolError` if the line is none of them.
    """
    words = line.split()
    ownership = None
    if "ownership" in words:
        start = words.index("ownership")
        ownership = tuple(read_number(float, word, line) for word in words[start + 1 :])
        del words[start:]
    starts = [index for index, word in enumerate(words) if word == "info"]
    if not starts or starts[0] != 0:
        raise RemoteProtocolError("not an analysis line", line[:200])
    ends = [*starts[1:], len(words)]
    segments = [_fields(words[s + 1 : e], line) for s, e in zip(starts, ends, strict=True)]
    candidates = tuple(_read_segment(fields, pv, line) for fields, pv in segments)
    return AnalysisLine(candidates, ownership, _read_root(segments[0][0], line))


def _fields(words: list[str], line: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return a segment's values by key, and its variation."""
    if "pv" not in words:
        raise RemoteProtocolError("analysis without a pv", line[:200])
    at = words.index("pv")
    fields = dict(zip(words[:at:2], words[1:at:2], strict=False))
    if at % 2 or "move" not in fields:
        raise RemoteProtocolError("analysis without a move", line[:200])
    return fields, tuple(words[at + 1 :])


def _read_root(fields: Mapping[str, str], line: str) -> Root:
    """Return the position's proven values, which our engine adds to the first segment."""
    keys = ("exactRootWinrate", "exactRootLead")
    given = (fields.get(key) for key in keys)
    return Root(*(None if word is None else read_number(float, word, line) for word in given))


def _read_segment(fields: Mapping[str, str], pv: tuple[str, ...], line: str) -> MoveInfo:
    unit = _unit(fields, line)
    return MoveInfo(
        move=fields["move"],
        visits=read_number(int, fields.get("visits", "0"), line),
        winrate=read_number(float, fields.get("winrate", "0"), line) / unit,
        score_lead=read_number(float, fields.get("scoreLead", "0"), line),
        prior=read_number(float, fields.get("prior", "0"), line) / unit,
        order=read_number(int, fields.get("order", "0"), line),
        pv=pv or (fields["move"],),
        score_spread=read_number(float, fields.get("scoreStdev", "0"), line),
        exact="exactLead" in fields,
        certain="exactWinrate" in fields,
    )


def _unit(fields: Mapping[str, str], line: str) -> float:
    """Return the divisor for a segment's rates: 1, or 10,000 where they are whole numbers.

    KataGo, which always gives a score, writes fractions, but without a decimal point where they are
    0 or 1.
    """
    rates = [fields[key] for key in ("winrate", "prior", "lcb") if key in fields]
    if any("." in rate or "e" in rate for rate in rates):
        return 1.0
    small = all(read_number(float, rate, line) <= 1 for rate in rates)
    return 1.0 if small and "scoreLead" in fields else 10_000.0


def read_number(kind: Callable[[str], Number], word: str, line: str) -> Number:
    """Return a finite number; raise `RemoteProtocolError` that quotes the line if it is not one."""
    try:
        number = kind(word)
        if math.isfinite(number):
            return number
    except (ValueError, OverflowError):  # OverflowError: an integer beyond all fractions
        pass
    raise RemoteProtocolError(f"not a finite number: {shown(word)}", line[:200])


# Arguments


def parse_analyze_arguments(words: Sequence[str]) -> AnalyzeRequest:
    """Read `[COLOR] [CENTISECONDS] [KEY VALUE]…` of an analysis command.

    Keys: `interval` (centiseconds), `minmoves`, `maxmoves`, `ownership`, `avoid` and `allow` (each
    followed by a colour, moves joined by commas, and a depth), in any case.  KataGo's other keys,
    which only request output that we do not have (`rootInfo`, `pvVisits` …), are accepted with a
    truth value and ignored.  Raises `CommandFailed`.
    """
    rest = list(words)
    request = AnalyzeRequest()
    if rest and rest[0].lower() in ("b", "w", "black", "white"):
        request = attrs.evolve(request, colour=parse_colour(rest.pop(0)))
    if rest and rest[0][:1].isdigit():
        request = attrs.evolve(request, interval_seconds=_seconds(rest.pop(0)))
    while rest:
        key = rest.pop(0).lower()
        needed = 3 if key in ("avoid", "allow") else 1
        if key not in _KEYS:
            raise CommandFailed(f"syntax error: unknown key: {shown(key)}")
        if len(rest) < needed:
            raise CommandFailed(f"syntax error: no value for key: {shown(key)}")
        request = _KEYS[key](request, rest[:needed])
        del rest[:needed]
    return request


def _seconds(centiseconds: str) -> float:
    value = parse_float(centiseconds)
    if value < 0:
        raise CommandFailed(f"syntax error: negative interval: {shown(centiseconds)}")
    return value / 100


def _restriction(words: list[str]) -> Restriction:
    return Restriction(parse_colour(words[0]), tuple(words[1].split(",")), parse_count(words[2]))


def _ignored(request: AnalyzeRequest, words: list[str]) -> AnalyzeRequest:
    parse_bool(words[0])
    return request


_MORE_OUTPUT: Final = [
    "rootinfo",
    "pvvisits",
    "pvedgevisits",
    "ownershipstdev",
    "movesownership",
    "movesownershipstdev",
    "noresultvalue",
]
_KEYS: Final[Mapping[str, Callable[[AnalyzeRequest, list[str]], AnalyzeRequest]]] = {
    "interval": lambda r, w: attrs.evolve(r, interval_seconds=_seconds(w[0])),
    "minmoves": lambda r, w: attrs.evolve(r, min_moves=parse_count(w[0])),
    "maxmoves": lambda r, w: attrs.evolve(r, max_moves=parse_count(w[0])),
    "ownership": lambda r, w: attrs.evolve(r, ownership=parse_bool(w[0])),
    "avoid": lambda r, w: attrs.evolve(r, avoid=(*r.avoid, _restriction(w))),
    "allow": lambda r, w: attrs.evolve(r, allow=(*r.allow, _restriction(w))),
    **dict.fromkeys(_MORE_OUTPUT, _ignored),
}
