"""Let the tests of the kernels import `agreement` from their own folder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
