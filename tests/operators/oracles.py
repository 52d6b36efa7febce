"""What the operators must do, as plain loops over mode: slow and obvious.

A graph is a list of arcs (u, v, e) in the direction in which they are walked. Functions are called
by the names of their parameters, exactly as users write them.
"""

from __future__ import annotations

import inspect
import math

import numpy as np

from edgewise import random
from edgewise.operators.edge_order import ties


def walked(graph, mode="out"):
    """The arcs as (from, to, edge id), in the direction that ``edges`` says."""
    heads = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    arcs = list(zip(heads.tolist(), graph.indices.tolist(), range(graph.num_arcs), strict=True))
    back = [(v, u, e) for u, v, e in arcs]
    if mode == "in":
        return back
    return arcs + back if mode == "both" and graph.directed else arcs


def weight_list(graph, weights="weight"):
    weights = graph.weights if isinstance(weights, str) else weights
    return [1] * graph.num_arcs if weights is None else np.asarray(weights).tolist()


def take(values, v):
    return tuple(a[v].item() for a in values) if isinstance(values, tuple) else values[v].item()


def cast(values, new):
    if isinstance(values, tuple):
        return tuple(a.dtype.type(x).item() for a, x in zip(values, new, strict=True))
    return values.dtype.type(new).item()


def put(values, v, new):
    if isinstance(values, tuple):
        for array, x in zip(values, new, strict=True):
            array[v] = x
    else:
        values[v] = new


def identity_of(reduce, values):
    if isinstance(values, tuple):
        return tuple(x.item() for x in reduce.identity_for(*(a.dtype for a in values)))
    return reduce.identity_for(values.dtype).item()


def call(message, **given):
    return message(*(given[name] for name in inspect.signature(message).parameters))


def same(a, b):
    return a == b or (a != a and b != b)


def ask(function, value, params=None):
    """Call a function of a value, which may name params after it."""
    names = list(inspect.signature(function).parameters)[1:]
    return function(value, *(params[name] for name in names))


def messages(graph, members, message, values, *, reduce, source_values=None, where=None, mode="out",
             weights="weight", params=None, column=0):  # fmt: skip
    """All messages that reach each vertex that listens, as a dict of lists."""
    read, members, given = (
        values if source_values is None else source_values,
        set(members),
        params or {},
    )
    unset, lengths, sent = identity_of(reduce, values), weight_list(graph, weights), {}
    for u, v, e in walked(graph, mode):
        held = take(values, v)
        if u not in members or (where and not ask(where, held, params)):
            continue
        if reduce.early_exit and not same(held, unset):
            continue
        new = call(message, value=take(read, u), weight=lengths[e], source=u, target=v, edge=e,
                   own=held, column=column, **given)  # fmt: skip
        sent.setdefault(v, []).append(cast(values, new))
    return sent


def advance(graph, members, message, values, *, reduce, **options):
    """Values after one round (a copy), and the vertices that changed, ascending."""
    if getattr(values, "ndim", 1) == 2:
        return _advance_columns(graph, members, message, values, reduce=reduce, **options)
    result = tuple(a.copy() for a in values) if isinstance(values, tuple) else values.copy()
    changed = []
    sent = messages(graph, members, message, values, reduce=reduce, **options)
    for v in sorted(sent):
        total = identity_of(reduce, values)
        for new in sent[v]:
            total = cast(values, reduce.combine(total, new))
        after = cast(values, reduce.combine(take(values, v), total))
        if not same(after, take(values, v)):
            put(result, v, after)
            changed.append(v)
    return result, changed


def _advance_columns(graph, members, message, values, *, source_values=None, **options):
    """One column after the other; a vertex has changed if one of its columns has."""
    result, changed = values.copy(), set()
    for j in range(values.shape[1]):
        read = None if source_values is None else source_values[:, j]
        result[:, j], more = advance(
            graph, members, message, values[:, j], source_values=read, column=j, **options
        )
        changed |= set(more)
    return result, sorted(changed)


def propagate(graph, members, message, values, *, reduce, max_iter=None, wake=None, **options):
    """Values, the last frontier, and for each vertex the last round that changed it (else 0)."""
    depths, turn, params = [0] * graph.num_vertices, 0, options.get("params")
    while members and (max_iter is None or turn < max_iter):
        turn += 1
        values, members = advance(graph, members, message, values, reduce=reduce, **options)
        for v in members:
            depths[v] = turn
        if wake:
            members = [
                v for v in members
                if any(ask(wake, x, params) for x in np.atleast_1d(values[v]).tolist())
            ]  # fmt: skip
    return values, members, depths


def peel(graph, members, message, values, levels, *, reduce, mode="out", weights="weight",
         params=None):  # fmt: skip
    """Values and levels after peeling; whoever has sent does not listen any more."""
    values, levels, lengths = values.copy(), levels.copy(), weight_list(graph, weights)
    sent, front, level, rows = set(), [], None, [[] for _ in range(graph.num_vertices)]
    for u, v, e in walked(graph, mode):
        rows[u].append((v, e))
    while True:
        if not front:
            left = [v for v in members if v not in sent and not np.isnan(values[v])]
            if not left:
                return values, levels
            level = min(take(values, v) for v in left)
            front = [v for v in left if take(values, v) <= level]
        sent |= set(front)
        before, heard = values.copy(), set()
        for u in front:
            levels[u] = level
            for v, e in rows[u]:
                if v in sent:
                    continue
                new = call(message, value=take(before, u), weight=lengths[e], source=u, target=v,
                           edge=e, level=level, **(params or {}))  # fmt: skip
                values[v] = cast(values, reduce.combine(take(values, v), cast(values, new)))
                heard.add(v)
        front = [v for v in heard if values[v] <= level and not same(values[v], before[v])]


def unwind(graph, depths, message, values, *, reduce, own=None, finish=None, params=None,
           mode="out", weights="weight"):  # fmt: skip
    values, own = values.copy(), values.copy() if own is None else own
    lengths, arcs = weight_list(graph, weights), walked(graph, mode)
    unset = identity_of(reduce, values)
    levels = {d for d in depths.tolist() if 0 <= d < graph.num_vertices}
    for level in sorted(levels, reverse=True):
        for v in np.flatnonzero(depths == level).tolist():
            total, mine = unset, take(own, v)
            for a, u, e in arcs:
                if a == v and depths[u] == level + 1:
                    new = call(message, value=take(values, u), weight=lengths[e], source=u,
                               edge=e, own=mine, **(params or {}))  # fmt: skip
                    total = cast(values, reduce.combine(total, cast(values, new)))
            values[v] = call(finish, total=total, own=mine, **(params or {})) if finish else total
    return values


def reduce_neighbors(graph, members, message, values, *, reduce, own=None, params=None, mode="in",
                     weights="weight", result):  # fmt: skip
    """One total per vertex, in arrays like ``result`` (an array or a tuple of them)."""
    result = tuple(a.copy() for a in result) if isinstance(result, tuple) else result.copy()
    own, lengths = values if own is None else own, weight_list(graph, weights)
    unset, members = identity_of(reduce, result), set(members)
    for v in range(graph.num_vertices):
        put(result, v, unset)
    for u, v, e in _arriving(graph, mode):
        if v in members:
            new = call(message, value=take(values, u), weight=lengths[e], source=u, edge=e,
                       own=take(own, v), **(params or {}))  # fmt: skip
            put(result, v, cast(result, reduce.combine(take(result, v), cast(result, new))))
    return result


def grouped(graph, members, message, values, key=None, *, reduce, own=None, via=None, params=None,
            mode="in", weights="weight"):  # fmt: skip
    """For every vertex a dict from key to total, over its neighbors or those of ``via`` behind."""
    rows, members = [{} for _ in range(graph.num_vertices)], set(members)
    lengths, unset = weight_list(graph, weights), identity_of(reduce, values)
    own, given = values if own is None and via is None else own, params or {}
    for u, v, e in _arriving(graph, mode):
        if v not in members:
            continue
        mine = None if own is None else take(own, v)
        for w, onward in [(u, None)] if via is None else _row(via, u):
            new = call(message, value=take(values, w), weight=lengths[e], source=w, edge=e,
                       own=mine, onward=onward, **given)  # fmt: skip
            k = w if key is None else int(key[w])
            rows[v][k] = cast(values, reduce.combine(rows[v].get(k, unset), cast(values, new)))
    return rows


def _row(csr, u):
    """The entries of a row: column and weight."""
    part = slice(csr.indptr[u], csr.indptr[u + 1])
    weights = [1] * len(csr.indices) if csr.weights is None else csr.weights.tolist()
    return zip(csr.indices[part].tolist(), weights[part], strict=True)


def chosen(rows, score, own, *, stay=None, unset=0, by_key=None, params=None, temperature=None,
           seed=0, skip_empty=False):  # fmt: skip
    """For every row of `grouped` the key of the greatest score, and that; (-1, None) for none.

    With a temperature, noise is added to the scores: so it is a draw.
    """
    best, arrays = [], by_key or {}
    for v, row in enumerate(rows):
        row = {k: total for k, total in row.items() if total != unset or not skip_empty}
        if stay is not None and stay[v] >= 0:
            row.setdefault(int(stay[v]), unset)
        staying = row[int(stay[v])] if stay is not None and stay[v] >= 0 else unset
        kept = -1 if stay is None else stay[v]
        known = {f"staying_{name}": array[kept].item() if kept >= 0 else 0
                 for name, array in arrays.items()}  # fmt: skip
        scores = {
            k: call(score, total=total, key=k, own=take(own, v), staying=staying, **(params or {}),
                    **{name: array[k].item() for name, array in arrays.items()}, **known)
            for k, total in row.items()
        }  # fmt: skip
        rank = {k: one + (temperature or 0) * gumbel(seed, v, k) for k, one in scores.items()}
        k = min(rank, key=lambda k, rank=rank: (-rank[k], k), default=-1)
        best.append((k, scores.get(k)))
    return best


def gumbel(seed, v, key):
    """The noise of a member and a key."""
    share = ((int(random.bits(seed, v, key + 1)) >> 12) + 0.5) / 2**52
    return -math.log(-math.log(share))


def duplicates(graph, members, key, rank=None, *, closed=False, mode="out"):
    """Whether each vertex has the key of a better one in the row of a member."""
    marked, rows = [False] * graph.num_vertices, {u: {u} if closed else set() for u in members}
    for u, v, _ in walked(graph, mode):
        if u in rows:
            rows[u].add(v)
    for row in rows.values():
        for v in row:
            place = (0 if rank is None else _rank(rank[v]), v)
            marked[v] |= key[v] >= 0 and any(
                key[w] == key[v] and (0 if rank is None else _rank(rank[w]), w) < place
                for w in row
            )  # fmt: skip
    return marked


def _rank(value):
    """A rank that can be compared: NaN is the last."""
    return (math.isnan(value), 0.0 if math.isnan(value) else value)


def absent(rows):
    """For every row of `grouped` the least key from 0 on that is not in it."""
    return [next(k for k in range(len(row) + 1) if k not in row) for row in rows]


def _arriving(graph, mode):
    """Arcs (u, v, e) by which v hears from u."""
    return walked(graph, {"in": "out", "out": "in", "both": "both"}[mode])


def intersect(graph, pairs):
    """The common neighbors of every pair, ascending."""
    lists = [set(graph.neighbors(v).tolist()) for v in range(graph.num_vertices)]
    return [sorted(lists[u] & lists[v]) for u, v in pairs]


def reduce_all(values, *, reduce, members=None, unset):
    total = unset
    for v in range(len(values)) if members is None else members:
        total = reduce.combine(total, values[v].item())
    return total


def by_rank(graph, weights="weight"):
    """All edges that may be matched, the highest ranking first."""
    u, v, _ = graph.arcs()
    hashes = ties(u, v)
    arcs = zip(weight_list(graph, weights), hashes.tolist(), u.tolist(), v.tolist(), strict=True)
    mode = [(-w, -t, a, b) for w, t, a, b in arcs if a < b and w > 0]
    return [(a, b) for _, _, a, b in sorted(mode)]


def dominant(graph, weights="weight", mates=None):
    """The mates of locally dominant mode: take edges by rank while both their ends are free."""
    mates = [-1] * graph.num_vertices if mates is None else mates.tolist()
    for u, v in by_rank(graph, weights):
        if mates[u] == mates[v] == -1:
            mates[u], mates[v] = v, u
    return mates
