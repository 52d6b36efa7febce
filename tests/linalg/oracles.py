"""Dense oracles over semirings: slow loops over Python numbers, None where nothing is stored."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from edgewise.linalg import SEMIRINGS, Matrix, Semiring

__all__ = ["RINGS", "dense_of", "matrices", "multiplied", "same_matrix"]

#: A user's semiring beside named ones: the narrowest part of the widest path.
WIDEST = Semiring(lambda a, b: max(a, b), lambda a, b: min(a, b), zero="lowest", name="widest")
RINGS = {name: SEMIRINGS[name] for name in ("plus_times", "min_plus", "max_second", "plus_pair")}
RINGS["widest"] = WIDEST


@st.composite
def matrices(draw, rows=None, columns=None, dtype=np.float64, pattern=False):
    """A small matrix, often with empty rows; values have exact sums."""
    rows = draw(st.integers(0, 7)) if rows is None else rows
    columns = draw(st.integers(0, 7)) if columns is None else columns
    places = st.sets(st.integers(0, max(rows * columns - 1, 0)), max_size=20)
    at = np.array(sorted(draw(places)) if rows * columns else [], np.int64)
    values = np.array([draw(st.integers(-4, 9)) for _ in at], dtype)
    ends = (at // max(columns, 1), at % max(columns, 1))
    return Matrix.from_entries(*ends, None if pattern else values, shape=(rows, columns))


def dense_of(matrix):
    """Rows of numbers, with None where nothing is stored."""
    rows, columns = matrix.shape
    result = [[None] * columns for _ in range(rows)]
    for i in range(rows):
        for e in range(matrix.indptr[i], matrix.indptr[i + 1]):
            value = 1 if matrix.values is None else matrix.values[e].item()
            result[i][matrix.indices[e]] = value
    return result


def multiplied(ring, left, right):
    """The product of two dense matrices with None where nothing is stored, by the definition."""
    inner = range(len(right))
    result = []
    for row in left:
        sums = []
        for j in range(len(right[0]) if right else 0):
            terms = [
                ring.multiply(row[k], right[k][j])
                for k in inner
                if row[k] is not None and right[k][j] is not None
            ]
            total = terms[0] if terms else None
            for term in terms[1:]:
                total = ring.add.combine(total, term)
            sums.append(total)
        result.append(sums)
    return result


def same_matrix(matrix, wanted):
    """Does a matrix have just these entries, and does it keep its own rules?"""
    matrix.to("cpu").validate()
    return dense_of(matrix) == wanted
