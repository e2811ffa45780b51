"""A sticky object is reused in the process where it was created."""

import pickle
from functools import partial

from linage_bot.jobs import sticky
from linage_bot.jobs.sticky import StickyObject


def sent(one: StickyObject[list[int]]) -> StickyObject[list[int]]:
    """Return the object as it arrives in another process; here it is the same one."""
    found: StickyObject[list[int]] = pickle.loads(pickle.dumps(one))
    return found


def test_what_was_sent_before_goes_on_and_what_is_forgotten_begins_again() -> None:
    """A sent object keeps its state by its name until it is forgotten."""
    here = StickyObject(partial(list[int], (1,)))
    assert here.here is here.here
    sent(here).here.append(2)
    assert sent(here).here == [1, 2]
    assert here.here == [1]
    here.forget()
    assert (here.here, sent(here).here) == ([1], [1])


def test_only_so_many_are_kept_and_only_while_they_are_used(monkeypatch) -> None:
    """The number of stored objects is limited, and idle ones are dropped."""
    several = [StickyObject(partial(list[int], ())) for _ in range(sticky._MOST + 1)]
    for each in several:
        sent(each).here.append(1)
    assert [len(sent(each).here) for each in (several[1], several[0])] == [1, 0]
    monkeypatch.setattr(sticky, "_IDLE_SECONDS", -1.0)
    assert sent(several[5]).here == [1]
    assert sent(several[6]).here == []
