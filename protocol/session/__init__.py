"""The shared parts of the protocols' conversations: answers in order, lines, errors."""
