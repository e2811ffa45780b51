"""The room that a limit on the address space leaves."""

import math

import pytest

from linage_bot.engine.jit import address_space


def test_without_a_limit_there_is_room_for_everything() -> None:
    """Without a limit there is room for everything."""
    assert address_space.room() == math.inf
    assert not address_space.short()
    address_space.check_room_for_code()
    assert address_space.nodes_with_room(10**9, 72) == 10**9


def test_with_little_room_there_are_fewer_nodes_and_with_less_there_is_no_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With little room a tree has fewer nodes, and with too little it is an error."""
    monkeypatch.setattr(address_space, "room", lambda: 200 << 20)
    address_space.check_room_for_code()
    assert 0 < 2 * 72 * address_space.nodes_with_room(10**9, 72) < 200 << 20
    assert address_space.nodes_with_room(1000, 72) == 1000
    monkeypatch.setattr(address_space, "room", lambda: 10 << 20)
    with pytest.raises(MemoryError, match="address space"):
        address_space.nodes_with_room(10**9, 72)
