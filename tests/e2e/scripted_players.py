"""The players of both protocols, and the command of the scripted engine that speaks either."""

import sys

import pytest

from linage_bot import GtpPlayer, UgiPlayer
from tests.e2e.engine import ROOT

KINDS = {"gtp": GtpPlayer, "ugi": UgiPlayer}
both = pytest.mark.parametrize("protocol", KINDS)


def scripted(protocol, behaviour=""):
    """The command line of the scripted engine."""
    return [sys.executable, "-S", str(ROOT / "tests/e2e/analysing_engine.py"), protocol, behaviour]
