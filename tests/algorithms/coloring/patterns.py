"""Patterns of matrices for the tests of colorings and derivatives."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays


def _arrow(n):
    table = sp.lil_array((n, n))
    table[0, :] = 1
    table[:, 0] = 1
    table.setdiag(2.0)
    return table.tocsr()


def _stencil(n):
    line = sp.diags_array([1.0, -2.0, 1.0], offsets=[-1, 0, 1], shape=(n, n))
    return sp.csr_array(sp.kron(line, sp.eye_array(n)) + sp.kron(sp.eye_array(n), line))


def _random(rows, columns, density, seed):
    return sp.random_array((rows, columns), density=density, rng=np.random.default_rng(seed))


#: Rectangular ones, odd ones, and those of discretized problems.
PATTERNS = {
    "nothing": sp.csr_array((0, 0)),
    "no rows": sp.csr_array((0, 3)),
    "no columns": sp.csr_array((3, 0)),
    "zeros": np.zeros((3, 4)),
    "full": np.ones((4, 5)),
    "one row": np.ones((1, 6)),
    "one column": np.ones((6, 1)),
    "identity": sp.eye_array(7),
    "banded": sp.diags_array([1.0, 2, 3, 4, 5], offsets=[-2, -1, 0, 1, 2], shape=(40, 40)),
    "stencil": _stencil(9),
    "arrow": _arrow(30),
    "wide": _random(20, 60, 0.08, 1),
    "tall": _random(60, 20, 0.08, 2),
    "dense row and column": sp.vstack([np.ones((1, 25)), _arrow(25), _random(10, 25, 0.1, 3)]),
}


@st.composite
def matrices(draw, *, most=8):
    """Any small matrix with entries 0 and 1."""
    shape = draw(st.tuples(st.integers(0, most), st.integers(0, most)))
    return draw(arrays.arrays(np.int8, shape, elements=st.integers(0, 1)))


def symmetric(matrix):
    """The union of the pattern of a square part and its transpose."""
    n = min(matrix.shape)
    part = sp.csr_array(matrix)[:n, :n]
    return sp.csr_array(part + part.T)
