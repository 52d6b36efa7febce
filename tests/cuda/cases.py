"""Small calls that together launch every kernel of the CUDA engine, by group.

Every call is made on CPU threads and on CUDA, and what comes out is compared (see `agree`), unless
kernels are only compiled. The graphs have rows for every kind of work, from none to longer than a
block of the simulator takes; on a GPU `enlarge` makes them longer than its own blocks take.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from inspect import signature
from typing import NamedTuple

import numpy as np

import edgewise as ew
from edgewise.base import atomic
from edgewise.base.bits import bit_length, count_bits, lowest_bit
from edgewise.base.cuda.device import host
from edgewise.base.heap import binary_heap
from edgewise.base.probing import is_key, probing
from edgewise.graph import Graph
from edgewise.graph.orient import orient
from edgewise.operators import ADD, ANY, ARGMIN, MAX, MIN, Frontier, Monoid, frontier
from edgewise.operators.covering import covered
from edgewise.operators.finished_rows import in_order
from edgewise.operators.helpers import first_from, inner, insert, lower_bound, sort_few
from tests.operators.engines import ENGINES
from tests.operators.functions import (
    at_home,
    below,
    best_sender,
    better_off,
    drawn,
    everything,
    narrow,
    of_both,
    of_each,
    of_some,
    pass_on,
    product,
    sender,
    spread,
    tally,
    through,
    tight,
    tilted,
    unset,
)
from tests.operators.graphs import path, star, weighted

__all__ = ["GROUPS"]


class Counts(NamedTuple):
    """State whose members functions call by name."""

    calls: np.ndarray
    factor: float


def hub(spokes):
    """A hub, a ring of its neighbors, a loop, and two vertices apart."""
    ring = [*range(1, spokes + 1)]
    return weighted([0] * spokes + [*ring, 3], [*ring, *ring[1:], 1, 3], num_vertices=spokes + 3)


def arcs(spokes):
    """A hub of out-mode, a hub of in-mode, and a cycle."""
    ring = [*range(1, spokes + 1)]
    into = [spokes + 1] * spokes
    return weighted([0] * spokes + [*ring, 1, 2, 3], [*ring, *into, 2, 3, 1], directed=True)


HUB, ARCS = hub(20), arcs(12)
PATH, STAR = path(9), star(300)
#: Whether kernels run, so that there is something to compare.
RUNNING = True


def enlarge():
    """Rows as long as a GPU's thresholds ask for."""
    global HUB, ARCS, STAR  # the cases name them
    HUB, ARCS, STAR = hub(5000), arcs(5000), star(70_000)


def agree(operator, *args, **options):
    """Make one call on both engines; its result and what it writes must be equal."""
    there = _outcome("cuda", operator, args, options)
    if RUNNING:
        _compare(_outcome("cpu", operator, args, options), there, operator)


def _outcome(engine, operator, args, options):
    args, options = _copied(args), {name: _copied(value) for name, value in options.items()}
    return ENGINES[engine].run(operator, args, options), args, options


def _copied(value):
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_fields") and not isinstance(value, Monoid):
        return type(value)(*map(_copied, value))
    return tuple(map(_copied, value)) if type(value) is tuple else value


def _compare(here, there, name):
    if isinstance(here, Frontier):
        assert sorted(here.ids.tolist()) == sorted(there.ids.tolist()), name
    elif isinstance(here, np.ndarray):
        assert here.dtype == there.dtype, name
        np.testing.assert_allclose(there, here, rtol=1e-9, err_msg=name)
    elif isinstance(here, (tuple, dict)):
        assert len(here) == len(there), name
        several = here.values() if isinstance(here, dict) else here
        others = there.values() if isinstance(there, dict) else there
        for one_here, one_there in zip(several, others, strict=True):
            _compare(one_here, one_there, name)
    elif isinstance(here, (int, float)):
        assert np.isclose(there, here, rtol=1e-9), name


def start_at(graph, fill, dtype=None, first=0, at=0):
    values = graph.full(fill, dtype)
    values[at] = first
    return values


def depths_of(graph):
    """Hops from vertex 0, -1 where there is no way."""
    depths, reached, turn = start_at(graph, -1, np.int32), [0], 0
    while len(reached):
        turn += 1
        near = np.concatenate([graph.neighbors(int(v)) for v in reached])
        reached = np.unique(near[depths[near] < 0])
        depths[reached] = turn
    return depths


def ramp(graph):
    return ((np.arange(graph.num_vertices) * 5) % 11) / 4


def rounds():
    """`propagate`, and `advance` in message form: push, pull, long rows, pairs under locks."""
    for graph in (HUB, PATH):
        for direction in ("auto", "push", "pull"):
            agree("propagate", graph, frontier(graph, 0), sender, start_at(graph, -1, np.int32),
                  reduce=ANY, depths=graph.full(-1, np.int32), direction=direction)  # fmt: skip
    agree("propagate", PATH, frontier(PATH, 0), sender, start_at(PATH, -1, np.int32), reduce=ANY,
          depths=PATH.full(-1, np.int32), max_iter=3)  # fmt: skip
    for graph in (HUB, ARCS):
        start, some = frontier(graph, 0), frontier(graph, [1, 2, 5])
        for direction in ("auto", "pull"):
            agree("propagate", graph, start, through, start_at(graph, np.inf), reduce=MIN,
                  direction=direction)  # fmt: skip
        agree("propagate", graph, start, pass_on, start_at(graph, 0, np.int64, 1), reduce=ADD,
              where=unset, depths=graph.full(-1, np.int32))  # fmt: skip
        agree("advance", graph, None, spread, ramp(graph), reduce=ADD, mode="both")
        agree("advance", graph, some, through, ramp(graph) + 9, reduce=MIN,
              source_values=ramp(graph), mode="in")  # fmt: skip
    many = frontier(HUB, range(HUB.num_vertices - 4))  # whose mode nobody has counted
    for message, reduce in ((through, MIN), (spread, ADD)):
        agree("advance", HUB, many, message, ramp(HUB) + 9, reduce=reduce, source_values=ramp(HUB))
    pairs = HUB.full(np.inf), HUB.full(2**62)
    agree("advance", HUB, None, best_sender, pairs, reduce=ARGMIN, source_values=ramp(HUB))
    odd = np.arange(HUB.num_vertices) % 2 == 1
    agree("advance", HUB, None, pass_on, odd, reduce=MAX, source_values=~odd)


def functions():
    """What messages and conditions may name, `wake`, and several columns: push and pull."""
    for graph in (HUB, ARCS):
        given = {"pull": 0.5, "table": np.array([0.0, 0.25])}
        wide = np.stack([ramp(graph), ramp(graph)[::-1], graph.full(1.0)], axis=1)
        far = np.full((graph.num_vertices, 2), np.inf)
        far[0, 0] = far[1, 1] = 0
        for direction in ("auto", "pull"):
            for values in (ramp(graph), wide):
                agree("advance", graph, None, drawn, values, reduce=ADD, params=given,
                      direction=direction)  # fmt: skip
            for values in (start_at(graph, np.inf), far):
                agree("propagate", graph, frontier(graph, [0, 1]), through, values, reduce=MIN,
                      wake=below, params={"bound": 3.0}, direction=direction)  # fmt: skip


def peeling():
    """`propagate` with levels: all vertices, and some."""
    for graph in (HUB, ARCS):
        for members in (None, frontier(graph, [0, 2, 3])):
            values, levels = np.diff(graph.indptr), graph.full(-1)
            options = {"reduce": ADD, "levels": levels, "mode": "both"}
            agree("propagate", graph, members, gone, values, **options)


def gone():
    return -1


def priority():
    """`propagate` in order of priority."""
    for schedule in ("bucketed", "near_far"):
        for graph, delta in ((HUB, 0.5), (ARCS, 100.0)):
            agree("propagate", graph, frontier(graph, 0), through, start_at(graph, np.inf),
                  reduce=MIN, priority=delta, schedule=schedule)  # fmt: skip
        agree("propagate", HUB, frontier(HUB, 1), narrow, start_at(HUB, -np.inf, first=9, at=1),
              reduce=MAX, priority=0.5, schedule=schedule)  # fmt: skip


def visits():
    """`advance` in edge form: rows for a thread, for lanes, in pieces; all that may come out."""
    for graph in (STAR, ARCS):
        for output in ("vertices", "edges", None):
            agree("advance", graph, None, tally, counts(graph), output=output)
    for mode in ("in", "both"):
        agree("advance", ARCS, frontier(ARCS, [0, 3, 13]), tally, counts(ARCS), mode=mode)
    agree("advance", HUB, None, tally, counts(HUB), neighbors=slice(1, 12))
    agree("advance", HUB, frontier(HUB, edges=[0, 25]), tally, counts(HUB))
    agree("advance", HUB, frontier(HUB, [0, 4]), tally, counts(HUB), output="edges")


def counts(graph):
    return np.zeros(graph.num_arcs, np.int64), graph.full(0)


def rows():
    """`reduce_neighbors`, `sweep` and `unwind`."""
    for graph in (HUB, ARCS):
        weights, own = (np.arange(graph.num_arcs) % 13) / 4, graph.full(0.5)
        named = {"reduce": MAX, "own": own, "weights": weights}
        for mode in ("in", "both"):
            agree("reduce_neighbors", graph, None, everything, ramp(graph), mode=mode, **named)
        agree("unwind", graph, depths_of(graph), everything, graph.full(0.0), **named)
        agree("unwind", graph, depths_of(graph), pass_on, graph.full(3.0), reduce=ADD,
              own=ramp(graph), finish=add_half)  # fmt: skip
        named = {"scale": Counts(np.arange(3.0), 0.5)}
        agree("for_rows", graph, None, weighed_by_name, keep_by_name, Counts(graph.full(0.0), 2),
              reduce=ADD, dtype=np.float64, params=named)  # fmt: skip
        some, key = frontier(graph, [0, 2, 13]), np.arange(graph.num_vertices) % 3
        agree("reduce_neighbors", graph, some, spread, ramp(graph), reduce=ADD, mode="out")
        for choose in (None, "max"):
            agree("reduce_neighbors", graph, some, spread, ramp(graph), reduce=ADD, key=key,
                  choose=choose)  # fmt: skip
        score = {
            "choose": better_off,
            "by_key": {"size": np.arange(3.0)},
            "params": {"scale": 0.25},
        }
        for who in (None, frontier(graph, [0])):
            agree("reduce_neighbors", graph, who, spread, ramp(graph), reduce=ADD, key=key, own=own,
                  stay=key - 1, **score)  # fmt: skip
            agree("for_rows", graph, who, spread, put_chosen, (key * 0, own * 0), reduce=ADD,
                  values=ramp(graph), key=key, own=own, stay=key - 1, **score)  # fmt: skip
            agree("reduce_neighbors", graph, who, None, ramp(graph), reduce=None, key=key,
                  choose="absent")  # fmt: skip
            drawn = {**score, "choose": at_home, "temperature": 2.0, "seed": 3, "skip_empty": True}
            agree("reduce_neighbors", graph, who, spread, ramp(graph), reduce=ADD, key=key, own=own,
                  stay=key - 1, **drawn)  # fmt: skip
            agree("for_rows", graph, who, spread, put_chosen, (key * 0, own * 0), reduce=ADD,
                  values=ramp(graph), key=key, own=own, stay=key - 1, **drawn)  # fmt: skip
        agree("reduce_neighbors", graph, None, product, ramp(graph), reduce=ADD, via=graph,
              key="source")  # fmt: skip
        agree("reduce_neighbors", graph, some, product, ramp(graph), reduce=ADD, via=graph, key=key,
              choose="max")  # fmt: skip
        agree("reduce_neighbors", graph, None, None, ramp(graph), reduce=None, key=key, via=graph,
              choose="absent")  # fmt: skip
        columns = np.stack([ramp(graph), graph.full(0.5)], axis=1)
        agree("reduce_neighbors", graph, some, tilted, columns, reduce=ADD)
        agree("sweep", graph, tilted, columns, damped, (ramp(graph), 0.5), reduce=ADD,
              out=columns * 0)  # fmt: skip
        for _ in range(3):  # a graph that is swept again and again is read another way
            agree("sweep", graph, spread, ramp(graph), damped, (ramp(graph), 0.5), reduce=ADD,
                  out=graph.full(-1.0))  # fmt: skip
    agree("reduce_neighbors", HUB, None, best_sender, ramp(HUB), reduce=ARGMIN,
          dtype=(np.float64, np.int64))  # fmt: skip
    for graph in (HUB, PATH, STAR):
        label = np.arange(graph.num_vertices)
        for parts in (1, 3):
            _outgrow(graph, label, parts)
            _outgrow(graph, label, parts, synchronous=True)
    reached = np.cumsum([0, *(PATH.weights[PATH.indptr[v + 1] - 1] for v in range(8))])
    agree("reduce_neighbors", PATH, None, tight, reached, reduce=ANY, dtype=np.int32)
    ends = frontier(PATH, [0, 3, 7])
    agree("reduce_neighbors", PATH, ends, best_sender, ramp(PATH), reduce=ARGMIN,
          dtype=(np.float64, np.int64))  # fmt: skip
    columns = np.stack([ramp(PATH), PATH.full(0.5)], axis=1)
    agree("reduce_neighbors", PATH, ends, tilted, columns, reduce=ADD)
    agree("sweep", STAR, pass_on, ramp(STAR), counting, ramp(STAR), reduce=ADD, sums=3,
          out=STAR.full(0.0))  # fmt: skip


def two_steps():
    """`reduce_neighbors` along two steps, one total each: of tuples, and to the first message."""
    for graph in (HUB, ARCS, PATH):
        reached = ((np.arange(graph.num_vertices) + 1) % 3) - 1
        for members in (None, frontier(graph, [0, 2, 3])):
            agree("reduce_neighbors", graph, members, both_steps, ramp(graph), reduce=ADD,
                  own=ramp(graph)[::-1].copy(), via=graph, mode="both")  # fmt: skip
            agree("reduce_neighbors", graph, members, best_sender, ramp(graph), reduce=ARGMIN,
                  dtype=(np.float64, np.int64), via=graph)  # fmt: skip
            agree("reduce_neighbors", graph, members, a_zero, reached, reduce=ANY, via=graph)
            agree("reduce_neighbors", graph, members, product, ramp(graph), reduce=ADD, via=graph,
                  key="source", finish=row_share, keep=3, least=0.01)  # fmt: skip
        agree(in_any_order, graph, ramp(graph), via=graph, key="source")
        agree(in_any_order, graph, ramp(graph), via=graph, key="source", finish=row_share)


def row_share(v, key, total, row_sum):
    return total / row_sum + v - key


def in_any_order(graph, values, **options):
    """Rows that are not sorted, and are then sorted to be compared."""
    rows = ew.reduce_neighbors(graph, None, product, values, reduce=ADD, sort=False, **options)
    return in_order(graph.xp, rows)


def both_steps(value, weight, onward, source, own):
    return value * weight + onward + source + own


def a_zero(value):
    return 0 if value == 0 else -1


def duplicates():
    """`mark_duplicates`: rows in shared memory, and with tables in global memory."""
    for graph in (HUB, ARCS, STAR):
        n = graph.num_vertices
        for members in (None, frontier(graph, [0, 2, 3])):
            for key, rank in ((np.arange(n) % 7 - 1, None), (np.arange(n, dtype=np.int32) // 2,
                                                             -ramp(graph))):  # fmt: skip
                agree("mark_duplicates", graph, members, key, rank=rank, closed=rank is not None,
                      mode="both")  # fmt: skip


def budgets():
    """`take`: weights that are whole, and some with fractions."""
    n, rank = HUB.num_vertices, -ramp(HUB)
    for weight in (None, np.arange(n) % 4, np.arange(n) / 8):
        for members in (None, frontier(HUB, [1, 2, 5, 6])):
            agree("take", HUB, members, key=np.arange(n) % 3 - 1, budget=[3, 4.5], rank=rank,
                  weight=weight, crossing=members is None)  # fmt: skip


def damped(v, total, values, factor):
    new = total * factor + v
    return new, abs(new - values[v])


def _outgrow(graph, label, parts, **more):
    """`settle`: the largest label of each component wins, in whatever order vertices act."""
    ends = []
    for engine in ("cpu", "cuda") if RUNNING else ("cuda",):
        mine, active = label.copy(), np.ones(len(label), np.int8)
        how = {"reduce": ADD, "choose": as_it_is, "dtype": np.float64, "passes": 400}
        args = (graph, active, spread, grow, mine)
        how |= {"key": mine, "stay": mine, "values": label * 1.0, "parts": parts, **more}
        gain = ENGINES[engine].run("settle", args, how)
        ends.append((mine.tolist(), active.any(), gain))
    assert ends[0] == ends[-1]
    assert not RUNNING or ends[0][2] == sum(ends[0][0]) - label.sum()


def as_it_is(key):
    return np.float64(key)


def grow(v, key, score, label):
    gain = key - label[v]
    if gain > 0:
        label[v] = key
    return max(gain, 0)


def put_chosen(v, key, score, keys, scores):
    keys[v], scores[v] = key, score


def counting(v, total, values):
    return total, abs(total - values[v]), total > 3, v


def add_half(total, own):
    return total + own / 2


def members():
    """`compute`, `for_each`, `filter`, `reduce_all`, and what is made of them."""
    some, arcs = frontier(HUB, [1, 4, 22]), frontier(ARCS, edges=[0, 5, 11])
    words = np.zeros(HUB.num_vertices, np.uint64), np.full(1, -1), ramp(HUB), HUB.full(0)
    agree("compute", HUB, None, use_library, (*words, -7))
    for members in (None, some):
        agree("compute", HUB, members, count_call, (HUB.full(0), 2))
        agree("compute", HUB, members, count_by_name, Counts(HUB.full(0), 2))
        agree("filter", HUB, members, is_counted, (1, Counts(ramp(HUB), 2.5)))
        agree("filter", HUB, members, is_large, (ramp(HUB), 1.0))
        agree("multisplit", HUB, members, is_large, (ramp(HUB), 1.0), num_buckets=2)
        agree("multisplit", HUB, members, digit, (np.arange(HUB.num_vertices), 5), num_buckets=1000)
        agree("sample", HUB, members, 3, seed=1)
        agree("reduce_all", HUB, ramp(HUB), reduce=ADD, frontier=members)
        agree("reduce_all", HUB, (ramp(HUB), ramp(HUB)), reduce=ADD, frontier=members,
              function=times)  # fmt: skip
    for count in (0, 1, HUB.num_vertices):
        agree("for_each", count, count_call, (HUB.full(0), 2))
        agree("for_each", count, count_by_name, Counts(HUB.full(0), 2), work=10)
    zeros = np.zeros(ARCS.num_arcs, np.int64)
    agree("compute", ARCS, arcs, count_ends, (zeros, zeros))
    agree("filter", ARCS, arcs, is_third)
    agree("filter", path(600), None, is_third)  # more than a block takes alone
    agree("reduce_all", HUB, np.arange(3000), reduce=ADD)
    at = np.arange(HUB.num_vertices) % 3
    agree("reduce_all", HUB, (ramp(HUB), np.arange(HUB.num_vertices)), reduce=ARGMIN)
    for members in (None, some):
        agree("look_up", HUB, ramp(HUB), at, frontier=members)
        agree("look_up", HUB, (ramp(HUB), at), at, frontier=members, out=(ramp(HUB), at.copy()))
        for reduce in (ADD, MAX):
            agree("deliver", HUB, ramp(HUB), at - 1, at, reduce=reduce, frontier=members)
        agree("deliver", HUB, (ramp(HUB), at.copy()), at - 1, (ramp(HUB), at), reduce=ARGMIN,
              frontier=members)  # fmt: skip
    for reduce in (MIN, MAX, ADD):
        agree("deliver", HUB, ramp(HUB), at - 1, at[::-1].copy(), reduce=reduce)
    at, few = np.arange(STAR.num_vertices) % 3, frontier(STAR, [5, 7, 8])  # targets are listed
    for reduce in (ADD, MAX):
        agree("deliver", STAR, ramp(STAR), at, at, reduce=reduce, frontier=few)


def searches():
    """`reach` with rows of every length and sets of every form, and `cover` over them."""
    for graph in (HUB, ARCS, STAR):
        starts = np.arange(40) % graph.num_vertices
        uneven = (np.arange(graph.num_arcs) * 7 % 5) / 5
        one = uneven / max(np.bincount(graph.indices, uneven).max(), 1)
        for chances, take in ((0.4, "each"), (1.0, "each"), (uneven, "each"), (one, "one"),
                              (1 / (graph.longest_row + graph.num_vertices), "one")):  # fmt: skip
            agree(found_and_covered, graph, starts, chances, take)


def found_and_covered(graph, starts, chances, take):
    """The sets in two calls, and who is in the most of them."""
    sets = ew.reach(graph, starts[:9], chances, take=take, seed=3)
    sets = ew.reach(graph, starts[9:], chances, take=take, seed=3, out=sets)
    sets = ew.reach(graph, 5, chances, take=take, out=sets)
    weights = sets.xp.arange(len(sets)) % 3
    several = *ew.cover(sets, 3, bounds=True), *ew.cover(sets, 2, weights=weights)
    return *sets.members(), *several, covered(sets, [0, 2])


def explorations():
    """`explore` with rows of every length, along all kinds of mode, and path counts that round."""
    corner = np.arange(60) * 3
    diamonds = Graph.from_edges(
        np.concatenate([corner, corner, corner + 1, corner + 2]),
        np.concatenate([corner + 1, corner + 2, corner + 3, corner + 3]),
        directed=True,
    )
    for graph in (HUB, ARCS, STAR, diamonds):
        n = graph.num_vertices
        sources = np.arange(5) * (n // 5)
        for mode, most in (("out", None), ("in", 2), ("both", 1)):
            found, zeros = np.full((5, n), -1), graph.full(0.0)
            agree("explore", graph, sources, note_depth, found, mode=mode, max_depth=most)
            agree("explore", graph, sources, carry, (), paths=True, sums=zeros, mode=mode)
        agree("explore", graph, sources, pass_depth, (), sums=graph.full(1.0))
        agree("explore", graph, sources, note_share, found * 1.0, paths=True)
        over = {"paths": True, "each": "edge"}
        agree("explore", graph, sources, carry_on, (), sums=np.zeros(graph.num_arcs), **over)
        agree("explore", graph, sources, tally_edge, np.zeros(graph.num_arcs), **over)


def note_depth(v, search, depth, found):
    found[search, v] = depth


def note_share(v, search, depth, paths, share, found):
    found[search, v] = paths * share + depth


def pass_depth(v, search, depth):
    return 0.5 * depth + search


def carry(v, search, depth, paths, share):
    return paths * share


def carry_on(u, v, edge, search, paths, share):
    return paths * share + u - v


def tally_edge(u, v, edge, search, paths, share, calls):
    ew.atomic.add(calls, edge, paths * share)


def use_library(v, words, kept, shares, numbers, seed):
    """All that `edgewise` offers to functions."""
    words[v] = ew.random.bits(seed, v, 3, -v)
    shares[v] = ew.random.uniform(seed, v)
    numbers[v] = ew.random.integer(v + 1, seed)
    ew.atomic.bit_or(words, v, 1)
    ew.atomic.bit_and(kept, 0, ~(np.int64(1) << v % 9))


def count_call(v, calls, factor):
    calls[v] += factor


def count_by_name(v, counts):
    counts.calls[v] += counts.factor


def is_counted(v, least, counts):
    return counts.calls[v] * counts.factor > least


def weighed_by_name(weight, scale):
    return weight * scale.factor


def keep_by_name(v, total, counts, scale):
    counts.calls[v] = total * counts.factor + scale.calls[0]


def count_ends(source, target, edge, calls, sums):
    calls[edge] += 1
    sums[edge] = 1000 * source + target


def is_large(v, values, bound):
    return values[v] >= bound


def digit(member, values, step):
    return values[member] // step - 1


def is_third(member):
    return member % 3 == 0


def times(v, a, b):
    return a[v] * b[v]


def intersections():
    """`intersect`: all mode and given pairs, short lists and long ones, counted and listed."""
    agree("intersect", HUB)
    agree("intersect", HUB, None, None, (), ordered=True, lists=True)
    for graph in (HUB, ARCS):
        agree("intersect", graph, vertices=True, ordered=graph is HUB)
    agree("intersect", ARCS, None, note, np.zeros(ARCS.num_vertices, np.int64), each=False)
    pairs = np.array([0, 1, 0, 0, 3, 22]), np.array([0, 2, 7, 22, 4, 21])
    agree("intersect", HUB, pairs, note, np.zeros(HUB.num_vertices, np.int64))
    agree("intersect", HUB, pairs, lists=True)
    agree("intersect", HUB, frontier(HUB, edges=[1, 30, 31]))
    agree("intersect", HUB, message=of_both, reduce=ADD, dtype=np.float64, ordered=True)
    told = {"message": of_some, "reduce": MAX, "params": {"least": 3}}
    agree("intersect", HUB, pairs, **told)
    agree("intersect", ARCS, None, None, (), weights=None, message=of_each, reduce=ADD,
          params={"sizes": ARCS.row_lengths()}, dtype=np.float32)  # fmt: skip


def note(u, v, common, seen):
    atomic.add(seen, common, u + 1)
    atomic.add(seen, v, 1)


def building():
    """Edges of the device made into graphs, rows oriented, graphs drawn there."""
    from edgewise import generators
    from edgewise.generators import cuda as there
    from edgewise.graph.cuda.build import from_device_edges

    rng = np.random.default_rng(0)
    us, vs = rng.integers(0, 9, (2, 30))
    lengths = rng.integers(1, 9, 30) / 4
    for options in (
        {},
        {"directed": True, "self_loops": "drop"},
        {"weights": lengths},
        {"weights": lengths, "duplicates": "min", "directed": True},
        {"weights": lengths, "symmetrize": "intersection", "duplicates": "max"},
        {"symmetrize": "intersection", "self_loops": "drop"},
    ):
        equal(from_device_edges(Graph, us, vs, **options), Graph.from_edges(us, vs, **options))
    equal(there.rmat(3, edge_factor=4, seed=1), generators.rmat(3, edge_factor=4, seed=1))
    equal(there.urand(3, edge_factor=2, seed=2), generators.urand(3, edge_factor=2, seed=2))
    for directed in (False, True):
        drawn = {"directed": directed, "seed": 3}
        equal(there.gnm_random(7, 9, **drawn), generators.gnm_random(7, 9, **drawn))
    equal(there.random_bipartite(3, 4, m=6), generators.random_bipartite(3, 4, m=6))
    equal(there.grid_2d(3, 4), generators.grid_2d(3, 4))
    for how in ("union", "intersection"):
        both = {"reciprocal": how == "intersection"}
        equal(ARCS.to("cuda").to_undirected(**both), ARCS.to_undirected(**both))
    found, wanted = orient(STAR.to("cuda")), orient(STAR)
    equal(found.rows, wanted.rows)
    order = found.order.get() if hasattr(found.order, "get") else found.order
    _compare(wanted.order, order, "orient")


def contracting():
    """Groups of every size, with and without weights, by words and by a monoid."""
    for graph in (HUB, ARCS, HUB.with_weights(None), ARCS.with_weights(np.arange(ARCS.num_edges))):
        groups = np.arange(graph.num_vertices) // 3 * 2
        for options in (
            {},
            {"reduce": "min"},
            {"reduce": ADD, "self_loops": "drop"},
            {"reduce": LAST},
        ):
            equal(
                graph.to("cuda").contract(groups, **options).graph,
                graph.contract(groups, **options).graph,
            )
    few = HUB.full(-7, np.int32)
    equal(HUB.to("cuda").contract(few).graph, HUB.contract(few).graph)


#: Keeps the last of the weights, in the order of the mode.
LAST = Monoid(0, lambda old, new: new)


def equal(found, wanted):
    assert found.device == "cuda:0"
    if RUNNING:
        assert found.to("cpu") == wanted


def matchings():
    """In one kernel, by proposals (`for_rows`), and with edges that stay in host memory."""
    from edgewise.algorithms.matching.locally_dominant import match_free
    from edgewise.algorithms.matching.out_of_core import match_in_batches
    from edgewise.algorithms.matching.suitor import propose_all

    for weights in ("weight", None):
        agree(match_free, HUB, HUB.full(-1, np.int32), weights)
    agree(propose_all, HUB, HUB.full(-1, np.int32), HUB.weights)
    for batches in (2, 3):  # all rows at once, and by rounds
        here, there = HUB.full(-1, np.int32), HUB.full(-1, np.int32)
        match_in_batches(HUB, there, "weight", batches, "cuda")
        if RUNNING:
            match_free(HUB, here, "weight")
            _compare(here, there, "match_in_batches")


#: What makes some algorithms do less.
SHORT = {"k": 2, "tol": 1e-3, "runs": 2}


def algorithms():
    """The algorithms of the table, in the simulator alone: they bring no kernels of their own."""
    from tests.algorithms.test_cuda import ROWS, check

    for row in ROWS:
        known = signature(row.load()).parameters
        taken = {*row.needs, *(["k"] if "parts" in row.needs else [])}
        named = [name for name in known if name not in taken]
        options = {name: SHORT[name] for name in named if name in SHORT}
        options |= {"method": "greedy"} if row.returns == "seeds" else {}
        options |= {"max_iter": 1} if "leiden" in row.name else {}
        for graph in (HUB, ARCS):
            check(row, graph, **options)


def small_levels():
    """Communities whose levels, all or but the first, are left to CPU threads."""
    from edgewise.algorithms import communities
    from edgewise.algorithms.communities import hierarchy
    from tests.algorithms.test_cuda import host

    usual, club = hierarchy.SMALL, ew.generators.karate_club()
    try:
        for hierarchy.SMALL in (club.num_arcs, club.num_arcs + 1):
            same = {"deterministic": True}
            for find, options in ((communities.louvain, same), (communities.leiden, same),
                                  (communities.infomap, {}), (communities.ecg, same),
                                  (communities.leiden, same | {"objective": "constant_potts"}),
                                  (communities.louvain_partitions, same),
                                  (communities.leiden_partitions, same)):  # fmt: skip
                there, here = find(club.to("cuda"), **options), find(club, **options)
                if find.__name__.endswith("_partitions"):
                    there, here = np.stack([*map(host, there.levels)]), np.stack(here.levels)
                np.testing.assert_array_equal(host(there), here)
    finally:
        hierarchy.SMALL = usual


def columned():
    """Columns as weights and as masks, and parts of graphs that carry them."""
    from tests.algorithms.test_cuda import host

    for graph in (HUB, ARCS):
        m, n = graph.num_edges, graph.num_vertices
        graph = graph.with_columns(
            edges={"km": np.arange(m) % 7 + 0.5, "line": [f"line {i % 3}" for i in range(m)]},
            vertices={"age": np.arange(n) % 5},
        )
        there = graph.to("cuda")
        far, old = there.edges["km"] > 3, there.vertices["age"] > 1
        masks = {"edges": host(far), "vertices": host(old)}
        for found, wanted in (
            (there.where(edges=far), graph.where(edges=host(far))),
            (
                there.where(edges=far, vertices=old),
                graph.where(**masks),
            ),
            (there.subgraph(there.xp.asarray([5, 2, 0, 3])), graph.subgraph([5, 2, 0, 3])),
        ):
            equal(found, wanted)
            assert found.columns == wanted.columns
            np.testing.assert_array_equal(host(found.edges["km"]), wanted.edges["km"])
        distance = ew.sssp(there, 0, weights="km").distance
        np.testing.assert_allclose(host(distance), ew.sssp(graph, 0, weights="km").distance)


def measures():
    """Orders as they are measured, and graphs permuted there."""
    from edgewise import ordering

    for graph in (HUB, ARCS):
        order, there = ordering.random_order(graph, seed=2), graph.to("cuda")
        assert there.permute(there.xp.asarray(order)).to("cpu") == graph.permute(order)
        for name in ("linear_arrangement", "log_arrangement", "bandwidth", "profile",
                     "linear_gap", "log_gap", "line_span"):  # fmt: skip
            measure = getattr(ordering, name)
            np.testing.assert_allclose(measure(there, order), measure(graph, order), rtol=1e-12)


def joining():
    """What `rabbit` joins in rounds."""
    from edgewise.algorithms.ordering.joining import joined_in_rounds
    from tests.algorithms.test_cuda import host

    for graph in (HUB, ew.generators.karate_club()):
        queue, there = (
            np.argsort(graph.row_lengths(), kind="stable").astype(np.int32),
            graph.to("cuda"),
        )
        found = joined_in_rounds(there, there.xp.asarray(queue))
        for one, other in zip(found, joined_in_rounds(graph, queue), strict=True):
            np.testing.assert_array_equal(host(one), other)


def wide_paths():
    """Counts of paths as they are kept where there are more than a float can hold."""
    from edgewise.algorithms.centrality import path_counts
    from edgewise.algorithms.traversal.bfs import bfs
    from tests.algorithms.test_cuda import host

    for graph in (HUB, ARCS):
        found = []
        for on in (graph, graph.to("cuda")):
            depth = bfs(on, 0).distance
            counts = path_counts._wide_counts(on, 0, depth, path_counts._heights(on, depth))
            found.append([host(counts.paths), host(counts.share)])
        np.testing.assert_allclose(found[1], found[0], rtol=1e-12)


def nearest():
    """Points on a line twice, far from it, and beside: ties, negative products, several parts."""
    from edgewise.apps import nearest_neighbors
    from tests.algorithms.test_cuda import host

    points = np.column_stack([np.arange(40.0) % 13, np.arange(40.0) // 13 * 100])
    there = nearest_neighbors(points, 5, device="cuda")
    if RUNNING:
        here = nearest_neighbors(points, 5)
        np.testing.assert_array_equal(host(there.indices), here.indices)
        np.testing.assert_allclose(host(there.distances), here.distances)


def alignments():
    """Two small graphs: the votes and the matching of each round."""
    from edgewise.apps import align_graphs

    if RUNNING:  # the kernels are those of products and matchings
        first = ew.generators.barabasi_albert(12, 2, seed=1)
        second = first.permute(np.roll(np.arange(12), 5))
        there = align_graphs(first.to("cuda"), second.to("cuda"), max_iter=2)
        here = align_graphs(first, second, max_iter=2)
        np.testing.assert_array_equal(host(there.vertices), here.vertices)
        assert there.rounds == here.rounds


def proteins():
    """Pairs of one pass and of several, empty alignments, and every method of alignment."""
    from edgewise.apps.cuda.smith_waterman import scores_of
    from edgewise.apps.proteins.alignment import _costs, align_proteins, alignment_scores
    from edgewise.apps.proteins.seeds import seed_pairs
    from edgewise.apps.proteins.sequences import encoded
    from edgewise.base.cuda.device import simulated

    draw = np.random.default_rng(5)
    sizes = [1, 3, 4, 5, 8, 9, 17] if simulated() else [1, 30, 128, 200, 380, 500, 2500]
    texts = ["".join(draw.choice(list("ARNDWCXB*"), size)) for size in sizes]
    sequences = encoded({str(i): text for i, text in enumerate([*texts, "W" * 12, "D" * 12])})
    left, right = (side.ravel() for side in np.indices((len(texts) + 2,) * 2))
    there = alignment_scores(sequences, left, right, device="cuda")
    one_by_one = scores_of(sequences, left, right, _costs(11, 1), lanes=1)
    seeds = np.minimum(np.stack([left, right], axis=1), 1)
    ways = {
        "full": {},
        "banded": {"seeds": seeds, "band": 3},
        "xdrop": {"seeds": seeds, "drop": 20},
    }
    both = [
        [align_proteins(sequences, left, right, method=method, device=device, **how)
         for method, how in ways.items()]
        for device in ("cpu", "cuda")
    ]  # fmt: skip
    given = {"k": 2, "alphabet": "murphy10", "num_shapes": 2, "max_sequences": 6, "memory": 256}
    candidates = [seed_pairs(sequences, **given, device=device)[1] for device in ("cpu", "cuda")]
    if RUNNING:
        np.testing.assert_array_equal(there, both[0][0].score)
        np.testing.assert_array_equal(one_by_one, both[0][0].score)
        np.testing.assert_array_equal(both[0], both[1])
        for one, other in zip(*candidates, strict=True):
            np.testing.assert_array_equal(one, other)


def _some_ends():
    """Sources and destinations of 50 packets, among them a scan, and the largest ids there are."""
    ends = np.random.default_rng(3).integers(0, 9, (2, 50)).astype(np.uint32)
    ends[:, :6], ends[0, 30:45], ends[1, 30:45] = 2**32 - 1, 7, np.arange(15)
    return ends


def windows():
    """Some windows fill their tables, so that it takes more turns, and some come in parts."""
    from edgewise.sensing import Packets, TrafficMatrix, build_windows

    narrow = _some_ends()
    wide, same = narrow.astype(np.uint64) << np.uint64(31), np.zeros((2, 40), np.uint32)
    uneven = np.array([0, 0, 1, 23, 23, 50])
    for ends, size in ((narrow, 45), (narrow, uneven), (wide, 20), (wide, uneven), (same, 1)):
        here = build_windows(Packets(*ends), size)
        there = build_windows(Packets(*ends), size, device="cuda")
        for one, other in ((here, there), (here.doubled(), there.doubled())):
            other = other.to("cpu")
            if RUNNING:
                for name in ("links", "quantities", "distributions", "bounds"):
                    _compare(getattr(one, name), getattr(other, name), name)
        equal(there.total(), here.total())
    matrix = TrafficMatrix.from_links([1, 1, 2], [5, 6, 5], [2**40, 3 * 2**31, 2**31 + 7])
    found = matrix.to("cuda").quantities()
    if RUNNING:
        assert found == matrix.quantities()


def running_sums():
    """A table of links that grows."""
    from edgewise.base.cuda.device import array_module
    from edgewise.sensing import Packets, build_windows
    from edgewise.sensing.cuda.running import Running
    from edgewise.sensing.cuda.windows import survey
    from tests.algorithms.test_cuda import host

    ends, sums = _some_ends(), Running(16)
    for count in (10, 50, 40):
        there = (array_module().asarray(column[-count:]) for column in ends)
        sums.add(survey(*there, np.array([0, 5, count])))
    found = tuple(map(host, sums.links()))
    if RUNNING:
        once = np.concatenate([ends[:, -count:] for count in (10, 50, 40)], axis=1)
        _compare(tuple(build_windows(Packets(*once), 100).links), found, "links")


def joins():
    """Pairs of sets for every kind of block, some with too many elements for any."""
    from edgewise.base.cuda.device import simulated
    from edgewise.join.corpus import corpus
    from edgewise.join.on_gpu import to_gpu
    from edgewise.join.verify import METHODS, SIMILARITIES, verify

    draw = np.random.default_rng(0)
    sizes = (0, 1, 3, 5, 6, 9) if simulated() else (0, 1, 15, 20, 30, 40, 60)
    sets = [["".join(draw.choice(["a", "b", "c"], 6)) for _ in range(size)] for size in sizes]
    sets[-1][:2] = "", "abc" * 30
    pairs = np.indices((len(sizes), len(sizes))).reshape(2, -1)
    found = {name: corpus(sets, metric=name) for name in SIMILARITIES}
    gpu = {name: to_gpu(one) for name, one in found.items()}
    for name, method, bound in itertools.product(SIMILARITIES, METHODS, ("lower", "upper")):
        here, there = found[name], gpu[name]
        options = {"threshold": 0.2, "metric": name, "method": method, "bound": bound}
        scores = verify(there, pairs, **options)
        if RUNNING:
            assert np.allclose(scores, verify(here, pairs, **options), 0, 1e-12, equal_nan=True)
    if RUNNING:
        here, there = (
            ew.join.fuzzy_join(sets, threshold=0.1, device=name) for name in ("cpu", "cuda")
        )
        for name in ("left", "right", "score"):
            _compare(getattr(here, name), getattr(there, name), name)


def kit():
    """What functions may call: bits, bisection, sorts and heaps of a few, open addressing."""
    size = 40 * HUB.num_vertices
    words = np.random.default_rng(0).integers(0, 60, size)
    agree("compute", HUB, None, use_kit, (words, np.zeros(size), np.zeros(size, np.int64)))


def use_kit(v, words, kept, found):
    """Of 40 numbers: sort them, keep the least ten in a heap, and enter them into a table."""
    low, high = 40 * v, 40 * v + 40
    for i in range(low, low + 12):
        word = np.uint64(words[i]) << np.uint64(i - low)
        found[i] = count_bits(word) + 100 * bit_length(word)
        if word != np.uint64(0):
            found[i] += 10000 * lowest_bit(word)
    for i in range(low, high):
        if i < low + 10:
            RISE((kept, low), i - low, words[i] / 2)
        elif words[i] / 2 < kept[low]:
            SINK((kept, low), 0, 10, words[i] / 2)
    for i in range(10, 15):
        home = np.uint64(words[low + i]) & np.uint64(7)
        place, held = PROBE((found, low + 20), home, 7, words[low + i] + 1)
        found[low + 28 + i - 10] = 2 * place + np.uint64(held == 0)
    sort_few(words, low, high)
    found[low + 12] = lower_bound(words, low, high, 30)
    found[low + 13] = first_from(words, low + 1, high, 30)
    insert(words, low, high - 1, 30)


def learning():
    """Walks that train vectors; in the simulator, one after the other."""
    from edgewise.learning.skip_gram import Training, train_walk

    vectors, contexts = np.random.default_rng(0).uniform(-1, 1, (2, 5, 3))
    walks = np.array([[0, 1, 2, 1], [3, 4, -1, -1], [2, 0, 1, 4]])
    training = Training(vectors, contexts, np.arange(5), 2, 2, 0.1, 3, np.uint64(3))
    given = len(walks), train_walk, (training, walks, 0)
    there = _outcome("cuda", "for_each", given, {})[1][2][0]
    _attention()
    if RUNNING:
        here = _outcome("cpu", "for_each", given, {})[1][2][0]
        assert (here.vectors != vectors).all()
        np.testing.assert_allclose(there.vectors, here.vectors, rtol=1e-6)


def _attention():
    """Softmax and attention with two heads, their gradients, and products of two heads."""
    from edgewise.nn import Adjacency
    from edgewise.nn.head_products import head_products
    from edgewise.nn.row_softmax import attend, attend_gradients, softmax, softmax_gradient

    outcomes = []
    for device in ("cuda", "cpu")[: 1 + RUNNING]:
        adjacency = Adjacency(PATH.to(device), dtype="float64")
        matrix, draw = adjacency.matrix, np.random.default_rng(2)
        shapes = (9, 2, 3), (9, 2), (9, 2), (matrix.nnz, 2), (matrix.nnz, 2)
        *inputs, scores, given = (matrix.xp.asarray(draw.normal(size=one)) for one in shapes)
        weights = softmax(matrix, scores)
        found = attend(matrix, *inputs, 0.2)
        back = attend_gradients(matrix, adjacency.flipped, tuple(inputs), 0.2, weights,
                                (inputs[0], given))  # fmt: skip
        both = softmax_gradient(matrix, weights, scores), weights, *found, *back
        both += (head_products(matrix, inputs[0], found[0]),)
        outcomes.append([host(one) for one in both])
    for there, here in zip(*outcomes, strict=True) if RUNNING else ():
        np.testing.assert_allclose(there, here, atol=1e-12)


def is_later(data, item, other):
    return item > other


def item_at(data, i):
    return data[0][data[1] + np.int64(i)]


def put_item(data, i, item):
    data[0][data[1] + np.int64(i)] = item


def take_place(data, i, item):
    return atomic.cas(data[0], data[1] + np.int64(i), 0, item)


RISE, SINK = binary_heap(is_later, item_at, put_item, inner)
PROBE = probing(item_at, take_place, is_key, inner)


class Group(NamedTuple):
    """Who makes the calls, and the modules whose kernels must all have come up after that."""

    calls: list[Callable[[], None]]
    modules: list[str]


def _operators(*names):
    return [f"operators.cuda.{name}" for name in names]


def linalg():
    """Every function of `edgewise.linalg`; the long row is cut into many segments."""
    from tests.cuda.linalg_cases import linalg_results

    there = linalg_results("cuda", 300 if len(HUB) > 100 else 12)
    if not RUNNING:
        return [*there]
    here = linalg_results("cpu", 300 if len(HUB) > 100 else 12)
    for (got, name), (wanted, _) in zip(there, here, strict=True):
        assert np.array_equal(host(got), wanted), name


GROUPS = {
    "linalg": Group(
        [linalg],
        [
            f"linalg.cuda.{name}"
            for name in ("product_plan", "product_rows", "product_threads", "spmm", "spmspv")
        ],
    ),
    "rounds": Group([rounds, functions, peeling], _operators("traverse", "levels")),
    "priority": Group([priority], _operators("buckets")),
    "members": Group(
        [visits, members, budgets, matchings, searches, explorations],
        _operators(
            "visit",
            "row_plan",
            "compute",
            "filter",
            "multisplit",
            "reduce_all",
            "look_up",
            "deliver",
            "reach",
            "explore",
            "cover",
            "covered",
            "set_rows",
        )
        + ["algorithms.matching.cuda.locally_dominant"],
    ),
    "rows": Group(
        [rows, two_steps, duplicates],
        _operators("walk", "sweep", "long_tables", "unwind", "row_plan"),
    ),
    "building": Group(
        [intersections, building, contracting],
        [
            *_operators("intersect", "intersect_marks"),
            *("graph.cuda.build", "graph.cuda.contract", "graph.cuda.orient"),
            *("generators.cuda.kronecker", "generators.cuda.random_graphs"),
        ],
    ),
    "sensing": Group(
        [windows, running_sums],
        [
            f"sensing.cuda.{name}"
            for name in ("hash_partition", "bucket_tables", "reduce_by_key", "windows", "running")
        ],
    ),
    "joins": Group([joins], ["join.cuda.verify"]),
    "kit": Group([kit], []),
    "learning": Group([learning], []),
    "nearest": Group([nearest, alignments], ["apps.cuda.exact"]),
    "proteins": Group([proteins], ["apps.cuda.smith_waterman"]),
    "algorithms": Group([algorithms, small_levels, columned, measures, joining, wide_paths], []),
}
