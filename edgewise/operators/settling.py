"""The contract of `settle`: vertices act on a key of their rows, pass after pass, until they rest.

It is for local search: a vertex looks through its row by key, takes one of the keys for itself, and
wakes its neighbors if that changed anything. The passes run inside the engine; where it has no
kernel for them, they are calls of other operators (`edgewise.operators.passes`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from edgewise.base.checks import check_count, check_flag, check_number, check_one_device
from edgewise.base.random import check_seed
from edgewise.graph.foreign import on_every_rank
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.arguments import share_memory, shown, state_arrays
from edgewise.operators.engines import check_graph, run
from edgewise.operators.monoids import Monoid
from edgewise.operators.requests import Rows, Settling
from edgewise.operators.results import is_record
from edgewise.operators.rows import row_request

__all__ = ["settle"]


@on_every_rank
def settle(
    graph: AnyGraph,
    active: Any,
    message: Callable[..., Any],
    finish: Callable[..., Any],
    state: Any,
    *,
    reduce: Monoid,
    key: Any,
    choose: str | Callable[..., Any],
    values: Any = None,
    own: Any = None,
    by_key: dict[str, Any] | None = None,
    masses: dict[str, Any] | None = None,
    stay: Any = None,
    temperature: float | None = None,
    skip_empty: bool = False,
    params: dict[str, Any] | None = None,
    mode: str = "out",
    weights: Any = "weight",
    dtype: Any = None,
    passes: int = 32,
    tol: float = 0.0,
    parts: int | Callable[..., Any] = 1,
    synchronous: bool = False,
    seed: int = 0,
    phase: str = "settle",
) -> float:
    """Let active vertices choose keys, pass after pass, until the gain is small; return the total.

    A pass processes the vertices v with ``active[v] != 0`` and sets each to 0. The row of v is
    reduced separately for each key among the neighbors, and the best key is found, as in
    `for_rows`. Then ``finish(v, key, score, *state)`` is called and returns its gain. If the gain
    is not 0, the neighbors of v with a different key become active, in this pass or the next.
    Updates are in place, so results may differ between runs with several threads, unless
    ``synchronous`` is set.

    Parameters
    ----------
    graph : Graph
        A graph on one device, unless ``synchronous``.
    active : array of int8 over vertices
        The active vertices; changed in place. ``finish`` may change it if it is part of ``state``.
    message, finish, state, reduce, values, own, choose, by_key, stay, temperature, skip_empty
        As for `for_rows` with ``key``. ``finish`` returns a number. Each pass makes new draws.
    params, mode, weights, dtype
        As for `for_rows`.
    key : array of int over vertices
        The key of each vertex, by which neighbors are grouped. Keys are vertex ids.
    masses : dict of arrays over vertices, optional
        The contribution of each vertex to the array of that name in ``by_key``, at its key. If
        ``finish`` changes the key of v, ``masses[name][v]`` moves from the old key's entry to the
        new key's entry.
    passes : int
        The maximum number of passes.
    tol : float
        Stop after a pass whose total gain is at most this.
    parts : int or callable
        The number of random parts in which the first pass processes the vertices, one part after
        another. Without parts, groups would grow along the order of the ids. On a GPU, and if
        ``synchronous``, all passes use parts. A function ``parts(turn, active)`` yields the
        frontiers of a pass; ``active`` is the frontier of all active vertices.
    synchronous : bool
        Process the vertices of a part at the same time. They read keys and totals from before the
        part, and new keys take effect after it. Then ``masses`` are moved, and all neighbors of
        vertices with a new key become active. The result does not depend on threads or the engine,
        except for rounding.
    seed : int
        The seed of the parts and of the draws.
    phase : str
        The name of this phase, reported to observers after each pass.

    Returns
    -------
    float
        The sum of all gains.

    Examples
    --------
    Vertices join the largest group among their neighbors, the least of equals, if it is larger
    than their own:

    >>> import numpy as np
    >>> from edgewise import Graph, atomic
    >>> from edgewise.operators import ADD, settle
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5])
    >>> def join(v, key, score, label):
    ...     if key == label[v]:
    ...         return 0
    ...     label[v] = key
    ...     return 1
    >>> label = np.arange(6)
    >>> votes = {"reduce": ADD, "key": label, "choose": "max", "dtype": np.int64}
    >>> settle(graph, np.ones(6, np.int8), lambda: 1, join, label, **votes) > 0
    True
    >>> label[0] == label[1] == label[2]
    np.True_
    """
    check_graph(graph)
    synchronous = check_flag(synchronous, "synchronous")
    if not synchronous:
        check_one_device(graph, "settle")
    if key is None:
        raise TypeError("key must be an array of vertex ids, got None")
    rows = row_request(
        graph, None, message, finish, state, reduce=reduce, values=values, own=own, key=key,
        choose=choose, by_key=by_key, stay=stay, temperature=temperature, seed=seed,
        skip_empty=skip_empty, params=params, mode=mode, weights=weights, dtype=dtype,
    )  # fmt: skip
    if rows.key is not key or key.dtype not in (np.int32, np.int64):
        raise TypeError("key must be a contiguous array of int32 or int64, which finish may change")
    carried = _check_masses(graph, masses, by_key)
    state_arrays(graph, active, "active", writable=True)
    if active.dtype != np.int8:
        raise TypeError(f"active must be of int8, got {active.dtype}")
    if share_memory(graph, active, rows.key):
        raise ValueError("active must not be key itself")
    n = graph.num_vertices
    _check_keys(graph, rows, n, synchronous)
    if not callable(parts):
        parts = check_count(parts, "parts", least=1)
    passes, tol = check_count(passes, "passes"), check_number(tol, "tol")
    request = Settling(rows, active, passes, tol, parts, int(check_seed(seed)), phase, carried,
                       synchronous)  # fmt: skip
    if n == 0 or passes == 0:
        return 0.0
    return run(graph, "settle")(graph, request)


def _check_keys(graph: AnyGraph, rows: Rows, n: int, synchronous: bool) -> None:
    """Are keys vertices, and does ``finish`` write them where it should?"""
    key = rows.key
    most = int(unsigned(key).max()) if graph.one_device and n else n
    if n and (most >= n if graph.one_device else not 0 <= key.min() <= key.max() < n):
        wrong = key.min() if key.min() < 0 else key.max()
        raise ValueError(f"key must hold vertex ids, 0 to {n - 1}, got {wrong}")
    for part in rows.state if synchronous else ():
        for one in part if is_record(part) else (part,):
            if one is not key and hasattr(one, "ndim") and share_memory(graph, one, key):
                raise ValueError("state must have key itself, not a view of it, if synchronous")


def _check_masses(graph: AnyGraph, masses: Any, by_key: Any) -> tuple:
    """Totals by key and the masses that they are made of, in turns."""
    if masses is None:
        return ()
    if not isinstance(masses, dict):
        raise TypeError(f"masses must be a dict of names to arrays, got {shown(masses)}")
    found: list[Any] = []
    for name, mass in masses.items():
        if name not in (by_key or {}):
            raise TypeError(f"masses has {name!r}, which by_key does not have")
        state_arrays(graph, mass, f"masses[{name!r}]")
        state_arrays(graph, by_key[name], f"by_key[{name!r}]", writable=True)
        if share_memory(graph, mass, by_key[name]):
            raise ValueError(f"masses[{name!r}] must not be by_key[{name!r}] itself")
        found += by_key[name], mass
    return tuple(found)
