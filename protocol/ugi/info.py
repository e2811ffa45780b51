"""The lines of `info`, in which an engine reports a running search, in both directions.

The fields are UCI's. A score is the mover's; `wdl` is UCI's extension for chances, in thousandths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import attrs

from protocol.session.errors import RemoteProtocolError

_WHOLE: Final = re.compile("-?[0-9]{1,15}")
_CHANCES: Final = 3


@attrs.frozen(kw_only=True)
class UgiInfo:
    """One line about one variation `pv`; a field that was not given is None.

    `score` is in hundredths. `mate` is the number of moves to a win, negative to a loss. `chances`
    are those of a win, a draw and a loss, in thousandths. `multipv` numbers the variations of one
    search from 1, the best.
    """

    pv: tuple[str, ...]
    depth: int | None = None
    nodes: int | None = None
    time: int | None = None  # in milliseconds
    nps: int | None = None  # nodes a second
    score: int | None = None
    mate: int | None = None
    chances: tuple[int, int, int] | None = None
    multipv: int = 1

    @property
    def line(self) -> str:
        """The line as an engine sends it, with its `pv` at the end."""
        words = ["info"]
        for name in ("depth", "nodes", "time", "nps"):
            number = getattr(self, name)
            words += [] if number is None else [f"{name} {number}"]
        words += [] if self.multipv == 1 else [f"multipv {self.multipv}"]
        words += [] if self.score is None else [f"score cp {self.score}"]
        words += [] if self.mate is None else [f"score mate {self.mate}"]
        if self.chances is not None:
            words.append("wdl {} {} {}".format(*self.chances))
        return " ".join((*words, "pv", *self.pv))


def read_info(line: str) -> UgiInfo | None:
    """Return a line of `info`; None for another line, or one without a score and a variation.

    Unknown words are skipped. Raises `RemoteProtocolError` if a number is missing.
    """
    words = line.split()
    if words[:1] != ["info"] or "pv" not in words or "string" in words[: words.index("pv")]:
        return None
    at = words.index("pv")
    fields, pv = words[1:at], tuple(words[at + 1 :])

    def number(name: str) -> int | None:
        return _numbers(fields, name, 1, line)[0] if name in fields else None

    score, mate = number("cp"), number("mate")
    if not pv or (score is None and mate is None):
        return None
    win, draw, loss = _numbers(fields, "wdl", _CHANCES, line) if "wdl" in fields else (0, 0, 0)
    return UgiInfo(
        pv=pv,
        depth=number("depth"),
        nodes=number("nodes"),
        time=number("time"),
        nps=number("nps"),
        score=score,
        mate=mate,
        chances=(win, draw, loss) if win + draw + loss > 0 else None,
        multipv=number("multipv") or 1,
    )


def _numbers(words: Sequence[str], name: str, count: int, line: str) -> list[int]:
    """Return the whole numbers that follow a name; raise `RemoteProtocolError` if one is none."""
    at = words.index(name) + 1
    found = words[at : at + count]
    if len(found) < count or not all(map(_WHOLE.fullmatch, found)):
        raise RemoteProtocolError(f"no whole number after {name!r}", line[:200])
    return [int(word) for word in found]
