"""The contract of `settle`: vertices act one by one, pass after pass, until little changes.

It is for local search: a vertex looks through its row by key, takes the best key for itself, and
wakes its neighbors if that changed anything. The passes run inside the engine; where it has no
kernel for them, and where the parts of a pass are the caller's, they are `for_rows` (`in_passes`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.base.checks import check_count, check_number, check_one_device
from edgewise.base.observe import notify
from edgewise.base.random import check_seed, hashed, mix
from edgewise.graph.foreign import on_every_rank
from edgewise.operators.adjacency import unsigned
from edgewise.operators.arguments import share_memory, shown, state_arrays
from edgewise.operators.engines import CROWD, check_graph, members_at_once, run
from edgewise.operators.functions import Function, finish_names
from edgewise.operators.helpers import inner
from edgewise.operators.members import compute, filter
from edgewise.operators.monoids import Monoid
from edgewise.operators.requests import Rows, Settling
from edgewise.operators.rows import row_request
from edgewise.operators.traversal import advance

__all__ = ["carrier", "drawn", "in_passes", "settle"]

#: Rows up to this length wake their neighbors themselves; the gains of all members are added up in
#: so many places; fewer members than this act in one part where thousands act at once.
_SHORT, _PLACES, _FEW = 64, 1024, 64

_mix = inner(mix)


@on_every_rank
def settle(
    graph: Any,
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
    params: dict[str, Any] | None = None,
    edges: str = "out",
    weights: Any = None,
    dtype: Any = None,
    passes: int = 32,
    tol: float = 0.0,
    parts: int | Callable[..., Any] = 1,
    seed: int = 0,
    phase: str = "settle",
) -> float:
    """Let active vertices act, pass after pass, until a pass gains little; return the total gain.

    A pass goes over the vertices v with ``active[v] != 0``. Each is set to 0, its row is reduced
    apart for each key among the neighbors, and the best key is found, as in `for_rows`. Then
    ``finish(v, key, score, *state)`` acts, and returns what that gained. If the gain is not 0, the
    neighbors of v whose key differs from v's are set to 1: they are active in this pass or the
    next. Vertices act in place and see what others have done so far, so results may differ from run
    to run where several threads work.

    Parameters
    ----------
    graph : Graph
        On one device.
    active : array of int8 over vertices
        Which vertices act; changed.
    message, finish, state, reduce, values, own, choose, by_key, stay, params, edges, weights, dtype
        As for `for_rows` with ``key``. ``finish`` returns a number.
    key : array of int over vertices
        Groups the neighbors. Keys are vertex ids, and ``finish`` keeps them so.
    masses : dict of arrays over vertices, optional
        What a vertex adds to the array of the same name in ``by_key``, at its own key. If
        ``finish`` changes the key of v, ``masses[name][v]`` is taken from the old key's entry and
        added to the new one's.
    passes : int
        Stop after so many.
    tol : float
        Stop after a pass whose gains add up to no more than this.
    parts : int or callable
        The first pass takes the vertices in so many parts, drawn by ``seed``, one after the other:
        otherwise groups grow along the order of the ids. On a GPU every pass does. A function
        ``parts(turn, active)`` gives the frontiers of a pass, one after the other; ``active`` is
        the frontier of all that may act.
    seed : int
    phase : str
        What observers are told, after every pass.

    Returns
    -------
    float

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
    check_one_device(graph, "settle")
    if key is None:
        raise TypeError("key must be an array of vertex ids, got None")
    rows = row_request(
        graph, None, message, finish, state, reduce=reduce, values=values, own=own, key=key,
        choose=choose, by_key=by_key, stay=stay, params=params, edges=edges, weights=weights,
        dtype=dtype,
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
    if n and int(unsigned(key).max()) >= n:
        wrong = key.min() if key.min() < 0 else key.max()
        raise ValueError(f"key must hold vertex ids, 0 to {n - 1}, got {wrong}")
    if not callable(parts):
        parts = check_count(parts, "parts", least=1)
    passes, tol = check_count(passes, "passes"), check_number(tol, "tol")
    request = Settling(rows, active, passes, tol, parts, int(check_seed(seed)), phase, carried)
    if n == 0 or passes == 0:
        return 0.0
    return run(graph, "settle")(graph, request)


def _check_masses(graph: Any, masses: Any, by_key: Any) -> tuple:
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


def in_passes(graph: Any, request: Settling) -> float:
    """`settle` by `for_rows`, one call for each part of a pass."""
    asked, active = request.rows, request.active
    hubs = filter(graph, None, _is_long, graph.indptr)
    gains, total = graph.xp.zeros(_PLACES), 0.0
    more = (active, gains, graph.indptr, graph.indices, asked.key, *request.masses)
    rows = _acting(asked, more)
    for turn in range(request.passes):
        members = filter(graph, None, _is_set, active)
        if members.empty():
            break
        gains.fill(0)
        for part in _parts(graph, request, turn, members):
            run(graph, "for_rows")(graph, rows._replace(frontier=part))
        if len(moved := filter(graph, hubs, _has_moved, active) if len(hubs) else hubs):
            compute(graph, moved, _clear, active)
            advance(graph, moved, _wake, (active, asked.key), output=None)
        gain = float(gains.sum())
        total += gain
        notify(turn, phase=request.phase, gain=gain)
        if gain <= request.tol:
            break
    return total


def drawn(graph: Any, members: Any, seed: int, count: int) -> Any:
    """Some of the members, drawn by a hash, then others, until all had their turn."""
    key, ids = hashed(seed, graph.num_vertices), graph.vertex_ids()
    for part in range(count):
        yield filter(graph, members, _is_drawn, (ids, key, part, count))


def _parts(graph: Any, request: Settling, turn: int, members: Any) -> Any:
    parts, seed = request.parts, request.seed
    if callable(parts):
        return parts(turn, members)
    if members_at_once(graph) >= CROWD and len(members) >= _FEW:
        return drawn(graph, members, seed + turn, 2 * parts)
    return drawn(graph, members, seed, parts) if turn == 0 and parts > 1 else (members,)


def _acting(asked: Rows, more: tuple) -> Rows:
    """The rows, with a finish that also counts gains and wakes neighbors."""
    given, state = asked.finish, (*asked.state, *asked.finish.params)
    names = finish_names("key", "score", states=len(state) + len(more))
    finish = Function(_action(given.given, len(state), len(more) - 5), names)
    return asked._replace(finish=finish, state=(*state, *more))


@cache
def _action(finish: Any, count: int, carried: int) -> Any:
    act, carry = inner(getattr(finish, "py_func", finish)), carrier(carried)
    past = count + 5

    def acts(v, key, score, *given):
        active, gains, indptr, indices, keys = given[count:past]
        active[v], before = 0, keys[v]
        gain = act(v, key, score, *given[:count])
        if keys[v] != before:
            carry(given[past:], v, before, keys[v])
        if gain != 0:
            atomic.add(gains, v // 64 * 8 % _PLACES, gain)
            if indptr[v + 1] - indptr[v] > _SHORT:
                active[v] = 2  # its neighbors are woken after the pass
            else:
                for e in range(indptr[v], indptr[v + 1]):
                    if keys[indices[e]] != keys[v]:
                        active[indices[e]] = 1

    return acts


@cache
def carrier(count: int) -> Any:
    """``carry(arrays, v, old, new)``: move the masses of v; ``count`` is that of the arrays."""
    if count == 0:
        return inner(_nothing)
    total, mass, others = count - 2, count - 1, carrier(count - 2)

    @inner
    def carry(arrays, v, old, new):
        others(arrays, v, old, new)
        atomic.add(arrays[total], old, -arrays[mass][v])
        atomic.add(arrays[total], new, arrays[mass][v])

    return carry


def _nothing(arrays, v, old, new):
    pass


def _is_long(v, indptr):
    return indptr[v + 1] - indptr[v] > _SHORT


def _is_set(v, active):
    return active[v] != 0


def _has_moved(v, active):
    return active[v] == 2


def _clear(v, active):
    active[v] = 0


def _wake(source, target, edge, active, key):
    if key[target] != key[source]:
        active[target] = 1


def _is_drawn(v, ids, key, part, parts):
    return np.int64(_mix(np.uint64(ids[v]) ^ key) >> np.uint64(33)) % parts == part
