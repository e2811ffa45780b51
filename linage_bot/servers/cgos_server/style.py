"""The style sheet of the web pages."""

from __future__ import annotations

from typing import Final

from linage_bot.pictures import STYLE as BOARD_STYLE

STYLE: Final = (
    """
:root { color-scheme: light dark; --ink: #2b2d33; --soft: #6d6a62; --line: #ddd6c6;
        --paper: #fffdf8; --band: #f4f0e6; --link: #12588f; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #ece8df; --soft: #a7aab1; --line: #3a3d44; --paper: #131518; --band: #1c1e22;
          --link: #6db6f2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 68rem; padding: 0 1.2rem 3rem; color: var(--ink);
       background: var(--paper); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; align-items: baseline;
         padding: 1rem 0 .6rem; border-bottom: 2px solid var(--ink); }
header strong { font-size: 1.25rem; }
header nav { display: flex; gap: 1.1rem; }
h1 { font-size: 1.5rem; margin: 1.4rem 0 .4rem; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
p.facts, .soft { color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid var(--line);
         white-space: nowrap; }
th { font-weight: 600; color: var(--soft); border-bottom-color: var(--ink); }
th.text, td.text { text-align: left; }
tbody tr:hover { background: var(--band); }
table.cross th, table.cross td { padding: .25rem .5rem; text-align: center; }
table.cross td.self { background: var(--band); }
.game { display: grid; grid-template-columns: minmax(18rem, 34rem) minmax(14rem, 1fr);
        gap: 1.5rem; align-items: start; }
.game svg { width: 100%; height: auto; }
.steps { display: flex; gap: .5rem; margin: .6rem 0; }
.steps a, .steps span { min-width: 3.2rem; padding: .35rem .7rem; text-align: center;
                        border: 1px solid var(--line); border-radius: .4rem; }
.steps span { color: var(--line); }
ol.moves { display: grid; grid-template-columns: repeat(auto-fill, minmax(5.6rem, 1fr));
           padding: 0; margin: .6rem 0; list-style: none; max-height: 31rem; overflow-y: auto;
           font-variant-numeric: tabular-nums; }
ol.moves b { display: inline-block; min-width: 2.4em; font-weight: 400; color: var(--soft); }
ol.moves .here { background: var(--ink); color: var(--paper); padding: 0 .3em;
                 border-radius: .25em; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0 0 1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
@media (max-width: 44rem) { .game { grid-template-columns: 1fr; } }
"""
    + BOARD_STYLE
)
