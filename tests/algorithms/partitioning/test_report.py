"""The quality report and the picture of a partition."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise import Graph, partitioning as pt
from edgewise.generators import grid_2d, path
from tests.algorithms.samples import SHAPES, random_graph, shape


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_the_report_has_the_measures(name, directed):
    graph = shape(name, directed=directed)
    n = graph.num_vertices
    parts = np.arange(n) * 3 % 5
    found = pt.quality(graph, parts, k=6, vertex_weights=np.arange(n))
    assert found.k == 6
    assert found.edge_cut == pt.edge_cut(graph, parts)
    assert found.communication_volume == pt.communication_volume(graph, parts)
    assert found.imbalance == pt.imbalance(graph, parts, k=6, vertex_weights=np.arange(n))
    assert found.boundary == pt.boundary(graph, parts).sum()
    assert found.empty_parts == 6 - len(np.unique(parts))
    pieces = [graph.to_undirected() if directed else graph][0]
    apart = 0
    for part in np.unique(parts):
        inside = pieces.subgraph(np.flatnonzero(parts == part))
        apart += count_components(inside) > 1
    assert found.disconnected_parts == apart


def count_components(graph):
    seen, found = set(), 0
    for v in range(graph.num_vertices):
        found += v not in seen
        stack = [v]
        while stack:
            u = stack.pop()
            if u not in seen:
                seen.add(u)
                stack += graph.neighbors(u).tolist()
    return found


def test_max_volume_and_fractions():
    found = pt.quality(path(6).with_weights([1.0, 1, 4, 1, 1]), [0, 0, 0, 1, 1, 2])
    assert (found.edge_cut, found.cut_fraction) == (5.0, 5 / 8)
    assert (found.communication_volume, found.max_volume) == (4, 2)
    assert (found.boundary, found.boundary_fraction) == (4, 4 / 6)
    assert "62.50%" in str(found) and "disconnected parts" in str(found)


def test_no_graph_to_speak_of():
    found = pt.quality(Graph.from_edges([], [], num_vertices=0), [], k=2)
    assert found.empty_parts == 2 and found.edge_cut == 0 and str(found)
    found = pt.quality(Graph.from_edges([], [], num_vertices=3), [0, 0, 0])
    assert found.disconnected_parts == 1 and found.cut_fraction == 0


def test_pictures():
    pytest.importorskip("matplotlib")
    graph, places = grid_2d(8, 9), np.stack(np.divmod(np.arange(72), 9), axis=1)
    parts = (places[:, 1] > 3) * 2 + (places[:, 0] > 3)
    ax = pt.draw(graph, parts, coordinates=places)
    inside, cut = ax.collections[:2]
    assert len(cut.get_segments()) == pt.edge_cut(graph, parts)
    assert len(inside.get_segments()) + len(cut.get_segments()) == graph.num_edges
    assert len(np.unique(ax.collections[2].get_facecolors(), axis=0)) == 4
    assert pt.draw(graph, parts, coordinates=np.c_[places, np.zeros(72)], ax=ax) is ax
    with pytest.raises(ValueError, match="coordinates must have 2 or 3 columns, got 1"):
        pt.draw(graph, parts, coordinates=places[:, :1])
    with pytest.raises(ValueError, match=r"one row per vertex \(72\)"):
        pt.draw(graph, parts, coordinates=places[:5])
    with pytest.raises(ValueError, match=r"coordinates must be finite, got \[nan, 0.0\] in row 0"):
        pt.draw(graph, parts, coordinates=np.where(places + np.arange(2) == 0, np.nan, places))


def test_large_random_graph_against_networkx():
    nx = pytest.importorskip("networkx")
    graph = random_graph(300, 2000)
    parts = np.arange(300) % 2
    theirs = nx.cut_size(nx.Graph(list(zip(*graph.edges()[:2], strict=True))), {*range(0, 300, 2)})
    assert pt.edge_cut(graph, parts) == theirs
