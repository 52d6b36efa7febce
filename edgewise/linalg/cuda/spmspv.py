"""Products with a sparse vector on CUDA.

To push, groups of lanes walk the rows at the vector's entries; rows with many entries are cut into
pieces for blocks. Products are combined atomically into one sum for each row of the result, and a
bit marks the rows that have one. The marked rows are then collected. Sums and marks are kept with
the matrix and left clean. To pull, every row of the result is walked by threads enough for its
length, without atomics.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.atomics import add, bit_or, load
from edgewise.base.cuda.bits import count_bits
from edgewise.base.cuda.device import current_stream, host, simulated
from edgewise.base.cuda.kernels import device, kernel, translated
from edgewise.base.cuda.language import cuda
from edgewise.graph.csr import index_dtype
from edgewise.graph.transfer import on
from edgewise.linalg.cuda.row_tables import WARP, below, votes
from edgewise.operators.adjacency import unsigned
from edgewise.operators.cuda.hash_tables import lander
from edgewise.operators.cuda.inner import caller, cast, take, weight_at
from edgewise.operators.cuda.state import THREADS, blocks_for
from edgewise.operators.engines import run
from edgewise.operators.frontier import frontier
from edgewise.operators.functions import Function, naming_failures
from edgewise.operators.helpers import inner
from edgewise.operators.monoids import Monoid
from edgewise.operators.requests import Neighborhood
from edgewise.operators.workspace import borrowed

__all__ = ["pull", "push"]

#: The most entries of a row for one group of lanes; longer rows are cut into such pieces.
_PIECE = 4 if simulated() else 2048
#: Rows of the result that a thread collects; blocks that walk pieces.
_EACH, _BLOCKS = (2, 1) if simulated() else (8, 528)
#: Words for the warps of a block and one more.
_COUNTS = THREADS // WARP + 1
#: What the device function of a message is called with.
_CALLED = ("value", "weight", "params")


class _Sums(NamedTuple):
    """A sum for each row of a result, marks, pieces of long rows, and counters."""

    sums: Any
    marks: Any
    pieces: Any  # an entry of the vector, and the number of the piece
    counters: Any  # rows that are found, and pieces


class _Walk(NamedTuple):
    """What is walked: rows, the vector's positions and values, and which rows are wanted."""

    indptr: Any
    indices: Any
    weights: Any
    at: Any
    values: Any
    allowed: Any


def push(
    operand: Any, vector: Any, message: Any, ring: Any, kind: Any, rows: Any
) -> tuple[Any, Any]:
    """The combined messages along the rows of ``operand`` at the vector's entries."""
    xp, n, count = operand.xp, operand.shape[1], len(vector.indices)
    combine, zero = translated(ring.add.combine), ring.zero_for(kind)
    wide = lander(combine, kind)[0]
    send = caller(message.given, message.names, _CALLED)
    weights = operand.values if "weight" in message.names else None
    values = vector.values if "value" in message.names else None
    with on(operand._device_number):
        allowed = None
        if rows is not None:
            allowed = xp.zeros(n, np.bool_)
            allowed[rows] = True
        walk = _Walk(unsigned(operand.indptr), unsigned(operand.indices), weights,
                     unsigned(vector.indices), values, allowed)  # fmt: skip
        key = "spmspv", wide.char, zero.tobytes(), current_stream()
        with borrowed(operand, key, lambda: _made(operand, wide, zero)) as held:
            held.counters.fill(0)
            made = _Made(send, combine, kind, ring.add.early_exit, rows is not None)
            shift = min(WARP, max(1, operand.nnz // max(1, operand.shape[0]))).bit_length() - 1
            with naming_failures(message, Function(ring.add.combine, ())):
                short = short_kernel(made)
                short(blocks_for(count << shift), THREADS, walk, count, shift, zero, held)
                if operand.longest_row > _PIECE:
                    long_kernel(made)(_BLOCKS, THREADS, walk, zero, held)
            found, sums = xp.empty(n, index_dtype(n)), xp.empty(n, kind)
            blocks = blocks_for(n, THREADS * _EACH)
            collect_kernel(blocks, THREADS, n, zero, held, found, sums)
            nnz = int(host(held.counters)[0])
    return found[:nnz].copy(), sums[:nnz].copy()


def _made(operand: Any, wide: np.dtype, zero: Any) -> _Sums:
    xp, n = operand.xp, operand.shape[1]
    words = blocks_for(n, THREADS * _EACH * 32) * THREADS * _EACH  # whole blocks
    pieces = 2 * operand.nnz // _PIECE + 1 if operand.longest_row > _PIECE else 1
    return _Sums(xp.full(n, zero, wide), xp.zeros(words, np.uint32), xp.empty(2 * pieces, np.int64),
                 xp.zeros(2, np.int64))  # fmt: skip


class _Made(NamedTuple):
    """What kernels are made for."""

    send: Any
    combine: Any
    kind: np.dtype
    early_exit: bool
    masked: bool


@cache
def _sender(made: _Made) -> Any:
    """``pass_on(e, value, walk, zero, held)``: combine the message along an entry into its sum."""
    send, early_exit, masked = made.send, made.early_exit, made.masked
    wide, land = lander(made.combine, made.kind)
    kind = wide.type

    @device
    def first(row, marks):
        """Mark a row; was it not marked yet?"""
        word, bit = row >> np.uint64(5), np.uint32(1) << np.uint32(row & np.uint64(31))
        bit = np.uint32(bit)
        if load(marks, word) & bit != 0:
            return False
        return bit_or(marks, word, bit) & bit == 0

    @device
    def pass_on(e, value, walk, zero, held):
        row = np.uint64(walk.indices[e])
        if not masked or walk.allowed[row]:
            fresh = first(row, held.marks)
            if fresh or not early_exit:
                new = cast(zero, send(value, weight_at(walk.weights, e), (0,)))
                if early_exit:
                    held.sums[row] = kind(new)
                else:
                    land(held.sums, row, new)

    return pass_on


@cache
def short_kernel(made: _Made) -> Any:
    """The kernel in which ``2 ** shift`` lanes walk a row; long rows are listed in pieces."""
    pass_on = _sender(made)

    @kernel
    def push_rows(walk, count, shift, zero, held):
        i = np.int64(cuda.grid(1))
        item, lane = i >> shift, i & ((np.int64(1) << shift) - 1)
        if item < count:
            u = np.uint64(walk.at[item])
            e, last = walk.indptr[u], walk.indptr[u + np.uint64(1)]
            if last - e > np.uint64(_PIECE):
                if lane == 0:
                    several = np.int64(last - e + np.uint64(_PIECE - 1)) // _PIECE
                    at = add(held.counters, 1, several)
                    for k in range(several):
                        held.pieces[2 * (at + k)], held.pieces[2 * (at + k) + 1] = item, k
            else:
                e += np.uint64(lane)
                value = take(walk.values, item)
                while e < last:
                    pass_on(e, value, walk, zero, held)
                    e += np.uint64(1) << np.uint64(shift)

    return push_rows


@cache
def long_kernel(made: _Made) -> Any:
    """The kernel in which blocks walk pieces of long rows."""
    pass_on = _sender(made)

    @kernel
    def push_pieces(walk, zero, held):
        p = np.int64(cuda.blockIdx.x)
        while p < held.counters[1]:
            item, k = held.pieces[2 * p], held.pieces[2 * p + 1]
            u = np.uint64(walk.at[item])
            e = walk.indptr[u] + np.uint64(k * _PIECE)
            last = min(e + np.uint64(_PIECE), walk.indptr[u + np.uint64(1)])
            e += np.uint64(cuda.threadIdx.x)
            value = take(walk.values, item)
            while e < last:
                pass_on(e, value, walk, zero, held)
                e += np.uint64(THREADS)
            p += np.int64(cuda.gridDim.x)

    return push_pieces


@kernel
def collect_kernel(n, zero, held, found, values):
    """List the rows that are marked, with their sums, and leave sums and marks clean."""
    counts = cuda.shared.array(_COUNTS, np.int64)
    t = np.int64(cuda.threadIdx.x)
    lane, warp, warps = t % WARP, t // WARP, THREADS // WARP
    begin = np.int64(cuda.blockIdx.x) * THREADS * _EACH
    first, count = begin + warp * WARP * _EACH + lane, np.int64(0)
    for k in range(_EACH):
        count += count_bits(votes(marked(held.marks, first + k * WARP, n)))
    if lane == 0:
        counts[warp] = count
    cuda.syncthreads()
    place, total = np.int64(0), np.int64(0)
    for k in range(warps):
        if k == warp:
            place = total
        total += counts[k]
    if t == 0:
        counts[warps] = add(held.counters, 0, total) if total > 0 else np.int64(0)
    cuda.syncthreads()
    place += counts[warps]
    for k in range(_EACH):
        row = first + k * WARP
        hit = marked(held.marks, row, n)
        hits = votes(hit)
        if hit:
            to = place + count_bits(below(hits, lane))
            found[to], values[to] = row, cast(values, held.sums[row])
            held.sums[row] = cast(held.sums, zero)
        place += count_bits(hits)
    cuda.syncthreads()
    if t < (THREADS * _EACH) // 32 and begin + 32 * t < n:
        held.marks[begin // 32 + t] = 0


@device
def marked(marks, row, n):
    """Does a row have a sum?"""
    if row >= n:
        return False
    return (marks[row >> 5] >> np.uint32(row & 31)) & np.uint32(1) != 0


def pull(
    operand: Any, vector: Any, message: Any, ring: Any, kind: Any, rows: Any
) -> tuple[Any, Any]:
    """The combined messages to the rows of ``operand``, or to some, from the vector's entries."""
    xp, n = operand.xp, operand.shape[0]
    present = xp.zeros(operand.shape[1], np.bool_)
    present[vector.indices] = True
    sent = xp.zeros(operand.shape[1], vector.values.dtype)
    sent[vector.indices] = vector.values
    add = ring.add
    zero = add.identity_for(kind)
    pair = Monoid((zero, False), _joined(inner(add.combine)), early_exit=add.early_exit)
    heard = Function(_told(inner(message.given), message.names, zero), ("value", "weight"))
    out = (xp.full(n, zero, kind), xp.zeros(n, np.bool_))
    members = None if rows is None else frontier(operand, rows)
    request = Neighborhood(members, heard, (sent, present), pair, mode="out", out=out)
    run(operand, "reduce_neighbors")(operand, request)
    found = xp.flatnonzero(out[1])
    return found.astype(index_dtype(n)), out[0][found]


def _told(message: Any, names: tuple[str, ...], zero: Any) -> Any:
    """A message of a value and of whether there is one."""
    kind = type(zero)
    if names == ("value", "weight"):
        return lambda value, weight: (
            kind(message(value[0], weight)) if value[1] else zero,
            value[1],
        )
    if names == ("value",):
        return lambda value, weight: (kind(message(value[0])) if value[1] else zero, value[1])
    if names == ("weight",):
        return lambda value, weight: (kind(message(weight)) if value[1] else zero, value[1])
    return lambda value, weight: (kind(message()) if value[1] else zero, value[1])


def _joined(combine: Any) -> Any:
    """How sums are combined of which some have no terms."""

    def join(old, new):
        if not new[1]:
            return old
        return (combine(old[0], new[0]), True) if old[1] else new

    return join
