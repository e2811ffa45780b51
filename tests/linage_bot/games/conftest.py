"""Lets the tests of the games import `diagrams` and `slow_rules`, which lie beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
