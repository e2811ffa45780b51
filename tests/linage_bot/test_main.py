"""The start of the program."""

import sys

import pytest

from linage_bot.__main__ import main


def test_free_threaded_python_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A Python without its global lock gets one line and exit status 2, not a wrong answer."""
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said == "linage-bot: free-threaded Python is not supported; use the usual build\n"
