"""Access to the library's drawings, for positions in a terminal and in a notebook.

The rules import no drawings: the library loads them when the first position is shown.
"""

import importlib
from typing import Any


def library(name: str) -> Any:
    """Return a public function or class of the library."""
    return getattr(importlib.import_module("linage_bot"), name)
