"""The graph of a pair of larger sets as a list of edges, found row by row (Jaccard similarity).

A warp goes through a row: its threads look up the tokens of the element among those of the left
set, and count for every column what it has in common with the row, in shared memory. The columns
that were met are the edges of the row; a matrix of a million entries need not be cleared, nor read,
for the thousands that such a pair has. As soon as the rows have lost too much, the pair is done
with.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.join.cuda.block_team import LANES, NOBODY, column_in, least_of_lanes, rank, sync_lanes
from edgewise.join.cuda.elements import connect_words, size_of, token_at

__all__ = ["NEVER", "NO_SPACE", "REJECTED", "Tally", "connect_rows", "make_clean"]

#: What is returned instead of the distance of rows.
REJECTED, NO_SPACE = -1, -2
NEVER = np.int32((1 << 31) - 1)
_SLACK = 1e-9  # sums that come in any order never turn down what sums in order would not


class Tally(NamedTuple):
    """What the warps of a block count in, in shared memory; clean but while a row is counted."""

    shared: Any  #: int32, for each warp over columns: tokens in common with the row; 0
    first: Any  #: int32, for each warp over columns: which token of the row is the first; `NEVER`
    seen: Any  #: int16, for each warp: the columns that have one
    count: Any  #: int32, for each warp: how many these are
    place: Any  #: int32, for each warp: where its edges go, -1 if the block is to stop
    filled: Any  #: int32, one word: how many edges there are
    lost: Any  #: float64, one word: by how much rows are below 1


@device
def make_clean(tally):
    """Have nothing counted."""
    for k in range(cuda.threadIdx.x, len(tally.shared), cuda.blockDim.x):
        tally.shared[k], tally.first[k] = 0, NEVER
    cuda.syncthreads()


@device
def connect_rows(corpus, task, i, rows, columns, asked, scratch, tally):
    """Make the graph: 0, or the distance of rows in a matrix, or why there is none.

    Also how much each row, and each column, has at most, and the row's first column of those.
    """
    if task.edit:
        return connect_words(corpus, rows, columns, scratch)
    me, threads = cuda.threadIdx.x, cuda.blockDim.x
    for c in range(me, columns, threads):
        scratch.via[c], scratch.distance[c] = size_of(corpus, scratch.other[c]), 0.0
    if me == 0:
        tally.filled[0], tally.lost[0] = 0, 0.0
    cuda.syncthreads()
    spare = rows - asked + _SLACK
    warp, warps = me // LANES, threads // LANES
    limit = len(tally.shared) // warps
    for r in range(warp, rows, warps):
        if not _find_row(corpus, i, r, limit, spare, scratch, tally):
            break
    cuda.syncthreads()
    filled, lost = tally.filled[0], tally.lost[0]
    cuda.syncthreads()
    if lost > spare:
        return REJECTED
    return NO_SPACE if filled > len(scratch.worth) else 0


@device
def _find_row(corpus, i, r, limit, spare, scratch, tally):
    """Find the edges of row r, by the lanes of a warp; is the pair to go on?"""
    lane, warp = cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    base, size = warp * limit, size_of(corpus, scratch.rest[r])
    if lane == 0:
        tally.count[warp] = 0
    sync_lanes()
    _count(corpus, i, r, size, base, scratch, tally)
    sync_lanes()
    found = tally.count[warp]
    if lane == 0:
        at = cuda.atomic.add(tally.filled, 0, np.int32(found))
        tally.place[warp] = at if at + found <= len(scratch.worth) else -1
    sync_lanes()
    at = tally.place[warp]
    most, best = 0.0, NOBODY
    for k in range(lane, found, LANES):
        c = np.int64(tally.seen[base + k])
        both, first = tally.shared[base + c], tally.first[base + c]
        tally.shared[base + c], tally.first[base + c] = 0, NEVER
        if at >= 0:
            worth = both / (size + scratch.via[c] - both)
            scratch.worth[at + k], scratch.first[at + k], scratch.column[at + k] = worth, first, c
            cuda.atomic.max(scratch.distance, c, worth)
            key = rank(first, c)
            if worth > most or (worth == most and key < best):
                most, best = worth, key
    most, best = least_of_lanes(-most, best)
    if lane == 0:
        scratch.begins[r], scratch.ends[r] = at, at + found
        scratch.most[r], scratch.best[r] = -most, -1
        if best < NOBODY:
            scratch.best[r] = column_in(best)
        if at >= 0 and cuda.atomic.add(tally.lost, 0, 1.0 + most) + 1.0 + most > spare:
            tally.place[warp] = -1
    sync_lanes()
    return tally.place[warp] >= 0


@device
def _count(corpus, i, r, size, base, scratch, tally):
    """Count for every column the tokens that it has in common with row r."""
    lane, warp = cuda.threadIdx.x % LANES, cuda.threadIdx.x // LANES
    begin = corpus.element_starts[scratch.rest[r]]
    high = corpus.posting_starts[i + 1]
    for q in range(lane, size, LANES):
        token = corpus.element_tokens[begin + q]
        at = token_at(corpus, i, token)
        while at < high and corpus.posting_tokens[at] == token:
            c = scratch.place[corpus.posting_owners[at]]
            if c >= 0:
                if cuda.atomic.add(tally.shared, base + c, np.int32(1)) == 0:
                    k = cuda.atomic.add(tally.count, warp, np.int32(1))
                    tally.seen[base + k] = c
                cuda.atomic.min(tally.first, base + c, np.int32(q))
            at += 1
