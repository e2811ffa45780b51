"""`--version`: what a report of a fault should say about an installation."""

import json
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from linage_bot.engine.jit.cache_folder import shipped_folder
from linage_bot.version import __version__

_PACKAGE = Path(__file__).parents[1]


def version_text() -> str:
    """Return the version, the commit and the origin of compiled code, a line for each."""
    included = "included" if shipped_folder().is_dir() else "not included"
    python = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return (
        f"linage-bot, version {__version__}\n"
        f"commit: {_checkout_commit() or _installed_commit() or 'unknown'}\n"
        f"compiled code: {included}\n"
        f"Python: {python}, Numba {version('numba')}"
    )


def _checkout_commit() -> str | None:
    """Return the commit of the checkout that this code is in; None if it is in none."""
    if not (_PACKAGE.parent / ".git").exists():
        return None
    command = ["git", "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=, changed"]
    try:
        described = subprocess.run(
            command, cwd=_PACKAGE, capture_output=True, text=True, check=True, timeout=10
        )
    except (OSError, subprocess.SubprocessError):  # no git, or a folder that git does not trust
        return None
    return described.stdout.strip()


def _installed_commit() -> str | None:
    """Return the commit that pip or uv installed from a repository, as they record it."""
    try:
        origin = distribution("linage-bot").read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    commit = json.loads(origin or "{}").get("vcs_info", {}).get("commit_id")
    return None if commit is None else str(commit)[:12]
