"""Perfect matchings of a graph, compared with trying all pairings."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from linage_bot.match.matching import has_perfect_matching

PAIRS = list(itertools.combinations(range(8), 2))
Edges = set[tuple[int, int]]


def paired(count: int, edges: Edges) -> bool:
    neighbours: list[list[int]] = [[] for _ in range(count)]
    for one, other in sorted(edges):
        neighbours[one].append(other)
        neighbours[other].append(one)
    return has_perfect_matching(neighbours)


def paired_by_trying(vertices: tuple[int, ...], edges: Edges) -> bool:
    """The first vertex with each of the others, and so on."""
    if not vertices:
        return True
    first, *others = vertices
    return any(
        (first, other) in edges
        and paired_by_trying(tuple(each for each in others if each != other), edges)
        for other in others
    )


def complete(vertices: range) -> Edges:
    return set(itertools.combinations(vertices, 2))


@given(st.sampled_from([2, 4, 6, 7, 8]), st.sets(st.sampled_from(PAIRS), max_size=16))
def test_small_graphs_are_paired_if_any_pairing_exists(count: int, edges: Edges) -> None:
    """Small graphs with any odd cycles have a matching exactly if trying all finds one."""
    edges = {edge for edge in edges if max(edge) < count}
    assert paired(count, edges) is paired_by_trying(tuple(range(count)), edges)


def test_nobody_is_left_out_of_odd_groups() -> None:
    """Two odd groups can be paired exactly if an edge connects them."""
    groups = complete(range(31)) | complete(range(31, 60))
    assert not paired(60, groups)
    assert paired(60, groups | {(17, 43)})


def test_a_chain_of_odd_cycles_is_paired() -> None:
    """Triangles joined to a row, with a vertex at each end: cycles inside cycles are seen."""
    row = {(0, 1), (21, 22)}
    for corner in range(1, 19, 3):
        row |= {(corner, corner + 1), (corner, corner + 2), (corner + 1, corner + 2)}
        row |= {(corner + 2, corner + 3)}
    row |= {(19, 20), (19, 21), (20, 21), (20, 23)}
    assert paired(24, row) is paired_by_trying(tuple(range(24)), row) is True
    assert not paired(24, row - {(0, 1)})


def test_an_odd_number_or_a_lonely_vertex_is_never_paired() -> None:
    """No vertex is paired with itself, and the empty graph has a perfect matching."""
    assert paired(0, set())
    assert not paired(59, complete(range(59)))
    assert not paired(4, complete(range(3)))
