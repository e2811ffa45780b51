"""The engine as UGI has it, for `protocol.ugi_session`: options, positions, and thinking."""

from linage_bot.ugi.engine import UgiEngine

__all__ = ["UgiEngine"]
