"""The contract of `reduce_neighbors`: one reduction per member over its neighborhood."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_dtype
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.arguments import (
    check_edges,
    check_params,
    check_used,
    message_function,
    share_memory,
    shown,
    state_arrays,
)
from edgewise.operators.choices import check_choosing, check_drawing, check_skipping, checked_ids
from edgewise.operators.engines import check_graph, run
from edgewise.operators.finishing import check_finishing
from edgewise.operators.frontier import Frontier
from edgewise.operators.functions import MESSAGE_NAMES, TWO_STEP_NAMES, Function
from edgewise.operators.monoids import Monoid, check_monoid
from edgewise.operators.narrowing import check_narrowing
from edgewise.operators.requests import SOURCE, Neighborhood
from edgewise.operators.results import several

__all__ = ["check_shape", "reduce_neighbors"]


@on_every_rank
def reduce_neighbors(
    graph: AnyGraph,
    frontier: Frontier | None,
    message: Callable[..., Any] | None,
    values: Any,
    *,
    reduce: Monoid | None = None,
    own: Any = None,
    key: Any = None,
    choose: str | Callable[..., Any] | None = None,
    by_key: dict[str, Any] | None = None,
    stay: Any = None,
    temperature: float | None = None,
    seed: int = 0,
    skip_empty: bool = False,
    sort: bool = True,
    finish: Callable[..., Any] | None = None,
    keep: int | None = None,
    least: float | None = None,
    via: Any = None,
    params: dict[str, Any] | None = None,
    mode: str = "in",
    weights: Any = "weight",
    dtype: Any = None,
    out: Any = None,
) -> Any:
    """Return the reduction of the messages from each member's neighbors: one value per vertex.

    Member v receives ``message`` along each edge u -> v (``mode="out"``: along v -> u, backwards),
    where ``value`` is ``values[u]`` and ``own`` is ``own[v]``. Members without neighbors, and
    vertices outside the frontier, get the identity of ``reduce``. In ``out``, vertices outside the
    frontier keep their value. With ``key`` (an integer per vertex), the messages to v are reduced
    separately for each ``key[u]``.

    Parameters
    ----------
    graph : Graph
    frontier : Frontier or None
        The members; None means all vertices.
    message : callable
        Names the arguments it needs among ``value, weight, source, edge, own``; source is u.
    values : array
        The array that ``value`` reads.
    reduce : Monoid
    own : array, optional
        The array that ``own`` reads; by default ``values``.
    key : array of int, or "source", optional
        The key of each vertex, by which neighbors are grouped. With ``via``, "source" takes the
        vertex w that is reached as the key, as in a matrix product.
    choose : {"max", "min", "absent"} or callable, optional
        With ``key``: return for each member only the key of the largest (smallest) total, or of the
        largest score. Ties go to the smallest key. A score names the arguments it needs among
        ``total``, ``key``, ``own``, ``staying`` (the total of the key to ``stay`` with), the names
        of ``by_key`` and params. "absent" returns the smallest non-negative key that no neighbor
        has (a color); ``message`` and ``reduce`` may then be None.
    by_key : dict of arrays, optional
        Arrays that a score reads at the key. ``by_key={"size": sizes}`` gives it ``size``, which is
        ``sizes[key]``, and ``staying_size`` at the key to stay with (0 without one). Keys are
        positions in these arrays. On a grid they are arrays over vertices, or the same on all
        ranks.
    stay : array of int over vertices, optional
        With "max", "min" or a score: a key that is a candidate even if no neighbor has it; its
        total is then the identity. A negative key means none.
    temperature : float, optional
        With a score: draw a key with probability proportional to ``exp(score / temperature)``. A
        score of -inf is drawn only if all are -inf. None and 0 take the best key.
    seed : int
        The seed of the draws, which are the same on every engine.
    skip_empty : bool
        Drop keys whose total is the identity, except the key to stay with.
    sort : bool
        With ``key`` and no ``choose``: sort the keys of each row. Without it they have any order,
        and the call is faster.
    finish : callable, optional
        With ``key`` and no ``choose``: replaces each total as its row is emitted. It names the
        arguments it needs among ``v``, ``key``, ``total``, ``row_sum`` (the sum of the totals of
        the row, in 64 bits) and params. Its result is of the type of the totals.
    keep, least : int, float, optional
        Shorten the finished rows: drop totals that are not at least ``least``, then keep the
        ``keep`` largest. Ties go to the smaller key; NaN is the smallest.
    via : Graph, optional
        Take two steps: from v to u along ``mode``, then along each edge u -> w of ``via`` (a Graph,
        or a CSR that may be wider). A message names ``weight`` (first step), ``onward`` (weight of
        the second step), ``value`` and ``source`` of w, and ``own`` of v, which must be given.
        ``values`` and ``key`` are over the columns of ``via``. Without ``key``, each member gets
        one total over all its paths of two steps, those back to v included. A monoid with
        ``early_exit`` stops at the first. With "absent", v is not its own neighbor. On a grid
        ``via`` needs the vertices of the graph in the same places.
    params, mode, weights
        As for `advance`; a score may name the params too.
    dtype : dtype, optional
        The type of the result; by default that of ``out``, or else of ``values``.
    out : array, optional
        The array for the result; with ``choose`` a pair for key and total. With "absent" it is
        ``(array, None)``, and the array may be ``key`` itself. Members then read their neighbors'
        current keys, so that few choose alike, and results may differ between runs.

    Returns
    -------
    array over vertices; with ``key`` a `Grouped` ``(indptr, keys, totals)``, keys ascending
    unless ``sort`` is False; with ``key`` and ``choose`` a `Chosen` ``(key, total)`` over vertices,
    where key -1 means no candidate. With a score, the total is the score (float64); with "absent"
    it is None. On a grid, rows of keys stay with the ranks: ``gather()`` brings them together.

    Examples
    --------
    >>> from edgewise import Graph
    >>> from edgewise.operators import ADD, reduce_neighbors
    >>> import numpy as np
    >>> graph = Graph.from_edges([0, 0, 0], [1, 2, 3])
    >>> reduce_neighbors(graph, None, lambda value: value, np.arange(4.0), reduce=ADD).tolist()
    [6.0, 0.0, 0.0, 0.0]
    >>> one = lambda: 1
    >>> labels = np.array([7, 5, 5, 9])
    >>> chosen = reduce_neighbors(graph, None, one, labels, reduce=ADD, key=labels, choose="max")
    >>> chosen.key.tolist(), chosen.total.tolist()
    ([5, 7, 7, 7], [2, 1, 1, 1])

    A score: many neighbors, but rather a small group. And the least color that no neighbor has:

    >>> def less_crowded(total, size):
    ...     return total / size
    >>> sizes = np.array([1, 1, 1, 1, 1, 4, 1, 1, 1, 1])
    >>> groups = {"key": labels, "by_key": {"size": sizes}, "choose": less_crowded}
    >>> reduce_neighbors(graph, None, one, labels, reduce=ADD, **groups).key.tolist()
    [9, 7, 7, 7]
    >>> colors = np.array([-1, 0, 2, 1])
    >>> free = reduce_neighbors(graph, None, None, colors, key=colors, choose="absent")
    >>> free.key.tolist()
    [3, 0, 0, 0]

    The smallest id within two steps, and a row of a matrix product:

    >>> from edgewise.operators import MIN
    >>> path, ids = Graph.from_edges([0, 1, 2], [1, 2, 3]), np.arange(4)
    >>> reduce_neighbors(path, None, lambda source: source, ids, reduce=MIN, via=path).tolist()
    [0, 1, 0, 1]
    >>> rows = reduce_neighbors(path, None, one, ids, reduce=ADD, via=path, key="source")
    >>> rows.keys[: rows.indptr[1]].tolist(), rows.totals[: rows.indptr[1]].tolist()
    ([0, 2], [1, 1])

    Of each row the largest share of its sum:

    >>> def share(total, row_sum):
    ...     return total / row_sum
    >>> options = {"via": path, "key": "source", "dtype": np.float64, "finish": share, "keep": 1}
    >>> rows = reduce_neighbors(path, None, one, ids, reduce=ADD, **options)
    >>> rows.keys.tolist(), rows.totals.round(2).tolist()
    ([0, 1, 2, 1], [0.5, 0.67, 0.67, 0.5])
    """
    check_graph(graph)
    named = check_params(graph, params)
    check_edges(graph, mode, weights)
    grouped = key is not None
    if isinstance(key, str) and (key != SOURCE or via is None):
        raise TypeError(f'key must be an array of integers, or with via "{SOURCE}", got {key!r}')
    for name, given in (("choose", choose), ("stay", stay)):
        if given is not None and not grouped:
            raise TypeError(f"{name} belongs to key: give a key with it")
    if stay is not None and (choose is None or (isinstance(choose, str) and choose == "absent")):
        raise TypeError('stay belongs to choose: give "max", "min" or a score with it')
    if grouped and out is not None and choose is None:
        raise TypeError("out with key requires choose")
    for one in several(dtype):
        check_dtype(one)
    names: tuple[str, ...] = MESSAGE_NAMES
    if getattr(values, "ndim", 1) == 2:
        names = (*names, "column")
    if via is not None:
        names = TWO_STEP_NAMES
    absent = isinstance(choose, str) and choose == "absent"
    heard = None
    if message is not None or not absent:
        heard = message_function(message, named, names)  # type: ignore[arg-type]
    if reduce is not None or not absent:
        check_monoid(reduce)
    choosing = check_choosing(graph, choose, by_key, stay, named, ("max", "min", "absent"))
    draw = check_drawing(temperature, seed, choose)
    score = choosing.choose
    ordered, finishing = check_finishing(
        sort, finish, keep, least, grouped and choose is None, named
    )
    check_used(named, heard, score if isinstance(score, Function) else None,
               finishing and finishing.function)  # fmt: skip
    request = Neighborhood(
        frontier, heard, values, reduce, own, key, *choosing, stay, via, mode, weights, dtype, out,
        draw, check_skipping(skip_empty, choose), ordered, finishing,
    )  # fmt: skip
    return run(graph, "reduce_neighbors")(graph, _fitting(graph, _checked(graph, request)))


def _fitting(graph: AnyGraph, request: Neighborhood) -> Neighborhood:
    """The request, if the messages fit what they are combined to."""
    values = request.values
    own = values if request.own is None else request.own
    given = request.out if request.key is None and request.out is not None else values
    if request.dtype is None:
        kinds = [one.dtype for one in several(given)]
    else:
        kinds = [*map(np.dtype, several(request.dtype))]
    heard = check_narrowing(
        graph, request.message, kinds, value=values, own=own, weights=request.weights
    )
    return request if heard is request.message else request._replace(message=heard)


def _checked(graph: AnyGraph, request: Neighborhood) -> Neighborhood:
    """The request, if its arrays fit the graph."""
    values, reduce, via = request.values, request.reduce, request.via
    if via is not None:
        _check_via(graph, request)
    if request.key is None:
        if via is None:
            state_arrays(graph, values, "values", columns=True)
        if request.own is not None:
            state_arrays(graph, request.own, "own", columns=via is None)
            if getattr(request.own, "ndim", 1) == 2:  # else one number for all columns
                check_shape(values, request.own, "own")
        if request.out is not None:
            state_arrays(graph, request.out, "out", writable=True, columns=via is None)
            if values is not None:
                check_shape(values, request.out, "out")
            _check_out(graph, request)
        return request
    if isinstance(values, tuple) or isinstance(getattr(reduce, "identity", None), tuple):
        raise TypeError("key needs one array of values and a monoid of single values")
    if request.choose == "absent" and isinstance(request.key, str):
        raise TypeError('choose="absent" needs an array as key')
    if via is None:
        state_arrays(graph, values, "values")
    if request.own is not None:
        state_arrays(graph, request.own, "own")
    for name in ("key", "stay"):
        ids = getattr(request, name)
        if ids is None or isinstance(ids, str):
            continue
        length = _reached(graph, via) if name == "key" else None
        request = request._replace(**{name: checked_ids(graph, ids, name, length)})
    if request.out is not None:
        _check_pair(graph, request)
    return request


def check_shape(values: Any, given: Any, name: str) -> None:
    """Has an array as many columns as ``values``?"""
    wide = getattr(values, "ndim", 1) == 2
    for array in several(given):
        if (getattr(array, "ndim", 1) == 2) != wide or (wide and array.shape != values.shape):
            wanted = values.shape if wide else several(values)[0].shape
            raise ValueError(f"{name} must have the shape of values, {wanted}, got {array.shape}")


def _check_out(graph: AnyGraph, request: Neighborhood) -> None:
    """``out`` must be of the type and shape of the result, and none of what the messages read."""
    out, dtype = several(request.out), request.dtype
    values = () if request.values is None else several(request.values)
    for array, wanted in zip(out, dtype if isinstance(dtype, tuple) else (dtype,) * len(out),
                             strict=True):  # fmt: skip
        if wanted is not None and array.dtype != wanted:
            raise TypeError(f"out must have the dtype asked for ({wanted}), got {array.dtype}")
        if any(share_memory(graph, array, read) for read in values):
            raise ValueError("out must not be values itself, which is still read")


def _reached(graph: AnyGraph, via: Any) -> int | None:
    """How many there are to reach in two steps; None for the graph's own vertices."""
    return None if via is None or graph.engine != "local" else via.shape[1]


def _check_via(graph: Any, request: Neighborhood) -> None:
    """Does the second step begin where the first one ends, and end where values are?"""
    via, values, names = request.via, request.values, getattr(request.message, "names", ())
    if graph.engine != "local":
        graph.check_alike(via, "via")
    elif not hasattr(via, "indptr") or not hasattr(via, "weights"):  # as a SciPy matrix has none
        raise TypeError(f"via must be a Graph or CSR, got {type(via).__name__}")
    elif via.device != graph.device:
        raise ValueError(f"via must be on the graph's device ({graph.device}), got {via.device}")
    elif via.shape[0] != (graph.shape[1] if request.mode == "out" else graph.num_vertices):
        n = graph.shape[1] if request.mode == "out" else graph.num_vertices
        raise ValueError(f"via must have a row for each of {n} vertices, got {via.shape[0]}")
    if values is not None:
        state_arrays(graph, values, "values", length=_reached(graph, via))
    elif "value" in names or (request.dtype is None and request.choose != "absent"):
        raise TypeError("values must be given unless dtype is, and no message names value")
    scored = getattr(request.choose, "names", ())
    if request.own is None and ("own" in names or "own" in scored):
        raise TypeError("own must be given with via where a function names it")


def _check_pair(graph: AnyGraph, request: Neighborhood) -> None:
    """``out`` for what is chosen: the key and the total, and none of what is read."""
    out, absent = request.out, request.choose == "absent"
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError(f"out must be a pair of arrays for the key and the total, got {shown(out)}")
    if absent and out[1] is not None:
        raise TypeError('out[1] must be None with choose="absent", which has no total')
    total = request.dtype or getattr(request.values, "dtype", None)
    kinds = (np.int64, np.float64 if isinstance(request.choose, Function) else total)
    read = () if absent else (request.values, request.own, request.key, *request.by_key.values())
    for i in range(1 if absent else 2):
        state_arrays(graph, out[i], f"out[{i}]", writable=True)
        if out[i].dtype != kinds[i]:
            raise TypeError(f"out[{i}] must be of {np.dtype(kinds[i])}, got {out[i].dtype}")
        for one in (part for given in read if given is not None for part in several(given)):
            if share_memory(graph, out[i], one):
                raise ValueError("out must not be an array that the call reads")
    if not absent and share_memory(graph, *out):
        raise ValueError("out must be two different arrays")
