"""The client's settings: the example loads, faults have keys, passwords stay hidden."""

import sys
from pathlib import Path

import attrs
import pytest

from linage_bot.servers.cgos_client.settings import (
    CgosEngineSettings,
    ClientSettings,
    ReconnectSettings,
)
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.playing import PlaySettings
from linage_bot.settings.reading import load

ROOT = Path(__file__).parents[4]
EXAMPLE = ROOT / "configs" / "cgos-client.toml"


def test_the_example_loads():
    """The example loads, and blanks around the password are removed."""
    settings = load(EXAMPLE, ClientSettings)
    ours, other = settings.players
    assert ours.password("players[0]", {"CGOS_PASSWORD": " secret\n"}).text == "secret"
    assert settings.engines[settings.engine_name(ours)].agent == PlaySettings(threads=2)
    assert settings.engines[settings.engine_name(other)].argv == ("gnugo", "--mode", "gtp")
    assert settings.server_name(other) == "go9"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('name = "linage-bot-1"', 'name = "1st"', "players[0].name"),
        ('name = "linage-bot-1"', 'name = "me"', "players[0].name"),
        ('server = "linage13"', 'server = "linage14"', "players"),
        ('server = "linage13"', "", "players"),
        ('engine = "ours"', 'engine = "theirs"', "players"),
        ('engine = "ours"', "", "players"),
        ('name = "my-gnugo"\nserver = "go9"', 'name = "linage-bot-1"', "players"),
        ('password_env = "CGOS_PASSWORD"', "", "players[0].password_file"),
        ('password_env = "CGOS_PASSWORD"', 'password = "x"', "players[0].password"),
        ('engine = "ours"', 'engine = "ours"\ngames = 0', "players[0].games"),
        ('address = "tcp:127', 'game = "lineage"\naddress = "tcp:127', "servers.linage13.game"),
        ('address = "tcp:127', 'options = {line = 3}\naddress = "tcp:127',
         "servers.linage13.options"),
        ('address = "tcp:127', 'game = "linage"\noptions = {line = 9}\naddress = "tcp:127',
         "servers.linage13.options"),
        ("threads = 2", "threads = 0", "engines.ours.agent.threads"),
        ("threads = 2", "threads = 257", "engines.ours.agent.threads"),
        ("threads = 2", "level = 28", "engines.ours.agent.level"),
        ("agent =", 'command = "x"\nagent =', "engines.ours.agent"),
        ('command = "gnugo --mode gtp"', 'command = ""', "engines.other.command"),
        ("[servers.linage13]", "max_failures = 0\n[servers.linage13]", "max_failures"),
        ("[servers.linage13]", "[reconnect]\njitter = 1\n[servers.linage13]", "reconnect.jitter"),
        ("[servers.linage13]", "[reconnect]\nmost_seconds = 0.5\n[servers.linage13]",
         "reconnect.most_seconds"),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_key(tmp_path, old, new, key):
    """A fault in the file is reported with its key."""
    text = EXAMPLE.read_text()
    assert old in text
    file = tmp_path / "client.toml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(SettingFault) as caught:
        load(file, ClientSettings)
    assert caught.value.key == key


def test_two_engines_may_meet_on_one_server(tmp_path):
    """Two players of one server may use the same engine under different names."""
    file = tmp_path / "client.toml"
    text = EXAMPLE.read_text()
    file.write_text(text.replace('server = "go9"\n', 'server = "linage13"\n', 1))
    assert {player.server for player in load(file, ClientSettings).players} == {"linage13"}


def test_one_server_and_our_engine_need_no_names(tmp_path):
    """An address, a name and a password are enough for a settings file."""
    file = tmp_path / "client.toml"
    file.write_text("""
        [servers.local]
        address = "tcp:127.0.0.1:6867"
        [[players]]
        name = "linus"
        password_env = "X"
    """)
    settings = load(file, ClientSettings)
    (player,) = settings.players
    assert settings.server_name(player) == "local"
    assert settings.engines[settings.engine_name(player)] == CgosEngineSettings()


@pytest.mark.parametrize("password", ["ab", "two words", "häkchen", ""])
def test_a_password_that_no_server_takes_is_refused_without_showing_it(password):
    """An invalid password is refused by its key without being shown."""
    player = load(EXAMPLE, ClientSettings).players[0]
    with pytest.raises(SettingFault) as caught:
        player.password("players[0]", {"CGOS_PASSWORD": password})
    assert caught.value.key.startswith("players[0].password")
    assert not password or password not in str(caught.value)


def test_a_password_may_come_from_a_file(tmp_path):
    """A password may come from a file, and is not shown by `repr`."""
    file = tmp_path / "secret"
    file.write_text("secret\n")
    player = load(EXAMPLE, ClientSettings).players[0]
    from_file = attrs.evolve(player, password_env=None, password_file=str(file))
    assert from_file.password("x").text == "secret"
    assert "secret" not in repr(from_file.password("x"))


def test_our_engine_is_started_with_the_options_of_the_file():
    """The settings of our own engine become its command line."""
    assert CgosEngineSettings().argv[:4] == (sys.executable, "-m", "linage_bot", "gtp")
    agent = PlaySettings(visits=10, seconds=1.5, threads=2, seed=3, level=4, resign_rate=0)
    assert CgosEngineSettings(agent=agent).argv[4:] == (
        *("--visits=10", "--seconds=1.5", "--threads=2", "--seed=3", "--resign=0"),
        "--level=4",
    )
    other = PlaySettings(resign_rate=None, ponder=True, solver=False, search="uct")
    assert other.options == ["--resign=never", "--ponder", "--search=uct", "--solver=off"]


def test_waits_grow_up_to_a_bound_and_the_jitter_is_a_share_of_them():
    """Waiting times grow up to a maximum, with a proportional random part."""
    settings = ReconnectSettings(1, 10, 2, 0.2)
    assert [settings.seconds(n, 0.5) for n in range(1, 7)] == [1, 2, 4, 8, 10, 10]
    assert settings.seconds(10_000, 0.5) == 10
    assert settings.seconds(2, 0.0) == pytest.approx(1.6)
    assert settings.seconds(2, 1.0) == pytest.approx(2.4)
