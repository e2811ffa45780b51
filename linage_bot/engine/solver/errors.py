"""Exceptions of the solver."""


class NotSolvable(ValueError):
    """A game, option or position that the solver cannot solve; the message is for the user."""


class OutOfTime(Exception):
    """The search was stopped, or its time or memory ran out; all its results are kept."""


class UnboundedPlay(OutOfTime):
    """No amount of time is enough: play is only ended by its length, or a region is too large."""
