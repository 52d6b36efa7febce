"""Rows of a matrix on a grid, pruned and inflated: the step of Markov clustering after the product.

A row of the matrix lies with the ranks of one row of the grid. Their counts and sums per row are
added up by all-reduces, and the k-th largest value is found by its digits: the bits of floats that
are not negative ascend as the floats do, so eight rounds of 16 counts per row decide four bits
each. Only rows that must be shortened take part in it. See `edgewise.linalg.pruning`
for the rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph.transfer import row_ids
from edgewise.linalg.matrix import Matrix
from edgewise.linalg.pruning import Pruning
from edgewise.operators.items import for_each

__all__ = ["pruned"]

_DIGIT = 4
#: More values of a row than there can be.
_ALL = 2**62


def pruned(group: Any, block: Matrix, rules: Pruning) -> tuple[Matrix, float]:
    """A block of rows after pruning and inflation, and the largest chaos of its rows.

    ``group`` are the ranks that share the rows. Values are float32 and not negative.
    """
    with group.phase("prune"):
        kept, (counts, mass, squares, top) = _kept(group, block, *_limits(group, block, rules))
        stays = kept.astype(bool)
        xp, starts = block.xp, offsets(counts[0])
        chaos = xp.where(mass > 0, (top / _positive(mass, xp) - squares / _positive(mass, xp) ** 2)
                         * counts[1], 0.0)  # fmt: skip
        part = block._like(starts, block.indices[stays], block.values[stays], **block._options())
        values = _inflated(group, part, rules.inflation, mass, squares, top)
    worst = float(chaos.astype(np.float32).max()) if len(chaos) else 0.0
    return part.with_values(values), worst


def _limits(group: Any, block: Matrix, rules: Pruning) -> tuple[Any, Any]:
    """For each row the smallest value that stays, and how many of its equals do on this rank."""
    xp, rows = block.xp, block.shape[0]
    least = np.float32(rules.threshold)
    if least < rules.threshold:  # values are compared with the threshold as it was given
        least = np.nextafter(least, np.float32(1))
    bar = xp.full(rows, least, np.float32)
    free = xp.full(rows, _ALL, np.int64)
    here, mass = _above(group, block, bar)
    every = group.allreduce(xp.concatenate([here, xp.diff(block.indptr)]))
    left, count = every[:rows], every[rows:]
    few = (mass < rules.share) & (left < rules.recover)
    many = ~few & (left > rules.select)
    bar[few] = 0
    most = xp.where(few, rules.recover, rules.select)
    chosen = xp.flatnonzero((few & (count > rules.recover)) | many)
    _select(group, block, chosen, most[chosen], bar, free)
    if rules.select < rules.recover and bool(many.any()):  # of values up to the bar, all count
        mass = _above(group, block, bar)[1]
        again = xp.flatnonzero(many & (mass < rules.share))
        _select(group, block, again, xp.minimum(left[again], rules.recover), bar, free)
    return bar, free


def _above(group: Any, block: Matrix, bar: Any) -> tuple[Any, Any]:
    """How many values of each row are not below a bar on this rank, and their sum on all."""
    xp, rows = block.xp, block.shape[0]
    counts, sums = xp.zeros(rows, np.int64), xp.zeros(rows)
    for_each(rows, _add_above, (block.indptr, block.values, bar, counts, sums),
             device=block.device, work=block.nnz)  # fmt: skip
    return counts, group.allreduce(sums)


def _select(group: Any, block: Matrix, rows: Any, most: Any, bar: Any, free: Any) -> None:
    """Set the bar of some rows so that so many values stay, and which of its equals do: the first
    on the first ranks."""
    if not len(rows):
        return
    xp, wanted, words = block.xp, most.astype(np.int64), block.values.view(np.uint32)
    found = xp.zeros(len(rows), np.int64)
    for shift in range(32 - _DIGIT, -1, -_DIGIT):
        counts = xp.zeros(len(rows) << _DIGIT, np.int32)
        for_each(len(rows), _count_digits, (rows, block.indptr, words, found, shift, counts),
                 device=block.device, work=block.nnz)  # fmt: skip
        table = group.allreduce(counts).reshape(len(rows), 1 << _DIGIT)[:, ::-1].cumsum(1)
        place = (table >= wanted[:, None]).argmax(1)  # from the largest digit down
        before = xp.where(place > 0, xp.take_along_axis(table, xp.maximum(place - 1, 0)[:, None],
                                                        1)[:, 0], 0)  # fmt: skip
        wanted = wanted - before
        found = (found << _DIGIT) | ((1 << _DIGIT) - 1 - place)
    bar[rows] = found.astype(np.uint32).view(np.float32)
    equal = xp.zeros(len(rows), np.int64)
    for_each(len(rows), _count_equal, (rows, block.indptr, block.values, bar, equal),
             device=block.device, work=block.nnz)  # fmt: skip
    every = group.allgatherv(equal, [len(rows)] * group.size)[0].reshape(group.size, len(rows))
    free[rows] = xp.maximum(wanted - every[: group.rank].sum(0), 0)


def _kept(group: Any, block: Matrix, bar: Any, free: Any) -> tuple[Any, tuple]:
    """Which entries stay, and of every row their number here and in all, sums, and largest."""
    xp, rows = block.xp, block.shape[0]
    kept, counts = xp.zeros(block.nnz, np.int8), xp.zeros(rows, np.int64)
    mass, squares, top = (xp.zeros(rows) for _ in range(3))
    for_each(rows, _keep, (block.indptr, block.values, bar, free, kept, counts, mass, squares, top),
             device=block.device, work=block.nnz)  # fmt: skip
    sums = group.allreduce(xp.concatenate([mass, squares, counts.astype(np.float64)]))
    mass, squares, number = sums.reshape(3, rows)
    return kept, ((counts, number), mass, squares, group.allreduce(top, "max"))


def _inflated(group: Any, part: Matrix, power: float, mass: Any, squares: Any, top: Any) -> Any:
    """The values raised to a power, in rows of sum 1."""
    xp, rows, values = part.xp, row_ids(part), part.values
    if power == 2.0:
        total, raised = squares, values * values
    else:  # as shares of the largest, so that the total is at least 1
        shares = (values / _positive(top, xp)[rows]) ** power
        sums = xp.bincount(rows, shares, minlength=part.shape[0]).astype(np.float64)
        total = group.allreduce(sums)
        raised = shares.astype(np.float32)
    scaled = (raised / _positive(total, xp)[rows]).astype(np.float32)
    return xp.where(mass[rows] > 0, scaled, values)


def _positive(sums: Any, xp: Any) -> Any:
    """The sums, with 1 for rows of nothing."""
    return xp.where(sums > 0, sums, 1.0)


def _add_above(i, indptr, values, bar, counts, sums):
    count, total = 0, 0.0
    for e in range(indptr[i], indptr[i + 1]):
        if values[e] >= bar[i]:
            count += 1
            total += values[e]
    counts[i], sums[i] = count, total


def _count_digits(j, rows, indptr, words, found, shift, counts):
    i = rows[j]
    for e in range(indptr[i], indptr[i + 1]):
        word = np.int64(words[e]) >> shift
        if word >> 4 == found[j]:
            counts[16 * j + (word & 15)] += 1


def _count_equal(j, rows, indptr, values, bar, equal):
    i, count = rows[j], 0
    for e in range(indptr[i], indptr[i + 1]):
        count += values[e] == bar[i]
    equal[j] = count


def _keep(i, indptr, values, bar, free, kept, counts, mass, squares, top):
    count, total, square, largest, ties = 0, 0.0, 0.0, 0.0, free[i]
    for e in range(indptr[i], indptr[i + 1]):
        value = np.float64(values[e])
        if values[e] > bar[i] or (values[e] == bar[i] and ties > 0):
            ties -= values[e] == bar[i]
            kept[e] = 1
            count += 1
            total += value
            square += value * value
            largest = max(largest, value)
    counts[i], mass[i], squares[i], top[i] = count, total, square, largest
