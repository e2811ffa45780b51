"""The files of the web page are complete and load nothing from other sites."""

import html
import json
import posixpath
import re

from linage_bot.rules import GAMES
from linage_bot.web.http.files import PAGE, load_files

FILES = load_files()
LANGUAGES = {name: file for name, file in FILES.items() if name.startswith("languages/")}


def _page() -> str:
    return FILES[PAGE].content.decode()


def test_whatever_a_file_names_is_there() -> None:
    """Page files refer only to files that the server has."""
    named = set(re.findall(r'(?:rel="(?!modulepreload)[^>]*|src=")/static/([\w./]+)"', _page()))
    for name, file in FILES.items():
        text = file.content.decode()
        if name.endswith(".js"):
            folder = posixpath.dirname(name)
            imports = re.findall(r'from "(\.[\w./]+)"', text)
            named |= set(re.findall(r'"/static/([\w./-]+)"', text))
            named |= {posixpath.normpath(posixpath.join(folder, each)) for each in imports}
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), name
    assert named == set(FILES) - {PAGE} - set(LANGUAGES)


def test_the_page_names_every_script() -> None:
    """The page preloads every script, so that a first visit needs no second round trip."""
    named = re.findall(r'<link rel="modulepreload" href="/static/([\w./]+)">', _page())
    assert sorted(named) == sorted(name for name in FILES if name.endswith(".js"))
    assert _page().index("modulepreload") < _page().index("<script")


def test_the_page_is_small() -> None:
    """In English all page files but the images take less than 120 kB as they are sent to browsers.

    A translation adds less than 40 kB.
    """
    sent = [file for file in FILES.values() if file.type.startswith("text/")]
    assert sum(len(file.compressed) for file in sent) < 120_000
    assert all(len(file.compressed) < 40_000 for file in LANGUAGES.values())


def test_the_page_names_every_language() -> None:
    """By its own name, which is in its file, so that a translation is that file alone."""
    (found,) = re.findall(r'<meta name="languages" content="([^"]*)">', _page())
    assert json.loads(html.unescape(found)) == {
        posixpath.basename(name).removesuffix(".json"): json.loads(file.content)["language"]
        for name, file in LANGUAGES.items()
    }


def test_no_file_knows_a_game_by_name() -> None:
    """No page file but a translation names a game, so a new game needs no new script."""
    for name in FILES.keys() - LANGUAGES.keys():
        text = FILES[name].content.decode().lower().replace("linage-bot", "")
        known = {word for game in GAMES.values() for word in (game.id, game.name.lower())}
        assert [word for word in known if word in text] == [], name


def test_every_colour_is_defined_once() -> None:
    """Every colour is defined once and used, with the board colours of the pictures."""
    sheets = "".join(file.content.decode() for file in FILES.values() if "css" in file.type)
    defined = re.findall(r"^ +--([\w-]+): light-dark", sheets, re.MULTILINE)
    used = set(re.findall(r"var\(--([\w-]+)\)", sheets))
    assert len(defined) == len(set(defined))
    assert len(re.findall("#[0-9a-f]{6}", sheets)) == 2 * len(defined)
    assert used - set(re.findall(r"--([\w-]+):", sheets)) == set()
    assert set(defined) - used == set()
    assert "--first: light-dark(#8fbfe6, #1d4f7c);" in sheets


def test_files_are_sent_as_what_they_are() -> None:
    """Each file has its own media type, because browsers that obey nosniff need it."""
    types = {name.rpartition(".")[2]: file.type for name, file in FILES.items()}
    assert types["js"].startswith("text/javascript")
    assert types["css"].startswith("text/css")
    assert set(types) == {"js", "css", "html", "json", "svg"}
