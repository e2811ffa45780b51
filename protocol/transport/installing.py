"""Error messages about packages that are missing here, with the command that installs them."""

import sys
from importlib.util import find_spec
from pathlib import Path


def missing_package(user: str, package: str | None, requirement: str) -> str:
    """Return the error message of a user of a package: `TLS needs pyOpenSSL: pip install ...`.

    `requirement` brings the package, such as `linage-bot[servers]`.
    """
    return f"{user} needs {package}: {install_command(requirement)}"


def install_command(requirement: str) -> str:
    """Return the command that installs a requirement, such as `linage-bot[cluster]`, here.

    It is that of the tool that made this environment: pipx and uv leave a file in those of their
    applications, and an environment of uv has no pip. Double quotes suit the shells of Windows too.
    """
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").exists():
        return f'pipx inject {environment.name} "{requirement}"'
    if (environment / "uv-receipt.toml").exists():
        return f'uv tool install {environment.name} --with "{requirement}"'
    installer = "uv pip" if find_spec("pip") is None else "pip"
    return f'{installer} install "{requirement}"'
