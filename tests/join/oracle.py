"""Fuzzy joins by brute force: all pairs of sets, plain strings, SciPy's assignment."""

from __future__ import annotations

from collections import Counter

import numpy as np
from scipy.optimize import linear_sum_assignment

END = "\0"


def tokens(element: str, kind: str = "qgrams", q: int = 3) -> Counter:
    """The bag of an element's tokens, for Jaccard similarity."""
    if kind == "words":
        return Counter(element.split() or [""])
    text = element + END * (-len(element) % q if element else q)
    return Counter(text[i : i + q] for i in range(len(text) - q + 1))


def jaccard(r: str, s: str, kind: str = "qgrams", q: int = 3) -> float:
    left, right = tokens(r, kind, q), tokens(s, kind, q)
    return (left & right).total() / (left | right).total()


def edit(r: str, s: str) -> float:
    return 1.0 if r == s else 1 - levenshtein(r, s) / max(len(r), len(s))


def levenshtein(r: str, s: str) -> int:
    row = list(range(len(s) + 1))
    for i, letter in enumerate(r, 1):
        corner, row[0] = row[0], i
        for j, other in enumerate(s, 1):
            corner, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, corner + (letter != other))
    return row[-1]


def weights(left, right, similarity="jaccard", **cut) -> np.ndarray:
    """How much the distinct elements of two sets are alike: a matrix."""
    phi = edit if similarity == "edit" else jaccard
    rows, columns = (sorted({e.strip() for e in one} - {""}) for one in (left, right))
    return np.array([[phi(r, s, **cut) for s in columns] for r in rows]).reshape(
        len(rows), len(columns)
    )


def score(left, right, similarity="jaccard", **cut) -> float:
    """The score of two sets; nan if one is empty."""
    table = weights(left or (), right or (), similarity, **cut)
    if table.size == 0:
        return float("nan")
    weight = table[linear_sum_assignment(table, maximize=True)].sum()
    return weight / (sum(table.shape) - weight)


def join(left, right=None, threshold=0.7, similarity="jaccard", **cut) -> dict:
    """All pairs (i, j) whose score is at least the threshold, with it; i < j in a self-join."""
    found = {}
    for i, one in enumerate(left):
        for j, other in enumerate(left if right is None else right):
            if right is not None or i < j:
                value = score(one, other, similarity, **cut)
                if value >= threshold - 1e-9:
                    found[i, j] = value
    return found
