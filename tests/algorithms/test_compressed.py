"""Algorithms give on compressed graphs what they give on plain ones; some without unpacking."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import edgewise as ew
from edgewise.algorithms import ALGORITHMS
from edgewise.base.bit_blocks import Blocks
from edgewise.cli.sample import run_on_sample
from edgewise.graph import Graph
from tests.tiers import later

#: Algorithms that read compressed rows as they are.
NATIVE = {
    "bfs": lambda graph: ew.bfs(graph, 0).distance,
    "connected_components": ew.connected_components,
    "pagerank": ew.pagerank,
    "triangle_count": ew.triangle_count,
    "louvain": ew.communities.louvain,
}


GUIDE = Path(__file__).parents[2] / "docs/guides/compressed.md"
#: Those that may unpack the neighbors, as the guide lists them.
UNPACKING = re.findall(r"`([a-z0-9_.]+)`", GUIDE.read_text().split("take 4 bytes per arc:")[1])


@pytest.fixture(scope="module")
def plain():
    return ew.generators.rmat(11, seed=5)


@pytest.mark.parametrize("name", ["bfs", *map(later, [*NATIVE][1:])])
def test_rows_are_read_as_they_are(name, plain, monkeypatch):
    packed = plain.compress()
    unpack = Blocks.unpack

    def starts_alone(blocks):
        assert blocks.size <= plain.num_vertices + 1, f"{name} unpacks the neighbors"
        return unpack(blocks)

    with ew.threads(1):
        expected = NATIVE[name](plain)
        monkeypatch.setattr(Blocks, "unpack", starts_alone)
        assert np.allclose(NATIVE[name](packed), expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("directed", [False, True])
def test_every_algorithm_takes_a_compressed_graph(directed, name, monkeypatch):
    """And only those that the guide lists unpack an undirected one."""
    row, unpack, sizes = ALGORITHMS[name], Blocks.unpack, []
    if ("undirected" if directed else "directed") in row.needs:
        pytest.skip(f"it needs {' and '.join(row.needs)}")
    weights = "float64" if "weights" in row.needs else None

    def noted(blocks):
        sizes.append(blocks.size)
        return unpack(blocks)

    with ew.threads(1):
        expected = run_on_sample(row, directed, weights)
        monkeypatch.setattr(Blocks, "unpack", noted)
        found = run_on_sample(row, directed, weights, Graph.compress)
        monkeypatch.undo()
    assert same(found, expected)
    starts = 513  # as many as the sample's row starts
    assert directed or name in UNPACKING or max(sizes, default=0) <= starts, "it unpacks neighbors"


def test_the_guide_lists_algorithms():
    assert len(UNPACKING) > 100 and {*UNPACKING} <= {*ALGORITHMS}


def same(a, b):
    """Equal results, of any kind, up to rounding."""
    if hasattr(a, "toarray"):
        a, b = a.toarray(), b.toarray()
    if isinstance(a, Graph) or not isinstance(a, (np.ndarray, tuple, list, dict)):
        return a == b or (a != a and b != b) or np.allclose(a, b)
    if isinstance(a, np.ndarray) and a.dtype != object:
        return a.shape == b.shape and np.allclose(a, b, equal_nan=True)
    pairs = (
        zip(a.items(), b.items(), strict=True) if isinstance(a, dict) else zip(a, b, strict=True)
    )
    return all(same(one, other) for one, other in pairs)
