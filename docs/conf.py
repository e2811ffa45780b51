"""Settings of the documentation site, which Sphinx builds from the Markdown of this folder.

    python -m sphinx docs linage_bot/cli/site

`linage-bot docs` opens it there, and a wheel that is built then contains it. It needs the extra
`docs`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from linage_bot.version import __version__

sys.path.insert(0, str(Path(__file__).parent))  # for the extensions

project = "linage-bot"
author = "The linage-bot authors"
version = release = __version__
html_title = f"linage-bot {__version__}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "plain_docstrings", "repository_links"]
exclude_patterns = ["changes.d"]
nitpicky = True
# Types of other packages, whose pages a site that is read offline does not have.
nitpick_ignore_regex = [
    ("py:.*", r"(?!linage_bot\.|protocol\.).*"),
    ("py:obj", ".*"),  # code in a docstring that is no name of ours
    ("py:class", r"linage_bot\.settings\.playing\.PlayChanges"),
    ("py:class", r"protocol\..*\b(Function|Number|Question|Read|Request|Target)"),
    ("py:class", r"protocol\.cgos\..*"),  # types that say how a word is read
]

myst_heading_anchors = 4  # a link to `page.md#heading` works as on GitHub
default_role = "py:obj"  # a name in a docstring is a link if the site has its description
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_use_type_comments = False  # there are none, and looking for them takes a while
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80
python_use_unqualified_type_names = True

html_theme = "furo"
html_copy_source = False
html_show_sphinx = False
