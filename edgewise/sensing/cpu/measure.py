"""The quantities and distributions of traffic matrices on CPU threads.

Links are sorted by source, so one pass finds what each source sent; for destinations the links are
sorted again. A matrix of a size that fits the cache is one thread's, and its links travel as words:
a destination above its packets. All threads share a larger one (`edgewise.sensing.cpu.large`).
"""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner, kernel
from edgewise.base.cpu.bits import bit_length
from edgewise.base.cpu.team import grab
from edgewise.base.threads import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.sensing.cpu.bins import TURNS, add_rows, count_steps
from edgewise.sensing.cpu.counting import GOT, LINK_MOST, LINKS, SENT, VALID
from edgewise.sensing.cpu.large import measure_large
from edgewise.sensing.cpu.radix import HALF, LOW, scratch, sort_digits
from edgewise.sensing.cpu.ranks import narrow
from edgewise.sensing.links import Links
from edgewise.sensing.quantities import BINS, Distributions, Quantities

__all__ = ["CACHED", "chunk_of", "measure", "measure_window", "records", "tables"]

#: Links (or packets) that one thread takes at once: the words of so many fit the cache.
CACHED = 1 << 18

_32 = np.uint64(32)


def measure(
    links: Links, bounds: np.ndarray, memory: np.ndarray | None = None
) -> tuple[Quantities, Distributions]:
    """What is counted of each of some matrices, whose links begin at ``bounds``.

    ``memory`` is memory that large ones may use: two words of 64 bits for each link.
    """
    sizes = np.diff(bounds)
    found, counts = tables(len(sizes))
    if len(links.source) == 0:
        return records(found, counts)
    large, most = sizes > CACHED, int(links.packets.max())
    if most > int(LOW):  # a word has no space for them
        large = sizes > 0
    small = int(sizes[~large].max(initial=0))
    if small:
        team = get_threads()
        source, destination, _ = narrow(links.source, links.destination)
        given, work = Links(frozen(source), frozen(destination), frozen(links.packets)), len(source)
        launch(_small, given, frozen(bounds), large, chunk_of(len(sizes), work, team),
               scratch(team, small), found, counts, team=team, work=8 * work)  # fmt: skip
    for w in np.flatnonzero(large):
        part = slice(bounds[w], bounds[w + 1])
        one = Links(*(column[part] for column in links))
        found[:, w], counts[:, w] = measure_large(one, most > int(LOW), memory)
    return records(found, counts)


def tables(windows: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the quantities and the distributions of so many windows are written."""
    return (
        np.zeros((len(Quantities._fields), windows), np.int64),
        np.zeros((len(Distributions._fields), windows, BINS), np.int64),
    )


def records(found: np.ndarray, counts: np.ndarray) -> tuple[Quantities, Distributions]:
    """What was written there, by name."""
    return Quantities(*found), Distributions(*counts)


def chunk_of(windows: int, work: int, team: int) -> int:
    """How many of some windows with so many links a thread takes at once: a moment's work."""
    return max(1, min(windows // (16 * team), windows * CACHED // max(work, 1)))


@kernel(borrows=True)
def _small(me, team, control, given, bounds, large, chunk, scratch, found, counts):
    """Measure whole matrices on one thread each, but the large ones."""
    while True:
        first, last = grab(control, 0, chunk, len(bounds) - 1)
        if first >= last:
            return
        for w in range(first, last):
            low, high = bounds[w], bounds[w + 1]
            if large[w] or low == high:
                continue
            keys = scratch.keys[me, 2, : high - low]
            for i in range(high - low):
                source, destination = given.source[low + i], given.destination[low + i]
                keys[i] = (np.uint64(source) << _32) | np.uint64(destination)
            measure_window(me, keys, given.packets[low:high], scratch, found, counts, w)


@inner
def measure_window(me, keys, packets, scratch, found, counts, w):
    """Measure a window with links, given as words, whose packets take 32 bits at the most."""
    size = len(keys)
    words, other = scratch.keys[me, 0, :size], scratch.keys[me, 1, :size]
    sums, ends, bins = scratch.marks[me, 0], scratch.marks[me, 1], scratch.bins[me]
    total, most, groups = np.int64(0), np.int64(0), np.int64(0)
    for i in range(size):
        key, number = keys[i], packets[i]
        total += number
        most = max(most, number)
        bins[i & TURNS, bit_length(np.uint64(number - 1))] += 1
        words[i] = (key << _32) | np.uint64(number)
        sums[groups], ends[groups] = total, i + 1
        following = keys[min(i + 1, size - 1)]
        groups += (key >> _32) != (following >> _32)
    add_rows(bins, counts[2, w])
    found[VALID, w], found[LINKS, w], found[LINK_MOST, w] = total, size, most
    groups += 1
    found[SENT, w] = groups
    found[SENT + 1, w] = count_steps(sums[:groups], bins, counts[0, w])
    found[SENT + 2, w] = count_steps(ends[:groups], bins, counts[1, w])

    if sort_digits(words, other, scratch.digits[me], scratch.few[me], HALF):
        words = other
    total, groups = np.int64(0), np.int64(0)
    for i in range(size):
        word = words[i]
        total += np.int64(word & LOW)
        sums[groups], ends[groups] = total, i + 1
        following = words[min(i + 1, size - 1)]
        groups += (word >> _32) != (following >> _32)
    groups += 1
    found[GOT, w] = groups
    found[GOT + 1, w] = count_steps(sums[:groups], bins, counts[4, w])
    found[GOT + 2, w] = count_steps(ends[:groups], bins, counts[3, w])
