"""A command table: each command is defined once, as a function whose signature is its syntax.

    table = CommandTable[Counter]()

    @table.register
    def add(counter: Counter, amount: int, times: int = 1) -> None:
        '''Add AMOUNT to the counter, TIMES times.'''

The first parameter is the object the command acts on.  The others are the words after the name:
an annotation selects how a word is read, a default makes it optional, `*words: str` takes the rest.
"""

import inspect
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

import attrs

from protocol.gtp.codec import Command
from protocol.session.arguments import Colour, parse_bool, parse_colour, parse_float, parse_int
from protocol.session.errors import CommandFailed
from protocol.session.work import Work

Target = TypeVar("Target")
Function = TypeVar("Function", bound=Callable[..., "Outcome"])

_KINDS: Final[dict[Any, Callable[[str], object]]] = {
    str: str,
    int: parse_int,
    float: parse_float,
    bool: parse_bool,
    Colour: parse_colour,
}
_READERS: Final = _KINDS | {kind | None: read for kind, read in _KINDS.items()}


Outcome = str | Work | None


@attrs.frozen
class Entry:
    """A table's entry for one command; `usage` is its name and the names of its arguments."""

    usage: str
    doc: str
    function: Callable[..., Outcome] = attrs.field(repr=False)
    readers: tuple[Callable[[str], object], ...] = attrs.field(repr=False)
    rest_reader: Callable[[str], object] | None = attrs.field(repr=False)
    required: int = attrs.field(repr=False)

    def call(self, target: object, words: tuple[str, ...]) -> Outcome:
        """Read the words, then run the command; raise `CommandFailed` if the words are invalid."""
        readers = self.readers
        count = len(words)
        if count < self.required or (count > len(readers) and self.rest_reader is None):
            raise CommandFailed(f"syntax error: usage: {self.usage}")
        values = [read(word) for read, word in zip(readers, words, strict=False)]
        if count > len(readers) and self.rest_reader is not None:
            values += map(self.rest_reader, words[len(readers) :])
        return self.function(target, *values)


class CommandTable(dict[str, Entry], Generic[Target]):
    """Commands that act on one kind of object, by name."""

    def register(self, function: Function) -> Function:
        """Decorate a function as the command of its name; raise the same errors as `named`."""
        return self.named(function.__name__)(function)

    def named(self, name: str) -> Callable[[Function], Function]:
        """Decorate a function as the command of this name.

        Raises `ValueError` for a name that is taken or invalid and `TypeError` for a parameter that
        no word can become.
        """

        def add(function: Function) -> Function:
            if name in self:
                raise ValueError(f"two commands named {name!r}")
            self[name] = _read_signature(name, function)
            return function

        return add

    def call(self, target: Target, command: Command) -> Outcome:
        """Run a command on `target` and return its answer, or the work that will answer.

        None is the empty answer.  Raises `CommandFailed` where the answer is `?`.
        """
        entry = self.get(command.name)
        if entry is None:
            raise CommandFailed(f"unknown command: {command.name[:60]}")
        return entry.call(target, command.arguments)


def _read_signature(name: str, function: Callable[..., Outcome]) -> Entry:
    if not name or not name.isascii() or not name.isprintable() or " " in name or "#" in name:
        raise ValueError(f"{name!r} cannot be the name of a command")
    annotations = inspect.get_annotations(function, eval_str=True)
    _, *parameters = inspect.signature(function).parameters.values()
    readers: list[Callable[[str], object]] = []
    rest_reader = None
    required = 0
    usage = [name]
    for parameter in parameters:
        kind = annotations.get(parameter.name)
        reader = _READERS.get(kind)
        if reader is None or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD):
            raise TypeError(f"no word can become parameter {parameter.name!r} of {name!r}")
        word = parameter.name.upper()
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest_reader = reader
            word = f"[{word} ...]"
        else:
            readers.append(reader)
            if parameter.default is parameter.empty:
                required = len(readers)
            else:
                word = f"[{word}]"
        usage.append(word)
    return Entry(
        usage=" ".join(usage),
        doc=inspect.cleandoc(function.__doc__ or ""),
        function=function,
        readers=tuple(readers),
        rest_reader=rest_reader,
        required=required,
    )
