"""Sparse matrix products over semirings, in batches of rows, with masks that come first.

Row i of the product is the sum of rows of the right operand, each multiplied by an entry of row i
of the left (Gustavson's algorithm [1]). Engines bound the length of each row by its number of
products, and choose an accumulator by it. Time is proportional to the number of products.

[1] F. Gustavson. Two fast algorithms for sparse matrices: multiplication and permuted
    transposition. ACM TOMS 4, 1978.
[2] O. Selvitopi, M. Hussain, A. Azad, A. Buluc. Communication-avoiding and memory-constrained
    sparse matrix-matrix multiplication at extreme scale. arXiv 2010.08526.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from edgewise.base.checks import check_bytes, check_flag
from edgewise.graph.foreign import on_every_rank
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.products import Terms, multiplied, row_batches, terms
from edgewise.operators.engines import run

__all__ = ["spgemm", "spgemm_batches"]


@on_every_rank
def spgemm(
    left: Any,
    right: Any,
    semiring: Any = "plus_times",
    *,
    mask: Any = None,
    complement: bool = False,
    sort: bool = False,
    memory: int | str | None = None,
) -> Any:
    """Return the product of two sparse matrices over a semiring.

    Parameters
    ----------
    left, right : Matrix, Graph or sparse matrix
        ``right`` must have as many rows as ``left`` has columns, and be on the same device. On a
        grid of ranks both are graphs or `edgewise.distributed.GridMatrix`, and so is the mask.
    semiring : str, Semiring or pair
        A name such as ``"min_plus"``, a `Semiring`, or a pair (Monoid, function).
    mask : Matrix, Graph or sparse matrix, optional
        Only entries that the mask stores are computed. Its values do not matter.
    complement : bool
        Compute only entries that the mask does not store.
    sort : bool
        Sort the columns of each row. Without it they may have any order.
    memory : int or str, optional
        The memory for intermediate tables and buffers, in bytes or as "4GiB". The operands and
        the result come on top. `spgemm_batches` bounds the result, too. On a grid it is the memory
        of a rank, and includes what the rank receives.

    Returns
    -------
    Matrix
        Entries whose value happens to be the zero of the semiring are stored, too. On a grid it is
        a `GridMatrix`, with the rows of ``left`` and the columns of ``right`` where they are.

    Raises
    ------
    ValueError
        If shapes or devices do not fit, or if ``memory`` is too small for one row.
    MemoryError
        On CPU threads, if the result does not fit the free memory, by an estimate.

    Notes
    -----
    O(products) time, where row i has as many products as the rows of ``right`` that it selects have
    entries. With a mask, a row of ``right`` that is much longer than that of the mask is searched
    instead of scanned, if both are sorted. No step counts entries in advance, and all counts have
    64 bits. On a grid of R x C ranks there are R + C - gcd(R, C) stages (SUMMA). In each, ranks
    exchange parts of the operands, multiply, and add up.

    On CUDA, rows with more than about 64 products are added up by many threads with atomics.
    Floating-point sums may then differ in the last bits from run to run, and so may the order of
    the columns without ``sort``. Without ``memory``, a batch of rows takes at most a quarter of the
    free memory. If the result takes more than 40 percent of it, the result is in host memory.

    References
    ----------
    F. Gustavson. Two fast algorithms for sparse matrices. ACM TOMS 4, 1978.

    A. Buluc, J. Gilbert. Parallel sparse matrix-matrix multiplication and indexing. SISC 34, 2012.

    Examples
    --------
    The number of paths of length 2 between the vertices of a triangle:

    >>> from edgewise import generators
    >>> spgemm(generators.complete(3), generators.complete(3), sort=True).to_dense().tolist()
    [[2, 1, 1], [1, 2, 1], [1, 1, 2]]

    Each edge of the triangle closes one such path:

    >>> triangle = generators.complete(3)
    >>> spgemm(triangle, triangle, "plus_pair", mask=triangle).values.tolist()
    [1, 1, 1, 1, 1, 1]
    """
    limit = None if memory is None else check_bytes(memory, "memory")
    given = (left, right, semiring, mask, complement, check_flag(sort, "sort"))
    if getattr(left, "engine", "local") != "local":
        return run(left, "spgemm")(*given, limit)
    return multiplied(terms(*given), limit)


@on_every_rank
def spgemm_batches(
    left: Any,
    right: Any,
    semiring: Any = "plus_times",
    *,
    memory: int | str,
    mask: Any = None,
    complement: bool = False,
    sort: bool = False,
) -> Iterator[tuple[int, Any]]:
    """Return an iterator over the product of two sparse matrices in batches of rows.

    Use it if the product is larger than memory: process each batch, then drop it.

    Parameters
    ----------
    left, right, semiring, mask, complement, sort
        As in `spgemm`.
    memory : int or str
        The memory for one batch of the result and for intermediate tables, in bytes or as "4GiB".
        The operands and 24 bytes per row of ``left`` come on top, and so do batches that are kept.
        In a loop, ``del`` the batch at the end of the body: otherwise its name keeps it while the
        next one is computed. On a grid it is the memory of a rank, and includes what the rank
        receives.

    Yields
    ------
    tuple of int and Matrix
        The first row of the batch, and the batch: a matrix of consecutive rows. On a grid, the
        number of rows in all batches before, and a `GridMatrix` of the shape of the product. Its
        other rows are empty.

    Raises
    ------
    ValueError
        If ``memory`` is too small for one row.

    Notes
    -----
    On a grid, the numbers of products decide how many batches there are. All ranks count them
    first, in stages in which no values travel.

    References
    ----------
    O. Selvitopi, M. Hussain, A. Azad, A. Buluc. Communication-avoiding and memory-constrained
    sparse matrix-matrix multiplication at extreme scale. arXiv 2010.08526.

    Examples
    --------
    >>> from edgewise import generators
    >>> ring = generators.cycle(1000)
    >>> sum(part.nnz for first, part in spgemm_batches(ring, ring, memory="1MiB"))
    3000
    """
    limit = check_bytes(memory, "memory")
    given = (left, right, semiring, mask, complement, check_flag(sort, "sort"))
    if getattr(left, "engine", "local") != "local":
        return run(left, "spgemm_batches")(*given, limit)
    return _batches(terms(*given), limit)


def _batches(work: Terms, memory: int) -> Iterator[tuple[int, Matrix]]:
    for low, high, left in row_batches(work, memory):
        yield low, multiplied(work.rows(low, high), left)
