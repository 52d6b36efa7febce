"""Candidate pairs: sequences that share k-mers, by a product of sparse matrices (PASTIS [1]).

A has a row per sequence and a column per k-mer that occurs; an entry is the position of the k-mer.
S joins each k-mer to those most similar under BLOSUM62. A S A^T then has an entry for every two
sequences with a common seed: the number of seeds, and where the first is.

[1] O. Selvitopi, S. Ekanayake, G. Guidi, et al. Distributed many-to-many protein sequence alignment
    using sparse matrices. SC 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import ALPHABETS, BLOSUM62, NONE
from edgewise.apps.proteins.sequences import Sequences
from edgewise.graph.transfer import host
from edgewise.linalg import Matrix, Semiring, spgemm
from edgewise.linalg.spgemm import spgemm_batches
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["Kmers", "Seeds", "best_diagonals", "kmer_matrix", "shared_seeds", "similar_kmers"]

#: Substitutes that are looked up at a time.
_LOOKUPS = 1 << 24
#: How far a score without gaps may drop before it is not followed any longer.
_DROP = np.int32(20)


class Kmers(NamedTuple):
    """The k-mers of sequences.

    Attributes
    ----------
    matrix : Matrix
        Sequences by k-mers; a value is the first position of the k-mer, an int32.
    codes : array of int64
        The k-mer of each column as a number: its letters are the digits, the first the highest.
    """

    matrix: Matrix
    codes: np.ndarray


class Seeds(NamedTuple):
    """Pairs of sequences with common seeds.

    Attributes
    ----------
    left, right : array of int64
        The sequences of each pair; left comes first in the file.
    count : array of int32
        The number of common seeds.
    first, last : array of int64, n x 2
        The positions of two of them in both sequences: the first and the last in the left.
    """

    left: Any
    right: Any
    count: Any
    first: Any
    last: Any


def kmer_matrix(
    sequences: Sequences, *, k: int, alphabet: str, max_sequences: int | None = None
) -> Kmers:
    """Return which k-mers each sequence has, and where.

    K-mers with a letter that is no amino acid are left out, as are those of one sequence only and
    those of more than ``max_sequences``.
    """
    classes = ALPHABETS[alphabet]
    base = int(classes[classes != NONE].max()) + 1
    letters = classes[sequences.letters]
    count = len(letters) - k + 1
    codes, good = np.zeros(max(count, 0), np.int64), np.ones(max(count, 0), bool)
    for i in range(k if count > 0 else 0):
        some = letters[i : i + count]
        codes *= base
        codes += some
        good &= some != NONE
    owner = np.repeat(np.arange(len(sequences.names)), sequences.lengths)[: len(codes)]
    inside = sequences.starts[1:][owner] - np.arange(len(codes)) >= k
    places = np.flatnonzero(good & inside)
    owner, codes = owner[places], codes[places]
    order = np.lexsort((places, codes, owner))  # positions ascend: the first of each stays
    first = np.ones(len(order), bool)
    first[1:] = (np.diff(owner[order]) != 0) | (np.diff(codes[order]) != 0)
    chosen = order[first]
    owner, codes, places = owner[chosen], codes[chosen], places[chosen]
    kinds, column, sharing = np.unique(codes, return_inverse=True, return_counts=True)
    few = np.ones(len(kinds), bool) if max_sequences is None else sharing <= max_sequences
    kept = few[column]
    number = np.cumsum(few) - 1
    indptr = np.searchsorted(owner[kept], np.arange(len(sequences.names) + 1))
    position = (places - sequences.starts[owner])[kept].astype(np.int32)
    columns = number[column[kept]].astype(np.int32)
    kinds = kinds[few]
    matrix = Matrix(indptr, columns, position, num_columns=max(len(kinds), 1))
    return Kmers(matrix, kinds)


def similar_kmers(codes: np.ndarray, *, k: int, alphabet: str, substitutes: int) -> Matrix:
    """Return which k-mers stand for one another, as a symmetric pattern with its diagonal.

    Each is joined to those of its ``substitutes`` most similar k-mers that occur. A letter of a
    reduced alphabet scores as the best of its class.
    """
    from edgewise.apps.cpu.kmers import nearest_kmers

    costs, order = _substitutions(alphabet)
    rows, columns = [np.arange(len(codes))], [np.arange(len(codes))]
    step = max(1, _LOOKUPS // (substitutes + 1))
    for low in range(0, len(codes), step):
        near = nearest_kmers(codes[low : low + step], k, substitutes + 1, costs, order)
        place = np.searchsorted(codes, near).clip(max=len(codes) - 1)
        row, which = np.nonzero(codes[place] == near)
        rows.append(row + low)
        columns.append(place[row, which])
    ends = np.concatenate(rows), np.concatenate(columns)
    n = max(len(codes), 1)
    keys = np.unique(np.concatenate([ends[0] * n + ends[1], ends[1] * n + ends[0]]))
    indptr = np.searchsorted(keys, np.arange(n + 1) * n)
    return Matrix(indptr, (keys % n).astype(np.int32), num_columns=n)


def _substitutions(alphabet: str) -> tuple[np.ndarray, np.ndarray]:
    """What it costs to replace a class by each, ascending, and which classes these are."""
    classes = ALPHABETS[alphabet]
    base = int(classes[classes != NONE].max()) + 1
    members = [np.flatnonzero(classes[:20] == one) for one in range(base)]
    scores = np.array([[BLOSUM62[np.ix_(a, b)].max() for b in members] for a in members], np.int32)
    costs = scores.diagonal()[:, None] - scores
    np.fill_diagonal(costs, -1)  # itself first; no other costs nothing
    order = np.argsort(costs, axis=1, kind="stable")
    np.fill_diagonal(costs, 0)
    return np.take_along_axis(costs, order, axis=1), order.astype(np.int64)


def shared_seeds(
    kmers: Kmers, similar: Matrix | None = None, *, min_seeds: int = 1, memory: Any = "1GiB"
) -> Iterator[Seeds]:
    """Return an iterator over the pairs of sequences with common seeds, in batches."""
    matrix = kmers.matrix
    others = matrix.T
    left = matrix if similar is None else spgemm(matrix, similar, _EARLIEST, memory=memory)
    for low, part in spgemm_batches(left, others, _SEEDS, memory=memory, sort=True):
        rows = np.repeat(np.arange(low, low + part.shape[0]), np.diff(part.indptr))
        count, first, last = part.values
        kept = (part.indices > rows) & (count >= min_seeds)
        ends = rows[kept], part.indices[kept].astype(np.int64)
        yield Seeds(*ends, count[kept], _places(first[kept]), _places(last[kept]))


def best_diagonals(sequences: Sequences, seeds: Seeds, device: str = "cpu") -> tuple[Any, Any]:
    """Return the best score without gaps around either seed of each pair, and its seed.

    It is no larger than the score of the alignment, and takes time linear in the length at most.
    """
    xp = np
    if device != "cpu":
        from edgewise.base.cuda.device import array_module

        xp = array_module()
    count = len(seeds.left)
    scores, better = xp.empty(count, np.int32), xp.empty((count, 2), np.int64)
    letters, starts, table = map(
        xp.asarray, (sequences.letters, sequences.starts, BLOSUM62.ravel())
    )
    there = Seeds(*map(xp.asarray, seeds))
    pairs = _Diagonals(letters, starts, table, *there, scores, better)
    work = 2 * int(sequences.lengths[seeds.left].sum())
    for_each(count, _best_of_two, pairs, device=device, work=work)
    return host(scores), host(better)


def _places(packed: np.ndarray) -> np.ndarray:
    return np.stack([packed >> 32, packed & 0xFFFFFFFF], axis=1)


class _Diagonals(NamedTuple):
    letters: Any
    starts: Any
    scores: Any
    left: Any
    right: Any
    count: Any
    first: Any
    last: Any
    found: Any
    better: Any


def _best_of_two(p, pairs):
    first = _along(p, pairs, pairs.first[p, 0], pairs.first[p, 1])
    last = _along(p, pairs, pairs.last[p, 0], pairs.last[p, 1])
    pairs.found[p] = max(first, last)
    for i in range(2):
        pairs.better[p, i] = pairs.last[p, i] if last > first else pairs.first[p, i]


def _diagonal(p, pairs, i, j):
    """The best score without gaps of letters around a seed; both ways until it drops."""
    a, b = pairs.starts[pairs.left[p]], pairs.starts[pairs.right[p]]
    m, n = pairs.starts[pairs.left[p] + 1] - a, pairs.starts[pairs.right[p] + 1] - b
    total = np.int32(0)
    for way in range(2):
        step, count = (1, min(m - i, n - j)) if way == 0 else (-1, min(i, j))
        x, y = (a + i, b + j) if way == 0 else (a + i - 1, b + j - 1)
        best = run = np.int32(0)
        for _ in range(count):
            row = np.int64(pairs.letters[x]) * 32
            run += np.int32(pairs.scores[row + pairs.letters[y]])
            best = max(best, run)
            if run < best - _DROP:
                break
            x += step
            y += step
        total += best
    return total


_along = inner(_diagonal)


def _seed(a, b):
    place = np.int64(a) << 32 | np.int64(b)
    return 1, place, place


def _all_seeds(one, other):
    return one[0] + other[0], min(one[1], other[1]), max(one[2], other[2])


def _lower(one, other):
    return min(one, other)


def _position(a, b):
    return a


_EARLIEST = Semiring(_lower, _position, zero="highest", dtype=np.int32)
_SEEDS = Semiring(_all_seeds, _seed, zero=(0, "highest", "lowest"),
                  dtype=(np.int32, np.int64, np.int64))  # fmt: skip
