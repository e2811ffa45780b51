"""The page's files: complete, and nothing else."""

import re

from linage_bot.rules import GAMES
from linage_bot.web.http.files import PAGE, load_files

FILES = load_files()


def _page() -> str:
    return FILES[PAGE].content.decode()


def test_whatever_a_file_names_is_there() -> None:
    """No file of the page asks for one that the server does not have, or for anything elsewhere."""
    named = set(re.findall(r'(?:rel="(?!modulepreload)[^>]*|src=")/static/([\w.]+)"', _page()))
    for name, file in FILES.items():
        text = file.content.decode()
        if name.endswith(".js"):
            named |= set(re.findall(r'from "\./([\w.]+)"', text))
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), name
    assert named == set(FILES) - {PAGE}


def test_the_page_names_every_script() -> None:
    """A first visit does not learn from one script which others it needs."""
    named = re.findall(r'<link rel="modulepreload" href="/static/([\w.]+)">', _page())
    assert sorted(named) == sorted(name for name in FILES if name.endswith(".js"))
    assert _page().index("modulepreload") < _page().index("<script")


def test_the_page_is_small() -> None:
    """Without its images, as it is sent."""
    sent = [file for file in FILES.values() if not file.type.startswith("image/")]
    assert sum(len(file.content) for file in sent) < 200_000


def test_no_file_knows_a_game_by_name() -> None:
    """What the page shows of a game it learns from the server, so a new game needs no script."""
    for name, file in FILES.items():
        text = file.content.decode().lower().replace("linage-bot", "")
        known = {word for game in GAMES.values() for word in (game.id, game.name.lower())}
        assert [word for word in known if word in text] == [], name


def test_every_colour_is_defined_once() -> None:
    """Those of the board where pictures have theirs."""
    sheets = "".join(file.content.decode() for name, file in FILES.items() if name != PAGE)
    defined = re.findall(r"^ +--([\w-]+): light-dark", sheets, re.MULTILINE)
    used = set(re.findall(r"var\(--([\w-]+)\)", sheets))
    assert len(defined) == len(set(defined))
    assert used - set(re.findall(r"--([\w-]+):", sheets)) == set()
    assert set(defined) - used == set()
    assert "--first: light-dark(#8fbfe6, #1d4f7c);" in sheets


def test_files_are_sent_as_what_they_are() -> None:
    """Browsers that do not guess (nosniff) run no script of another type."""
    types = {name.rpartition(".")[2]: file.type for name, file in FILES.items()}
    assert types["js"].startswith("text/javascript")
    assert types["css"].startswith("text/css")
    assert set(types) == {"js", "css", "html", "svg"}
