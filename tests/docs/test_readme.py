"""The commands on the pages of documentation are valid."""

import re
import shlex
from pathlib import Path

import pytest

from linage_bot.cli import main
from linage_bot.match.openings import Book
from linage_bot.settings.match import MatchSettings
from linage_bot.settings.reading import load

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(linage-bot [^`\n]*)`")


def commands(page: Path) -> list[str]:
    """The command lines of our program on a page; those with placeholders are left out."""
    text = page.read_text()
    lines = [line for block in BLOCK.findall(text) for line in block.splitlines()]
    lines = [part.strip() for line in lines for part in re.split(r"&&|\|", line)]
    lines += INLINE.findall(text)
    ours = [re.sub(r"^\S*/(?=linage-bot)", "", line) for line in lines]
    ours = [line for line in ours if line.startswith("linage-bot ")]
    return [line for line in ours if not re.search(r"\b[A-Z]{3,}\b|…|\.\.\.", line)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_on_a_page_is_one_we_have(page):
    """Commands on the page exist with the options and arguments shown, except for placeholders."""
    for line in commands(page):
        _, name, *arguments = shlex.split(line, comments=True)
        if any(name in option.opts for option in main.params):  # such as `--version`
            continue
        command = main.commands.get(name)
        assert command is not None, line
        if arguments:  # a bare name is the command spoken of
            command.make_context(name, list(arguments))


def test_the_first_match_waits_for_the_compiler_on_a_slow_machine():
    """Compiling cost two games of ten where two processors had eight things to do."""
    settings = load(ROOT / "configs/first-match.toml", MatchSettings)
    assert settings.patience_seconds >= 600


def test_the_readme_has_the_commands_it_is_known_for():
    """The check of the README's commands finds the commands."""
    found = commands(ROOT / "README.md")
    assert "linage-bot start configs/first-match.toml" in found
    assert any(line.startswith("linage-bot gtp --listen") for line in found)


@pytest.mark.parametrize("file", sorted(ROOT.glob("benchmarks/*.toml")), ids=lambda file: file.stem)
def test_every_match_of_the_benchmarks_can_be_played(file):
    """The benchmarks' match files are valid, with legal openings."""
    Book.load(load(file, MatchSettings))
