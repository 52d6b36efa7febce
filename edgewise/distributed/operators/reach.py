"""`reach` on a grid: 64 searches to a word, up to 64 words a vertex, by `propagate` under OR.

Search i stands in bit i % 64 of word i // 64. Which edges are live is decided by coins of the two
ends of an edge, 64 searches at a time: other draws than one device makes, with the same chances,
and the same for every shape of the grid. With ``take="one"`` each edge has an interval of its row's
sum of chances, and is live where it holds the number that is drawn for the vertex. In the end every
rank packs all sets, in host memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.random import bits, coins, integer
from edgewise.operators import OR, frontier, propagate
from edgewise.operators.incoming import incoming_sums
from edgewise.operators.reaching import ALWAYS, Searches

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["reach"]

#: Words a vertex of one pass; fewer where they would take more bytes than this.
_WIDEST, _BYTES = 64, 1 << 30
_32, _LOW, _NONE = np.uint64(32), np.uint64(0xFFFFFFFF), np.uint64(0)


def reach(graph: GridGraph, request: Searches) -> None:
    """See `edgewise.operators.reach`."""
    odds, count, bounds, starts, seed, first, sets, memory = request
    message, words = _passing(graph, odds)
    done, n = 0, graph.num_vertices
    if len(bounds) == 0 and count:
        starts = integer(n, seed, np.arange(first, first + count), -1)
        bounds = np.arange(count + 1)
    wide = max(1, min(_WIDEST, _BYTES // (8 * max(n, 1))))
    while done < count:
        begin = (first + done) // 64  # the word of the next search
        turn = min(64 * (begin + wide) - first - done, count - done)
        ends = bounds[done : done + turn + 1]
        lanes = np.repeat(np.arange(turn), np.diff(ends)) + (first + done - 64 * begin)
        members = starts[ends[0] : ends[-1]]
        width = (first + done + turn - 1) // 64 - begin + 1
        seen = graph.xp.zeros((n, width), np.uint64)
        _sow(seen, members, lanes)
        propagate(
            graph, frontier(graph, np.unique(members)), message, seen, reduce=OR, mode=odds.mode,
            weights=words, params={"seed": seed, "begin": begin}, direction="push",
        )  # fmt: skip
        rows = _rows(seen.gather(), first + done - 64 * begin, turn)
        if not sets._take_up(*sets.write(*rows), memory):
            break
        done += turn


def _passing(graph: GridGraph, odds: Any) -> tuple[Any, Any]:
    """The message, and for each edge a word (int64) of its chance and what it is known by."""
    levels = odds.along.astype(np.uint64)
    if odds.take == "each":
        keys = bits(0, graph.sources, graph.indices) >> _32
        return _is_live, ((levels << _32) | keys).astype(np.int64)
    if odds.mode != "in":
        raise ValueError(
            f"mode must be 'in' with take='one' for a graph on a grid, got {odds.mode!r}"
        )
    low = incoming_sums(graph, levels)
    high = low + levels.astype(np.int64)
    low, high = (np.minimum(one, ALWAYS).astype(np.uint64) for one in (low, high))
    return _is_chosen, ((high << _32) | low).astype(np.int64)


def _is_live(value, own, weight, column, seed, begin):
    wanted = value & ~own
    if wanted == _NONE:
        return _NONE
    word = np.uint64(weight)
    return coins(word >> _32, wanted, seed, word & _LOW, begin + column)


def _is_chosen(value, own, weight, source, column, seed, begin):
    wanted = value & ~own
    if wanted == _NONE:
        return _NONE
    word = np.uint64(weight)
    below = coins(word >> _32, wanted, seed, source, begin + column)
    return below & ~coins(word & _LOW, below, seed, source, begin + column)


def _sow(seen: Any, vertices: np.ndarray, lanes: np.ndarray) -> None:
    """Set the lanes of searches at their starts."""
    width = seen.shape[1]
    places, which = np.unique(vertices * width + lanes // 64, return_inverse=True)
    words = np.zeros(len(places), np.uint64)
    np.bitwise_or.at(words, which, np.uint64(1) << (lanes % 64).astype(np.uint64))
    seen[places // width, places % width] = words


def _rows(words: np.ndarray, first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The members of each of these lanes: where they begin, and the ids, ascending."""
    vertices, columns = np.nonzero(words)
    held = np.ascontiguousarray(words[vertices, columns])
    bits = np.unpackbits(held.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little")
    which, bit = np.nonzero(bits)
    lanes = 64 * columns[which] + bit - first
    order = np.argsort(lanes, kind="stable")
    return offsets(np.bincount(lanes, minlength=count)), vertices[which[order]]
