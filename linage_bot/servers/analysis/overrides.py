"""The search budget of a query's positions: the server's settings as the query changes them."""

from __future__ import annotations

import contextlib
from typing import Any, Final

import attrs

from linage_bot.engine.limits import Limits
from linage_bot.rules.game import Player
from linage_bot.rules.options import shortened
from linage_bot.servers.analysis.games import Warn
from linage_bot.servers.analysis.settings import PROOF_SECONDS, VIEWS, AnalysisSettings
from linage_bot.settings.playing import BOUNDS, PARAMETERS, PlaySettings, is_whole
from linage_bot.settings.remote_clients import most_for_client, most_seconds
from protocol.kata.messages import BadField, Query

_LONGEST_PROOF_SECONDS = 3600.0
_FEW_VISITS = 40_000  # by which a proof is bounded to a tenth of a second
_PROOF_SHARE = 0.25  # of a position's time, where the query says nothing of proofs
_MOST_PROOF_SHARE = 0.5  # in any case, for the search needs some of it

_OF_MOVES: Final = ("level", "resign_rate")  # not of analyses
_NEVER_MET: Final = ("visits", "seconds")
"""Limits that clients set to an arbitrary large number where they want none."""


@attrs.frozen(kw_only=True)
class QueryBudget:
    """The search settings and limits of a query's positions, and the player whose values to report.

    At most `proof_seconds` are spent on a proof; they count as seconds of `limits`. None: a proof
    is limited by the number of visits, which are the only limit. `spreads`: more threads than
    those of `play` may search a position where processors are idle.
    """

    play: PlaySettings
    limits: Limits
    proof_seconds: float | None
    view: Player | None
    spreads: bool


def budget_of(query: Query, settings: AnalysisSettings, warn: Warn) -> QueryBudget:
    """Return the server's settings as a query changes them; raise `BadField`."""
    changes: dict[str, Any] = {"threads": 1}
    view, proof_seconds, spreads = settings.view, None, True
    for name, word in query.settings.items():
        value = _number(word)
        if name == "reportAnalysisWinratesAs":
            view = str(value).lower()
            if view not in VIEWS:
                raise BadField("overrideSettings", f"{name} is one of {', '.join(VIEWS)}")
        elif name == "maxProofTime":
            most = _LONGEST_PROOF_SECONDS if settings.local else _most_proof_seconds(settings)
            proof_seconds = _within(name, value, 0.0, most, whole=False)
        elif (field := PARAMETERS.get(name, "level")) not in _OF_MOVES:
            least, most = BOUNDS[field]
            if field in _NEVER_MET and type(value) in (int, float):
                value = min(value, most)
            spreads = spreads and field not in ("threads", "seed")
            changes[field] = _within(name, value, least, most, whole=is_whole(field))
            _check_bound("overrideSettings", f"{name}: ", field, changes[field], settings)
        else:
            warn("overrideSettings", f"{shortened(name)!r} is not a known setting")
    if query.max_visits is not None:
        changes["visits"] = min(query.max_visits, int(BOUNDS["visits"][1]))
        _check_bound("maxVisits", "", "visits", changes["visits"], settings)
    play = attrs.evolve(settings.play, **changes)
    return QueryBudget(
        play=play,
        limits=_limits(play, settings),
        proof_seconds=_proof_seconds(proof_seconds, play, settings),
        view=VIEWS[view],
        spreads=spreads and play.seed is None,
    )


def _number(value: Any) -> Any:
    """Return the number that a text holds, as KataGo reads its settings; else the value itself."""
    if isinstance(value, str):
        for kind in (int, float):
            with contextlib.suppress(ValueError):
                return kind(value)
    return value


def _most_proof_seconds(settings: AnalysisSettings) -> float:
    return PROOF_SECONDS if settings.proof_seconds is None else settings.proof_seconds


def _proof_seconds(
    asked: float | None, play: PlaySettings, settings: AnalysisSettings
) -> float | None:
    """Return the most seconds of a proof: as long as both the client and the server allow.

    None: a small number of visits is the only limit and bounds the proof, too. A large number does
    not: some clients send it to stop the search themselves.
    """
    few = play.seconds is None and play.visits is not None and play.visits <= _FEW_VISITS
    if asked is None and few and settings.proof_seconds is None:
        return None
    seconds = _most_proof_seconds(settings) if asked is None else asked
    if play.seconds is None:
        return seconds
    if asked is None and seconds and settings.local:
        seconds = max(seconds, _PROOF_SHARE * play.seconds)
    return min(seconds, _MOST_PROOF_SHARE * play.seconds)


def _within(name: str, value: Any, least: float, most: float, *, whole: bool) -> float:
    kinds: tuple[type, ...] = (int,) if whole else (int, float)
    if type(value) not in kinds or not least <= value <= most:
        kind = "whole number" if whole else "number"
        raise BadField("overrideSettings", f"{name}: expected a {kind} from {least:g} to {most:g}")
    return value  # type: ignore[no-any-return]  # one of the kinds


def _check_bound(
    field: str, where: str, name: str, value: float, settings: AnalysisSettings
) -> None:
    """Raise `BadField` above the command line's limit; for local clients, only of threads."""
    if settings.local and name != "threads":
        return
    most = most_for_client(settings.play, name)
    if value > most:
        raise BadField(field, f"{where}at most {most:.12g} on this server")


def _limits(play: PlaySettings, settings: AnalysisSettings) -> Limits:
    """Return the limits of a search; a client over the network always gets a time limit."""
    seconds = play.seconds
    if not settings.local and seconds is None:
        seconds = most_seconds(settings.play)
    return Limits(play.visits, seconds)
