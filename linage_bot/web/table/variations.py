"""Changes to the tree of a table's game, with the positions at its nodes."""

import itertools

import attrs

from linage_bot.records.record import Record
from linage_bot.records.study import Study
from linage_bot.records.tree import MoveTree
from linage_bot.rules.game import IllegalMove, Move
from linage_bot.rules.options import BadOption
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.table.game import MOST_NODES, TableGame

MOST_COMMENT_BYTES = 150_000  # of all comments, so that a saved file can be loaded


def check_node(game: TableGame, node: int) -> None:
    """Raise `ActionRefused` if a node is not in the tree."""
    check(node in game.tree, "this position is not here any more")


def check_playable(game: TableGame, node: int) -> None:
    """Raise `ActionRefused` if a node is missing, or in a variation that breaks the rules."""
    check_node(game, node)
    check(game.tree[node].closed is None, "this variation cannot be played")


def with_move(game: TableGame, node: int, move: Move) -> tuple[TableGame, int]:
    """Return the game with a move made at a node, and the new node. Raise `ActionRefused`."""
    known = game.tree.child(node, move)
    if known is not None:
        return game, known
    check_playable(game, node)
    full = len(game.tree) > MOST_NODES
    check(not full, f"there are {MOST_NODES} moves: delete a variation first")
    try:
        position = game.positions[node].play(move)
    except IllegalMove as error:
        raise ActionRefused(error.reason) from None
    tree, new = game.tree.played(node, move)
    return attrs.evolve(_with(game, tree), positions={**game.positions, new: position}), new


def with_main_line(game: TableGame, node: int) -> TableGame:
    """Return the game with its tree's main line through a node."""
    return _with(game, game.tree.with_main_line(node))


def without(game: TableGame, node: int) -> TableGame:
    """Return the game without a node and all nodes behind it."""
    gone = {each for each, _ in game.tree.walk(node)}
    positions = {each: game.positions[each] for each in game.positions if each not in gone}
    return attrs.evolve(_with(game, game.tree.without(node)), positions=positions)


def with_comment(game: TableGame, node: int, text: str) -> TableGame:
    """Return the game with the comment on a position replaced. Raise `ActionRefused` if full."""
    # JSON can contain an unpaired surrogate.
    written = text.replace("\r\n", "\n").encode("utf-8", "replace")
    others = sum(len(each.comment.encode()) for n, each in game.tree.walk() if n != node)
    room = max(MOST_COMMENT_BYTES - others, len(game.tree[node].comment.encode()))
    check(len(written) <= room, f"comments: too long; a game has {MOST_COMMENT_BYTES} bytes")
    tree = game.tree.with_comment(node, written.decode())
    return attrs.evolve(game, study=attrs.evolve(game.study, tree=tree))


def with_komi(game: TableGame, komi: float) -> TableGame:
    """Return the game with another komi from the start. Raise `ActionRefused`."""
    try:
        rules = attrs.evolve(game.rules, komi=komi)
    except BadOption as error:
        raise ActionRefused(error.reason) from None
    game = with_facts(game, attrs.evolve(game.facts, game=rules))
    return attrs.evolve(game, positions=game.study.positions())


def with_facts(game: TableGame, facts: Record) -> TableGame:
    """Return the game with other facts, such as a result; the positions stay as they are."""
    return attrs.evolve(game, study=attrs.evolve(game.study, facts=facts))


def _with(game: TableGame, tree: MoveTree) -> TableGame:
    """Return the game with another tree; a new main line drops the old one's result."""
    facts = game.facts
    old, new = (each.moves(each.line()) for each in (game.tree, tree))
    if old != new:
        alike = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
        given = min(facts.given, sum(1 for _ in alike))
        facts = attrs.evolve(facts, result=None, given=given)
    return attrs.evolve(game, study=Study(facts, tree))
