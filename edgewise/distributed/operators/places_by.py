"""Positions by sorting on a grid: owners send keys to ranges of keys, whose ranks sort them.

Each rank takes a range of (key, tie), cut by samples so that all have about as many; a prefix sum
over the ranks gives the first position of each. Of several keys each is sorted by itself, and what
was found so far breaks its ties.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.distributed.arrays import VertexArray, local_state
from edgewise.distributed.operators.look_up import share_all
from edgewise.distributed.packet_swap import post
from edgewise.graph.transfer import host

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["places_by"]

#: Samples of each rank.
_SAMPLES = 64


def places_by(graph: GridGraph, keys: Iterable[Any]) -> VertexArray:
    """See `edgewise.operators.sorting.places_by`."""
    mine = host(graph.ids[graph.own]).astype(np.int64)
    for key in keys:
        mine = _positions(graph, host(local_state(graph, key, "keys")[graph.own]), mine)
    places = graph.full(0, graph.id_dtype)
    share_all(graph, places.local, graph.block.xp.asarray(mine.astype(places.dtype)))
    return places


def _positions(graph: GridGraph, key: np.ndarray, tie: np.ndarray) -> np.ndarray:
    """The positions of this rank's own vertices by key, and where that is the same by tie."""
    world, xp = graph.grid.world, graph.block.xp
    key = key.astype(np.int8) if key.dtype == np.bool_ else key
    order = np.lexsort((tie, key))
    key, tie = key[order], tie[order]
    cuts = [0, *_cuts(world, key, tie), len(key)]
    ranks = np.repeat(np.arange(world.size), np.diff(cuts))
    senders, slots = np.full(len(key), world.rank, np.int32), np.arange(len(key))
    sent = tuple(map(xp.asarray, (key, tie, senders, slots)))
    key, tie, *back = map(host, post(graph, xp.asarray(ranks), sent))
    senders, slots = (one[np.lexsort((tie, key))] for one in back)
    first = sum(world.counts(len(slots))[: world.rank])
    answers = tuple(map(xp.asarray, (slots, first + np.arange(len(slots)))))
    slots, found = map(host, post(graph, xp.asarray(senders), answers))
    positions = np.empty(len(order), np.int64)
    positions[order[slots]] = found
    return positions


def _cuts(world: Any, key: np.ndarray, tie: np.ndarray) -> list[int]:
    """Where the ranges of the ranks 1, 2, ... begin in this rank's sorted keys."""
    some = np.linspace(0, len(key) - 1, _SAMPLES).astype(np.int64)[: len(key)]
    keys, ties = (world.allgatherv(np.ascontiguousarray(one[some]))[0] for one in (key, tie))
    order = np.lexsort((ties, keys))
    if len(order) == 0:
        return [0] * (world.size - 1)
    cuts = []
    for at in order[len(order) * np.arange(1, world.size) // world.size]:
        low, high = (np.searchsorted(key, keys[at], side=side) for side in ("left", "right"))
        cuts.append(int(low + np.searchsorted(tie[low:high], ties[at])))
    return cuts
