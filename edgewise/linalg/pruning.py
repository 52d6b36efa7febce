"""The step of Markov clustering: square a row-stochastic matrix, prune, and inflate its rows.

A row of the square loses its entries below a threshold. If too little of its sum is left, the
largest entries are recovered; if too many entries are left, the largest are selected. The rest is
raised to the power ``inflation`` and scaled to a sum of 1. Chaos, the largest value minus the sum
of squares, times the number of entries, is 0 for rows of equal values [1].

[1] A. Azad, G. Pavlopoulos, C. Ouzounis, N. Kyrpides, A. Buluc. HipMCL: a high-performance parallel
    implementation of the Markov clustering algorithm for large-scale networks. NAR 46, 2018.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from edgewise.linalg.matrix import Matrix
from edgewise.linalg.products import Terms, multiplied, terms
from edgewise.linalg.size_estimate import spgemm_sizes
from edgewise.operators.engines import run

__all__ = ["Pruning", "inflated_square", "row_pruner"]

_1 = np.uint64(1)
#: Random keys for the estimated size of a row, and by how much more it is given.
_SAMPLES, _MARGIN = 16, 1.25


class Pruning(NamedTuple):
    """How rows are pruned and inflated."""

    threshold: float
    select: int
    recover: int
    share: float
    inflation: float


def inflated_square(matrix: Matrix, pruning: Pruning, memory: int | None) -> tuple[Matrix, float]:
    """The square of a row-stochastic matrix, pruned and inflated, and its largest chaos.

    ``memory`` bounds both matrices and all tables, in bytes.
    """
    if matrix.engine != "local":
        return run(matrix, "inflated_square")(matrix, pruning, memory)
    engine = import_module(f"edgewise.linalg.{matrix.device.partition(':')[0]}.pruned")
    sort = matrix.device != "cpu"  # of equal values the first are kept, and CUDA's order varies
    work = terms(matrix, matrix, "plus_times", None, False, sort)
    chaos = matrix.xp.zeros(matrix.shape[0], np.float32)
    finish = engine.finish(pruning, chaos)
    if memory is None:
        found = multiplied(work, None, finish)
    else:
        found = engine.within(work, *_space(work, pruning, memory), finish)
    return found.to(matrix.device), float(chaos.max()) if len(chaos) else 0.0


def _space(work: Terms, pruning: Pruning, memory: int) -> tuple[int, Any]:
    """The bytes that are left beside both matrices, and the estimated sizes of unpruned rows."""
    matrix, most = work.left, max(pruning.select, pruning.recover)
    sizes = (spgemm_sizes(matrix, matrix, samples=_SAMPLES) * _MARGIN).clip(max=matrix.shape[1])
    entry = matrix.indices.dtype.itemsize + matrix.values.dtype.itemsize
    both = matrix.nbytes + matrix.indptr.nbytes + int(sizes.clip(max=most).sum()) * entry
    if both >= memory:
        raise ValueError(f"memory must be more than {both} bytes for these matrices, got {memory}")
    return memory - both, sizes


def row_pruner(compiled: Any, spare_of: Any) -> Any:
    """The function that shortens row i of a product, compiled for an engine.

    ``prune(i, out, at, count, spare, params)`` changes the row at ``at`` in place, and returns its
    new length; ``spare_of(spare)`` is memory for as many values, and where it begins.
    """
    largest, lowered = compiled(_kth_largest), compiled(_lowered)

    def limit(values, at, count, least, data, base, most):
        """The smallest of the ``most`` largest values, which are not below ``least``."""
        end = base
        for j in range(count):
            if values[at + np.uint64(j)] >= least:
                data[end] = values[at + np.uint64(j)]
                end += 1
        return largest(data, base, end, np.int64(most))

    limit = compiled(limit)

    def prune(i, out, at, count, spare, params):
        (threshold, select, recover, share, power), chaos = params
        (keys, values), (data, base) = out, spare_of(spare)
        left, mass = np.int64(0), 0.0
        for j in range(count):
            value = values[at + np.uint64(j)]
            if value >= threshold:
                left += 1
                mass += value
        bar, most = np.float32(threshold), left
        if mass < share and left < recover:
            bar, most = np.float32(0.0), np.int64(count)
            if count > recover:
                bar = lowered(values, at, count, threshold, recover)
                bar, most = limit(values, at, count, bar, data, base, recover), recover
        elif left > select:
            bar, most = limit(values, at, count, bar, data, base, select), select
            mass = 0.0
            for j in range(count):
                if values[at + np.uint64(j)] >= bar:
                    mass += values[at + np.uint64(j)]
            if mass < share and select < recover:
                most = min(left, recover)
                bar = limit(values, at, count, np.float32(threshold), data, base, most)
        return write_row(i, keys, values, at, count, bar, most, power, chaos)

    write_row = compiled(_write_row)
    return compiled(prune)


def _lowered(values, at, count, bar, wanted):
    """A number that as many values reach as are wanted, not many more if that is easy to find."""
    found = np.int64(0)
    while found < wanted and bar > 1e-30:
        bar, found = bar * 0.125, np.int64(0)
        for j in range(count):
            found += values[at + np.uint64(j)] >= bar
    return np.float32(bar if found >= wanted else 0.0)


def _write_row(i, keys, values, at, count, bar, most, power, chaos):
    """Keep at most so many entries from a bar on, raised to a power, scaled to the sum 1."""
    kept, mass, squares, top = np.uint64(0), 0.0, 0.0, 0.0
    above = np.int64(0)
    for j in range(count):
        above += values[at + np.uint64(j)] > bar
    ties = most - above  # of values that equal the bar, so many may stay
    for j in range(count):
        value = values[at + np.uint64(j)]
        if value > bar or (value == bar and ties > 0):
            ties -= value == bar
            keys[at + kept], values[at + kept] = keys[at + np.uint64(j)], value
            kept += _1
            mass += value
            squares += np.float64(value) * value
            top = max(top, np.float64(value))
    if mass <= 0.0:
        return kept
    chaos[i] = (top / mass - squares / (mass * mass)) * kept
    total = squares
    if power == 2.0:
        for j in range(kept):
            values[at + np.uint64(j)] *= values[at + np.uint64(j)]
    else:
        total = 0.0
        for j in range(kept):  # as shares of the largest, so that the total is at least 1
            value = (values[at + np.uint64(j)] / top) ** power
            values[at + np.uint64(j)] = value
            total += value
    for j in range(kept):
        values[at + np.uint64(j)] /= total
    return kept


def _kth_largest(values, low, high, k):
    """The k-th largest of ``values[low:high]``, which change their order (Hoare's selection)."""
    first, last, wanted = low, high - 1, low + k - 1
    while first < last:
        pivot, i, j = values[(first + last) // 2], first, last
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if wanted <= j:
            last = j
        elif wanted >= i:
            first = i
        else:
            break
    return values[wanted]
