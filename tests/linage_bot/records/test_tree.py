"""A tree of moves: each change leaves the other nodes in place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.records.tree import ROOT, MoveTree, Node


@st.composite
def trees(draw: st.DrawFn) -> MoveTree:
    """Grown by hand, with comments."""
    tree = MoveTree()
    for _ in range(draw(st.integers(0, 12))):
        at = draw(st.sampled_from(sorted(tree.nodes)))
        tree, place = tree.played(at, draw(st.integers(-1, 3)))
        if draw(st.booleans()):
            tree = tree.with_comment(place, draw(st.text(max_size=3)))
    return tree


def places(tree: MoveTree) -> st.SearchStrategy[int]:
    return st.sampled_from(sorted(tree.nodes))


def test_a_tree_begins_with_its_start() -> None:
    """A new tree has only a root, without moves."""
    tree = MoveTree()
    assert (len(tree), tree.line(), tree.end(), tree.moves(tree.line())) == (1, (ROOT,), ROOT, ())


def test_moves_are_made_and_found_again() -> None:
    """The first stays the main line; the same move leads to the same place."""
    tree, first = MoveTree().played(ROOT, 5)
    tree, second = tree.played(first, 7)
    tree, other = tree.played(first, 9)
    assert tree.line() == (ROOT, first, second)
    assert tree.path(other) == (ROOT, first, other)
    assert (tree.child(first, 9), tree.child(first, 8)) == (other, None)
    assert tree.moves(tree.path(other)) == (5, 9)
    assert [at for at, _ in tree.walk()] == [ROOT, first, second, other]


def test_numbers_are_not_given_twice() -> None:
    """The number of a removed node is not used again, so old references find no other node."""
    tree, gone = MoveTree().played(ROOT, 5)
    tree, new = tree.without(gone).played(ROOT, 6)
    assert new != gone
    assert gone not in tree


@given(st.data())
def test_changes_leave_everything_else_as_it_was(data: st.DataObject) -> None:
    """The tree that was changed, and in the new one all other nodes, which are not even copied."""
    tree = data.draw(trees())
    before, at = dict(tree.nodes), data.draw(places(tree))
    grown, place = tree.played(at, 3)
    commented, led = tree.with_comment(at, "!"), tree.with_main_line(at)
    assert tree.nodes == before
    assert (len(grown), grown[place].move, grown.without(place)) == (len(tree) + 1, 3, tree)
    assert commented[at].comment == "!"
    assert at in led.line()
    assert sorted(led.nodes) == sorted(tree.nodes)
    for changed, own in ((grown, {at, place}), (commented, {at}), (led, set(tree.path(at)[:-1]))):
        assert all(changed[each] is tree[each] for each in tree.nodes if each not in own)
    if at != ROOT:
        cut, gone = tree.without(at), {each for each, _ in tree.walk(at)}
        assert set(cut.nodes) == set(tree.nodes) - gone
        assert [each for each, _ in cut.walk()] == [e for e, _ in tree.walk() if e not in gone]


@given(trees())
def test_trees_are_equal_if_they_say_the_same(tree: MoveTree) -> None:
    """Trees are equal if their nodes are, regardless of the numbers."""
    numbers = {at: number for number, (at, _) in enumerate(tree.walk())}
    again = MoveTree.of(
        Node(
            move=node.move,
            parent=None if node.parent is None else numbers[node.parent],
            comment=node.comment,
        )
        for _, node in tree.walk()
    )
    assert (again, hash(again)) == (tree, hash(tree))
    assert tree != tree.played(ROOT, 3)[0]
    assert tree != tree.with_comment(tree.end(), "something else")


@pytest.mark.thorough
def test_a_tree_may_be_deep() -> None:
    """Very deep trees work, without recursion."""
    tree = MoveTree.of(Node(move=n or None, parent=n - 1 if n else None) for n in range(100_000))
    assert tree == MoveTree.of(
        Node(move=n or None, parent=n - 1 if n else None) for n in range(100_000)
    )
    assert tree.end() == 99_999
    assert len(tree.without(1)) == 1
