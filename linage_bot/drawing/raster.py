"""SVG as pixels."""

from pathlib import Path

import matplotlib
import resvg_py

_FONTS = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
_OURS = [str(_FONTS / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")]


def png(svg: str, scale: float = 2.0) -> bytes:
    """Return a picture of ours as PNG, in its light colours, `scale` pixels to one of SVG's.

    It has letters on every machine; fonts that are installed are only needed for letters beyond
    Latin, Greek and Cyrillic.
    """
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=scale,
            skip_system_fonts=svg.isascii(),
            font_files=_OURS,
            sans_serif_family="DejaVu Sans",
        )
    )
