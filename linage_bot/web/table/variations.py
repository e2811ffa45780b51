"""Changes to the tree of a table's game, with the positions at its nodes."""

import itertools

import attrs

from linage_bot.records import MoveTree, Record, Study
from linage_bot.rules.game import IllegalMove, Move
from linage_bot.rules.options import BadOption
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.table.game import MOST_NODES, TableGame

MOST_COMMENT_BYTES = 150_000  # of all comments, so that a saved file can be loaded


def check_node(game: TableGame, at: int) -> None:
    """Raise `ActionRefused` if a node is not in the tree."""
    check(at in game.tree, "this position is not here any more")


def check_playable(game: TableGame, at: int) -> None:
    """Raise `ActionRefused` if a node is missing, or in a variation that breaks the rules."""
    check_node(game, at)
    check(game.tree[at].closed is None, "this variation cannot be played")


def with_move(game: TableGame, at: int, move: Move) -> tuple[TableGame, int]:
    """Return the game with a move made at a node, and the new node. Raise `ActionRefused`."""
    node = game.tree.child(at, move)
    if node is not None:
        return game, node
    check_playable(game, at)
    full = len(game.tree) > MOST_NODES
    check(not full, f"there are {MOST_NODES} moves: delete a variation first")
    try:
        position = game.positions[at].play(move)
    except IllegalMove as error:
        raise ActionRefused(error.reason) from None
    tree, node = game.tree.played(at, move)
    return attrs.evolve(_with(game, tree), positions={**game.positions, node: position}), node


def with_main_line(game: TableGame, at: int) -> TableGame:
    """Return the game with its tree's main line through a node."""
    return _with(game, game.tree.with_main_line(at))


def without(game: TableGame, at: int) -> TableGame:
    """Return the game without a node and all nodes behind it."""
    gone = {node for node, _ in game.tree.walk(at)}
    positions = {node: game.positions[node] for node in game.positions if node not in gone}
    return attrs.evolve(_with(game, game.tree.without(at)), positions=positions)


def with_comment(game: TableGame, at: int, text: str) -> TableGame:
    """Return the game with the comment on a position replaced. Raise `ActionRefused` if full."""
    # JSON can contain an unpaired surrogate.
    written = text.replace("\r\n", "\n").encode("utf-8", "replace")
    others = sum(len(node.comment.encode()) for n, node in game.tree.walk() if n != at)
    room = max(MOST_COMMENT_BYTES - others, len(game.tree[at].comment.encode()))
    check(len(written) <= room, f"comments: too long; a game has {MOST_COMMENT_BYTES} bytes")
    tree = game.tree.with_comment(at, written.decode())
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
