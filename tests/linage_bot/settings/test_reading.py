"""Settings files: their keys, and the one-line error that names each fault."""

import pickle
from collections.abc import Mapping

import attrs
import pytest

from linage_bot.settings.checks import SettingFault
from linage_bot.settings.reading import load, parse_json
from linage_bot.settings.reading import read as structure


def even(_settings, _field, value):
    if value % 2:
        raise ValueError(f"{value} is odd")


@attrs.frozen
class Wheel:
    spokes: int = attrs.field(validator=even)
    colour: str | tuple[str, ...] = "red"
    weight: float = 1.5
    maker: str | None = None


@attrs.frozen
class Cart:
    wheels: tuple[Wheel, ...]
    owner: Wheel | None = None
    labels: Mapping[str, str | int | bool] = attrs.field(factory=dict)
    covered: bool = attrs.field(default=False)

    @covered.validator
    def _check(self, _field, value):
        if value and not self.wheels:
            raise ValueError("a cover without wheels")


@pytest.fixture
def read(tmp_path):
    def read(text, cls=Cart):
        path = tmp_path / "cart.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load(path, cls)

    return read


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_file_may_begin_with_a_byte_order_mark(read, encoding):
    """A byte order mark, as of Windows editors, sets the file's encoding."""
    cart = read('wheels = [{ spokes = 8, colour = "weiß" }]'.encode(encoding))
    assert cart.wheels[0].colour == "weiß"


@pytest.mark.parametrize("text", ["\ufeff{}", "\ufeff{}".encode(), "{}".encode("utf-16")])
def test_json_may_begin_with_a_byte_order_mark(text):
    """Whether it is text already or not."""
    assert parse_json(text) == {}


def test_a_file_becomes_the_classes_with_their_defaults(read):
    """A whole number will do for one with a fraction, and is made one."""
    cart = read(
        """
        covered = true
        wheels = [{ spokes = 8, weight = 2 }, { spokes = 6, colour = ["red", "blue"] }]
        [labels]
        line = 3
        button = true
        edition = "2016"
        """
    )
    assert cart.wheels == (Wheel(8, weight=2.0), Wheel(6, colour=("red", "blue")))
    assert type(cart.wheels[0].weight) is float
    assert cart.labels == {"line": 3, "button": True, "edition": "2016"}
    assert cart.covered
    assert cart.owner is None


def test_lines_may_end_as_on_windows(read):
    """Notepad writes them so."""
    assert read("wheels = []\r\ncovered = false\r\n") == Cart(())


WIDE = "a whole number of more than 64 bits"
FAULTS = [
    (
        "wheels = [{ spokes = 8, wieght = 2 }]",
        "wheels[0].wieght: unknown key; did you mean 'weight'?",
    ),
    ("wheels = []\nzzz = 1", "zzz: unknown key; there are wheels, owner, labels, covered"),
    ("covered = true", "wheels: this key is missing"),
    ("wheels = [{ spokes = 2 }, {}]", "wheels[1].spokes: this key is missing"),
    ("wheels = [{ spokes = '8' }]", "wheels[0].spokes: expected a whole number, not '8'"),
    ("wheels = [{ spokes = true }]", "wheels[0].spokes: expected a whole number, not true"),
    ("wheels = [{ spokes = 8.0 }]", "wheels[0].spokes: expected a whole number, not 8.0"),
    ("wheels = [{ spokes = 7 }]", "wheels[0].spokes: 7 is odd"),
    (
        "wheels = [{ spokes = 8, weight = nan }]",
        "wheels[0].weight: nan is not a finite number",
    ),
    ("wheels = [{ spokes = 8, weight = 'x' }]", "wheels[0].weight: expected a number, not 'x'"),
    ("wheels = [{ spokes = 8, maker = 5 }]", "wheels[0].maker: expected text, not 5"),
    ("wheels = [{ spokes = 8, colour = 5 }]", "wheels[0].colour: expected text or a list, not 5"),
    ("wheels = [{ spokes = 8, colour = ['a', 5] }]", "wheels[0].colour[1]: expected text, not 5"),
    ("wheels = 4", "wheels: expected a list, not 4"),
    ("wheels = { spokes = 4 }", "wheels: expected a list, not a table"),
    ("wheels = [4]", "wheels[0]: expected a table, not 4"),
    ("wheels = []\nowner = []", "owner: expected a table, not a list"),
    ("wheels = []\nowner = { spokes = 3 }", "owner.spokes: 3 is odd"),
    ("wheels = []\nlabels = 3", "labels: expected a table, not 3"),
    (
        "wheels = []\n[labels]\nx = 2.5",
        "labels.x: expected text or a whole number or true or false, not 2.5",
    ),
    ("wheels = []\ncovered = 1", "covered: expected true or false, not 1"),
    ("wheels = []\ncovered = true", "covered: a cover without wheels"),
    ("wheels = []\n\nowner = = 3", "Invalid value (at line 3, column 9)"),
    ("wheels = []\nowner =", "Invalid value (at end of document)"),
    (b"wheels = []\n# \xff", "byte 15: not UTF-8 text"),
    (f"wheels = {'[' * 9999}", "lists or tables are nested too deeply"),
    (f"wheels = {'{a=' * 9999}", "lists or tables are nested too deeply"),
    (f"wheels = {'9' * 5000}", "a number with too many digits"),
    (f"wheels = [{{ spokes = 0x{'f' * 5000} }}]", f"wheels[0].spokes: {WIDE}"),
    (f"wheels = [{{ spokes = 8, weight = {10**400} }}]", f"wheels[0].weight: {WIDE}"),
    (f"#{' ' * (1 << 20)}", "longer than 1 MiB"),
]


@pytest.mark.parametrize(("text", "line"), FAULTS, ids=[line for _, line in FAULTS])
def test_a_fault_is_one_line_that_names_the_key(read, text, line):
    """The error is one line with the key, or with line and column if the file is no TOML."""
    with pytest.raises(SettingFault) as caught:
        read(text)
    assert str(caught.value) == line
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_a_fault(tmp_path):
    """A missing file gives the system's message without a traceback."""
    with pytest.raises(SettingFault) as caught:
        load(tmp_path / "none.toml", Cart)
    assert str(caught.value) == "No such file or directory"


def test_what_a_message_quotes_is_kept_short(read):
    """A thousand letters in place of a list are not printed again."""
    with pytest.raises(SettingFault) as caught:
        read(f"wheels = '{'x' * 1000}'")
    assert len(caught.value.reason) < 120


def test_validators_inside_other_objects_still_judge(read):
    """A field's validator may build objects of its own that check themselves."""

    def buildable(_settings, _field, value):
        Wheel(value)

    made = attrs.make_class("Made", {"n": attrs.field(type=int, validator=buildable)})
    with pytest.raises(SettingFault, match="n: 3 is odd"):
        read("n = 3", made)


@attrs.frozen
class Trip:
    ends: tuple[str, str]
    driver: str | None = None


def test_json_is_read_by_the_same_rules_and_null_is_none():
    """Optional TOML keys may be null in JSON; a tuple needs its exact number of items."""
    assert read_json('{"ends": ["here", "there"], "driver": null}') == Trip(("here", "there"))
    with pytest.raises(SettingFault, match=r"^ends: expected 2 items, not 3$"):
        read_json('{"ends": ["here", "there", "home"]}')
    with pytest.raises(SettingFault, match=r"^ends\[1\]: expected text, not None$"):
        read_json('{"ends": ["here", null]}')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a" 5}', "not JSON: Expecting ':' delimiter: line 1 column 6 (char 5)"),
        ("[]", "not a JSON object"),
        (b"\xff", "not JSON"),
        ('{"a": "\\ud800"}', "not JSON"),
        ('{"a": ' * 200_000, "lists or tables are nested too deeply"),
    ],
)
def test_what_is_no_json_object_is_refused(text, reason):
    """Bytes that are no JSON object, or could not be written again, raise an error."""
    with pytest.raises(SettingFault) as caught:
        parse_json(text)
    assert str(caught.value) == reason


def read_json(text):
    return structure(parse_json(text), Trip)


def test_a_fault_survives_the_way_between_processes():
    """A cluster's worker can send a setting's fault to the process that started the event."""
    fault = pickle.loads(pickle.dumps(SettingFault("out", "full", passing=True)))
    assert (fault.key, fault.reason, fault.passing) == ("out", "full", True)
