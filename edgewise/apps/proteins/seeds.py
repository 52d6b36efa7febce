"""Candidate pairs: sequences that share k-mers, by a product of sparse matrices (PASTIS [1]).

A has a row per sequence and a column per k-mer that occurs; an entry is the position of the k-mer.
S joins each k-mer to those most similar under BLOSUM62. A S A^T then has an entry for every two
sequences with a common seed: the number of seeds, and where the first is.

[1] O. Selvitopi, S. Ekanayake, G. Guidi, et al. Distributed many-to-many protein sequence alignment
    using sparse matrices. SC 2020.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import ALPHABETS, BLOSUM62, NONE
from edgewise.apps.proteins.sequences import Sequences
from edgewise.linalg import Matrix

__all__ = ["Kmers", "kmer_matrix", "similar_kmers"]

#: Substitutes that are looked up at a time.
_LOOKUPS = 1 << 24


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


def shared_seeds(kmers: Kmers, similar: Matrix | None, memory: Any) -> Any:
    """Placeholder of the product; see the next revision."""
    raise NotImplementedError
