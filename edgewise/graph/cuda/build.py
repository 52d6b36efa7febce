"""Edges that live on a GPU to compressed rows, without a trip to the host.

As in `edgewise.graph.build` an edge is one 64-bit key (row, column). Without weights both
directions are written at once and the keys alone are sorted: what is left after repeats are taken
out are the rows. With weights, or where both directions must be given, every edge is one key from
its smaller end, sorted stably with its position, so that equal edges are combined in the order of
the input; the other direction is added after. Results are those of the CPU, bit for bit.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from edgewise.base.checks import check_choice, check_count
from edgewise.base.cuda.device import array_module, check_memory, simulated
from edgewise.base.cuda.kernels import Kernel, kernel, translated
from edgewise.graph.arrays import EdgeArrays
from edgewise.graph.csr import as_weights, index_dtype
from edgewise.graph.transfer import number_of, on, on_gpu, wrap

__all__ = [
    "both_directions",
    "columns",
    "edge_kernel",
    "from_device_edges",
    "launch_for",
    "refuse",
    "row_starts",
    "runs",
    "sorted_arcs",
    "wide_scalars",
]

_MOST = 2**31  # vertices: two ids and a tag share the 64 bits of a key
_THREADS = 16 if simulated() else 256
_DROPPED = np.uint64(0xFFFFFFFFFFFFFFFF)
_0, _1 = np.uint64(0), np.uint64(1)


def from_device_edges(
    cls: Any,
    sources: Any,
    targets: Any,
    weights: Any = None,
    *,
    directed: bool = False,
    num_vertices: int | None = None,
    duplicates: str = "sum",
    self_loops: str = "keep",
    symmetrize: str | None = None,
    labels: Any = None,
) -> Any:
    """A graph on the device from edges there; see `Graph.from_edges`.

    Sources and targets must be vertex ids: labels are made on the host. The graph is built on the
    GPU that the arrays are on.
    """
    from edgewise.graph.build import DUPLICATES

    check_choice(duplicates, "duplicates", DUPLICATES)
    check_choice(self_loops, "self_loops", ("keep", "drop"))
    if symmetrize is not None:
        check_choice(symmetrize, "symmetrize", ("union", "intersection", "given"))
    if directed and symmetrize is not None:
        raise ValueError(
            f"symmetrize={symmetrize!r} makes an undirected graph, but directed=True was given"
        )
    number = number_of(sources, targets, weights)
    with on(number):
        xp = array_module()
        us, vs, n = _vertex_ids(sources, targets, num_vertices, labels, xp)
        if weights is not None:
            weights = as_weights(_array(weights, "weights", xp), len(us), xp=xp)
        graph, keys, width = _build(
            cls, EdgeArrays(us, vs, weights), n, number, directed=directed, duplicates=duplicates,
            drop=self_loops == "drop", symmetrize=symmetrize,
        )  # fmt: skip
        if symmetrize == "given":
            _check_given(graph, keys, width)
        return graph


def _build(
    cls, edges, n, number, *, directed, duplicates, drop, symmetrize
) -> tuple[Any, Any, int]:
    """The graph on the current device, and the keys of its arcs with the bits of a column."""
    xp, (us, vs, weights) = array_module(), edges
    undirected = not (directed or symmetrize == "given")
    width = max((n - 1).bit_length(), 1)
    check_memory(len(us) * (48 if weights is None else 96), "building the graph")
    if weights is None and symmetrize != "intersection":
        keys, values = sorted_arcs(us, vs, width, undirected, drop, duplicates, xp), None
    else:
        both = symmetrize == "intersection"
        keys, values = _merged_edges(us, vs, weights, width, undirected, drop, both, duplicates, xp)
    indices, loops = columns(keys, width, index_dtype(n), xp)
    graph = wrap(
        cls, row_starts(keys, n, width, xp), indices, values, number=number, directed=directed,
        labels=None,
    )  # fmt: skip
    graph._keep(num_self_loops=loops)
    return graph, keys, width


def row_starts(keys: Any, n: int, width: int, xp: Any) -> Any:
    """Where the rows ``0..n`` begin among ascending keys (row, column)."""
    rows = xp.arange(n + 1, dtype=np.uint64) << np.uint64(width)
    return xp.searchsorted(keys, rows).astype(np.int64, copy=False)


def columns(keys: Any, width: int, dtype: Any, xp: Any) -> tuple[Any, int]:
    """The columns of the arcs, and how many of them are loops."""
    indices, loops = xp.empty(len(keys), dtype), xp.zeros(1, np.int64)
    launch_for(unpack_kernel, len(keys), keys, indices, loops, np.uint64(width))
    return indices, int(loops[0])


def _vertex_ids(sources, targets, num_vertices, labels, xp) -> tuple[Any, Any, int]:
    """Both ends as contiguous arrays of one integer type, and the number of vertices."""
    if num_vertices is not None:
        num_vertices = check_count(num_vertices, "num_vertices")
    if labels:
        raise TypeError(
            "labels are made on the host: give arrays of the host, or labels=None and vertex ids"
        )
    us, vs = _array(sources, "sources", xp), _array(targets, "targets", xp)
    if len(us) != len(vs):
        raise ValueError(f"sources and targets must be equally long, got {len(us)} and {len(vs)}")
    if len(us) and (us.dtype.kind not in "iu" or vs.dtype.kind not in "iu"):
        raise TypeError(
            f"sources and targets on a device must be integers, got {us.dtype} and {vs.dtype}"
        )
    ends = {}
    for name, ids in (("sources", us), ("targets", vs)):
        ends[name] = (int(ids.min()), int(ids.max())) if len(ids) else (0, -1)
    most = max(high for _, high in ends.values())
    if num_vertices is None and labels is None and most >= max(2**20, 8 * len(us)):
        raise ValueError(
            f"sources and targets hold ids up to {most}: as ids they need num_vertices (or "
            "labels=False), as labels they must be arrays of the host"
        )
    n = most + 1 if num_vertices is None else num_vertices
    for (name, (least, high)), ids in zip(ends.items(), (us, vs), strict=True):
        _check_range(ids, least, high, n, name, xp)
    if n > _MOST:
        raise ValueError(f"num_vertices must be at most 2**31 to build a graph, got {n}")
    small = us.dtype.itemsize <= 4 and vs.dtype.itemsize <= 4
    signed, plain = (np.int32, np.uint32) if small else (np.int64, np.uint64)
    us, vs = (xp.ascontiguousarray(ids.astype(signed, copy=False)) for ids in (us, vs))
    return us.view(plain), vs.view(plain), n


def _check_range(ids, least: int, high: int, n: int, name: str, xp) -> None:
    if least >= 0 and high < n:
        return
    at = int(xp.argmax((ids < 0) | (ids >= n)))
    if int(ids[at]) < 0:
        raise ValueError(f"{name} must not be negative, got {int(ids[at])} at position {at}")
    raise ValueError(
        f"{name} must be below num_vertices ({n}), got {int(ids[at])} at position {at}"
    )


def _array(array: Any, name: str, xp: Any) -> Any:
    """Any array as one of the device, without a copy if it is there."""
    if on_gpu(array) and not hasattr(array, "__cuda_array_interface__"):
        array = xp.from_dlpack(array)
    array = xp.asarray(array)
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    return array


def sorted_arcs(us, vs, width, undirected, drop, duplicates, xp) -> Any:
    """The keys of all arcs, ascending, each once."""
    keys = xp.empty((1 + undirected) * len(us), np.uint64)
    launch_for(pack_kernel(undirected, drop), len(us), us, vs, keys, np.uint64(width))
    keys.sort()
    first = _firsts(keys, xp)
    if duplicates == "raise":
        refuse(xp.flatnonzero(~first & (keys != _DROPPED)), keys, "is given more than once, and "
                "duplicates='error'", width)  # fmt: skip
    keys = keys[first]
    return keys[:-1] if len(keys) and int(keys[-1]) == int(_DROPPED) else keys


def _merged_edges(us, vs, weights, width, undirected, drop, both, duplicates, xp):
    """The keys of all arcs, ascending, each once, and the combined weights of each."""
    keys, turned = xp.empty(len(us), np.uint64), xp.empty(len(us), np.uint8)
    launch_for(edge_kernel(undirected, drop), len(us), us, vs, keys, turned, np.uint64(width))
    order = xp.argsort(keys, kind="stable")
    keys = keys[order]
    starts, ends = runs(keys, xp)
    if duplicates == "raise":
        refuse(starts[ends - starts > 1], keys, "is given more than once, and duplicates='error'",
                width)  # fmt: skip
    values, stays = _combined(order, starts, ends, keys, turned, weights, width, duplicates, xp)
    edges = keys[starts]
    if both:
        edges, values = edges[stays], None if values is None else values[stays]
    return both_directions(edges, values, width, xp) if undirected else (edges, values)


def both_directions(edges: Any, values: Any, width: int, xp: Any) -> tuple[Any, Any]:
    """The keys of all arcs, ascending, from those of undirected edges, and the values along."""
    low = np.uint64((1 << width) - 1)
    off = (edges >> np.uint64(width)) != (edges & low)
    across = edges[off]
    back = ((across & low) << np.uint64(width)) | (across >> np.uint64(width))
    arcs = xp.concatenate([edges, back])
    if values is None:
        arcs.sort()
        return arcs, None
    values = xp.concatenate([values, values[off]])
    order = xp.argsort(arcs, kind="stable")
    return arcs[order], values[order]


def _combined(order, starts, ends, keys, turned, weights, width, duplicates, xp):
    """One weight for each group of equal edges, and whether it has both directions or is a loop."""
    from edgewise.graph.cpu.build import COMBINE

    weighted = weights is not None
    given = weights if weighted else xp.zeros(1, np.int32)
    values = xp.empty(len(starts) if weighted else 0, given.dtype)
    stays, bad = xp.empty(len(starts), bool), xp.zeros(len(starts), bool)
    edges = Sorted(keys, order, turned, given[order] if weighted else given)
    launch_for(combine_kernel(weighted, given.dtype.type), len(starts), edges, starts, ends,
               Combined(values, stays, bad), np.uint64(width), wide_scalars(given.dtype),
               COMBINE[duplicates])  # fmt: skip
    if weighted and given.dtype.kind == "i":
        reason = f"has a summed weight beyond {given.dtype}; give wider weights"
        refuse(starts[bad], keys, reason, width)
    return values if weighted else None, stays


def runs(keys: Any, xp: Any) -> tuple[Any, Any]:
    """Where each group of equal keys begins and ends, without those that are dropped."""
    starts = xp.flatnonzero(_firsts(keys, xp))
    ends = xp.concatenate([starts[1:], xp.asarray([len(keys)], starts.dtype)])
    if len(starts) and int(keys[-1]) == int(_DROPPED):
        return starts[:-1], ends[:-1]
    return starts, ends


def _firsts(keys, xp) -> Any:
    """Which of the ascending keys differ from the one before."""
    first = xp.ones(len(keys), bool)
    if len(keys) > 1:
        xp.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def wide_scalars(dtype: Any) -> tuple:
    """`edgewise.graph.build.wide` as kernels here take it."""
    if dtype.kind == "f":
        return np.float64(-0.0), np.float64(-np.inf), np.float64(np.inf)
    return np.int64(0), np.int64(-(2**63)), np.int64(2**63 - 1)


def refuse(places, keys, reason, width) -> None:
    """ValueError for the first edge among those at ``places``, if any."""
    if len(places):
        edge = int(keys[int(places[0])])
        raise ValueError(f"edge ({edge >> width}, {edge & ((1 << width) - 1)}) {reason}")


def _check_given(graph, keys, width) -> None:
    """ValueError unless every arc's partner is there, with the same weight."""
    xp, low = graph.xp, np.uint64((1 << width) - 1)
    back = ((keys & low) << np.uint64(width)) | (keys >> np.uint64(width))
    order = xp.argsort(back)
    same = bool((back[order] == keys).all())
    if same and graph.weights is not None:
        there, here = graph.weights[order], graph.weights
        same = bool(((there == here) | ((there != there) & (here != here))).all())
    if not same:  # the host's check says what is wrong
        from edgewise.graph.transfer import move

        move(graph, "cpu").validate()


def launch_for(run: Kernel, count: int, *args: Any) -> None:
    """Launch with at least ``count`` threads."""
    run(-(-count // _THREADS), _THREADS, *args)


@cache
def pack_kernel(undirected: bool, drop: bool) -> Kernel:
    """Keys of all arcs in any order; those that are not wanted are `_DROPPED`, which sorts last."""

    @kernel
    def pack(sources, targets, keys, width):
        i = np.uint64(cuda.grid(1))
        if i < np.uint64(len(sources)):
            u, v = np.uint64(sources[i]), np.uint64(targets[i])
            loop = u == v
            keys[i] = _DROPPED if drop and loop else (u << width) | v
            if undirected:
                keys[i + np.uint64(len(sources))] = _DROPPED if loop else (v << width) | u

    return pack


@cache
def edge_kernel(undirected: bool, drop: bool) -> Kernel:
    """One key per edge, an undirected one's row is its smaller end; and which were turned."""

    @kernel
    def pack(sources, targets, keys, turned, width):
        i = np.uint64(cuda.grid(1))
        if i < np.uint64(len(sources)):
            u, v = np.uint64(sources[i]), np.uint64(targets[i])
            turned[i] = 0
            if undirected and v < u:
                u, v = v, u
                turned[i] = 1
            keys[i] = _DROPPED if drop and u == v else (u << width) | v

    return pack


class Sorted(NamedTuple):
    """Edges in ascending order: keys and weights, their places before, and which were turned."""

    keys: Any
    order: Any
    turned: Any  #: in the order of the input
    weights: Any


class Combined(NamedTuple):
    """Groups of equal edges: their weights, which of them stay, and which weights do not fit."""

    values: Any
    stays: Any
    bad: Any


@cache
def combine_kernel(weighted: bool, kind: Any) -> Kernel:
    """One thread per group of equal edges, which stand in the order of the input."""
    from edgewise.graph.cpu.build import combiner

    combine = translated(combiner())

    @kernel
    def run(edges, starts, ends, combined, width, wide, how):
        (keys, order, turned, weights), (values, stays, bad) = edges, combined
        k = np.uint64(cuda.grid(1))
        if k < np.uint64(len(starts)):
            start, end, ways = starts[k], ends[k], 0
            for i in range(start, end):
                ways |= 1 << turned[order[i]]
            edge = keys[start]
            stays[k] = ways == 3 or (edge >> width) == (edge & ((_1 << width) - _1))
            if weighted:
                if end == start + 1:
                    values[k] = weights[start]
                else:
                    total, fits = combine(weights, start, end, wide, how)
                    values[k] = kind(total)
                    bad[k] = not (fits and values[k] == total)

    return run


@kernel
def unpack_kernel(keys, indices, loops, width):
    """The column of every key; loops are counted."""
    i = np.uint64(cuda.grid(1))
    if i < np.uint64(len(keys)):
        key = keys[i]
        column = key & ((_1 << width) - _1)
        indices[i] = column
        if key >> width == column:
            cuda.atomic.add(loops, 0, 1)
