"""Links that come in parts of which only the most that each can have is known before.

Parts are filled in waves: each has space for its most in buffers that stay in the cache, and is
then copied to where it belongs. So what is written to memory is what there is, once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cache import inlined
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads
from edgewise.operators import for_each
from edgewise.sensing.links import Links

__all__ = ["Loose", "in_waves"]

_WAVE = 1 << 19  # links of a wave, for each of two threads or more
_REUSED = 1 << 22  # arrays up to so many links may stand in memory that was used before
_32 = np.uint64(32)


class Loose(NamedTuple):
    """The parts of a wave: part ``p`` has space from ``begins[p] - begins[first]`` on."""

    keys: np.ndarray  #: uint64, a link as a word
    packets: np.ndarray  #: int64
    begins: np.ndarray  #: int64, where each part's space begins, and where the last one's ends
    sizes: np.ndarray  #: int64, how many links each part has


def in_waves(
    begins: np.ndarray, fill: Callable[[Loose, int, int], Any], into: Links | None = None
) -> tuple[Links, np.ndarray]:
    """All parts' links one after the other, and where each part's begin.

    ``fill(loose, first, last)`` fills the parts from ``first`` to ``last - 1``. With ``into``,
    arrays that are long enough, links are written there.
    """
    count, parts = int(begins[-1]), len(begins) - 1
    ends = _waves(begins, _WAVE * max(get_threads(), 2))
    most = int(np.diff(begins[ends]).max(initial=0))
    loose = Loose(
        np.empty(most, np.uint64), np.empty(most, np.int64), begins, np.zeros(parts, np.int64)
    )
    links = into or Links(*(np.empty(count, kind) for kind in (np.uint32, np.uint32, np.int64)))
    starts = np.zeros(parts + 1, np.int64)
    for first, last in zip(ends, ends[1:], strict=False):
        fill(loose, first, last)
        starts[first : last + 1] = starts[first] + offsets(loose.sizes[first:last])
        work = 4 * int(begins[last] - begins[first])
        for_each(last - first, _gather, (loose, first, starts, links), work=work)
    found = Links(*(column[: starts[-1]] for column in links))
    if into is None and count < _REUSED and 4 * starts[-1] < 3 * count:
        # space that is not used would be kept; of larger arrays it was never touched
        found = Links(*(column.copy() for column in found))
    return found, starts


def _waves(begins: np.ndarray, size: int) -> list[int]:
    """The first part of each wave, and the end: parts with space for ``size`` links, or one."""
    ends, parts = [0], len(begins) - 1
    while ends[-1] < parts:
        first = ends[-1]
        last = int(np.searchsorted(begins, begins[first] + size, side="right")) - 1
        ends.append(min(max(last, first + 1), parts))
    return ends


@inlined
def _gather(number, loose, first, starts, links):
    """Copy a part to its place."""
    part = first + number
    begin, at = loose.begins[part] - loose.begins[first], starts[part]
    for i in range(loose.sizes[part]):
        key = loose.keys[begin + i]
        links.source[at + i] = np.uint32(key >> _32)
        links.destination[at + i] = np.uint32(key)
        links.packets[at + i] = loose.packets[begin + i]
