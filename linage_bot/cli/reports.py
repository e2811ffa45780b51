"""Where a report goes, looked at before the work is done."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from linage_bot.cli.options import UserError
from linage_bot.cli.reading import STDIN


def beside(file: Path) -> Path:
    """The page's place unless the user names one; raises `UserError` if somebody else's is there.

    An earlier report is replaced: it can be made again.
    """
    from linage_bot.drawing.html import may_replace

    page = file.with_suffix(".html")
    try:
        replaceable = may_replace(page)
    except OSError as error:
        raise UserError(f"{page}: {error.strerror}") from None
    if not replaceable:
        raise UserError(f"{page} is there and no report of ours; name another file with -o")
    return page


def check_target(target: Path, files: Iterable[Path]) -> None:
    """Find out before the work what would make it vain; raises `UserError`."""
    if str(target) == STDIN:
        return
    if target.exists() and any(file.exists() and target.samefile(file) for file in files):
        raise UserError(f"-o: {target} is the record itself")
    if target.is_dir():
        raise UserError(f"{target}: Is a directory")
    if not os.access(target.parent, os.W_OK):
        there = target.parent.is_dir()
        raise UserError(f"{target.parent}: {'not writable' if there else 'no such folder'}")
