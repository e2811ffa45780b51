"""Refused, lost or silent connections are made again after a pause."""

import pytest

from linage_bot.servers.cgos_client.settings import ReconnectSettings
from linage_bot.settings.checks import SettingFault


def test_a_server_that_is_away_is_tried_again_after_longer_and_longer(world):
    """Failed connections are retried at growing intervals up to a maximum."""
    world.connect()
    waits = []
    for _ in range(9):
        begun = world.reactor.seconds()
        world.refuse()
        waits.append(round(world.reactor.seconds() - begun, 1))
    bare = ReconnectSettings(first_seconds=1, most_seconds=100)
    for number, wait in enumerate(waits[1:], 1):
        shortest, longest = bare.seconds(number, 0), bare.seconds(number, 1)
        assert shortest - 0.1 <= wait <= longest + 0.1
    talk = world.accept()
    talk.login()
    world.reactor.advance(120)  # a steady connection
    talk.close()
    begun = world.reactor.seconds()
    world.accept()
    assert world.reactor.seconds() - begun < 1.5


def test_a_second_login_is_left_alone_for_longer_and_longer(world):
    """A login that another one replaced is retried at growing intervals."""
    world.connect()
    begun, waits = world.reactor.seconds(), []
    for _ in range(5):
        talk = world.accept()
        waits.append(world.reactor.seconds() - begun)
        talk.login()
        talk.say("info another login takes over")
        talk.close()
        begun = world.reactor.seconds()
    assert waits == sorted(waits)
    assert waits[-1] > 5


def test_a_connection_on_which_nothing_is_heard_is_dead(world):
    """A silent connection is replaced after the time in the settings."""
    world.connect(server="silence_seconds = 60")
    talk = world.accept()
    talk.login()
    world.reactor.advance(59)
    talk.say("info still here")
    world.reactor.advance(59)
    world.reactor.settle()
    assert not talk.wire.over
    world.reactor.advance(1)
    talk.expect_end()
    world.accept().login()
    assert "the server has been silent for too long" in world.log


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("tcp:127.0.0.1:99999", "port '99999' is not a number from 1 to 65535"),
        ("tcp:127.0.0.1:1:timeout=x", "timeout 'x' is not a number"),
        ("tls:127.0.0.1:1:certificate=/no/such", "/no/such: No such file or directory"),
        (f"tcp:{'x' * 70}.org:6867", "cannot be the name of a machine"),
    ],
)
def test_an_address_that_cannot_be_is_a_wrong_setting(world, address, reason):
    """An invalid address is reported before the engine starts."""
    world.connect(address=address)
    with pytest.raises(SettingFault) as caught:
        world.wait()
    assert caught.value.key == "servers.local.address"
    assert caught.value.reason.startswith(f"'{address}'")
    assert reason in caught.value.reason
    assert world.heard == []
