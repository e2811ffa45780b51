"""Every command works on consoles with a limited character set."""

import click
import pytest
from click.testing import CliRunner

from linage_bot.cli import main

CHARSETS = ["cp437", "cp1252", "ascii", "utf-16", "shift_jis"]


def commands(command: click.Command, *words: str):
    """Yield the words of every command and group."""
    yield words
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from commands(each, *words, name)


def run(charset, *words, stdin=None):
    done = CliRunner(charset=charset).invoke(main, [*map(str, words)], input=stdin)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.mark.parametrize("charset", CHARSETS)
def test_every_help_can_be_shown(charset):
    """Every help text can be printed in any character set."""
    for words in commands(main):
        done = run(charset, *words, "--help")
        assert (done.exit_code, done.stderr) == (0, "")
        assert "Usage: " in done.stdout


@pytest.mark.parametrize("charset", CHARSETS)
def test_the_games_can_be_listed(charset):
    """The list of games can be printed in any character set."""
    shown = run(charset, "games").stdout
    assert "Luis Bola" in shown
    assert ("Bolaños" in shown) is (charset in ("cp437", "cp1252", "utf-16"))


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_fault_can_be_told(charset):
    """A fault can be printed even if the file's name has unusual characters."""
    for name in ("/no/such-–-表.sgf", "/no/such-\udcff.sgf"):
        done = run(charset, "picture", name)
        assert done.exit_code == 2
        assert "/no/such" in done.stderr


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_document_on_stdout_is_utf_8_everywhere(charset):
    """A document on stdout is UTF-8 in every console."""
    sgf = "(;SZ[5]RU[linage]PB[Bolaños];B[cc])".encode()
    done = run(charset, "picture", "-", "--label", "A1=–表", stdin=sgf)
    assert "–表" in done.stdout_bytes.decode()
