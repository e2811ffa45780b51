"""The command table."""

import pytest

from protocol.gtp.codec import Command
from protocol.gtp.commands import CommandTable
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed

table: CommandTable[list[object]] = CommandTable()


@table.register
def play(log: list[object], color: Colour, vertex: str) -> None:
    """Play a stone.

    More about it.
    """
    log.append((color, vertex))


@table.named("gogui-rules_board")
def rules_board(_log: list[object]) -> str:
    return "...\n..."


@table.register
def everything(
    _log: list[object],
    vertex: str,
    count: int,
    komi: float = 0.5,
    loud: bool = False,
    color: Colour | None = None,
    most: int | None = None,
    *words: str,
) -> str:
    return repr((vertex, count, komi, loud, color, most, words))


def call(line: str) -> tuple[object, list[object]]:
    log: list[object] = []
    name, *arguments = line.split()
    return table.call(log, Command(name, tuple(arguments))), log


def test_words_reach_the_function_as_its_annotations_say():
    """Arguments become colours, numbers and truth values, with defaults and a variable rest."""
    assert call("play b D4") == (None, [(Colour.BLACK, "D4")])
    assert call("play white pass") == (None, [(Colour.WHITE, "pass")])
    assert call("gogui-rules_board") == ("...\n...", [])
    assert call("everything A1 3")[0] == repr(("A1", 3, 0.5, False, None, None, ()))
    assert call("everything A1 3 7 yes w 5 x y")[0] == repr(
        ("A1", 3, 7.0, True, Colour.WHITE, 5, ("x", "y"))
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("play", "syntax error: usage: play COLOR VERTEX"),
        ("play b D4 E5", "syntax error: usage: play COLOR VERTEX"),
        (
            "everything",
            "syntax error: usage: everything VERTEX COUNT [KOMI] [LOUD] [COLOR] [MOST] [WORDS ...]",
        ),
        ("everything A1 x", "syntax error: not an integer: 'x'"),
        ("play x D4", "invalid color or coordinate: not a color: 'x'"),
        ("foo b", "unknown command: foo"),
        ("Play b D4", "unknown command: Play"),
    ],
)
def test_a_wrong_command_is_refused_with_the_words_clients_match(line, message):
    """A wrong number of words is answered by the usage, a wrong word by its fault."""
    with pytest.raises(CommandFailed) as caught:
        call(line)
    assert caught.value.message == message


def test_the_table_knows_names_usage_and_words():
    """`list_commands` and the documentation are made from them."""
    assert sorted(table) == ["everything", "gogui-rules_board", "play"]
    assert "play" in table
    assert "rules_board" not in table
    assert table["play"].usage == "play COLOR VERTEX"
    assert table["play"].doc == "Play a stone.\n\nMore about it."


def test_no_name_is_taken_twice():
    """The second command of a name would hide the first without a word."""
    with pytest.raises(ValueError, match="play"):
        table.register(play)


def test_a_function_that_no_words_can_call_is_refused_at_once():
    """A function with unsupported parameters is refused at registration."""

    def strange(_log: list[object], _bytes: bytes) -> None: ...

    def unannotated(_log, word) -> None: ...

    def keyword(_log: list[object], *, word: str) -> None: ...

    for function in (strange, unannotated, keyword):
        with pytest.raises(TypeError, match="no word can become"):
            table.register(function)
    for name in ("two words", "", "a#b", "zoë"):
        with pytest.raises(ValueError, match="cannot be the name"):
            table.named(name)(play)
