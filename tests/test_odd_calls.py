"""Public constructors, operators, methods and generators, called oddly; see `tests.odd_calls`."""

import json
import subprocess
import sys

import numpy as np
import pytest

from edgewise import generators, operators as ops
from edgewise.graph import Graph
from tests.conftest import ROOT

GRAPH = generators.path(6)


def check(seed, count):
    command = [sys.executable, "-m", "tests.odd_calls", str(seed), str(count)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]  # the last call before a crash stands there
    assert json.loads(done.stdout) == []


def test_odd_calls():
    check(0, 400)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 6))
def test_many_odd_calls(seed):
    check(seed, 4000)


@pytest.mark.parametrize("wrong", [[2 * 10**9], [11], [-1], [2**40], [-(2**32)]])
@pytest.mark.parametrize("kind", ["vertices", "edges"])
def test_members_that_are_not_there(wrong, kind):
    """These led kernels out of their arrays."""
    size = GRAPH.num_vertices if kind == "vertices" else GRAPH.num_arcs
    with pytest.raises(ValueError, match=rf"ids must be ids from 0 to {size - 1}, got {wrong[0]}"):
        ops.Frontier(size, ids=wrong, kind=kind)
    with pytest.raises(ValueError, match=f"{kind} must be ids from 0"):
        ops.frontier(GRAPH, **{kind: wrong})


def test_frontiers_are_checked():
    assert ops.Frontier(6, ids=[3, 1, 3]).ids.tolist() == [1, 3]
    assert ops.Frontier(6, ids=[3, 1]).ids.dtype == np.int32
    assert ops.Frontier(3, ids=[True, False, True]).ids.tolist() == [0, 2]
    with pytest.raises(ValueError, match="bits must be 2 words of uint64"):
        ops.Frontier(70, bits=np.zeros(1, np.uint64))
    with pytest.raises(ValueError, match="bits must be zero beyond the first 3"):
        ops.Frontier(3, bits=np.array([9], np.uint64))
    with pytest.raises(TypeError, match="size must be a whole number"):
        ops.Frontier("a", ids=[])
    one = ops.frontier(GRAPH, [5])
    assert 5 in one and -1 not in one and 99 not in one and "a" not in one


@pytest.mark.parametrize("value", [-(2**32), 2**32, -(2**31) - 1])
def test_indices_do_not_wrap(value):
    with pytest.raises(ValueError, match=f"indices must fit int32, got {value}"):
        Graph([0, 1], [value])
    with pytest.raises(ValueError, match="indptr must fit int64"):
        Graph(np.array([0, 2**63], np.uint64), [0])


def test_operators_want_a_graph():
    with pytest.raises(TypeError, match="graph must be a Graph .* got list"):
        ops.compute([[0, 1]], None, lambda v, a: None, np.zeros(2))
    with pytest.raises(TypeError, match="got scipy's csr_array"):
        ops.compute(GRAPH.to_scipy(), None, lambda v, a: None, np.zeros(2))


def test_sizes_beyond_all_graphs():
    with pytest.raises(ValueError, match="height must leave at most"):
        generators.balanced_tree(2, 40)
    with pytest.raises(ValueError, match="bell must be at most 2147483648"):
        generators.barbell(2**63, 0)
    assert generators.ladder(np.int8(100)).num_vertices == 200
