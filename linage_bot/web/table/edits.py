"""Edits of the game at a table: continuing elsewhere, variations, comments and reviews.

Each function returns the game afterwards, or raises `ActionRefused`.
"""

import attrs

from linage_bot.web.table.errors import check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.moves import resumed
from linage_bot.web.table.variations import (
    check_node,
    check_playable,
    with_comment,
    with_main_line,
    without,
)


def play_on(game: TableGame, node: int) -> TableGame:
    """Move the game to a node, to continue from there."""
    check(game.pie is None, "the pie comes first")
    check_playable(game, node)
    node = node if game.earliest in game.tree.path(node) else game.earliest
    # A person who goes back may want time first, and perhaps play for the engine.
    paused = node != game.node and game.is_engines(node)
    return attrs.evolve(resumed(with_main_line(game, node)), node=node, paused=paused)


def promote(game: TableGame, node: int) -> TableGame:
    """Make a variation the main line, and so the game."""
    check_playable(game, node)
    check(game.pie is None, "the pie comes first")
    game = with_main_line(game, node)
    line = game.tree.line()
    check(game.earliest in line, "the pie's stone stays")
    return game if game.node in line else _moved_to(game, line[-1])


def delete(game: TableGame, node: int) -> TableGame:
    """Delete a node and all nodes behind it."""
    check_node(game, node)
    check(game.pie is None, "the pie comes first")
    check(node not in game.tree.path(game.earliest), "the start stays")
    parent = game.tree[node].parent
    assert parent is not None
    game = without(game, node)
    if not all(each in game.tree for each in game.reviewed or ()):
        game = attrs.evolve(game, reviewed=None)
    return game if game.node in game.tree else _moved_to(game, parent)


def comment(game: TableGame, node: int, text: str) -> TableGame:
    """Replace the comment on a position."""
    check_playable(game, node)
    return with_comment(game, node, text)


def review(game: TableGame, on: bool) -> TableGame:
    """Start a review of the game up to its last move, or remove the review."""
    check(not on or game.pie is None, "the pie comes first")
    line = game.moves_to(game.node)
    check(not on or len(line) > 1, "there are no moves to review yet")
    return attrs.evolve(game, reviewed=line if on else None)


def _moved_to(game: TableGame, node: int) -> TableGame:
    """Return the game at a node after an edit of the tree; an engine to move is paused."""
    paused = game.paused or game.is_engines(node)
    return attrs.evolve(resumed(game), node=node, paused=paused)
