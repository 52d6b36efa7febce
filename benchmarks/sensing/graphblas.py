"""The stages by python-graphblas, in the style of the challenge's reference [1].

A window is a matrix of 2**32 x 2**32 with the packets of each link, its quantities are reductions
of it, and windows are summed pairwise, as a tree.

[1] H. Jananthan et al. Anonymized Network Sensing Graph Challenge. HPEC 2024.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from benchmarks.sensing.given import Given

__all__: list[str] = []

_SIDE = 1 << 32
_BINS = 64


def build(given: Given) -> Callable[[], Any]:
    ends = given.ends
    return lambda: _built(given, *ends)


def quantities(given: Given) -> Callable[[], Any]:
    matrices = _built(given, *given.ends)
    return lambda: [_quantities(one, _reduced(one)) for one in matrices]


def distributions(given: Given) -> Callable[[], Any]:
    matrices = _built(given, *given.ends)
    return lambda: [_distributions(one, _reduced(one)) for one in matrices]


def windows(given: Given) -> Callable[[], Any]:
    ends = given.ends
    return lambda: [_measured(one) for one in _built(given, *ends)]


def sum(given: Given) -> Callable[[], Any]:
    matrices = _built(given, *given.ends)
    return lambda: _sum(matrices)


def total(given: Given) -> Callable[[], Any]:
    matrix = _sum(_built(given, *given.ends))
    return lambda: _measured(matrix)


def analysis(given: Given) -> Callable[[], Any]:
    ends = given.ends
    return lambda: _analyzed(given, *ends)


def apart(given: Given) -> Callable[[], Any]:
    return analysis(given.apart)


def whole(given: Given) -> Callable[[], Any]:
    def run() -> Any:
        from edgewise.sensing import iter_records

        parts = list(iter_records(given.records))
        ends = (np.concatenate([part[i] for part in parts]).astype(np.uint64) for i in range(2))
        return _analyzed(given, *ends)

    return run


def _analyzed(given: Given, source: np.ndarray, destination: np.ndarray) -> Any:
    matrices = _built(given, source, destination)
    return gathered(_measured(one) for one in [*matrices, _sum(matrices)])


def gathered(rows: Iterable[tuple[Any, Any]]) -> tuple[np.ndarray, np.ndarray]:
    """Quantities and distributions of matrices, one after the other, as two arrays."""
    counts, shapes = zip(*rows, strict=True)
    return np.array(counts, np.int64), np.array(shapes, np.int64)


def _built(given: Given, source: np.ndarray, destination: np.ndarray) -> list[Any]:
    import graphblas as gb

    made = []
    for low, high in given.bounds:
        ends, ones = (source[low:high], destination[low:high]), np.ones(high - low, np.int64)
        made.append(
            gb.Matrix.from_coo(*ends, ones, nrows=_SIDE, ncols=_SIDE, dup_op=gb.binary.plus)
        )
    return made


def _sum(matrices: list[Any]) -> Any:
    import graphblas as gb

    while len(matrices) > 1:
        pairs = zip(matrices[::2], matrices[1::2], strict=False)
        odd = matrices[len(matrices) & ~1 :]
        matrices = [one.ewise_add(other, gb.binary.plus).new() for one, other in pairs] + odd
    return matrices[0]


def _measured(matrix: Any) -> tuple[Any, Any]:
    """Quantities and distributions, which come from the same reductions."""
    ends = _reduced(matrix)
    return _quantities(matrix, ends), _distributions(matrix, ends)


def _reduced(matrix: Any) -> list[Any]:
    """Packets and links of sources, links and packets of destinations."""
    import graphblas as gb

    links, total = matrix.apply(gb.unary.one).new(), gb.monoid.plus
    rows = [one.reduce_rowwise(total).new() for one in (matrix, links)]
    return rows + [one.reduce_columnwise(total).new() for one in (links, matrix)]


def _quantities(matrix: Any, ends: list[Any]) -> list[int]:
    import graphblas as gb

    most, (sent, fan_out, fan_in, got) = gb.monoid.max, ends
    found = [matrix.reduce_scalar(gb.monoid.plus), matrix.nvals, matrix.reduce_scalar(most)]
    found += [sent.nvals, sent.reduce(most), fan_out.reduce(most)]
    found += [got.nvals, got.reduce(most), fan_in.reduce(most)]
    return [one if isinstance(one, int) else int(one.new().value) for one in found]


def _distributions(matrix: Any, ends: list[Any]) -> list[np.ndarray]:
    values = [one.to_coo(indices=False)[1] for one in ends]
    values.insert(2, matrix.to_coo(rows=False, columns=False)[2])
    return [binned(one) for one in values]


def binned(values: np.ndarray) -> np.ndarray:
    """How many values lie in (2**(i-1), 2**i], for each i."""
    return np.bincount(np.ceil(np.log2(values)).astype(np.int64), minlength=_BINS)
