"""Each translation of the page has all its texts, and those of the server, and no others."""

import itertools
import json
import re

import pytest

from tests.linage_bot.web import server_texts
from tests.linage_bot.web.page_texts import STATIC, page_texts, served_words, untranslated

FILES = sorted((STATIC / "languages").glob("*.json"))
PLACE = re.compile(r"\{\d\}")
SPOKEN = re.compile(r"[^\W\d_]{2}")  # a single letter, as of the option `n`, needs no translation


class Catalogue:
    """The texts of a translation, found as language.js finds those of the server."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts
        self.used: set[str] = set()
        templates = [text for text in texts if PLACE.search(text)]
        templates.sort(key=lambda text: -len(PLACE.sub("", text)))
        self._patterns = {
            text: re.compile(
                PLACE.sub("(.+?)", re.sub(r"[.*+?^$()|\[\]\\]", r"\\\g<0>", text)), re.S
            )
            for text in templates
        }

    def knows(self, text: str) -> bool:
        """Return whether a text is in the catalogue, and mark what is used for it.

        A template counts if at least a third of the text is its own.
        """
        return all(map(self._knows_part, server_texts.sentences(text)))

    def _knows_part(self, text: str) -> bool:
        reason = text[0].lower() + text[1:-1] if text.endswith(".") else text
        return self._finds(text) or self._finds(reason)

    def _finds(self, text: str) -> bool:
        if text in self.texts:
            self.used.add(text)
            return True
        for template, pattern in self._patterns.items():
            if match := pattern.fullmatch(text):
                self.used.add(template)
                for value in match.groups():
                    self._finds(value)
                return len(text) <= 3 * len(PLACE.sub("", template))
        return False


@pytest.fixture(params=FILES, ids=lambda file: file.stem)
def file(request: pytest.FixtureRequest) -> dict[str, dict[str, str]]:
    """Return a translation as its file has it."""
    return json.loads(request.param.read_text())


def test_the_texts_of_the_page_are_translated(file: dict[str, dict[str, str]]) -> None:
    """Those of page.html and of the scripts, without entries for texts that are gone."""
    assert sorted(page_texts() ^ set(file["page"])) == []


def test_scripts_write_no_text_that_cannot_be_translated() -> None:
    """Each text for readers is a template of the function `t`."""
    assert untranslated() == set()


def test_the_texts_of_the_server_are_translated(file: dict[str, dict[str, str]]) -> None:
    """Rules, lessons, options, reasons and judgements; without entries for texts that are gone."""
    catalogue = Catalogue(file["server"])
    texts = itertools.chain(
        served_words(),
        server_texts.names(),
        server_texts.rules(),
        server_texts.lessons(),
        server_texts.judgements(),
        server_texts.literals(),
    )
    missing = {text for text in texts if SPOKEN.search(text) and not catalogue.knows(text)}
    assert sorted(missing) == []
    assert sorted(set(file["server"]) - catalogue.used - PLACES) == []


PLACES = {"link", "setup", "move {0}"}
"""The places before an error's reason, which are translated with it."""


def test_translations_have_the_values_of_their_texts(file: dict[str, dict[str, str]]) -> None:
    """Each value occurs, and none else, so that no number or name is lost."""
    for english, text in (file["page"] | file["server"]).items():
        assert sorted(PLACE.findall(text)) == sorted(PLACE.findall(english)), english
        assert text.strip(), english
