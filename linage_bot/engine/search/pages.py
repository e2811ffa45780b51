"""Columns of zeros that take memory where something is written, and little where that is little.

NumPy asks Linux for pages of 2 MiB in every array of 4 MiB or more. A large tree is searched faster
for it; but a small tree, whose columns have room for millions of nodes, takes such a page for each
of them. So here a column begins with small pages, and goes on with large ones where there are any.
"""

import contextlib
import mmap
import sys
from typing import Any

import numpy as np

_LARGE_PAGES = hasattr(mmap, "MADV_HUGEPAGE")  # Linux has a say in them
_STEP = 1 << 21 if _LARGE_PAGES else mmap.PAGESIZE  # bytes from where such a page may begin
_HEAD = 1 << 18 if _LARGE_PAGES else 0  # bytes of a column in small pages
_SHIFT = 448  # bytes: what has the same index lies in other sets of a processor's cache


def zeros(count: int, *types: Any) -> list[np.ndarray]:
    """Return a column of so many zeros of each type; raise `MemoryError` if there is no room."""
    sizes = [count * np.dtype(each).itemsize for each in types]
    starts, end = [], 0
    for number, size in enumerate(sizes):
        starts.append(end + _STEP - _HEAD - number * _SHIFT)
        end = -(-(starts[-1] + size) // _STEP) * _STEP
    try:
        memory = _mapped(end + _STEP)
    except OSError as error:
        raise MemoryError(f"no memory for {end} bytes: {error.strerror}") from None
    base = -np.frombuffer(memory, np.uint8).ctypes.data % _STEP
    if _LARGE_PAGES:
        _advise(memory, mmap.MADV_NOHUGEPAGE, 0, len(memory))  # some systems give them unasked
        for number, (start, size) in enumerate(zip(starts, sizes, strict=True)):
            head = _HEAD + number * _SHIFT
            if size > head:
                _advise(memory, mmap.MADV_HUGEPAGE, base + start + head, size - head)
    return [
        np.frombuffer(memory, each, count, base + start)
        for each, start in zip(types, starts, strict=True)
    ]


def _mapped(size: int) -> mmap.mmap:
    """Map memory that is freed with the last array in it; a forked process has its own copy."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)


def _advise(memory: mmap.mmap, advice: int, start: int, length: int) -> None:
    """Choose the pages of a part of the memory; a system built without large ones refuses."""
    with contextlib.suppress(OSError):
        memory.madvise(advice, start, length)
