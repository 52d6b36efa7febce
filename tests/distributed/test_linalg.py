"""Products of `edgewise.linalg` with graphs on a grid."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.generators import rmat
from edgewise.linalg import Semiring, spmm, spmspv, spmv
from edgewise.linalg.vectors import SparseVector
from tests.distributed.grids import check, over_vertices, spotted
from tests.operators.graphs import weighted
from tests.tiers import later

GRAPHS = [rmat(5, seed=3), weighted([0, 1, 1, 3], [1, 2, 3, 0], directed=True)]
WIDEST = Semiring(lambda a, b: max(a, b), lambda a, b: min(a, b), zero="lowest")


@pytest.mark.parametrize("semiring", ["min_plus", later("max_second"), later(WIDEST)])
@pytest.mark.parametrize("transpose", [False, True])
def test_spmv_on_a_grid(semiring, transpose):
    def work(graph):
        return spmv(graph, over_vertices(graph, spotted), semiring, transpose=transpose)

    check(work, GRAPHS, (2, 2))


def test_a_mask_on_a_grid():
    def work(graph):
        values = over_vertices(graph, spotted)
        return spmv(graph, values, "min_plus", mask=values > 3, complement=True)

    check(work, GRAPHS, (2, 2))


def test_spmm_on_a_grid():
    def work(graph):
        n = graph.num_vertices
        whole = np.stack([spotted(np.arange(n)), spotted(np.arange(n)) + 1], 1).astype(float)
        if graph.engine == "local":
            return spmm(graph, whole, "min_plus")
        with pytest.raises(TypeError, match=r"graph.share\(array\) make, got ndarray"):
            spmm(graph, whole, "min_plus")
        return spmm(graph, graph.share(whole), "min_plus")

    check(work, GRAPHS, (2, 2))


def test_other_products_say_that_they_run_on_one_device():
    def work(graph):
        if graph.engine != "local":
            with pytest.raises(ValueError, match="matrix must be on one device"):
                spmspv(graph, SparseVector(4, [0], [1]))
        return over_vertices(graph, spotted)

    check(work, GRAPHS[:1], (2, 2))
