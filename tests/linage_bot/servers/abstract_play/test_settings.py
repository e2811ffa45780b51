"""The bot's settings: the example loads, and faults are reported with their keys."""

from pathlib import Path

import attrs
import pytest

from linage_bot.servers.abstract_play.settings import BotPlaySettings, BotSettings
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.reading import load

ROOT = Path(__file__).parents[4]
EXAMPLE = ROOT / "configs" / "abstract-play.toml"


def test_the_example_loads():
    """The example loads, and blanks around the secret are removed."""
    settings = load(EXAMPLE, BotSettings)
    assert settings.site.secret({"ABSTRACT_PLAY_SECRET": " x\n"}).text == "x"
    assert settings.challenges.games == 10


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('path = "/', 'path = "', "path"),
        ('token_url = "https', 'token_url = "ftp', "site.token_url"),
        ("AAAAC3NzaC1lZDI1NTE5", "AAAAC3NzaC1lZDI1NTE6", "site.public_key"),
        ("sizes = [11", "sizes = [2", "challenges.sizes"),
        ("lines = [3]", "lines = [6]", "challenges.lines"),
        ("seconds = 60", "seconds = -1", "play.seconds"),
        ("threads = 2", "threads = 257", "play.threads"),
        ("resign_rate = 0.02", "resign_rate = 2", "play.resign_rate"),
        ("[challenges]", "recover_seconds = 0\n[challenges]", "site.recover_seconds"),
        ("[challenges]", "retry_most_seconds = 1\n[challenges]", "site.retry_most_seconds"),
        ("[challenges]", 'client_secret_file = "x"\n[challenges]', "site.client_secret_file"),
        ('client_secret_env = "ABSTRACT_PLAY_SECRET"', "", "site.client_secret_file"),
        ("[play]", 'client_secret = "x"\n[play]', "challenges.client_secret"),
    ],
)
def test_faults_are_named_with_their_key(tmp_path, old, new, key):
    """A fault in the file is reported with its key."""
    text = EXAMPLE.read_text()
    assert old in text
    file = tmp_path / "bot.toml"
    file.write_text(text.replace(old, new))
    with pytest.raises(SettingFault) as caught:
        load(file, BotSettings)
    assert caught.value.key == key


def test_the_secret_comes_from_the_environment_or_a_file_and_is_never_shown(tmp_path):
    """The secret comes from the environment or a file and never appears in a message."""
    site = load(EXAMPLE, BotSettings).site
    with pytest.raises(SettingFault, match="not set"):
        site.secret({})
    file = tmp_path / "secret"
    from_file = attrs.evolve(site, client_secret_env=None, client_secret_file=str(file))
    with pytest.raises(SettingFault, match="No such file"):
        from_file.secret({})
    file.write_text(" \n")
    with pytest.raises(SettingFault, match="empty"):
        from_file.secret({})
    file.write_text("hush\n")
    secret = from_file.secret({})
    assert secret.text == "hush"
    assert "hush" not in f"{secret} {secret!r} {[secret]}"


def test_a_move_has_some_limit():
    """A move has a limit of 60 seconds unless a number of visits is set."""
    assert BotPlaySettings().agent.seconds == 60
    assert BotPlaySettings(visits=5).agent.seconds is None
