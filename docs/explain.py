"""Write the explanation of each game into its page of docs/rules, as in the web page's help.

python docs/explain.py

Text and pictures come from `linage_bot.teaching.explained`, so the pages and the help cannot
disagree; `docs/draw.py` draws the pictures.
"""

from __future__ import annotations

import re
from pathlib import Path

from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.rules.options import Option, format_option
from linage_bot.teaching import explained

PAGES = Path(__file__).parent / "rules"
BEGIN = "<!-- how to play, made by docs/explain.py -->"
END = "<!-- end of how to play -->"


def how_to_play(kind: type[Game]) -> str:
    """Return the rules with the default options, and the differences with other options."""
    blocks = ["## How to play"]
    for paragraph in explained(kind.configure(), pie=True):
        if not paragraph.text:
            continue
        blocks.append(_by_sentence(paragraph.text))
        for example in paragraph.examples:
            caption = example.picture.caption
            blocks.append(f"![{caption}](../images/{kind.id}-{example.name}.svg)")
            blocks.append(_by_sentence(example.words))
    if kind.options():
        blocks += ["### With other options", *_otherwise(kind)]
    return "\n\n".join(blocks)


def _otherwise(kind: type[Game]) -> list[str]:
    """Return, for each option at another value, the paragraphs that differ."""
    usual = set(kind.configure().rules())
    found = []
    for name, option in kind.options().items():
        for value in _other_values(option):
            rules = kind.configure(options={name: value}).rules()
            changed = [text for text in rules if text not in usual]
            found.append(f"With `{name}` {value}:")
            found += [f"> {_by_sentence(text, '> ')}" for text in changed]
    return found


def _other_values(option: Option) -> list[str]:
    """Return the values except the default; of numbers, only one of them."""
    if isinstance(option.default, bool):
        values = ["on", "off"]
    else:
        values = list(option.choices) or [str(int(option.default) + 1)]
    return [value for value in values if value != format_option(option.default)]


def _by_sentence(text: str, begin: str = "") -> str:
    """Return the text with each sentence on its own line."""
    return re.sub(r"(?<=[.]) (?=[A-Z*])", f"\n{begin}", text)


def renewed(page: str, kind: type[Game]) -> str:
    """Return the page with its generated part renewed."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{how_to_play(kind)}\n\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    for id_, kind in GAMES.items():
        file = PAGES / f"{id_}.md"
        file.write_text(renewed(file.read_text(encoding="utf-8"), kind), encoding="utf-8")
