"""Perfect matchings in general graphs, found with Edmonds' blossom algorithm.

Vertices are numbers from 0 on; a graph is the neighbours of each. The algorithm grows a tree of
alternating paths from an unmatched vertex, the root, until a path ends at another unmatched one. An
odd cycle in the tree, a blossom, is treated as one vertex, its base. For `n` vertices it takes a
time of the order of n cubed.
"""

from collections.abc import Sequence

_NONE = -1  # in place of a vertex


def has_perfect_matching(neighbours: Sequence[Sequence[int]]) -> bool:
    """Return whether all vertices can be paired with a neighbour at the same time."""
    mates = [_NONE] * len(neighbours)
    return all(
        mates[vertex] != _NONE or _augment(neighbours, mates, vertex)
        for vertex in range(len(neighbours))
    )


def _augment(neighbours: Sequence[Sequence[int]], mates: list[int], root: int) -> bool:
    """Match the root and one more vertex; False if that is impossible, now and later."""
    parents = [_NONE] * len(mates)  # the vertex before, of those at odd distance from the root
    bases = list(range(len(mates)))
    queue = [root]  # the vertices at even distance, those in blossoms included
    queued = {root}

    def path_of(vertex: int) -> list[int]:
        """Return the bases from a vertex at even distance down to the root."""
        path = [bases[vertex]]
        while path[-1] != bases[root]:
            path.append(bases[parents[mates[path[-1]]]])
        return path

    def side_of(blossom: set[int], vertex: int, base: int, child: int) -> None:
        """Collect the bases on one side of a blossom; its parents lead around it from now on."""
        while bases[vertex] != base:
            mate = mates[vertex]
            blossom.update((bases[vertex], bases[mate]))
            parents[vertex] = child
            vertex, child = parents[mate], mate

    for vertex in queue:
        for other in neighbours[vertex]:
            if bases[vertex] == bases[other] or mates[vertex] == other:
                continue
            if other in queued:  # both at even distance: a blossom
                path = set(path_of(vertex))
                base = next(each for each in path_of(other) if each in path)
                blossom: set[int] = set()
                side_of(blossom, vertex, base, other)
                side_of(blossom, other, base, vertex)
                for each, its_base in enumerate(bases):
                    if its_base in blossom:
                        bases[each] = base
                        if each not in queued:
                            queued.add(each)
                            queue.append(each)
            elif parents[other] == _NONE:
                parents[other] = vertex
                if mates[other] == _NONE:
                    _swap(mates, parents, other)
                    return True
                queued.add(mates[other])
                queue.append(mates[other])
    return False


def _swap(mates: list[int], parents: Sequence[int], end: int) -> None:
    """Match the vertices of an augmenting path pairwise, from its end to the root."""
    while end != _NONE:
        before = parents[end]
        following = mates[before]
        mates[end], mates[before] = before, end
        end = following
