"""Atomic operations in compiled code on words that several threads share.

If one thread `store`s a word and another reads that word by `load` or `exchange`, the second thread
sees everything that the first wrote before. The compiler moves no reads or writes across these
operations: `load` acquires, `store` releases, and `exchange` does both.
"""

from typing import Any

from numba import types
from numba.extending import intrinsic

_ALIGNMENT = 8


def _load(_typing: Any, words: Any, index: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _address(context, builder, signature, given)
        return builder.load_atomic(at, "acquire", _ALIGNMENT)

    return types.int64(words, index), code


def _store(_typing: Any, words: Any, index: Any, _word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _address(context, builder, signature, given)
        builder.store_atomic(given[2], at, "release", _ALIGNMENT)
        return context.get_dummy_value()

    return types.void(words, index, types.int64), code


def _exchange(_typing: Any, words: Any, index: Any, _expected: Any, _word: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _address(context, builder, signature, given)
        found = builder.cmpxchg(at, given[2], given[3], "acq_rel", "acquire")
        return builder.extract_value(found, 1)

    return types.boolean(words, index, types.int64, types.int64), code


def _address(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, given[0])
    return builder.gep(array.data, [given[1]])


load: Any = intrinsic(_load)
"""load(words, index): return a word of an array of `int64`."""

store: Any = intrinsic(_store)
"""store(words, index, word): set it."""

exchange: Any = intrinsic(_exchange)
"""exchange(words, index, expected, word): set it if it equals `expected`; return whether it did."""
