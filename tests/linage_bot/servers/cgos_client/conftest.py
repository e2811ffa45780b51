"""The shared fixtures of the CGOS client's tests."""

from tests.linage_bot.servers.cgos_client.memory import world

__all__ = ["world"]
