"""Our HTML pages as a browser reads them."""

import base64
import hashlib
import html.parser
import json
import re

from linage_bot.drawing.html import SCRIPT

# Attributes that a browser fetches by itself; `href` of `a` is for readers who click.
FETCHING = {"src", "srcset", "data", "poster", "background", "action", "xlink:href"}


class Page(html.parser.HTMLParser):
    """A parser that checks a page: elements closed in order, ids unique, and nothing fetched.

    No script runs but our own, by its hash; its data about games is JSON.
    """

    VOID = ("meta", "img", "br", "circle", "rect", "path", "line", "polygon", "polyline")

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.images, self.ids, self.text = [], [], [], [], ""
        self.tags, self.scripts, self.games = [], [], []
        self.tables = []
        self.feed(text)
        self.close()
        assert self.open == []
        assert self.scripts in ([], [SCRIPT])
        self.games = [json.loads(game) for game in self.games]
        digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
        assert re.findall(r'http-equiv="([^"]*)" content="([^"]*)"', text) == [
            ("Content-Security-Policy", policy)
        ]
        assert len(set(self.ids)) == len(self.ids)
        assert "url(" not in text
        assert "@import" not in text

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        assert tag not in ("link", "iframe", "object", "embed", "base")
        if tag == "script":
            kinds = {"application/json": self.games, "module": self.scripts}
            kinds[attributes.pop("type")].append("")
            assert attributes == {}
        assert not any(name.startswith("on") for name in attributes)
        if "href" in attributes:
            assert tag == "a"
            self.links.append(attributes["href"])
        if "id" in attributes:
            self.ids.append(attributes["id"])
        assert not FETCHING & set(attributes)
        if tag == "svg" and attributes.get("class") == "graph":
            self.images.append(attributes["aria-label"])
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data):
        if "script" in self.open:
            found = self.scripts or self.games  # the script comes after all games
            found[-1] += data
            return
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data
