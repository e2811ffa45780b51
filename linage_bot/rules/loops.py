"""Perimeter loops, whose stones score in Gardar.

"For a group G, its holes are the connected components of the board without G that touch no edge
point. rim(G): stones of G that lie on the edge of the board or next to a point that is neither in
G nor in a hole. Remove rim(G) from the board. Take the components of what is left that contain a
point of a hole. The perimeter loop of G is the set of rim stones next to such a component." It is
the closed circuit of G nearest to its outside from which no stone can be taken without opening it.
"""

from linage_bot.rules.boards import Board, Points


def perimeter_loops(board: Board, stones: Points) -> Points:
    """Return the stones of one player that are in the perimeter loop of their group."""
    loops = 0
    for group in board.components(stones):
        loops |= perimeter_loop(board, group)
    return loops


def perimeter_loop(board: Board, group: Points) -> Points:
    """Return the stones of the group's perimeter loop; none for a group without holes."""
    outside = board.points & ~group
    outer = board.flood(board.edge, outside)
    holes = outside & ~outer
    if not holes:
        return 0
    rim = group & (board.edge | board.neighbours(outer))
    # The outer points may be joined to a hole only through the group, so not once the rim is gone:
    # a component with a hole's point has none of theirs.
    return rim & board.neighbours(board.flood(holes, board.points & ~rim))
