"""Conversations in the JSON analysis protocol, with an analyst that knows no game."""

import itertools
import json

from hypothesis import given
from hypothesis import strategies as st

from protocol.kata.server import MAX_LINE_BYTES, MAX_OPEN, AnalysisUpdate
from tests.protocol.kata.analysts import Talk, action, query


def places(begun) -> list[tuple[str, int]]:
    return [work.question for work in begun]


def test_a_position_is_answered_by_partial_results_and_one_that_is_final():
    """Each line has the query's name and the turn, and says which of the two it is."""
    talk = Talk()
    talk.hear(query("a", moves=[["B", "C3"]]))
    (work,) = talk.begun
    talk.find(work, 10, final=False)
    talk.find(work, 20)
    assert [(line["id"], line["turnNumber"], line["isDuringSearch"]) for line in talk.said] == [
        ("a", 1, True),
        ("a", 1, False),
    ]
    assert [line["rootInfo"]["visits"] for line in talk.said] == [10, 20]
    assert talk.find(work, 30) == []


def test_the_highest_priority_comes_first_and_among_equals_the_oldest():
    """Priorities order queries and the turns of one query; running searches are not interrupted."""
    talk = Talk()
    talk.hear(query("first"))
    moves = [["B", "A1"], ["W", "A2"]]
    talk.hear(
        query("low", priority=-1)
        + query("old")
        + query("turns", moves=moves, analyzeTurns=[0, 1, 2], priorities=[1, 3, 2])
        + query("new", priority=0)
    )
    while talk.begun[-1].question != ("low", 0):
        talk.find(talk.begun[-1], 1)
    assert places(talk.begun) == [
        ("first", 0),
        ("turns", 1),
        ("turns", 2),
        ("turns", 0),
        ("old", 0),
        ("new", 0),
        ("low", 0),
    ]


def test_no_more_is_begun_at_once_than_there_are_threads():
    """A queued position starts when any running one has ended, in any order."""
    talk = Talk(at_once=3)
    talk.hear(b"".join(query(str(number)) for number in range(5)))
    assert len(talk.begun) == 3
    talk.find(talk.begun[1], 1)
    assert places(talk.begun) == [("0", 0), ("1", 0), ("2", 0), ("3", 0)]


def test_terminating_stops_what_was_begun_and_ends_what_was_not():
    """The echo comes first; a running search reports its result later."""
    talk = Talk()
    talk.hear(query("a", moves=[["B", "A1"]], analyzeTurns=[0, 1]) + query("b"))
    said = talk.hear(action("t", "terminate", terminateId="a", more={"x": [1.5, None]}))
    assert said == [
        {"id": "t", "action": "terminate", "terminateId": "a", "more": {"x": [1.5, None]}},
        {"id": "a", "isDuringSearch": False, "noResults": True, "turnNumber": 1},
    ]
    assert talk.begun[0].stopped
    (last,) = talk.find(talk.begun[0], 5)
    assert (last["id"], last["turnNumber"], last["isDuringSearch"]) == ("a", 0, False)
    assert last["rootInfo"]["visits"] == 5
    assert places(talk.begun) == [("a", 0), ("b", 0)]


def test_single_turns_and_all_queries_can_be_terminated():
    """`turnNumbers` names the turns, `terminate_all` needs no name."""
    talk = Talk()
    moves = [["B", "A1"], ["W", "A2"]]
    talk.hear(query("first") + query("a", moves=moves, analyzeTurns=[0, 1, 2]) + query("b"))
    said = talk.hear(action("t", "terminate", terminateId="a", turnNumbers=[2, 0]))
    assert [(line["id"], line.get("turnNumber")) for line in said] == [
        ("t", None),
        ("a", 0),
        ("a", 2),
    ]
    said = talk.hear(action("u", "terminate_all"))
    assert [(line["id"], line.get("turnNumber")) for line in said] == [
        ("u", None),
        ("a", 1),
        ("b", 0),
    ]
    assert talk.begun[0].stopped


def test_a_version_and_an_empty_cache_are_answered_at_once():
    """`query_version` and `clear_cache` are answered at once, by an echo with the result."""
    talk = Talk()
    said = talk.hear(action("v", "query_version", note="n") + action("c", "clear_cache"))
    assert said == [
        {
            "id": "v",
            "action": "query_version",
            "note": "n",
            "version": "7",
            "git_hash": "<omitted>",
        },
        {"id": "c", "action": "clear_cache"},
    ]
    assert talk.analyst.forgotten == 1
    assert talk.hear(action("m", "query_models"))[0]["models"] == []


def test_a_client_that_does_not_know_our_games_is_warned_within_an_answer_and_once():
    """The warning is part of an answer, as a client may take the first line for the answer."""
    talk = Talk(at_once=2)
    assert talk.hear(query("a", rules="foreign", moves=[["B", "C3"]], analyzeTurns=[0, 1])) == []
    first, second = talk.begun
    (partial,) = talk.find(second, 1, final=False)
    assert partial["warnings"] == [{"field": "rules", "warning": "these are odd"}]
    assert "warning" not in partial
    rest = talk.find(second, 2) + talk.find(first, 1)
    rest += talk.hear(query("b", rules="foreign"))
    rest += talk.find(talk.begun[-1], 1)
    assert [line["id"] for line in rest] == ["a", "a", "b"]
    assert not any("warnings" in line for line in rest)
    # Another query of the same conversation is not the one that gave reason for it.
    talk.hear(query("c", rules="foreign", typo=1) + query("d"))
    assert "warnings" not in talk.find(talk.begun[-1], 1)[0]
    (none,) = talk.find(talk.begun[-2], None)
    assert none["noResults"]
    assert [each["field"] for each in none["warnings"]] == ["typo"]


def test_warnings_without_end_do_not_fill_the_memory():
    """A client may find ever new words that have no meaning."""
    talk = Talk()
    for number in range(200):
        talk.hear(query("a", rules="foreign", **{f"word{number}": 1}))
    assert len(talk.find(talk.begun[0], 1)[0]["warnings"]) == 100
    assert "warnings" not in talk.find(talk.begun[1], 1)[0]


def test_an_action_is_answered_however_deep_its_fields_are():
    """Nesting that could be read but not written is refused as too deep."""
    talk = Talk()
    for depth in range(700, 1100):
        lists = "[" * depth + "]" * depth
        line = f'{{"id": "a", "action": "query_version", "note": {lists}}}\n'
        (said,) = talk.hear(line.encode())
        assert "too deep" in said["error"] if "error" in said else said["version"] == "7"


def test_a_query_may_be_refused_warned_of_or_fail():
    """An error ends a query, a warning does not, and internal errors send no traceback."""
    talk = Talk()
    said = talk.hear(query("a", rules="refused") + query("b", rules="odd", more=1))
    assert said == [
        {"error": "not these", "field": "rules", "id": "a"},
        {"warning": "this field is not known", "field": "more", "id": "b"},
        {"warning": "these are odd", "field": "rules", "id": "b"},
    ]
    assert places(talk.begun) == [("b", 0)]
    (failed,) = talk.hear(query("c", rules="broken"))
    assert failed == {"error": "internal error: ZeroDivisionError()", "id": "c"}


def test_what_could_not_be_found_out_ends_with_a_line_too():
    """Exactly one with `isDuringSearch` false, and why."""
    talk = Talk()
    talk.hear(query("a"))
    said = talk.session.update(talk.begun[0], talk.session.failed(OSError("no threads")))
    assert json.loads(said) == {
        "id": "a",
        "isDuringSearch": False,
        "noResults": True,
        "turnNumber": 0,
        "error": "internal error: OSError('no threads')",
    }


def test_at_the_end_of_the_input_all_queries_are_finished():
    """At the end of input all queries finish, including a last line without newline."""
    talk = Talk()
    talk.hear(query("a") + query("b").rstrip())
    talk.end()
    assert not talk.session.closed
    talk.find(talk.begun[0], 1)
    assert not talk.session.closed
    talk.find(talk.begun[1], 1)
    assert talk.session.closed
    assert talk.closed == 1
    assert talk.hear(query("c")) == []


def test_without_any_query_the_end_is_at_once():
    """Without a query the session ends at the end of input."""
    talk = Talk()
    assert talk.hear(b"nonsense\n\n")[0]["error"].startswith("not a line of JSON")
    talk.end()
    assert talk.session.closed


def test_a_client_that_vanishes_is_not_worked_for():
    """All that was begun is stopped, nothing else begins."""
    talk = Talk(at_once=2)
    talk.hear(query("a") + query("b") + query("c"))
    talk.session.abandon()
    assert [work.stopped for work in talk.begun] == [True, True]
    assert talk.find(talk.begun[0], 1) == []
    assert talk.closed == 1


def test_who_asks_for_too_much_at_once_is_not_read_further():
    """Requests already read are answered; reading continues as positions end."""
    talk = Talk()
    moves = [["B", "A1"]] * (MAX_OPEN - 1)
    talk.hear(query("a", moves=moves, analyzeTurns=list(range(MAX_OPEN))) + query("b"))
    talk.hear(query("c") + action("v", "query_version"))
    assert not talk.session.wants_data
    assert talk.said == []
    talk.find(talk.begun[0], 1)
    talk.find(talk.begun[1], 1)
    talk.find(talk.begun[2], 1)
    assert talk.session.wants_data
    assert [line["id"] for line in talk.said] == ["a", "a", "v", "a"]


def test_a_line_without_end_is_refused_and_the_next_one_read():
    """An overlong line gets one error, in any number of pieces."""
    talk = Talk()
    said = []
    for _ in range(20):
        said += talk.hear(b"x" * (MAX_LINE_BYTES // 10))
    said += talk.hear(b"\n" + action("v", "query_version"))
    assert [line.get("error") or line["id"] for line in said] == [
        f"a line of more than {MAX_LINE_BYTES} bytes",
        "v",
    ]


def test_a_call_may_be_bounded():
    """A call is limited by time or output; the next call does the rest."""
    talk = Talk()
    talk.session.enough = lambda: True
    talk.session.max_output_bytes = 10
    assert len(talk.hear(action("a", "query_version") * 3)) == 1
    assert talk.session.has_more
    assert len(talk.hear(b"")) == 1
    assert len(talk.hear(b"")) == 1
    assert not talk.session.has_more


def test_only_partial_results_may_be_lost():
    """While the client does not read."""
    session = Talk().session
    assert session.may_be_lost(AnalysisUpdate(None, final=False))
    assert not session.may_be_lost(AnalysisUpdate(None))


@given(cuts=st.lists(st.integers(0, 600), max_size=8))
def test_where_the_bytes_are_cut_changes_nothing(cuts):
    """Input gives the same answers in pieces of any size."""
    data = (
        query("a", rules="odd")
        + b"\n \r\n[1]\n"
        + query("é", priority=2)
        + action("t", "terminate", terminateId="a")
        + action("v", "query_version")
    )
    # Three threads, so that nothing is still waiting when it is terminated.
    whole, pieces = Talk(at_once=3), Talk(at_once=3)
    for line in data.splitlines(keepends=True):
        whole.hear(line)
    cuts = [0, *sorted(cut % len(data) for cut in cuts), len(data)]
    for start, end in itertools.pairwise(cuts):
        pieces.hear(data[start:end])
    names = [line.get("id") for line in whole.said if "isDuringSearch" not in line]
    assert [line.get("id") for line in pieces.said if "isDuringSearch" not in line] == names
    ended = [line for line in pieces.said if "isDuringSearch" in line]
    assert len(pieces.begun) + len(ended) == 2


@given(
    at_once=st.sampled_from([1, 3]),
    steps=st.lists(
        st.tuples(st.sampled_from("qtaef"), st.integers(0, 5), st.integers(0, 3)), max_size=40
    ),
)
def test_every_position_ends_exactly_once(at_once, steps):
    """Every position ends once, for any order of queries, terminations and results."""
    talk, asked = Talk(at_once), []
    for kind, number, more in steps:
        if kind == "q":
            moves = [["B", "A1"]] * more
            asked += [(str(number), turn) for turn in range(more + 1)]
            talk.hear(query(str(number), moves=moves, analyzeTurns=[*range(more + 1)]))
        elif kind == "t":
            talk.hear(action("t", "terminate", terminateId=str(number)))
        elif kind == "a":
            talk.hear(action("t", "terminate_all", turnNumbers=[number]))
        elif talk.begun:
            found = more or (None if kind == "f" else 1)
            talk.find(talk.begun[number % len(talk.begun)], found, final=kind == "f")
    talk.end()
    while not talk.session.closed:
        for work in list(talk.begun):
            talk.find(work, 1)
    ended = [
        (line["id"], line["turnNumber"])
        for line in talk.said
        if line.get("isDuringSearch") is False and "turnNumber" in line
    ]
    assert sorted(ended) == sorted(asked)
