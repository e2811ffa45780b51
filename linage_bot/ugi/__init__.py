"""The engine's side of UGI, for `protocol.ugi.engine`: options, positions and searches."""

from linage_bot.ugi.engine import UgiEngine

__all__ = ["UgiEngine"]
