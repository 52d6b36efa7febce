"""`reach`: each search against the same draws one by one in plain Python, and against chance."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from edgewise import Graph, random
from edgewise.base.threads import threads
from edgewise.operators import Sets
from edgewise.operators.jumps import TABLE, factors, gap_scales, log_steps, piece, stretched
from edgewise.operators.reaching import odds, own_seed, thresholds
from tests.operators import oracles
from tests.operators.engines import call, reach
from tests.operators.graphs import SMALL, random_graph

GRAPH = random_graph(300, 3000, 3)
TEAMS = pytest.mark.parametrize("team", [1, pytest.param(3, marks=pytest.mark.host)])
UNEVEN = (np.arange(GRAPH.num_arcs) * 7919 % 101) / 200
GOLDEN = 0x9E3779B97F4A7C15
STEPS = log_steps(lambda word: int(word).bit_length())


def rows_of(graph, mode):
    """For every vertex its (neighbor, edge) in order, and where its row begins."""
    rows = [[] for _ in range(graph.num_vertices)]
    for u, v, e in oracles.walked(graph, mode):
        rows[u].append((v, e))
    rows = [sorted(row) if mode != "both" else row for row in rows]
    return rows, np.cumsum([0, *map(len, rows)])


def drawn(seed, search, place):
    """`random.bits` in plain numbers, which is sooner done."""
    word = mixed(seed + GOLDEN) ^ search
    return mixed(mixed(word) + place * GOLDEN)


def mixed(word):
    word &= 2**64 - 1
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return word ^ (word >> 31)


def each_live(row, begin, units, seed, search):
    """The neighbors along live mode, in jumps by the greatest chance of the row."""
    top = max(units, default=0)
    if top == 0:
        return
    factor, length = factor_of(top)
    for start in range(0, len(row), length):
        place, stop = start, min(start + length, len(row))
        while place < stop:
            word = drawn(seed, search, begin + place)
            place += int(stretched(np.uint64(STEPS(np.int64(word >> 32), TABLE)), factor))
            if place >= stop:
                break
            if (word & 0xFFFFFFFF) * top >> 32 < units[place]:
                yield row[place][0]
            place += 1


@cache
def factor_of(top):
    factor = factors(gap_scales(np.array([top], np.uint32)))[0]
    return factor, int(piece(factor))


def one_live(row, begin, units, seed, search):
    """The neighbor along the one live edge, if there is one."""
    word = drawn(seed, search, begin) >> 32
    if len(set(units)) == 1:
        place = int(stretched(np.uint64(word), factors(1.0 / np.array(units[:1]))[0]))
    else:
        sums = np.minimum(np.cumsum(units), 0xFFFFFFFF)
        place = next((i for i, s in enumerate(sums) if s > word or s == 0xFFFFFFFF), len(row))
    if place < len(row):
        yield row[place][0]


def searched(graph, starts, chances, live, *, mode="in", seed=0, first=0):
    """The sets, one search after another."""
    rows, begins = rows_of(graph, mode)
    seed, begins = int(own_seed(seed)), begins.tolist()
    units, found = thresholds(graph, chances).tolist(), []
    chance = [[units[e] for _, e in row] for row in rows]
    for i, start in enumerate(starts):
        seen, fresh = set(), np.atleast_1d(start).tolist()
        while fresh:
            v = fresh.pop()
            if v not in seen:
                seen.add(v)
                fresh += live(rows[v], begins[v], chance[v], seed, first + i)
        found.append(sorted(seen))
    return found


def lists(sets):
    indptr, ids = sets.members()
    return [ids[indptr[i] : indptr[i + 1]].tolist() for i in range(len(sets))]


def test_the_draws_are_those_of_the_package():
    for ids in ((0, 0, 0), (7, 3, 12), (2**64 - 1, 2**40, 5)):
        assert drawn(*ids) == int(random.bits(*ids))


@TEAMS
def test_each_search_as_it_is_drawn(team):
    starts = np.arange(60) * 5 % 300
    with threads(team):
        for chances in (0.05, 0.2, UNEVEN):
            found = reach(GRAPH, starts, chances, seed=3)
            assert lists(found) == searched(GRAPH, starts, chances, each_live, seed=3)


@TEAMS
def test_at_most_one_edge_of_each_vertex(team):
    starts = np.arange(120) * 5 % 300
    even = 1 / np.maximum(GRAPH.row_lengths(), 1)[GRAPH.indices]
    uneven = UNEVEN / np.bincount(GRAPH.indices, UNEVEN, 300)[GRAPH.indices]
    with threads(team):
        for chances in (even, 0.8 * uneven):
            found = reach(GRAPH, starts, chances, take="one", seed=3)
            assert lists(found) == searched(GRAPH, starts, chances, one_live, seed=3)


@pytest.mark.parametrize("mode", ["out", "in", "both"])
def test_edges_of_small_graphs(mode):
    for name, graph in SMALL.items():
        chances = (np.arange(graph.num_arcs) % 3) / 2  # never, sometimes, always
        starts = np.arange(graph.num_vertices)
        options = {"mode": mode, "seed": 1}
        found = reach(graph, starts, chances, **options)
        assert lists(found) == searched(graph, starts, chances, each_live, **options), name


def test_several_starts_and_numbers():
    """A pair of arrays has several starts; a search draws by its number alone."""
    indptr, ids = np.array([0, 2, 2, 5]), np.array([4, 9, 7, 7, 1])
    found = reach(GRAPH, (indptr, ids), 0.1, seed=2, first=40)
    rows = [ids[a:b] for a, b in itertools.pairwise(indptr)]
    assert lists(found) == searched(GRAPH, rows, 0.1, each_live, seed=2, first=40)
    starts = np.arange(60)
    whole = lists(reach(GRAPH, starts, 0.1))
    assert whole[20:] == lists(reach(GRAPH, starts[20:], 0.1, first=20))


@TEAMS
def test_starts_are_drawn(team):
    with threads(team):
        found = reach(GRAPH, 90, 0.1, seed=2, first=7)
    starts = random.integer(300, own_seed(2), np.arange(7, 97), -1)
    assert lists(found) == searched(GRAPH, starts, 0.1, each_live, seed=2, first=7)


def test_sets_grow():
    def in_two_calls(graph, starts):
        known = odds(graph, 0.1)
        sets = reach_of(graph, starts[:700], known)
        return reach_of(graph, starts[700:], known, out=sets)

    from edgewise.operators import reach as reach_of

    starts = np.arange(2000) % 300
    found = call(in_two_calls, GRAPH, starts)
    assert lists(found) == lists(reach(GRAPH, starts, 0.1))


@TEAMS
def test_memory_is_bounded(team):
    starts = np.arange(2000) % 300
    whole = reach(GRAPH, starts, 0.1)
    with threads(team):
        part = reach(GRAPH, starts, 0.1, memory=whole.nbytes // 2)
        assert 0 < len(part) < 2000 and part.nbytes <= whole.nbytes // 2
        assert lists(part) == lists(whole)[: len(part)]
        more = reach(GRAPH, starts[: len(part) + 1], 0.1)
        assert more.nbytes > whole.nbytes // 2  # one more would not fit
        assert len(reach(GRAPH, starts, 0.1, memory=1)) == 0


@TEAMS
def test_large_sets(team):
    """Bitmaps, and lists longer than are sorted by insertion, in a graph of several words."""
    ring = np.arange(5000)
    graph = Graph.from_edges(ring, (ring + 1) % 5000, directed=True)
    with threads(team):
        found = reach(graph, [0, 4000, 17], 1.0)
        assert lists(found) == [ring.tolist()] * 3
        assert found.nbytes == 3 * (2 + 625 + 8)
        found = reach(graph, ring[:50], 0.99, mode="out", seed=5)
        assert lists(found) == searched(graph, ring[:50], 0.99, each_live, mode="out", seed=5)


def test_chances_are_as_they_should_be():
    """On a tiny graph, the share of searches that reach a vertex, against all live-edge graphs."""
    ends = [0, 0, 1, 2, 3, 1], [1, 2, 3, 3, 0, 2]
    graph = Graph.from_edges(*ends, directed=True)
    for chances in (np.full(6, 0.3), np.array([0.9, 0.1, 0.5, 0.01, 0.6, 0.25])):
        exact = np.zeros(4)
        for live in itertools.product([0, 1], repeat=6):
            chance = np.prod(np.where(live, chances, 1 - chances))
            reached = {0}
            for _ in range(4):
                every = zip(*arcs(graph), live, strict=True)
                reached |= {v for u, v, on in every if on and u in reached}
            exact[list(reached)] += chance
        turns = 3000
        found = reach(graph, np.zeros(turns, np.int64), chances, mode="out", seed=8)
        share = np.bincount(found.members()[1], minlength=4) / turns
        assert (np.abs(share - exact) <= 4.5 * np.sqrt(exact * (1 - exact) / turns) + 1e-9).all()


def arcs(graph):
    sources, targets, _ = graph.arcs()
    return sources.tolist(), targets.tolist()


def test_jumps_are_geometric():
    """A star's center backward: how many edges are live, and which."""
    star = Graph.from_edges(np.arange(1, 301), np.zeros(300, int), directed=True)
    turns = 4000
    for chance in (0.002, 0.02, 0.5):
        found = reach(star, np.zeros(turns, np.int64), chance, seed=1)
        hits = np.bincount(found.members()[1], minlength=301)[1:]
        spread = np.sqrt(turns * chance * (1 - chance))
        assert (np.abs(hits - turns * chance) <= 4.8 * spread).all()
        total = 300 * turns * chance
        assert abs(hits.sum() - total) <= 4.5 * np.sqrt(300) * spread
        live = found.sizes - 1
        assert np.isclose(live.var(), 300 * chance * (1 - chance), rtol=0.15)


def test_what_is_refused():
    for chances, error, said in (
        (1.5, ValueError, "chances must lie in 0 to 1, got 1.5"),
        (np.full(GRAPH.num_arcs, np.nan), ValueError, "chances must lie in 0 to 1, got nan"),
        (np.ones(3), TypeError, "chances must be Odds, a number or an array over arcs"),
        ("half", TypeError, "chances must be Odds, a number or an array over arcs"),
        ([[0.1], [0.2, 0.3]], TypeError, "chances must be Odds, a number or an array over arcs"),
    ):
        with pytest.raises(error, match=said):
            reach(GRAPH, [0], chances)
    for starts, error in (([300], ValueError), ([-1], ValueError), ([0.5], TypeError)):
        with pytest.raises(error, match="sources must be vertex ids"):
            reach(GRAPH, np.array(starts), 0.1)
    with pytest.raises(TypeError, match="sources must be vertex ids"):
        reach(GRAPH, [[1], [2, 3]], 0.1)
    with pytest.raises(ValueError, match=r"sources\[0\] must rise from 0"):
        reach(GRAPH, (np.array([0, 2]), np.array([1])), 0.1)
    with pytest.raises(ValueError, match="sources must be so few that their sets fit .* of memory"):
        reach(GRAPH, 2**62, 0.5)
    assert 0 < len(reach(GRAPH, 2**62, 0.5, memory=10_000)) < 1000, "which ends it"
    with pytest.raises(ValueError, match="sources must be 0 in a graph without vertices, got 5"):
        reach(SMALL["empty"], 5, 0.1)
    with pytest.raises(ValueError, match="take must be one of 'each', 'one', got 'two'"):
        reach(GRAPH, [0], 0.1, take="two")
    with pytest.raises(ValueError, match="chances must add up to at most 1 at a vertex"):
        reach(GRAPH, [0], 0.9, take="one")
    with pytest.raises(ValueError, match="out must be Sets of this graph's vertices"):
        reach(GRAPH, [0], 0.1, out=Sets(7))


def test_never():
    for take in ("each", "one"):
        assert reach(GRAPH, [5, 0], 0.0, take=take).sizes.tolist() == [1, 1]


def test_nothing_to_search():
    found = reach(GRAPH, np.empty(0, np.int64), 0.1)
    assert len(found) == 0 and found.sizes.tolist() == []
