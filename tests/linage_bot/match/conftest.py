"""The games of the arena's tests."""

from tests.linage_bot.arena.conftest import game, settings

__all__ = ["game", "settings"]
