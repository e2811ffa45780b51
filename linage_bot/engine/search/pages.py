"""Columns of zeros that take memory only for the parts that are written.

NumPy asks Linux for pages of 2 MiB in every array of 4 MiB or more. They make the search of a large
tree faster. But a small tree, whose columns have room for millions of nodes, would take such a page
for each column. So a column here begins with small pages and continues with large ones, if the
system has them.

The system fills a large page with zeros when it is first written to, for some milliseconds. Each
column begins its large pages a little later than the one before. If all columns began a page with
the same node, that visit would take 30 ms, in which a search cannot be stopped.
"""

import contextlib
import mmap
import sys
from typing import Any

import numpy as np

_LARGE_PAGES = hasattr(mmap, "MADV_HUGEPAGE")  # Linux lets programs choose them
_STEP = 1 << 21 if _LARGE_PAGES else mmap.PAGESIZE  # alignment of large pages in bytes
_HEAD = 1 << 18 if _LARGE_PAGES else 0  # bytes at the start of the first column in small pages
_LATER = 1 << 16 if _LARGE_PAGES else 0  # bytes that are more in each next column
_SHIFT = 448  # bytes: puts fields with the same index into different sets of the cache


def zeros(count: int, *types: Any) -> list[np.ndarray]:
    """Return a column of this many zeros for each type; raise `MemoryError` if there is no room."""
    sizes = [count * np.dtype(each).itemsize for each in types]
    starts, end = [], 0
    for number, size in enumerate(sizes):
        starts.append(end + _STEP - _head(number))
        end = -(-(starts[-1] + size) // _STEP) * _STEP
    try:
        memory = _mapped(end + _STEP)
    except OSError as error:
        raise MemoryError(f"no memory for {end} bytes: {error.strerror}") from None
    base = -np.frombuffer(memory, np.uint8).ctypes.data % _STEP
    if _LARGE_PAGES:
        # On some systems large pages are the default.
        _choose_page_size(memory, mmap.MADV_NOHUGEPAGE, 0, len(memory))
        for number, (start, size) in enumerate(zip(starts, sizes, strict=True)):
            head = _head(number)
            if size > head:
                _choose_page_size(memory, mmap.MADV_HUGEPAGE, base + start + head, size - head)
    return [
        np.frombuffer(memory, each, count, base + start)
        for each, start in zip(types, starts, strict=True)
    ]


def _head(number: int) -> int:
    """Return the bytes at the start of a column that are in small pages."""
    return _HEAD + number * (_LATER + _SHIFT)


def _mapped(size: int) -> mmap.mmap:
    """Return memory that is freed with the last array in it; a forked process has its own copy."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE)


def _choose_page_size(memory: mmap.mmap, advice: int, start: int, length: int) -> None:
    """Choose small or large pages for a part of the memory; no effect on systems without both."""
    with contextlib.suppress(OSError):
        memory.madvise(advice, start, length)
