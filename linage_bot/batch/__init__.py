"""Many games at once, as NumPy arrays, for programs that learn or simulate (docs/batch.md).

`linage_bot.openspiel` has the same observations and results, one game at a time.
"""

from linage_bot.batch.games import Batch
from linage_bot.batch.planes import PLANES

__all__ = ["PLANES", "Batch"]
