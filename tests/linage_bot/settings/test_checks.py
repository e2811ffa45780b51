"""What the settings of all servers share."""

import pytest

from linage_bot.settings.checks import SettingFault, make_folder


def test_a_folder_is_made_with_all_above_it(tmp_path):
    """One that is there already is no fault."""
    make_folder("sgf", tmp_path / "a" / "b")
    make_folder("sgf", tmp_path / "a" / "b")  # it may be there already
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("path", ["file", "file/below"])
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path, path):
    """Also where it stands above the folder, and with the key that names it."""
    (tmp_path / "file").touch()
    with pytest.raises(SettingFault) as caught:
        make_folder("sgf", tmp_path / path)
    assert str(caught.value).startswith(f"sgf: {tmp_path / 'file'}")
    assert caught.value.reason.endswith(" is not a folder")


def test_a_folder_that_takes_no_files_is_named(tmp_path, monkeypatch):
    """At the start, before there is anything to lose."""
    monkeypatch.setattr("os.access", lambda *_: False)  # whoever runs this may be root
    with pytest.raises(SettingFault, match="no files can be written there"):
        make_folder("sgf", tmp_path)
