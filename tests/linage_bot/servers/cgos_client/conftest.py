"""The world that the tests of the CGOS client share."""

from tests.linage_bot.servers.cgos_client.memory import world

__all__ = ["world"]
