"""The server's settings: the example loads, and faults are reported with their keys."""

from pathlib import Path

import pytest

from linage_bot.rules import GAMES
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.reading import load

EXAMPLE = Path(__file__).parents[4] / "configs" / "cgos-server.toml"


def test_the_example_loads(monkeypatch):
    """The example loads; an invalid or missing administrator's password is reported."""
    settings = load(EXAMPLE, CgosServerSettings)
    assert settings.game.configure().board.size == "13"
    monkeypatch.setenv("CGOS_ADMIN_PASSWORD", "secret")
    assert settings.admin_password().text == "secret"
    monkeypatch.setenv("CGOS_ADMIN_PASSWORD", "two words")  # a password is one word
    with pytest.raises(SettingFault, match="one word"):
        settings.admin_password()
    monkeypatch.delenv("CGOS_ADMIN_PASSWORD")
    with pytest.raises(SettingFault, match="admin_password_env"):
        settings.admin_password()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('name = "Linage 13x13"', "", "name"),
        ('id = "linage"', 'id = "linag"', "game.id"),
        ("size = 13", 'size = "9x7"', "game"),
        ("level_ms = 300_000", "level_ms = 0", "clock.level_ms"),
        ("level_ms = 300_000", "level_ms = 9223372036854775808", "clock.level_ms"),
        ("interval_seconds = 5", "interval_seconds = 0", "pairing.interval_seconds"),
        ("anchors = { }", 'anchors = { "1x" = 5 }', "ratings.anchors"),
        ("connections_per_address = 50", "line_bytes = 5", "limits.line_bytes"),
        ("admin_password_env", 'admin_password_file = "x"\nadmin_password_env',
         "admin_password_file"),
        ("[limits]", "[limit]", "limit"),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_key(tmp_path, old, new, key):
    """A fault in the file is reported with its key."""
    text = EXAMPLE.read_text()
    assert old in text
    file = tmp_path / "server.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(SettingFault) as caught:
        load(file, CgosServerSettings)
    assert caught.value.key == key


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_served(tmp_path, game):
    """Every game can be served with a file of five lines."""
    file = tmp_path / "server.toml"
    file.write_text(f'name = "x"\nlisten = "tcp:0"\ndatabase = "x"\n[game]\nid = "{game}"\n')
    assert load(file, CgosServerSettings).game.configure().id == game
