"""Chunks of items whose edges go to a thread's buffer; see `edgewise.generators.edge_buffers`."""

from __future__ import annotations

from edgewise.base.cache import helper
from edgewise.base.cpu.team import grab

__all__ = ["kept", "next_chunk"]


@helper
def next_chunk(control, done):
    """A chunk that no other thread has and that is not done; the number of chunks if none is."""
    while True:
        chunk, end = grab(control, 0, 1, len(done))
        if chunk == end or not done[chunk]:
            return chunk


@helper
def kept(done, chunk, begin, at, size):
    """Where the next chunk's edges begin, and whether the buffer is nearly full.

    This chunk's went from ``begin`` to ``at``, which is -1 if they did not fit.
    """
    if at >= 0:
        done[chunk] = True
        return at, False
    return begin, 2 * begin > size
