"""What operators cost: small calls on large graphs, and passes beside other ways to do the same.

The first table is a call on ten vertices, on a mesh of 16 thousand vertices and on one of 4
million: the difference is what grows with the graph. The second sets one pass, or a short
algorithm of a few passes, beside another library or beside the loop that one would write with
Numba for one thread; both sides run by turns, warm, and their answers are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

import edgewise as ew
from benchmarks.report import machine, spell_time, table
from edgewise import generators
from edgewise.operators import (
    ADD,
    ANY,
    ARGMIN,
    MIN,
    OR,
    advance,
    compute,
    deliver,
    filter,
    for_rows,
    frontier,
    look_up,
    propagate,
    reduce_all,
    reduce_neighbors,
    sweep,
)

__all__ = ["measure_operators"]

_COLUMNS, _LANES = 16, 512


class Duel(NamedTuple):
    """Two ways to the same answer; ``same`` says whether it is."""

    name: str
    beside: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    same: Callable[[Any, Any], bool]


def measure_operators(
    trials: int, folder: Path, tell: Callable[[str], None], *, quick: bool = False
) -> str:
    """Measure both tables; the report in Markdown, also written to ``folder``."""
    sides, scale = ((16, 64), 8) if quick else ((128, 2048), 18)
    small = _small_calls([generators.grid_2d(side, side) for side in sides], trials, tell)
    counts = [f"n = {side * side:,}" for side in sides]
    text = f"{machine()}\n\nA call on ten vertices, medians of the best turns:\n\n"
    text += table(["call", *counts, "large / small"], small)
    lines = []
    for duel in _duels(generators.rmat(scale, seed=27)):
        ours, theirs, right = _turns(duel, trials)
        lines.append([duel.name, spell_time(ours), duel.beside, spell_time(theirs),
                      f"{theirs / ours:.2f}", "" if right else "WRONG"])  # fmt: skip
        tell(" | ".join(lines[-1]))
    text += f"\n\nR-MAT {scale}, medians of {trials} turns:\n\n"
    text += table(["task", "Edgewise", "peer", "its time", "times faster", ""], lines) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "operators.md").write_text(f"# operators\n\n{text}")
    return text


def _small_calls(graphs: list[Any], trials: int, tell: Callable[[str], None]) -> list[list[str]]:
    """One row per call: seconds on each graph, and the last over the first."""
    calls = [_calls(graph) for graph in graphs]
    lines = []
    for name in calls[0]:
        best = [_best(each[name], trials) for each in calls]
        lines.append([name, *map(spell_time, best), f"{best[-1] / best[0]:.2f}"])
        tell(" | ".join(lines[-1]))
    return lines


def _calls(graph: Any) -> dict[str, Callable[[], Any]]:
    """Calls on ten vertices, each with state of its own."""
    n = graph.num_vertices
    some = frontier(graph, np.arange(10) * (n // 11))
    sums, low, seen = graph.full(0.0), graph.full(np.inf), graph.full(-1, np.int32)
    out, at, ones = graph.full(0.0), np.arange(n), graph.full(1.0)
    counts, marks, key = graph.full(0), graph.full(0), graph.full(-1, np.int64)
    none = graph.full(0.0)
    return {
        "advance(ADD)": lambda: advance(graph, some, _one, sums, reduce=ADD),
        "advance(MIN)": lambda: advance(graph, some, _source, low, reduce=MIN),
        "advance(ANY)": lambda: advance(graph, some, _source, seen, reduce=ANY),
        "propagate, one round": lambda: propagate(
            graph, some, _source, low, reduce=MIN, max_iter=1
        ),
        "reduce_neighbors(out=)": lambda: reduce_neighbors(
            graph, some, _value, ones, reduce=ADD, out=out
        ),
        "reduce_neighbors(key=, choose=, out=)": lambda: reduce_neighbors(
            graph, some, _one, ones, reduce=ADD, key=at, choose="max", out=(key, none)
        ),
        "for_rows": lambda: for_rows(graph, some, _one, _put, counts, reduce=ADD),
        "look_up(out=)": lambda: look_up(graph, ones, at, frontier=some, out=out),
        "deliver(ADD)": lambda: deliver(graph, sums, at, ones, reduce=ADD, frontier=some),
        "compute": lambda: compute(graph, some, _mark, marks),
        "filter": lambda: filter(graph, some, _marked, marks),
        "reduce_all": lambda: reduce_all(graph, ones, reduce=ADD, frontier=some),
    }


def _duels(graph: Any) -> list[Duel]:
    """The passes on one graph."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    n = graph.num_vertices
    low, high = (side.astype(np.int64) for side in graph.edges()[:2])
    graph = graph.with_weights((low * 7919 + high * 104729) % 65521 + 1.0)
    lengths = graph.weights
    matrix = csr_array((lengths, graph.indices, graph.indptr), (n, n))
    groups = np.arange(n) // 8
    group_of = csr_array((np.ones(n), groups, np.arange(n + 1)), (n, int(groups.max()) + 1))
    thin = generators.rmat(14, seed=27) if n > 1 << 14 else graph
    thin = thin.with_weights(np.ones(thin.num_edges))
    square = thin.to_scipy()
    ranks = np.random.default_rng(1).random((n, _COLUMNS))
    rank = [np.ascontiguousarray(ranks[:, j]) for j in range(_COLUMNS)]
    starts = np.flatnonzero(graph.degrees())[:_LANES]
    community, strength = np.arange(n) // 4, np.asarray(matrix.sum(1)).ravel()
    return [
        Duel("connected_components, multistep", "sampling",
             lambda: ew.connected_components(graph, method="multistep"),
             lambda: ew.connected_components(graph),
             np.array_equal),
        Duel("Louvain's move, one pass", "one thread's loop",
             lambda: louvain_move(graph, community, strength),
             lambda: _loops().louvain(graph.indptr, graph.indices, lengths, community, strength),
             lambda a, b: bool(np.mean(a == b) > 0.999)),
        Duel("greedy coloring", "one thread's greedy",
             lambda: coloring(graph), lambda: _loops().greedy(graph.indptr, graph.indices),
             lambda a, b: _proper(graph, a) and a.max() < 1.5 * b.max() + 2),
        Duel("core numbers", "one thread's bucket peeling",
             lambda: ew.core_number(graph), lambda: _loops().peel(graph.indptr, graph.indices),
             np.array_equal),
        Duel("spanning forest (Boruvka)", "SciPy", lambda: boruvka(graph),
             lambda: minimum_spanning_tree(matrix).sum(), lambda a, b: bool(np.isclose(a, b))),
        Duel("contract, groups of 8", "SciPy, P'AP", lambda: graph.contract(groups).graph.num_arcs,
             lambda: (group_of.T @ matrix @ group_of).nnz, lambda a, b: a == b),
        Duel("two steps by target (R-MAT 14)", "SciPy, A @ A",
             lambda: reduce_neighbors(thin, None, _product, np.ones(thin.num_vertices), reduce=ADD,
                                      via=thin, key="source", mode="out").totals,
             lambda: (square @ square).data, lambda a, b: a.sum() == b.sum()),
        Duel(f"a sweep of {_COLUMNS} columns", f"{_COLUMNS} sweeps",
             lambda: _swept(graph, ranks), lambda: [_swept(graph, one) for one in rank],
             lambda a, b: bool(np.allclose(a, np.stack(b, axis=1)))),
        Duel(f"{_LANES} searches at once", f"{_LANES} of `bfs`", lambda: searches(graph, starts),
             lambda: [ew.bfs(graph, int(one)) for one in starts], lambda a, b: True),
        Duel("deliver(ADD)", "numpy.add.at",
             lambda: _delivered(graph, groups, lengths[:n]),
             lambda: _added(groups, lengths[:n]), lambda a, b: bool(np.allclose(a, b))),
    ]  # fmt: skip


def louvain_move(graph: Any, community: Any, strength: Any) -> Any:
    """The community that every vertex gains most by, all at once."""
    sizes = graph.full(0.0)
    deliver(graph, sizes, community, strength, reduce=ADD)
    chosen = reduce_neighbors(
        graph, None, _weight, community, reduce=ADD, dtype=np.float64, own=(community, strength),
        key=community, choose=_gain, by_key={"size": sizes}, stay=community,
        params={"share": 1 / strength.sum()},
    )  # fmt: skip
    return chosen.key


def _gain(total, key, own, size, share):
    rest = size - own[1] if key == own[0] else size
    return total - own[1] * rest * share


def coloring(graph: Any, seed: int = 1) -> Any:
    """Everybody takes the least free color; those who collide with a higher rank choose again."""
    color, outranked = graph.full(-1, np.int64), graph.full(False)
    rank = ew.random.bits(seed, np.arange(graph.num_vertices))
    waiting = frontier(graph)
    while not waiting.empty():
        reduce_neighbors(graph, waiting, None, color, reduce=None, key=color, choose="absent",
                         out=(color, None))  # fmt: skip
        reduce_neighbors(graph, waiting, _is_outranked, (color, rank), reduce=ANY, out=outranked)
        waiting = filter(graph, waiting, _marked, outranked)
    return color


def _is_outranked(value, own):
    return value[0] == own[0] and value[1] > own[1]


def boruvka(graph: Any) -> float:
    """The weight of a minimum spanning forest, by supervertices."""
    weight = 0.0
    while graph.num_arcs:
        n = graph.num_vertices
        ids = np.arange(n)
        best = reduce_neighbors(graph, None, _nearest, ids, reduce=ARGMIN,
                                dtype=(np.float64, np.int64))  # fmt: skip
        parent = np.where(best[0] < np.inf, best[1], ids)
        mutual = (parent[parent] == ids) & (ids < parent)
        weight += float(best[0][(parent != ids) & ~mutual].sum())
        parent[mutual] = ids[mutual]
        graph = graph.contract(
            ew.forest_roots(graph, parents=parent), reduce="min", self_loops="drop"
        ).graph
    return weight


def _nearest(weight, source):
    return weight, source


def searches(graph: Any, starts: Any) -> Any:
    """Which of the starts reach a vertex: one bit each."""
    words = np.zeros((graph.num_vertices, _LANES // 64), np.uint64)
    lanes = np.arange(len(starts))
    words[starts, lanes // 64] |= np.uint64(1) << (lanes % 64).astype(np.uint64)
    propagate(graph, frontier(graph, starts), _value, words, reduce=OR)
    return words


def _swept(graph: Any, values: Any) -> Any:
    out = np.zeros_like(values)
    sweep(graph, _value, values, _damped, (), reduce=ADD, out=out, params={"damping": 0.85})
    return out


def _damped(v, total, damping):
    return damping * total, 0.0


def _delivered(graph: Any, at: Any, messages: Any) -> Any:
    sums = graph.full(0.0)
    deliver(graph, sums, at, messages, reduce=ADD)
    return sums


def _added(at: Any, messages: Any) -> Any:
    sums = np.zeros(len(at))
    np.add.at(sums, at, messages)
    return sums


def _proper(graph: Any, color: Any) -> bool:
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    apart = rows != graph.indices
    return bool((color >= 0).all() and (color[rows] != color[graph.indices])[apart].all())


def _loops() -> Any:
    from benchmarks import loops

    return loops


def _turns(duel: Duel, trials: int) -> tuple[float, float, bool]:
    """The medians of both sides, by turns, and whether their answers agree."""
    right = duel.same(duel.ours(), duel.theirs())
    ours, theirs = [], []
    for _ in range(trials):
        for call, seconds in ((duel.ours, ours), (duel.theirs, theirs)):
            begin = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - begin)
    return median(ours), median(theirs), right


def _best(call: Callable[[], Any], trials: int) -> float:
    """Seconds of a call: the best turn's median of many."""
    call()
    turns = []
    for _ in range(trials):
        seconds = []
        for _ in range(200):
            begin = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - begin)
        turns.append(median(seconds))
    return min(turns)


def _one():
    return 1


def _value(value):
    return value


def _weight(weight):
    return weight


def _source(source):
    return source


def _product(weight, onward):
    return weight * onward


def _put(v, total, counts):
    counts[v] = total


def _mark(v, marks):
    marks[v] += 1


def _marked(v, marks):
    return marks[v] > 0
