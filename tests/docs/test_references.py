"""Links from page to page lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def prose(page: Path) -> str:
    """The page without its code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)


def anchors(page: Path) -> set[str]:
    """Return a page's anchors: its headings in lower case, with hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    """The page's links to files or headings that are not there."""
    text = re.sub(r"`[^`\n]*`(?!\])", "", prose(page))
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", link):
            continue  # elsewhere
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (heading and heading not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_a_heading_of_ours(page: Path) -> None:
    """Every link in the documentation leads to an existing file and heading."""
    assert broken(page) == []


def test_a_broken_link_is_noticed(tmp_path: Path) -> None:
    """Of four links, those to a missing file and a missing heading are reported."""
    page = tmp_path / "page.md"
    page.write_text("# One, two\n[a](#one-two) [`b`](page.md) [c](none.md) [d](page.md#three)\n")
    assert broken(page) == ["none.md", "page.md#three"]
