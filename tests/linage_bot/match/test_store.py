"""The event store: it loses no game, stores none twice, and overwrites no other file."""

import json
import os
import re
import sys
from pathlib import Path

import attrs
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from linage_bot.arena.records import Key
from linage_bot.match.store import EventStore
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import EngineSettings
from tests.examples import examples


def results(settings):
    return Path(settings.out) / "results.jsonl"


@pytest.fixture
def filled(settings, game):
    """An event's file with two games in it."""
    store = EventStore.open(settings)
    store.append(game(1, "ada"))
    store.append(game(2, None))
    store.close()
    return settings


def test_games_are_there_when_the_file_is_opened_again(filled, game):
    """Reopened games keep their order and facts, and new ones are appended."""
    store = EventStore.open(filled)
    assert list(store.records.values()) == [game(1, "ada"), game(2, None)]
    store.append(game(3, "bea"))
    store.close()
    assert len(results(filled).read_bytes().splitlines()) == 4


def test_the_first_line_is_the_whole_configuration_and_its_hash(filled):
    """The file documents the whole event, engines included."""
    header = json.loads(results(filled).read_bytes().splitlines()[0])
    assert header["fingerprint"] == filled.fingerprint()
    assert header["configuration"]["engines"][1]["name"] == "bea"


def test_each_game_has_its_sgf_file(filled):
    """Each game has a numbered SGF file with the players beside the records."""
    assert sorted(path.name for path in Path(filled.out).iterdir()) == [
        "0001.sgf",
        "0002.sgf",
        "results.jsonl",
    ]
    assert "PB[ada]" in (Path(filled.out) / "0001.sgf").read_text()


def test_sgf_files_that_a_power_cut_has_taken_are_written_again(filled):
    """Missing or empty, they come back to the byte from the records."""
    folder = Path(filled.out)
    before = [(folder / name).read_bytes() for name in ("0001.sgf", "0002.sgf")]
    (folder / "0001.sgf").unlink()
    (folder / "0002.sgf").write_bytes(b"")
    EventStore.open(filled).close()
    assert [(folder / name).read_bytes() for name in ("0001.sgf", "0002.sgf")] == before


def test_a_game_cannot_be_kept_twice(filled, game):
    """The first result remains, and the file is unchanged."""
    store = EventStore.open(filled)
    before = results(filled).read_bytes()
    with pytest.raises(ValueError, match="already been recorded"):
        store.append(game(2, "bea"))
    store.close()
    assert results(filled).read_bytes() == before


def test_wherever_the_power_failed_the_file_opens_and_loses_the_last_game_at_most(filled, game):
    """Cut after any byte; playing on gives the very file that was cut."""
    whole = results(filled).read_bytes()
    lines = whole.splitlines(keepends=True)

    @hypothesis_settings(max_examples=examples(60), deadline=None)
    @given(st.integers(0, len(whole)) | st.sampled_from(_line_ends(whole)))
    def cut(length):
        results(filled).write_bytes(whole[:length])
        complete = whole[: length + 1].count(b"\n")  # a line may lack its newline alone
        store = EventStore.open(filled)
        assert len(store.records) == max(0, complete - 1)
        for number in range(len(store.records) + 1, 3):
            store.append(game(number, "ada" if number == 1 else None))
        store.close()
        assert results(filled).read_bytes() == whole

    cut()
    assert len(lines) == 3


def _line_ends(whole):
    """Just before each newline, where a line lacks nothing else."""
    return [place for place, byte in enumerate(whole) if byte == ord("\n")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb"\Z", b"\n"),
        (rb"\Z", b"\n \t\r\n\n"),
        (rb"\n", b"\n\n"),
        (rb"\n", b"\r\n"),
        (rb"\n", b"  \n"),
        (rb"\A", b"\n"),
        (rb"\A", b"\xef\xbb\xbf"),
        (rb"\n\Z", b""),
        (rb"\n\Z", b"\r"),
        (rb"\Z", b"   "),
    ],
)
def test_what_an_editor_does_to_line_ends_is_no_fault(filled, game, old, new):
    """Blank lines, CRLF, spaces, a last line without its end: every game is there, old and new."""
    results(filled).write_bytes(re.sub(old, new, results(filled).read_bytes()))
    for count in (2, 3):
        store = EventStore.open(filled)
        assert [record.number for record in store.records.values()] == [*range(1, count + 1)]
        if count == 2:
            store.append(game(3, "bea"))
        store.close()


def test_a_configuration_without_games_makes_room_for_a_corrected_one(settings, game):
    """A configuration without games is replaced without a question about changes."""
    store = EventStore.open(settings)
    store.begin()
    store.close()
    corrected = attrs.evolve(settings, max_moves=9)
    store = EventStore.open(corrected)
    store.append(game(1, "ada"))
    store.close()
    header, record = map(json.loads, results(settings).read_bytes().splitlines())
    assert header["fingerprint"] == corrected.fingerprint()
    assert record["number"] == 1
    with pytest.raises(SettingFault, match="changed: max_moves"):
        EventStore.open(settings)


@pytest.mark.parametrize("folder_is_there", [False, True])
def test_an_event_that_does_not_begin_leaves_nothing_behind(settings, folder_is_there):
    """No file, and no folder that was not there before."""
    if folder_is_there:
        Path(settings.out).mkdir()
    EventStore.open(settings).close()
    assert Path(settings.out).exists() == folder_is_there
    assert not results(settings).exists()


def test_the_file_of_another_configuration_is_refused_and_left_alone(filled):
    """The error names the keys that differ between the configurations."""
    before = results(filled).read_bytes()
    changed = attrs.evolve(filled, max_moves=9, game=attrs.evolve(filled.game, komi=2.5))
    with pytest.raises(SettingFault) as caught:
        EventStore.open(changed)
    assert caught.value.key == "out"
    assert "(changed: game.komi, max_moves)" in caught.value.reason
    assert results(filled).read_bytes() == before


def test_a_change_deep_inside_is_named_whatever_its_key(filled):
    """Only `out` and `concurrency` at the top may change without a question."""
    ada, bea = filled.engines
    changed = attrs.evolve(filled, engines=(ada, attrs.evolve(bea, env={"out": "2"})))
    with pytest.raises(SettingFault, match=r"\(changed: engines\[1\].env.out\)"):
        EventStore.open(changed)
    EventStore.open(attrs.evolve(filled, concurrency=2)).close()


def test_changes_can_be_accepted_and_are_then_part_of_the_file(filled):
    """The games stay; afterwards the old settings are the ones refused."""
    changed = attrs.evolve(filled, games=8)
    EventStore.open(changed, accept_changes=True).close()
    EventStore.open(filled).close()  # for it did not begin
    store = EventStore.open(changed, accept_changes=True)
    assert len(store.records) == 2
    store.begin()
    store.close()
    EventStore.open(changed).close()
    with pytest.raises(SettingFault, match="changed: games"):
        EventStore.open(filled)


def test_a_game_whose_number_is_taken_gets_the_next_that_is_free(filled, game):
    """With an added engine, new games take free numbers, so no SGF file is lost."""
    engines = (*filled.engines, EngineSettings("c", name="cleo"))
    more = attrs.evolve(filled, engines=engines, tournament="round-robin")
    folder = Path(filled.out)
    before = (folder / "0002.sgf").read_bytes()
    store = EventStore.open(more, accept_changes=True)
    late = game(2, "ada", key=Key(("ada", "cleo"), 0, True), players=("cleo", "ada"))
    store.append(late)
    store.append(game(3, "ada"))
    store.close()
    store = EventStore.open(more)
    assert [record.number for record in store.records.values()] == [1, 2, 3, 4]
    store.close()
    assert (folder / "0002.sgf").read_bytes() == before
    assert "PB[cleo]" in (folder / "0003.sgf").read_text()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"not json\n", "line 1 is not a game's record"),
        (b"[]\n", "line 1 is not a game's record"),
        (b"3\n", "line 1 is not a game's record"),
        (b'{"key": 3}\n', "line 1 is not a game's record"),
        (b'"fingerprint"\n', "line 1 is not a game's record"),
        (b"[" * 100_000 + b"\n", "line 1 is not a game's record"),
        (b'{"fingerprint":' * 100_000 + b"\n", "line 1 is not a game's record"),
        (b'{"fingerprint": ' + b"9" * 5000 + b"}\n", "line 1 is not a game's record"),
        (b'{"fingerprint": "\\ud800"}\n', "line 1 is not a game's record"),
        (b"\xff\n", "line 1 is not a game's record"),
        (b'{"name": "somebody else"}', "line 1 is not a game's record"),
    ],
    ids=lambda value: repr(value[:20]),
)
def test_a_file_that_is_not_ours_is_refused_and_left_alone(settings, content, reason):
    """A foreign file is refused and keeps every byte."""
    results(settings).parent.mkdir()
    results(settings).write_bytes(content)
    with pytest.raises(SettingFault, match=reason):
        EventStore.open(settings)
    assert results(settings).read_bytes() == content


@hypothesis_settings(
    max_examples=examples(150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_a_damaged_file_is_opened_or_refused_in_one_line_and_left_alone(filled, pristine, data):
    """Damaged values and lines never cause a traceback."""
    lines = pristine.splitlines()
    index = data.draw(st.integers(0, len(lines) - 1))
    line = lines[index]
    if data.draw(st.booleans()):
        start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(line))] * 2)))
        line = line[:start] + data.draw(st.sampled_from(_RUBBISH)) + line[end:]
    else:
        table = json.loads(line)
        table[data.draw(st.sampled_from(sorted(table)))] = data.draw(_json)
        line = json.dumps(table).encode()
    damaged = b"\n".join((*lines[:index], line, *lines[index + 1 :], b""))
    results(filled).write_bytes(damaged)
    fault = None
    try:
        store = EventStore.open(filled)
    except SettingFault as caught:
        fault = caught
    if fault is not None:
        assert "\n" not in str(fault)
        assert results(filled).read_bytes() == damaged
        return
    assert all(record.points("ada") in (0, 0.5, 1) for record in store.records.values())
    store.close()


@pytest.fixture
def pristine(filled):
    return results(filled).read_bytes()


_RUBBISH = (
    b"",
    b"\xff",
    b"[" * 9999,
    b'{"a":' * 9999,
    b"9" * 5000,
    b"1e999",
    b"NaN",
    b"null",
    b'"',
)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**400),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")
def test_a_pipe_in_place_of_the_file_is_refused(settings):
    """A pipe is refused, as reading it would not end."""
    results(settings).parent.mkdir()
    os.mkfifo(results(settings))
    with pytest.raises(SettingFault, match="not a regular file"):
        EventStore.open(settings)


def test_records_without_a_configuration_are_refused(filled):
    """Without a configuration, the settings of the games are unknown."""
    _, *records = results(filled).read_bytes().splitlines(keepends=True)
    results(filled).write_bytes(b"".join(records))
    with pytest.raises(SettingFault, match="does not begin with a configuration"):
        EventStore.open(filled)


def test_two_runners_cannot_work_on_one_event(filled):
    """The second runner gets an error; it may start once the first one has ended."""
    store = EventStore.open(filled)
    with pytest.raises(SettingFault, match="another runner is using it"):
        EventStore.open(filled)
    store.close()
    EventStore.open(filled).close()


def test_a_folder_that_cannot_be_written_is_named(settings, tmp_path):
    """The error has the setting's key and comes before the first game."""
    (tmp_path / "out").write_text("a file")
    with pytest.raises(SettingFault) as caught:
        EventStore.open(settings)
    assert str(caught.value) == f"out: {tmp_path / 'out'}: File exists"


@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files there")
def test_half_a_record_that_the_disk_refused_is_taken_back(filled, game):
    """A partly written record is removed, and later games can be stored."""
    import resource

    store = EventStore.open(filled)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (results(filled).stat().st_size + 100, limits[1]))
    try:
        with pytest.raises(SettingFault, match="File too large") as caught:
            store.append(game(3, "bea"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert caught.value.passing
    store.append(game(4, "ada"))
    store.close()
    store = EventStore.open(filled)
    assert [record.number for record in store.records.values()] == [1, 2, 4]
    store.close()
