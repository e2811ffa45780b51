"""Our HTML pages as a browser reads them."""

import html.parser

# What a browser would fetch by itself; `href` of `a` is for readers who click.
FETCHING = {"src", "srcset", "data", "poster", "background", "action", "xlink:href"}


class Page(html.parser.HTMLParser):
    """Reads a page: elements must be closed in order, ids be unique, and nothing be fetched."""

    VOID = ("meta", "img", "br", "circle", "rect", "path", "line", "polygon", "polyline")

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.images, self.ids, self.text = [], [], [], [], ""
        self.tags = []
        self.tables = []
        self.feed(text)
        self.close()
        assert self.open == []
        assert len(set(self.ids)) == len(self.ids)
        assert "url(" not in text
        assert "@import" not in text

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        assert tag not in ("script", "link", "iframe", "object", "embed", "base")
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
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.tables[-1][-1][-1] += data
