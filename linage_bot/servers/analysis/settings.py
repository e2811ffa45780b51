"""The defaults of a query, and the limits of one over the network."""

from collections.abc import Mapping
from typing import Any, Final

import attrs

from linage_bot.rules.game import Player
from linage_bot.settings.checks import one_of
from linage_bot.settings.playing import PlaySettings

DEFAULT_VISITS: Final = 10_000
PROOF_SECONDS: Final = 1.0
VIEWS: Final = {"black": Player.FIRST, "white": Player.SECOND, "sidetomove": None}
"""The players whose values are reported, by KataGo's words; None: the player to move."""


@attrs.frozen(kw_only=True)
class AnalysisSettings:
    """The settings that apply unless a query overrides them.

    `play.threads` is the number of positions analysed at once, and the most trees that one of them
    may be given. At most `proof_seconds` are spent on a proof of a position that is likely to be
    proven in the time; None: `PROOF_SECONDS`, but with few visits alone, by their number.
    Clients that are not `local` may request no more than `play` allows. `rules`
    are used for queries that name no game of ours; if None, such queries are refused.
    """

    play: PlaySettings = attrs.field(factory=PlaySettings)
    view: str = attrs.field(default="black", validator=one_of(tuple(VIEWS)))
    proof_seconds: float | None = None
    local: bool = True
    rules: Mapping[str, Any] | None = None
