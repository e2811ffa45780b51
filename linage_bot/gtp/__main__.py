"""The program `python -m linage_bot.gtp`: docs/gtp-commands.md, made from the command tables."""

from linage_bot.gtp import commands
from protocol.gtp.commands import Entry
from protocol.gtp.engine import BUILT_INS


def page() -> str:
    """Return the page, in Markdown."""
    entries = sorted((BUILT_INS | commands).items())
    return "\n".join((_HEAD, *(_section(entry) for _, entry in entries)))


def _section(entry: Entry) -> str:
    return f"## `{entry.usage}`\n\n{entry.doc}\n"


_HEAD = """\
# GTP commands

Made from the command tables by `python -m linage_bot.gtp > docs/gtp-commands.md`.

A reply is `=` or `?`, a space, text, and an empty line.
Every command that fails leaves the state as it was, and its message begins with the words in which
clients look for a reason: `unknown command`, `syntax error`, `illegal move`,
`invalid color or coordinate`, `unacceptable size`, `cannot undo`, `cannot score`,
`cannot load file`, `board not empty`.
`COLOR` is `b`, `black`, `w` or `white`; `VERTEX` is a point such as `D4`, or `pass`.
Words in brackets may be left out.

At a `--level` below full strength the engine plays as weakly as that level; what a user asks it to
analyse, by `kata-analyze`, GoGui's menu and the like, is searched at full strength all the same.

With `--listen` each connection is a game and a player of its own, on this machine only unless the
endpoint names an interface; one that others can reach needs `--expose`, and then whoever can
connect can use the processor and, each client, `--nodes` of memory. At most 100 clients are
connected at once. A client that only closes its sending side gets all answers; while a long command
runs it may see empty lines before its answer, by which the server learns that it is still there.
A client may ask for what the options of the server allow and gets `syntax error` beyond it; a move
takes no longer than `--seconds` (600 where that is left out) whatever the clock says.
Lines are answered in turn with those of the other clients, and no more searches compute at once
than there are processors, each in its turn.
"""

if __name__ == "__main__":
    print(page(), end="")
