"""`.ci/artifacts.py` publishes packages with exactly the files of the commit, and their sums."""

import importlib.util
import io
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FILES = ["linage_bot/__init__.py", "linage_bot/solved.json", "protocol/__init__.py"]
METADATA = ["linage_bot-1.2.3.dist-info/METADATA", "linage_bot-1.2.3.dist-info/licenses/LICENSE"]
SITE = ["linage_bot/cli/site/index.html"]
CODE = ["linage_bot/engine/compiled/code-1/play.code"]
PURE, COMPILED = (
    "linage_bot-1.2.3-py3-none-any.whl",
    "linage_bot-1.2.3-cp311-cp311-linux_x86_64.whl",
)


@pytest.fixture(scope="module")
def artifacts() -> ModuleType:
    spec = importlib.util.spec_from_file_location("artifacts", ROOT / ".ci/artifacts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        (PURE, [*FILES, *SITE, *METADATA], None),
        (COMPILED, [*FILES, *SITE, *METADATA, *CODE], None),
        (PURE, [*FILES, *METADATA], "has no documentation"),
        (
            PURE,
            [*FILES[1:], *SITE, *METADATA],
            "lacks linage_bot/__init__.py, which the commit has",
        ),
        (
            PURE,
            [*FILES, "conftest.py", *SITE, *METADATA],
            "has conftest.py, which the commit lacks",
        ),
        (PURE, [*FILES, *METADATA, *CODE], "has 1 files of compiled code"),
        (COMPILED, [*FILES, *METADATA], "has 0 files of compiled code"),
    ],
)
def test_a_wheel_has_the_files_of_the_commit(
    artifacts: ModuleType, tmp_path: Path, name: str, content: list[str], fault: str | None
) -> None:
    """A wheel with a file too few or too many, or code where it does not belong, is refused."""
    with zipfile.ZipFile(tmp_path / name, "w") as wheel:
        for each in content:
            wheel.writestr(each, "")
    if fault is None:
        artifacts.check_wheel(tmp_path / name, FILES)
    else:
        with pytest.raises(artifacts.Failed) as failed:
            artifacts.check_wheel(tmp_path / name, FILES)
        assert str(failed.value) == f"{name} {fault}"


@pytest.mark.parametrize(("content", "fault"), [(FILES, None), (FILES[:-1], f"lacks {FILES[-1]}")])
def test_an_sdist_has_the_files_of_the_commit(
    artifacts: ModuleType, tmp_path: Path, content: list[str], fault: str | None
) -> None:
    """An sdist that lacks a committed file is refused."""
    file = tmp_path / "linage_bot-1.2.3.tar.gz"
    with tarfile.open(file, "w:gz") as sdist:
        for each in (*content, "PKG-INFO"):
            sdist.addfile(tarfile.TarInfo(f"linage_bot-1.2.3/{each}"), io.BytesIO())
    if fault is None:
        artifacts.check_sdist(file, FILES)
    else:
        with pytest.raises(artifacts.Failed, match=fault):
            artifacts.check_sdist(file, FILES)


def test_an_image_without_its_wheel_is_refused(artifacts: ModuleType, tmp_path: Path) -> None:
    """The wheel that `Containerfile` copies must be among the packages."""
    (tmp_path / PURE).touch()
    with pytest.raises(artifacts.Failed, match=r"the image needs .*-cp313-"):
        artifacts.check_image(tmp_path)
    (tmp_path / COMPILED.replace("cp311", "cp313")).touch()
    artifacts.check_image(tmp_path)


def test_files_of_an_earlier_build_are_refused(artifacts: ModuleType, tmp_path: Path) -> None:
    """A folder that has files is not built into: all in it is published."""
    (tmp_path / "old.whl").touch()
    with pytest.raises(artifacts.Failed, match="has files already"):
        artifacts.main(tmp_path)


def test_the_sums_are_those_that_sha256sum_checks(artifacts: ModuleType, tmp_path: Path) -> None:
    """`SHA256SUMS` has a line for each file, in the form of `sha256sum`."""
    (tmp_path / "b.txt").write_text("abc")
    (tmp_path / "a.txt").touch()
    artifacts.write_sums(tmp_path)
    assert (tmp_path / "SHA256SUMS").read_text() == (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n"
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n"
    )


@pytest.mark.thorough
def test_the_packages_of_this_checkout_are_complete(artifacts: ModuleType, tmp_path: Path) -> None:
    """The sdist and the wheel have every file of the checkout that git does not ignore."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no checkout")
    listed = ("--cached", "--others", "--exclude-standard")
    present = {each for each in artifacts.committed_files(*listed) if (ROOT / each).exists()}
    build = ("hatchling", "build", "-d", str(tmp_path), "-t", "sdist", "-t", "wheel")
    subprocess.run([sys.executable, "-m", *build], cwd=ROOT, check=True, capture_output=True)
    (sdist,), (wheel,) = tmp_path.glob("*.tar.gz"), tmp_path.glob("*.whl")
    artifacts.check_sdist(sdist, present)
    packages = tuple(f"{each}/" for each in artifacts.PACKAGES)
    expected = {each for each in present if each.startswith(packages)}
    artifacts.check_wheel(wheel, expected, documented=(ROOT / artifacts.SITE).exists())
