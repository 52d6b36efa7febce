"""`edgewise.graph.contract` on CUDA: the edges as keys (group, group), sorted, equal ones combined.

Without weights keys alone are sorted, and how often each stands there is its count. Weights are
sorted along stably, and each group of equal keys is combined in pieces of fixed length, and what
they give in pieces again: the same result in every run, and no thread has a long way to go.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda

from edgewise.base.cuda.device import check_memory, simulated
from edgewise.base.cuda.kernels import Kernel, kernel, translated
from edgewise.graph.contract import Contraction, Merging, unless_plain
from edgewise.graph.csr import index_dtype
from edgewise.graph.cuda.build import (
    both_directions,
    columns,
    edge_kernel,
    launch_for,
    refuse,
    row_starts,
    runs,
    sorted_arcs,
    wide_scalars,
)
from edgewise.graph.labels import Labels
from edgewise.graph.transfer import host, on, on_gpu, wrap

if TYPE_CHECKING:
    from edgewise.graph.graph import Graph

__all__ = ["contracted"]

_PIECE = 4 if simulated() else 128  # weights that one thread combines


def contracted(graph: Graph, labels: Any, how: Merging) -> Contraction:
    """See `edgewise.graph.contract`, which has checked the arguments."""
    xp, number = graph.xp, graph._device_number
    with on(number):
        check_memory(graph.num_arcs * (32 if graph.weights is None else 64), "contracting a graph")
        names, groups = _numbered(labels, xp)
        count, width = len(names), max((len(names) - 1).bit_length(), 1)
        sources, targets, weights = graph.edges()
        plain = np.uint32 if groups.itemsize == 4 else np.uint64
        us, vs = (groups[ends].view(plain) for ends in (sources, targets))
        keys, values = _merged(us, vs, weights, width, not graph.directed, how, xp)
        indices, loops = columns(keys, width, index_dtype(count), xp)
        result = wrap(type(graph), row_starts(keys, count, width, xp), indices, values,
                      number=number, directed=graph.directed,
                      labels=unless_plain(names))  # fmt: skip
    result._keep(num_self_loops=loops)
    return Contraction(result, groups)


def _numbered(labels: Any, xp: Any) -> tuple[Labels, Any]:
    """The labels in ascending order, and the number of each vertex's."""
    if labels.dtype.kind not in "iu" or not (on_gpu(labels) or xp is np):
        names, (groups,) = Labels.encode(host(labels), names=("labels",))
        return names, xp.asarray(groups).astype(index_dtype(len(names)), copy=False)
    values, groups = xp.unique(labels, return_inverse=True)
    values = values.astype(np.uint64 if values.dtype == np.uint64 else np.int64)
    count = len(values)
    if count and int(values[-1]) - int(values[0]) == count - 1 and int(values[-1]) < 2**63:
        names = Labels.range(int(values[0]), count)
    else:
        names = Labels.ascending(host(values))
    return names, groups.astype(index_dtype(count))


def _merged(us, vs, weights, width, undirected, how, xp) -> tuple[Any, Any]:
    """The keys of all arcs between groups, ascending, each once, and their weights if any."""
    kind, drop = how.kind(weights), not how.loops
    if kind is None:
        return sorted_arcs(us, vs, width, undirected, drop, "first", xp), None
    keys, turned = xp.empty(len(us), np.uint64), xp.empty(len(us), np.uint8)
    launch_for(edge_kernel(undirected, drop), len(us), us, vs, keys, turned, np.uint64(width))
    del turned
    if weights is None:
        keys.sort()
        starts, ends = runs(keys, xp)
        values = ends - starts
        if how.reduce != "sum":
            values, _ = _combined(xp.ones(len(keys), kind), starts, ends, how, xp)
    else:
        order = xp.argsort(keys, kind="stable")
        keys, weights = keys[order], weights[order].astype(kind, copy=False)
        starts, ends = runs(keys, xp)
        values, bad = _combined(weights, starts, ends, how, xp)
        if how.reduce == "sum" and kind.kind == "i":
            refuse(starts[bad], keys, f"has a summed weight beyond {kind}", width)
    edges = keys[starts]
    values = values.astype(kind, copy=False)
    return both_directions(edges, values, width, xp) if undirected else (edges, values)


def _combined(values, starts, ends, how, xp) -> tuple[Any, Any]:
    """One value for each group from ``starts`` to ``ends``, and which of them do not fit."""
    bad = xp.zeros(len(starts), bool)
    while len(starts) and int((ends - starts).max()) > _PIECE:
        pieces = -(-(ends - starts) // _PIECE)
        past = xp.cumsum(pieces)
        first = past - pieces
        number = xp.arange(int(past[-1]))
        group = xp.searchsorted(past, number, side="right")
        low = starts[group] + (number - first[group]) * _PIECE
        values, wrong = _each(values, low, xp.minimum(low + _PIECE, ends[group]), how, xp)
        bad[group[wrong]] = True
        starts, ends = first, past
    values, wrong = _each(values, starts, ends, how, xp)
    return values, bad | wrong


def _each(values, starts, ends, how, xp) -> tuple[Any, Any]:
    """One value for each of some short groups, and which do not fit."""
    from edgewise.graph.cpu.build import COMBINE

    found, bad = xp.empty(len(starts), values.dtype), xp.zeros(len(starts), bool)
    way = COMBINE[how.reduce] if isinstance(how.reduce, str) else 0
    run = combine_kernel(how.function, values.dtype.type)
    launch_for(run, len(starts), values, starts, ends, found, bad, wide_scalars(values.dtype), way)
    return found, bad


@cache
def combine_kernel(function: Any, kind: Any) -> Kernel:
    """One thread per group."""
    from edgewise.graph.cpu.build import combiner

    combine = translated(combiner(function))

    @kernel
    def run(values, starts, ends, found, bad, wide, how):
        k = np.uint64(cuda.grid(1))
        if k < np.uint64(len(starts)):
            total, fits = combine(values, starts[k], ends[k], wide, how)
            found[k] = kind(total)
            bad[k] = not (fits and found[k] == total)

    return run
