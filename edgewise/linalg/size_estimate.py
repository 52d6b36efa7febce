"""Estimates of the number of entries of a sparse product, by Cohen's random keys [1].

Each column of the right operand draws random keys of the exponential distribution. The smallest key
among the columns that a row of the product reaches tells how many these are: the minimum of k such
keys has the mean 1 / k. Two products with dense blocks, over the smallest, give all rows at once.

[1] E. Cohen. Structure prediction and the computation of matrix products. Journal of Combinatorial
    Optimization 2, 1998.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_count
from edgewise.base.random import check_seed, uniform
from edgewise.linalg.dense_products import spmm
from edgewise.linalg.matrix import as_matrix
from edgewise.linalg.operands import check_product

__all__ = ["spgemm_sizes"]

#: No key is smaller.
_TINY = 2.0**-60


def spgemm_sizes(left: Any, right: Any, *, samples: int = 64, seed: int = 0) -> Any:
    """Return estimates of the number of entries in each row of a sparse product.

    Parameters
    ----------
    left, right : Matrix, Graph or sparse matrix
        The operands of `spgemm`. Their values do not matter.
    samples : int
        The number of random keys per column, at least 3. An estimate deviates from the number by
        a factor of about 1 / sqrt(samples - 2).
    seed : int
        The seed of the keys.

    Returns
    -------
    array of float64 over the rows of ``left``
        On the device of ``left``. Rows that have no entries are 0.

    Notes
    -----
    O(samples * (nnz(left) + nnz(right))) time, however many products there are. The estimates
    have no bias. `edgewise.communities.markov_clustering` chooses batches of rows by them.

    References
    ----------
    E. Cohen. Structure prediction and the computation of matrix products. Journal of Combinatorial
    Optimization 2, 1998.

    Examples
    --------
    Every row of the square of a large cycle has three entries:

    >>> from edgewise import generators
    >>> ring = generators.cycle(1000)
    >>> round(float(spgemm_sizes(ring, ring).mean()), 1)
    3.0
    """
    left, right = as_matrix(left, "left"), as_matrix(right, "right")
    check_product(left, right)
    samples, word = check_count(samples, "samples", least=3), check_seed(seed)
    xp = left.xp
    columns = np.arange(right.shape[1])[:, None]
    drawn = -np.log1p(-uniform(word, columns, np.arange(samples)))
    keys = xp.asarray(np.maximum(drawn, _TINY))
    least = spmm(left, spmm(right, keys, "min_second"), "min_second")
    found = xp.zeros(left.shape[0])
    some = xp.isfinite(least[:, 0])
    found[some] = (samples - 1) / least[some].sum(axis=1)
    return xp.minimum(found, right.shape[1])
