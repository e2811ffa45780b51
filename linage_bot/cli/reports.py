"""The paths of reports, checked before the work starts."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from linage_bot.cli.options import UserError
from linage_bot.cli.reading import STDIN


def beside(file: Path) -> Path:
    """Return the page's default path; raise `UserError` if another kind of file is there.

    An earlier report may be replaced: it can be generated again.
    """
    from linage_bot.drawing.html import may_replace

    page = file.with_suffix(".html")
    try:
        replaceable = may_replace(page)
    except OSError as error:
        raise UserError(f"{page}: {error.strerror}") from None
    if not replaceable:
        raise UserError(f"{page}: exists and is not our report; name another file with -o")
    return page


def check_target(target: Path, files: Iterable[Path]) -> None:
    """Check before the work that the report can be written; raise `UserError` if it cannot."""
    if str(target) == STDIN:
        return
    if target.exists() and any(file.exists() and target.samefile(file) for file in files):
        raise UserError(f"-o: {target} is the record to review; name another file")
    if target.is_dir():
        raise UserError(f"{target}: Is a directory")
    if not os.access(target.parent, os.W_OK):
        there = target.parent.is_dir()
        raise UserError(f"{target.parent}: {'not writable' if there else 'no such folder'}")
