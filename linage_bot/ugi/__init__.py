"""The engine as UGI has it, for `protocol.ugi.engine`: options, positions, and thinking."""

from linage_bot.ugi.engine import UgiEngine

__all__ = ["UgiEngine"]
