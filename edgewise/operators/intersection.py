"""Contract of `intersect`: common neighbors, counted, listed, visited or reduced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from edgewise.base import atomic
from edgewise.base.checks import check_dtype, check_flag
from edgewise.graph.csr import CSR
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.weight_columns import is_own
from edgewise.operators.arguments import check_params, check_used, message_function, state_tuple
from edgewise.operators.engines import check_graph, run
from edgewise.operators.frontier import Frontier
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.narrowing import check_narrowing
from edgewise.operators.requests import COMMON_NAMES, Intersection

__all__ = ["intersect", "pair_ends"]


@on_every_rank
def intersect(
    graph: AnyGraph | CSR,
    pairs: Any = None,
    function: Callable[..., Any] | None = None,
    state: Any = (),
    *,
    message: Callable[..., Any] | None = None,
    reduce: Monoid | None = None,
    params: dict[str, Any] | None = None,
    weights: Any = "weight",
    dtype: Any = None,
    each: bool = True,
    lists: bool = False,
    vertices: bool = False,
    ordered: bool = False,
) -> Any:
    """Return the common neighbors of pairs of vertices: their number, and optionally the lists.

    Parameters
    ----------
    graph : Graph
    pairs : None, Frontier of edges, pair of arrays, or list of pairs
        The pairs: the ends of all edges (None), the ends of a frontier's edges, or ``(us, vs)``. On
        a grid, ``(us, vs)`` are the ``sources`` and ``indices`` of a graph with the same vertices.
    function : callable, optional
        ``function(u, v, common, *state)`` is called once per common neighbor.
    state : array or tuple of arrays
        The arrays that ``function`` reads and changes, with `edgewise.atomic`.
    message : callable, optional
        The value of a common neighbor, combined by ``reduce`` for each pair. It names the arguments
        it needs among ``weight_u`` and ``weight_v`` (the weights of its edges from u and from v),
        ``source`` (the common neighbor) and params.
    reduce : Monoid
        How messages combine; a monoid of single values.
    params, weights
        As for `advance`.
    dtype : dtype, optional
        The type of the totals; float64 by default.
    each : bool
        Whether to return the count of each pair; otherwise only the total.
    lists : bool
        Whether to return the common neighbors themselves.
    vertices : bool
        Whether to count how often each vertex is an end of a pair with a common neighbor, or that
        neighbor. Only for all edges, and without ``function``.
    ordered : bool
        Of all edges, take only those with u > v, and only common neighbors below v. Each triangle
        is then counted once.

    Returns
    -------
    Common
        ``total``: the number of common neighbors. ``counts``: int64 per pair in the given order, or
        per edge; None without ``each``. ``indptr`` and ``members``: the common neighbors in rows;
        None without ``lists``. ``totals``: the combined messages of each pair; None without
        ``message``. ``vertices``: an int64 array over vertices, or None. On a grid, for all edges,
        counts and totals are arrays over arcs.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, intersect
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], [1.0, 2.0, 4.0, 8.0])
    >>> intersect(graph, ([0, 0], [1, 3])).counts.tolist()
    [1, 1]
    >>> pairs = ([0, 0, 1], [1, 3, 1])
    >>> product = lambda weight_u, weight_v: weight_u * weight_v
    >>> intersect(graph, pairs, message=product, reduce=ADD).totals.tolist()
    [8.0, 16.0, 17.0]
    """
    check_graph(graph)
    each, lists = check_flag(each, "each"), check_flag(lists, "lists")
    ordered = check_flag(ordered, "ordered")
    if ordered and pairs is not None:
        raise TypeError("ordered applies to all edges: omit pairs")
    named = check_params(graph, params)
    sent = None
    if message is None:
        others = None if is_own(weights) else weights
        for name, given in (("reduce", reduce), ("weights", others), ("dtype", dtype)):
            if given is not None:
                raise TypeError(f"{name} belongs to message: give a message with it")
    else:
        sent = message_function(message, named, COMMON_NAMES)
        check_monoid(reduce, single=True)
        check_dtype(dtype)
    check_used(named, sent)
    if pairs is not None:
        pairs = pair_ends(graph, pairs)
    found, counting = None, check_flag(vertices, "vertices")
    if counting and (pairs is not None or function is not None or message is not None or lists):
        raise TypeError("vertices are counted of all edges: give no pairs, function or message "
                        "with it, and ask for no lists")  # fmt: skip
    if counting and graph.engine == "local":
        found = graph.xp.zeros(_local(graph).shape[0], np.int64)
        function, state = _note, found
    kind = np.dtype(dtype or np.float64)
    sent = check_narrowing(graph, sent, [kind], weights=weights)
    request = Intersection(
        pairs, function, state_tuple(graph, state), sent, reduce, weights,
        kind, each or lists, lists, ordered, counting,
    )  # fmt: skip
    common = run(graph, "intersect")(graph, request)
    return common if found is None else common._replace(vertices=found)


def _note(u, v, common, found):
    atomic.add(found, u, 1)
    atomic.add(found, v, 1)
    atomic.add(found, common, 1)


def _local(graph: AnyGraph | CSR) -> CSR:
    """A graph or rows on one device."""
    return cast(CSR, graph)


def pair_ends(graph: AnyGraph | CSR, pairs: Any) -> tuple[Any, Any]:
    """The two ends of every pair, as arrays of int64 on the graph's device.

    On a grid the ends of a graph's arcs stay as they are, and no others are taken.
    """
    if graph.engine != "local":
        if isinstance(pairs, tuple) and hasattr(pairs[0], "numbers"):
            return pairs
        raise ValueError("intersect on a grid is about all edges: it takes no pairs")
    xp, n, columns = graph.xp, _local(graph).shape[0], _local(graph).stored.indices
    if isinstance(pairs, Frontier):
        if pairs.kind != "edges" or pairs.size != graph.num_arcs:
            raise ValueError(f"pairs must be a frontier of this graph's edges, got {pairs!r}")
        chosen = xp.sort(xp.asarray(pairs.ids)).astype(np.int64)
        us = xp.searchsorted(graph.indptr, chosen, side="right") - 1
        return us.astype(np.int64), columns[chosen].astype(np.int64)
    if isinstance(pairs, list) and all(isinstance(p, tuple) and len(p) == 2 for p in pairs):
        pairs = tuple(zip(*pairs, strict=True)) or ([], [])  # a list of pairs, as NetworkX has them
    if getattr(pairs, "ndim", 1) == 2:
        if pairs.shape[1] != 2:
            raise ValueError(
                f"pairs must have two columns as one array, got shape {pairs.shape}; "
                "two arrays are given as (us, vs)"
            )
        pairs = pairs[:, 0], pairs[:, 1]
    try:
        us, vs = (xp.atleast_1d(xp.asarray(side)) for side in pairs)
    except (TypeError, ValueError) as error:
        raise TypeError(f"pairs must be two arrays of vertex ids: {error}") from None
    for side in (us, vs):
        if side.ndim != 1 or (side.size and side.dtype.kind not in "iu"):
            raise TypeError(f"pairs must be two arrays of vertex ids, got dtype {side.dtype}")
    us, vs = (xp.ascontiguousarray(side, np.int64) for side in (us, vs))
    if len(us) != len(vs):
        raise ValueError(f"pairs must be two arrays of one length, got {len(us)} and {len(vs)}")
    for side in (us, vs):
        if len(side):
            least, most = int(side.min()), int(side.max())
            if not (least >= 0 and most < n):
                wrong = least if least < 0 else most
                raise ValueError(f"pairs must hold ids from 0 to {n - 1}, got {wrong}")
    return us, vs
