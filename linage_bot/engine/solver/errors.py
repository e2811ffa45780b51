"""What can go wrong with a question for exact values."""


class NotSolvable(ValueError):
    """A game or option whose values this package cannot tell; the message is for the user."""


class OutOfTime(Exception):
    """The search was stopped, or its time or memory ran out; all it has learnt is kept."""


class Endless(OutOfTime):
    """No time would do: either player can keep play going until the game's length ends it."""
