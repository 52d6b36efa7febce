"""Candidate pairs: sequences that share spaced k-mers and score high without gaps around one.

A has a row per sequence and a column per k-mer that occurs; an entry is the place of the k-mer. S
joins each k-mer to those most similar under BLOSUM62. The pairs are the entries of A S A^T (PASTIS
[1]) over a semiring: a product is the best score without gaps around the two places, and the sum is
the maximum. Entries below a limit are not stored. `linalg.spgemm` knows values alone, and its time
is that of a table of all entries; here a product reads the letters around two places, and few
entries are stored. So `for_each` computes it as a sum of outer products, a k-mer at a time.

[1] O. Selvitopi, S. Ekanayake, G. Guidi, et al. Distributed many-to-many protein sequence alignment
    using sparse matrices. SC 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import BLOSUM62, PADDING
from edgewise.apps.proteins.composition import Statistics
from edgewise.apps.proteins.sequences import Sequences
from edgewise.apps.proteins.spaced_kmers import (
    BEFORE,
    WINDOW,
    Text,
    index_kmers,
    module_of,
    place_of,
    seed_shapes,
    separated,
    similar_kmers,
)
from edgewise.base import atomic
from edgewise.graph.transfer import host, rows_of
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["Seeds", "seed_pairs"]

#: How far a score without gaps may drop before it is not followed any longer.
_DROP = np.int32(20)
#: A seed is followed if the window of letters around it scores enough.
_ENOUGH = np.int32(16)
#: The work of a k-mer at one place, in steps, and the bytes of a pair while pairs are collected.
_WORK, _BYTES = 64, 64
#: A score has 15 bits; higher ones count as the highest. A position has 32, a sequence 24.
_15, _24, _32, _MOST = np.int64(15), np.int64(24), np.int64(32), np.int64((1 << 15) - 1)
_1, _5 = np.uint64(1), np.uint64(5)


class Seeds(NamedTuple):
    """Pairs of sequences, and the best of their common seeds.

    Attributes
    ----------
    left, right : array of int64
        The sequences of each pair; left comes first in the file.
    score : array of int32
        The best score without gaps around a seed.
    places : array of int64, n x 2
        The positions of this seed in both sequences.
    """

    left: Any
    right: Any
    score: Any
    places: Any


def seed_pairs(
    sequences: Sequences, *, k: int, alphabet: str, num_shapes: int = 1, substitutes: int = 0,
    max_sequences: int | None = None, max_chance: float = np.inf, memory: int = 1 << 30,
    device: str = "cpu",
) -> tuple[int, Seeds]:  # fmt: skip
    """Return how many k-mers there are, and the pairs that score enough around a common one.

    The parameters are those of `protein_network`.
    """
    xp, place = place_of(device)
    if len(sequences.names) >> _24 or len(sequences.letters) >= 1 << 30:
        raise ValueError(f"sequences must be fewer than {1 << _24:,}, with at most 2^30 letters")
    with place:
        text, count = separated(sequences, device), 0
        tables = BLOSUM62.copy(), BLOSUM62
        tables[0][PADDING], tables[0][:, PADDING] = 0, 0
        scores = [xp.asarray(table.ravel()) for table in tables]
        base, more = Statistics.least_ungapped(max_chance)
        limits = xp.asarray((base / 2 + more * np.log(sequences.lengths)).astype(np.float32))
        kept = np.empty(0, np.int64), np.empty(0, np.int64)
        for shape in seed_shapes(k, num_shapes):
            kmers = index_kmers(text, shape, alphabet, max_sequences, numbered=substitutes > 0)
            near: Any = ()
            if substitutes:
                options: Any = {"k": k, "alphabet": alphabet, "substitutes": substitutes}
                similar = similar_kmers(kmers.codes, **options)
                near = xp.asarray(similar.indptr), xp.asarray(similar.indices)
            numbers = rows_of(kmers.indptr, len(kmers.places), np.int32, xp)
            index = _Index(*kmers[:2], numbers, *scores)
            for some in _followed(text, index, near, limits, max(memory // _BYTES, 1), device):
                kept = _best(*map(np.concatenate, zip(kept, some, strict=True)))
            count += int((kmers.indptr[1:] > kmers.indptr[:-1]).sum())
    return count, _unpacked(*kept, len(sequences.names))


def _followed(
    text: Text, index: _Index, near: Any, limits: Any, space: int, device: str
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The pairs of all seeds, as keys and places, in batches that fit their arrays."""
    xp, size = module_of(text), len(index.places)
    low, step = 0, size
    while low < size:
        step = min(step, size - low)
        found = _Found(np.int64(low), limits, xp.zeros(1, np.int64),
                       xp.empty(space, np.int64), xp.empty(space, np.int64))  # fmt: skip
        state = text, index, found, *near
        for_each(step, _similar if near else _equal, state, device=device, work=_WORK * step)
        total = int(found.count[0])
        if total <= space:
            yield host(found.keys[:total]), host(found.places[:total])
            low += step
        elif step > 1:  # fewer k-mers at a time
            step = max(1, step * space // (2 * total))
        else:
            space = total


def _best(keys: np.ndarray, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each pair the seed with the highest score, of equals the last, in the order of pairs."""
    order = np.argsort(keys)
    keys, places = keys[order], places[order]
    first = np.flatnonzero(np.append(keys[:1] >= 0, keys[1:] != keys[:-1]))
    if len(first):
        keys, places = keys[first], np.maximum.reduceat(places, first)
    last = np.append((keys[1:] ^ keys[:-1]) >> _15 != 0, keys[:1] >= 0)
    return keys[last], places[last]


def _unpacked(keys: np.ndarray, places: np.ndarray, count: int) -> Seeds:
    pair, score = keys >> _15, (keys & _MOST).astype(np.int32)
    ends = np.stack([places >> _32, places & 0xFFFFFFFF], axis=1)
    return Seeds(pair // max(count, 1), pair % max(count, 1), score, ends)


class _Index(NamedTuple):
    indptr: Any
    places: Any
    numbers: Any  #: the k-mer at each place
    window: Any  #: scores of letters; padding scores 0
    scores: Any


class _Found(NamedTuple):
    low: Any
    limits: Any  #: a pair must score as much as the limits of both sequences together
    count: Any
    keys: Any  #: the pair, then its score
    places: Any  #: the positions in both sequences


def _near(text, scores, x, y):
    """The score of the letters around two places."""
    a, b = np.uint64(x - BEFORE), np.uint64(y - BEFORE)
    total = np.int32(0)
    for i in range(WINDOW):
        letter = np.uint64(text[a + np.uint64(i)]) << _5
        total += np.int32(scores[letter | np.uint64(text[b + np.uint64(i)])])
    return total


def _around(text, scores, x, y):
    """The best score without gaps of letters around two places; both ways until it drops."""
    a, b = np.uint64(x), np.uint64(y)
    best = run = np.int32(0)
    while run >= best - _DROP:  # padding ends it
        run += np.int32(scores[np.uint64(text[a]) << _5 | np.uint64(text[b])])
        best = max(best, run)
        a += _1
        b += _1
    a, b, total = np.uint64(x) - _1, np.uint64(y) - _1, best
    best = run = np.int32(0)
    while run >= best - _DROP:
        run += np.int32(scores[np.uint64(text[a]) << _5 | np.uint64(text[b])])
        best = max(best, run)
        a -= _1
        b -= _1
    return total + best


_window, _score = inner(_near), inner(_around)


def _one_kmer(x, number, text, index, found):
    """Follow the seeds of a k-mer at place x in the sequences behind: the last come first."""
    i, f = np.int64(text.owners[x]), index.indptr[number + 1] - 1
    end, first = text.begins[i + 1], index.indptr[number]
    while f >= first and index.places[f] >= end:
        y = np.int64(index.places[f])
        if _window(text.letters, index.window, x, y) >= _ENOUGH:
            score, j = _score(text.letters, index.scores, x, y), np.int64(text.owners[y])
            if np.float32(score) >= found.limits[i] + found.limits[j]:
                at = atomic.add(found.count, 0, 1)
                if at < len(found.keys):
                    pair = i * (len(text.begins) - 1) + j
                    found.keys[at] = pair << _15 | min(np.int64(score), _MOST)
                    found.places[at] = (x - text.begins[i]) << _32 | (y - text.begins[j])
        f -= 1


_pairs_of = inner(_one_kmer)


def _equal(e, text, index, found):
    e += found.low
    _pairs_of(np.int64(index.places[e]), np.int64(index.numbers[e]), text, index, found)


def _similar(e, text, index, found, indptr, near):
    e += found.low
    number = np.int64(index.numbers[e])
    for other in range(indptr[number], indptr[number + 1]):
        _pairs_of(np.int64(index.places[e]), np.int64(near[other]), text, index, found)
