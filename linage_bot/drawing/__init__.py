"""Positions as text and as SVG.

Both draw a board the same way: a point in column `x`, row `y` is `x` steps to the right and `y`
rows up, and on a hexagonal board each row also is half a step further left than the one below. So
its three directions meet at equal angles and its six neighbours are equally far away.
"""

from linage_bot.drawing.layers import MARKS, WIDEST_LABEL, Mark, text_width
from linage_bot.drawing.palette import INKS, OWNER_INKS, STYLE, VARIABLES, board_variables
from linage_bot.drawing.svg import Picture
from linage_bot.drawing.text import as_text

__all__ = [
    "INKS",
    "MARKS",
    "OWNER_INKS",
    "STYLE",
    "VARIABLES",
    "WIDEST_LABEL",
    "Mark",
    "Picture",
    "as_text",
    "board_variables",
    "text_width",
]
