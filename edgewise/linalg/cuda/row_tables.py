"""Tables of sums by column on CUDA, in which the products of one row are added up.

A place of a table has a word and a sum. The word is `FREE`, a column ``c`` that has a sum, or
``-2 - c`` for a column of the mask that has none. Several threads enter products at once: words are
claimed by compare-and-swap, and sums are combined atomically (see `merger` of the operators). A
word changes once, so that plain reads do: one that is too old leads to a compare-and-swap.
Columns are found by hashing with linear probing, or directly where a table holds a range of them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, cas, store
from edgewise.base.cuda.bitonic import bitonic_sort
from edgewise.base.cuda.bits import count_bits
from edgewise.base.cuda.device import simulated
from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.operators.cuda.hash_tables import lander
from edgewise.operators.cuda.inner import cast, merger, put, take
from edgewise.operators.cuda.totals import EVERY_LANE

__all__ = ["FREE", "WARP", "Form", "below", "claimer", "clear", "direct", "emitter", "home",
           "landing", "marker", "reader", "shared_tables", "slot_bytes", "table_types",
           "votes"]  # fmt: skip

#: The word of a place that no column has taken.
FREE = -1
#: Threads that vote together; the simulator has no warps.
WARP = 1 if simulated() else 32
_LOW, _SPREAD, _16 = np.int64(0xFFFFFFFF), np.uint64(0x9E3779B1), np.uint64(16)
#: The largest item of a sort.
_LAST = np.int64(2**63 - 1)


class Form(NamedTuple):
    """What the kernels of a product are made for."""

    multiply: Any  # device functions
    combine: Any
    dtypes: tuple[np.dtype, ...]  # of the values of the product
    ids: np.dtype  # of columns
    early_exit: bool = False
    parts: tuple = ()  # monoids of the members of a tuple, if known
    masking: str = ""  # "mask" or "complement"
    values: tuple[bool, bool] = (True, True)  # whether values of the operands are read
    sort: bool = False
    searched: bool = False  # whether columns of the mask are searched for in right rows


@cache
def table_types(form: Form) -> tuple[tuple[np.dtype, ...], bool]:
    """The types of the sums in a table of several threads, and whether each has a lock."""
    if len(form.dtypes) == 1:
        return (lander(form.combine, form.dtypes[0])[0],), False
    apart = form.parts and all(one.itemsize >= 4 for one in form.dtypes)
    return form.dtypes, not apart


def slot_bytes(form: Form, owned: bool = False) -> int:
    """The bytes of a place; a table that is ``owned`` by one thread has no locks."""
    kinds, locked = (form.dtypes, False) if owned else table_types(form)
    return form.ids.itemsize + sum(one.itemsize for one in kinds) + 4 * locked


@cache
def landing(form: Form) -> Any:
    """``land(totals, locks, at, new)``: combine a product into the sum at a place, atomically."""
    if len(form.dtypes) > 1:
        merge = merger(form.combine, form.dtypes, form.parts)
        return device(lambda totals, locks, at, new: merge(totals, at, new, locks))
    wide, land = lander(form.combine, form.dtypes[0])
    kind = wide.type
    if form.early_exit:  # any product will do
        return device(lambda totals, locks, at, new: store(totals, at, kind(new)))
    return device(lambda totals, locks, at, new: land(totals, at, new))


@cache
def claimer(masking: str) -> Any:
    """``claim(words, base, last, column)``: the place of a column, -1 if it is not computed.

    The table has ``last + 1`` places from ``base`` on, a power of two.
    """
    masked, complement = masking == "mask", masking == "complement"

    @device
    def claim(words, base, last, column):
        at = home(column, last)
        while True:
            word = np.int64(words[np.uint64(base + at)])
            if word == column:
                return base + at
            if word == FREE:
                if masked:
                    return np.int64(-1)
                word = np.int64(cas(words, base + at, FREE, column))
                taken = word != FREE and word != column
                if not taken:
                    return base + at
            if masked and word == -2 - column:
                store(words, base + at, column)
                return base + at
            if complement and word == -2 - column:
                return np.int64(-1)
            at = (at + 1) & last

    return claim


@device
def home(column, last):
    """Where the search for a column begins."""
    spread = np.uint64((column ^ (column >> np.int64(32))) & _LOW) * _SPREAD
    return np.int64((spread >> _16) & np.uint64(last))


@cache
def direct(masking: str) -> Any:
    """``claim(words, at, column)``: as `claimer`, in a table where the column has its own place."""
    masked, complement = masking == "mask", masking == "complement"

    @device
    def claim(words, at, column):
        word = np.int64(words[np.uint64(at)])
        if word != column:
            if masked and word == FREE:
                return np.int64(-1)
            if complement and word == -2 - column:
                return np.int64(-1)
            store(words, at, column)  # all that come now write the same
        return at

    return claim


@device
def marker(words, base, last, column):
    """Enter a column of the mask, which is not there yet."""
    at = home(column, last)
    while np.int64(cas(words, base + at, FREE, -2 - column)) != FREE:
        at = (at + 1) & last


@device
def clear(words, totals, locks, base, size, zero, t, threads):
    """Free all places of a table, together."""
    for k in range(t, size, threads):
        words[np.uint64(base + k)] = FREE
        put(totals, np.uint64(base + k), cast(totals, zero))
        if base + k < len(locks):
            locks[np.uint64(base + k)] = 0


@cache
def reader(given: bool) -> Any:
    """``value_at(values, e)``: the value of an entry, 1 if values are not read."""
    return device(lambda values, e: take(values, e)) if given else device(lambda values, e: 1)


@cache
def shared_tables(slots: int, form: Form, owned: bool = False) -> Any:
    """``tables()``: words, sums and locks in shared memory. A kernel calls it in one place."""
    kinds, locked = (form.dtypes, False) if owned else table_types(form)
    several, guards, ids = len(kinds), slots if locked else 1, form.ids.type
    p, q, r, s = [*(one.type for one in kinds), np.int8, np.int8, np.int8][:4]
    second, third, fourth = [*[slots] * (several - 1), 1, 1, 1][:3]

    @device
    def one():
        words = cuda.shared.array(slots, ids)
        sums = cuda.shared.array(slots, p)
        locks = cuda.shared.array(1, np.int32)
        return words, sums, locks

    @device
    def many():
        words = cuda.shared.array(slots, ids)
        a = cuda.shared.array(slots, p)
        b = cuda.shared.array(second, q)
        c = cuda.shared.array(third, r)
        d = cuda.shared.array(fourth, s)
        locks = cuda.shared.array(guards, np.int32)
        return words, (a, b, c, d)[:several], locks

    return one if several == 1 else many


@cache
def emitter(form: Form, threads: int, slots: int) -> Any:
    """``emit(table, at, sums, out)``: write the columns that have sums; (where, how many).

    All threads call it. Space is reserved if ``at`` is negative. ``sums`` are words for the warps
    and one more. Columns are sorted in shared memory if ``slots`` is not 0.
    """
    warps, sort = threads // WARP, bitonic_sort(threads)

    @device
    def counted(words, base, part, sums):
        """The entries of all warps, and those before this one's."""
        t = np.int64(cuda.threadIdx.x)
        count, lane, warp = np.int64(0), t % WARP, t // WARP
        for k in range(lane, part, WARP):
            count += count_bits(votes(words[np.uint64(base + warp * part + k)] >= 0))
        cuda.syncthreads()
        if lane == 0:
            sums[warp] = count
        cuda.syncthreads()
        before, total = np.int64(0), np.int64(0)
        for k in range(warps):
            if k == warp:
                before = total
            total += sums[k]
        return before, total

    @device
    def reserved(at, total, sums, out):
        if at < 0:
            if cuda.threadIdx.x == 0:
                sums[warps] = add(out.cursor, 0, total)
            cuda.syncthreads()
            at = sums[warps]
        return at

    @device
    def write(out, to, word, totals, slot):
        out.indices[np.uint64(to)] = word
        put(out.values, np.uint64(to), cast(out.values, take(totals, np.uint64(slot))))

    @device
    def emit(table, at, sums, out):
        words, totals, base, size = table
        t, part = np.int64(cuda.threadIdx.x), size // warps
        lane, low = t % WARP, base + t // WARP * part
        before, total = counted(words, base, part, sums)
        at = reserved(at, total, sums, out)
        place = at + before
        for k in range(lane, part, WARP):
            word = np.int64(words[np.uint64(low + k)])
            hits = votes(word >= 0)
            if word >= 0:
                write(out, place + count_bits(below(hits, lane)), word, totals, low + k)
            place += count_bits(hits)
        cuda.syncthreads()
        return at, total

    @device
    def emit_sorted(table, at, sums, out):
        words, totals, base, size = table
        items = cuda.shared.array(slots, np.int64)
        t, part = np.int64(cuda.threadIdx.x), size // warps
        lane, low = t % WARP, t // WARP * part
        place, total = counted(words, base, part, sums)
        for k in range(lane, part, WARP):
            word = np.int64(words[np.uint64(base + low + k)])
            hits = votes(word >= 0)
            if word >= 0:
                items[place + count_bits(below(hits, lane))] = (word << 16) | (low + k)
            place += count_bits(hits)
        most = np.int64(1)
        while most < total:
            most *= 2
        for k in range(total + t, most, threads):
            items[k] = _LAST
        at = reserved(at, total, sums, out)
        sort(items, most, t)
        for k in range(t, total, threads):
            write(out, at + k, items[k] >> 16, totals, base + (items[k] & 0xFFFF))
        cuda.syncthreads()
        return at, total

    return emit_sorted if slots else emit


@device
def below(hits, lane):
    """The votes of the lanes before one."""
    return hits & ((np.uint32(1) << np.uint32(lane)) - np.uint32(1))


if simulated():

    @device
    def votes(hit):
        """A bit for every lane of the warp that has a hit."""
        return np.uint32(1 if hit else 0)

else:

    @device
    def votes(hit):
        """A bit for every lane of the warp that has a hit."""
        return np.uint32(cuda.ballot_sync(EVERY_LANE, hit))
