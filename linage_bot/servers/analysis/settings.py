"""What a query may leave open, and what over the network it may ask for."""

from collections.abc import Mapping
from typing import Any, Final

import attrs

from linage_bot.rules.game import Player
from linage_bot.settings.checks import one_of
from linage_bot.settings.playing import PlaySettings

DEFAULT_VISITS: Final = 10_000
PROOF_SECONDS: Final = 1.0
VIEWS: Final = {"black": Player.FIRST, "white": Player.SECOND, "sidetomove": None}
"""Whose win rates and scores are told, in KataGo's words; None: those of who moves."""


@attrs.frozen(kw_only=True)
class AnalysisSettings:
    """How to analyse where a query does not say it.

    `play.threads` is how many positions are analysed at once, and the most trees that one of them
    may be given. `proof_seconds` are spent at most on a proof of a position that is likely to be
    proven in the time. Clients that are not `local` ask for no more than `play` says. `rules` are
    those of queries that name no game of ours; if None, such queries are refused.
    """

    play: PlaySettings = attrs.field(factory=PlaySettings)
    view: str = attrs.field(default="black", validator=one_of(tuple(VIEWS)))
    proof_seconds: float = PROOF_SECONDS
    local: bool = True
    rules: Mapping[str, Any] | None = None
