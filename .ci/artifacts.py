"""Builds and tries everything that a release publishes, in a folder.

    python .ci/artifacts.py dist

These are the sdist, the pure wheel, and a wheel with compiled code for each Python that
`.ci/pythons` finds, the wheels with the documentation's site; a bill of materials (SBOM) in
CycloneDX's format; the licences of all dependencies; and the SHA-256 sums of these files. Each
package must have exactly the files of the commit. The image (`Containerfile`) is made from one of
these wheels. Each package is installed into a new environment, where it plays a match outside the
checkout; so does the pure wheel with the lowest versions of the dependencies that it allows.

The exit status is 1 if anything fails. `LINAGE_BOT_COMPILED` names the games to
compile, as for `.ci/compiled_wheel.py`.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOOLS = ("hatchling", "twine", "check-wheel-contents", "cyclonedx-bom", "pip-licenses")
PACKAGES = ("linage_bot", "protocol")
INSTALL = ("-m", "pip", "install", "--quiet", "--no-compile")  # most of it is never imported
SITE = "linage_bot/cli/site"  # which `linage-bot docs` opens
MATCH = """
games = 2
out = "out"
game = { size = 3 }
engines = [{ command = "linage-bot gtp --visits 5" }, { command = "linage-bot gtp --visits 9" }]
"""


class Failed(Exception):
    """A package that must not be published."""


def main(folder: Path) -> None:
    """Build, check and try everything; raise `Failed` or `subprocess.CalledProcessError`."""
    if folder.exists() and any(folder.iterdir()):
        raise Failed(f"{folder} has files already; remove them or name another folder")
    build_site()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        tools = Environment(work / "tools", sys.executable)
        tools.python("-m", "pip", "install", "--quiet", "uv")
        tools.run("uv", "pip", "install", "--quiet", "--python", str(tools.bin / "python"), *TOOLS)
        tools.python("-m", "hatchling", "build", "-d", str(folder), "-t", "sdist", "-t", "wheel")
        (sdist,), (pure,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
        check_sdist(sdist, committed_files())
        check_wheel(pure, committed_files(*PACKAGES))
        play(Environment(work / "sdist", sys.executable), sdist)
        bare = Environment(work / "pure", sys.executable)
        play(bare, pure)
        lowest = Environment(work / "lowest", sys.executable)
        words = ("--python", str(lowest.bin / "python"), "--resolution", "lowest-direct")
        # Not from the wheel: only the wheel would then count as direct.
        tools.run("uv", "pip", "install", "--quiet", *words, "--requirements", "pyproject.toml")
        play(lowest, pure)
        for version, python in pythons():
            play_compiled(Environment(work / version, python), folder, pure)
        check_image(folder)
        tools.run("twine", "check", "--strict", *map(str, packages(folder)))
        for wheel in folder.glob("*.whl"):
            tools.run("check-wheel-contents", "--toplevel", ",".join(PACKAGES), str(wheel))
        describe_dependencies(tools, bare, folder)
    write_sums(folder)


class Environment:
    """A virtual environment of its own, with pip, which is made at once."""

    def __init__(self, folder: Path, python: str) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        subprocess.run([python, "-m", "venv", str(folder)], check=True)

    def run(self, program: str, *words: str, cwd: Path = ROOT, **variables: str) -> str:
        """Run an installed program and return what it prints; its errors go to ours."""
        path = f"{self.bin}{os.pathsep}{os.environ['PATH']}"
        print("$", program, *words, flush=True)
        done = subprocess.run(
            [str(self.bin / program), *words],
            cwd=cwd,
            env={**os.environ, **variables, "PATH": path},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout

    def python(self, *words: str, cwd: Path = ROOT, **variables: str) -> str:
        """Run its Python."""
        return self.run("python", *words, cwd=cwd, **variables)


def build_site() -> None:
    """Build the documentation where a wheel expects it."""
    shutil.rmtree(ROOT / SITE, ignore_errors=True)
    strict = ("--quiet", "--fail-on-warning")
    subprocess.run([sys.executable, "-m", "sphinx", *strict, "docs", SITE], cwd=ROOT, check=True)


def play(environment: Environment, package: Path | None = None) -> None:
    """Install a package, and play a match in a folder outside the checkout."""
    if package is not None:
        environment.python(*INSTALL, str(package))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "match.toml").write_text(MATCH)
        print(environment.run("linage-bot", "--version", cwd=folder))
        environment.run("linage-bot", "match", "match.toml", cwd=folder)
        record = folder / "out/0001.sgf"
        environment.run("linage-bot", "picture", str(record), "-o", "game.gif", cwd=folder)


def play_compiled(environment: Environment, folder: Path, pure: Path) -> None:
    """Build the wheel with compiled code, and play with it; raise `Failed` if it compiles then.

    The dependencies come with the pure wheel, so that the Numba that compiles is the one that runs.
    """
    environment.python(*INSTALL, "hatchling", str(pure))
    before = {*folder.iterdir()}
    environment.python(
        "-m",
        "hatchling",
        "build",
        "-d",
        str(folder),
        "-t",
        "wheel",
        HATCH_BUILD_HOOKS_ENABLE="true",
    )
    for wheel in {*folder.iterdir()} - before:
        check_wheel(wheel, committed_files(*PACKAGES))
        environment.python(*INSTALL, "--no-deps", "--force-reinstall", str(wheel))
        with tempfile.TemporaryDirectory() as cache:
            os.environ["LINAGE_BOT_CACHE"] = cache
            play(environment)
            del os.environ["LINAGE_BOT_CACHE"]
            if compiled := [*Path(cache).rglob("*.code")]:
                raise Failed(f"{wheel.name} compiled {compiled[0].name} when it played")


def check_image(folder: Path) -> None:
    """Raise `Failed` unless the wheel that `Containerfile` copies is here."""
    (pattern,) = re.findall(
        r"^COPY dist/(\S+) ", (ROOT / "Containerfile").read_text(), re.MULTILINE
    )
    if not [*folder.glob(pattern)]:
        raise Failed(f"the image needs {pattern}, but .ci/pythons finds no such Python")


def pythons() -> list[tuple[str, str]]:
    """Return the version and the path of each usable Python."""
    lines = subprocess.run([ROOT / ".ci/pythons"], check=True, capture_output=True, text=True)
    return [(version, path) for version, path in map(str.split, lines.stdout.splitlines())]


def committed_files(*words: str) -> set[str]:
    """Return the paths of all tracked files; `words` are folders, or options of `git ls-files`."""
    command = ["git", "ls-files", "-z", *words]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return {*listed.stdout.split("\0")} - {""}


def check_wheel(wheel: Path, expected: Iterable[str], *, documented: bool = True) -> None:
    """Raise `Failed` unless a wheel has these files, its metadata, and, if `documented`, the site.

    A wheel whose name says that it is for one Python must have compiled code, and no other may.
    """
    with zipfile.ZipFile(wheel) as archive:
        names = {*archive.namelist()}
    pure = wheel.name.endswith("-py3-none-any.whl")
    compiled = {name for name in names if name.startswith("linage_bot/engine/compiled/")}
    if pure == bool(compiled):
        raise Failed(f"{wheel.name} has {len(compiled)} files of compiled code")
    site = {name for name in names if name.startswith(f"{SITE}/")}
    if documented and f"{SITE}/index.html" not in site:
        raise Failed(f"{wheel.name} has no documentation")
    if f"{SITE}/.doctrees/index.doctree" in site:
        raise Failed(f"{wheel.name} has what Sphinx keeps for its next run")
    metadata = {name for name in names if name.partition("/")[0].endswith(".dist-info")}
    _compare(wheel, names - compiled - site - metadata, expected)


def check_sdist(sdist: Path, expected: Iterable[str]) -> None:
    """Raise `Failed` unless an sdist has these files and its metadata."""
    with tarfile.open(sdist) as archive:
        names = {each.name.partition("/")[2] for each in archive if each.isfile()}
    _compare(sdist, names - {"PKG-INFO"}, expected)


def _compare(package: Path, names: set[str], expected: Iterable[str]) -> None:
    missing, unknown = {*expected} - names, names - {*expected}
    if missing:
        raise Failed(f"{package.name} lacks {min(missing)}, which the commit has")
    if unknown:
        raise Failed(f"{package.name} has {min(unknown)}, which the commit lacks")


def describe_dependencies(tools: Environment, installed: Environment, folder: Path) -> None:
    """Write the bill of materials of a plain installation, and the licences in it."""
    python = str(installed.bin / "python")
    sbom = folder / "linage-bot.cdx.json"
    tools.run(
        "cyclonedx-py",
        "environment",
        "--pyproject",
        str(ROOT / "pyproject.toml"),
        "--output-reproducible",
        "-o",
        str(sbom),
        python,
    )
    licences = tools.run("pip-licenses", "--python", python, "--format=markdown", "--with-urls")
    (folder / "LICENCES.md").write_text(licences, "utf-8")


def packages(folder: Path) -> list[Path]:
    """Return the sdist and the wheels in a folder."""
    return sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])


def write_sums(folder: Path) -> None:
    """Write `SHA256SUMS`, which `sha256sum --check` reads."""
    sums = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(sums))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve())
    except (Failed, subprocess.CalledProcessError) as failure:
        sys.exit(f"artifacts: {failure}")
