"""Who sits at a table: persons and engines, and how the pie decides who plays which side."""

import attrs

from linage_bot.settings.playing import LEVELS


@attrs.frozen
class Seat:
    """A person, or an engine of some level."""

    level: int | None = None  # None: a person

    @property
    def is_engine(self) -> bool:
        """Whether nobody sits there."""
        return self.level is not None

    @property
    def name(self) -> str:
        """As a record names a player."""
        if self.level is None:
            return "person"
        return f"linage-bot level {self.level}"


HIGHEST_LEVEL = len(LEVELS)


@attrs.frozen
class Pie:
    """A pie not yet eaten: one offers a komi or a first stone, then the other chooses a side."""

    offers: Seat
    chooses: Seat
    offered: bool = False

    @property
    def acts(self) -> Seat:
        """Whose turn it is."""
        return self.chooses if self.offered else self.offers
