"""Programs of the folder `examples` that claim to run anywhere, on a grid and on a GPU."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from edgewise import generators
from tests.distributed.grids import on_ranks
from tests.operators.engines import no_gpu

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SHAPES = pytest.mark.parametrize("shape", [(1, 1), (2, 2)])


def program(name, function):
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))[function]


def check_colors(graph, color):
    sources, targets, _ = graph.arcs()
    assert (color[sources] != color[targets]).all()
    assert color.min() >= 0 and (color <= graph.degrees()).all()


def on_gpu(work, graph):
    if reason := no_gpu():
        pytest.skip(reason)
    return work(graph.to("cuda")).get()


@pytest.mark.slow
@SHAPES
def test_colors_on_a_grid(shape):
    graph = generators.rmat(6, edge_factor=4, seed=1)
    check_colors(graph, on_ranks(program("greedy_coloring", "greedy_colors"), shape, graph))


@pytest.mark.gpu
def test_colors_on_a_gpu():
    graph = generators.rmat(10, seed=1)
    check_colors(graph, on_gpu(program("greedy_coloring", "greedy_colors"), graph))


@pytest.mark.slow
@SHAPES
def test_communities_on_a_grid(shape):
    """Sums of whole numbers: every engine finds the same moves."""
    graph, one_level = generators.karate_club(), program("louvain_move", "one_level")
    np.testing.assert_array_equal(on_ranks(one_level, shape, graph), one_level(graph))


@pytest.mark.gpu
def test_communities_on_a_gpu():
    graph, one_level = generators.karate_club(), program("louvain_move", "one_level")
    np.testing.assert_array_equal(on_gpu(one_level, graph), one_level(graph))
