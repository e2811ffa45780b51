"""The examples on the page about hosting match its model."""

import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_the_plot_is_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python benchmarks/hosting_model.py` draws exactly the committed file."""
    drawn = tmp_path / "hosting.svg"
    monkeypatch.setattr(sys, "argv", ["hosting_model.py", str(drawn)])
    runpy.run_path(str(ROOT / "benchmarks" / "hosting_model.py"), run_name="__main__")
    kept = (ROOT / "docs" / "images" / "hosting.svg").read_bytes().replace(b"\r\n", b"\n")
    assert drawn.read_bytes() == kept
