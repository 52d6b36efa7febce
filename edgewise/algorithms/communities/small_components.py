"""Connected components of few edges in host memory, by SciPy: nothing is compiled for them."""

from __future__ import annotations

import numpy as np

__all__ = ["smallest_in_component"]


def smallest_in_component(left: np.ndarray, right: np.ndarray, n: int) -> np.ndarray:
    """The smallest vertex of the component of each of n vertices.

    >>> smallest_in_component(np.array([3, 1]), np.array([1, 4]), 5).tolist()
    [0, 1, 2, 1, 1]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    pairs = csr_array((np.ones(len(left), np.int8), (left, right)), shape=(n, n))
    labels = connected_components(pairs, directed=False)[1]
    first = np.unique(labels, return_index=True)[1]
    return first[labels]
