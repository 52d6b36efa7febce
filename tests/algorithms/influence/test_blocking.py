"""Hill climbing against outbreaks: what each removal saves, beside counting anew without it."""

import numpy as np
import pytest

from edgewise import Graph
from edgewise.algorithms.influence.blocking import climb
from edgewise.algorithms.influence.laws import EACH, Law
from edgewise.algorithms.influence.outbreaks import draw


def random_graph(seed, directed=True):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 14))
    ends = rng.integers(n, size=(2, int(rng.integers(1, 3 * n))))
    return Graph.from_edges(*ends, directed=directed, num_vertices=n)


def reached(graph, sources, gone=(), cut=()):
    """How many the sources reach, without some vertices and without some edges."""
    gone, cut = set(gone), set(cut)
    seen = {s for s in sources if s not in gone}
    todo = list(seen)
    while todo:
        v = todo.pop()
        for e in range(graph.indptr[v], graph.indptr[v + 1]):
            u = int(graph.indices[e])
            if u not in seen and u not in gone and e not in cut:
                seen.add(u)
                todo.append(u)
    return len(seen)


def certain(graph, sources, copies=2):
    """Outbreaks along all edges."""
    law = Law(EACH, np.ones(graph.num_arcs), np.zeros(0), 0.0, 0.0)
    return draw(graph, law, np.tile(sources, (copies, 1)), seed=3)


@pytest.mark.parametrize("seed", range(60))
def test_each_vertex_saves_whom_it_dominates(seed):
    graph = random_graph(seed)
    n, sources = graph.num_vertices, list(range(1 + seed % 2))
    forbidden = np.zeros(n, bool)
    chosen, gains = climb(graph, certain(graph, sources), len(sources), n, by_edge=False,
                          forbidden=forbidden)  # fmt: skip
    gone = []
    for v, gain in zip(chosen.tolist(), gains.tolist(), strict=True):
        before = reached(graph, sources, gone)
        saved = [before - reached(graph, sources, [*gone, u]) for u in range(n)]
        assert (gain, v) == (max(saved), int(np.argmax(saved)))
        gone.append(v)
    assert reached(graph, sources, gone) == 0


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_each_edge_saves_whom_it_alone_leads_to(seed, directed):
    graph = random_graph(seed, directed)
    sources = list(range(1 + seed % 2))
    both = [{e} for e in range(graph.num_arcs)]
    names = np.arange(graph.num_arcs)
    if not directed:
        both = [{e, int(graph.reverse_arc[e])} for e in range(graph.num_arcs)]
        names = np.minimum(names, graph.reverse_arc)
    outbreaks = certain(graph, sources)
    outbreaks = outbreaks._replace(edges=names[outbreaks.edges])
    chosen, gains = climb(graph, outbreaks, len(sources), 5, by_edge=True,
                          forbidden=np.zeros(graph.num_arcs, bool))  # fmt: skip
    cut = set()
    for e, gain in zip(chosen.tolist(), gains.tolist(), strict=True):
        before = reached(graph, sources, cut=cut)
        saved = [before - reached(graph, sources, cut=cut | pair) for pair in both]
        assert (gain, e) == (max(saved), int(np.argmax(saved)))
        cut |= both[e]
    if len(chosen) < 5:
        left = reached(graph, sources, cut=cut)
        assert all(reached(graph, sources, cut=cut | pair) == left for pair in both)
