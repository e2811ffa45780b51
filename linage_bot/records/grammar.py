"""sgfmill's reader and writer of SGF, imported without the warnings of its source.

Python 3.12 and later warn of an escape sequence in it if its bytecode is missing, for example
after an installation by uv.
"""

import warnings

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", ".*invalid escape sequence")
    from sgfmill import sgf, sgf_grammar, sgf_properties

__all__ = ["sgf", "sgf_grammar", "sgf_properties"]
