"""Where the spaced k-mers of sequences begin: the columns of the matrix of PASTIS.

A k-mer takes letters at the offsets of a shape, such as 110101 (spaced seeds [1]). Several shapes
that overlap little find more relatives than one.

[1] L. Ilie, S. Ilie, A. Bigvand. SpEED: fast computation of sensitive spaced seeds. Bioinformatics
    2011.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.proteins.alphabets import ALPHABETS, BLOSUM62, NONE, PADDING
from edgewise.apps.proteins.sequences import Sequences
from edgewise.base.offsets import offsets
from edgewise.graph.transfer import host, on, rows_of
from edgewise.linalg import Matrix

__all__ = ["BEFORE", "WINDOW", "Kmers", "Text", "index_kmers", "module_of", "place_of",
           "seed_shapes", "separated", "similar_kmers"]  # fmt: skip

#: Letters of padding before all sequences, and behind them: how far seeds are followed at least.
BEFORE, WINDOW = 6, 23
#: Substitutes that are looked up at a time.
_LOOKUPS = 1 << 24
#: Numbers of k-mers are their codes if there are at most so many per k-mer that occurs.
_DENSE = 4
#: K-mers that NumPy sorts.
_FEW = 1 << 17


class Text(NamedTuple):
    """Sequences behind one another, with padding before, between and after them."""

    letters: Any
    begins: Any  #: of each sequence, and of the padding at the end: one letter is between
    owners: Any  #: int32, the sequence of each letter; padding belongs to the one before


class Kmers(NamedTuple):
    """Where each spaced k-mer begins: the matrix A by columns.

    Attributes
    ----------
    indptr, places : arrays
        K-mer i begins at ``places[indptr[i]:indptr[i + 1]]``, ascending. Of a k-mer that a sequence
        has several times, the first place alone.
    codes : array of int64 or None
        The letters of each k-mer as the digits of a number, plus a multiple for its shape. None if
        k-mers are numbered by these codes.
    """

    indptr: Any
    places: Any
    codes: Any


def separated(sequences: Sequences, device: str = "cpu") -> Text:
    """Return sequences with padding between them, so that no k-mer or score crosses an end."""
    xp, place = place_of(device)
    ids, sizes = np.arange(len(sequences.names), dtype=np.int32), sequences.lengths
    begins = sequences.starts + np.arange(len(ids) + 1) + BEFORE
    owners = np.zeros(begins[-1] + WINDOW, np.int32)
    letters = np.full(len(owners), PADDING, np.uint8)
    owners[BEFORE : begins[-1]] = np.repeat(ids, sizes + 1)
    at = np.arange(len(sequences.letters)) + np.repeat(ids, sizes) + BEFORE
    letters[at] = sequences.letters
    with place:
        return Text(*map(xp.asarray, (letters, begins, owners)))


@cache
def seed_shapes(k: int, count: int) -> tuple[tuple[int, ...], ...]:
    """Return the offsets of the letters of spaced seeds: ``count`` shapes, or as many as there are.

    Each has k letters within 2 k - 1. The next shape is the one that overlaps least with those
    before and with itself: the sum of 2^(common letters) over all shifts is the smallest (the
    overlap complexity).

    >>> seed_shapes(3, 3)
    ((0, 1, 3), (0, 1, 4), (0, 2, 4))
    """
    spans = range(k, max(k, min(2 * k - 1, k + 7)) + 1)
    words = np.array([
        1 | 1 << span - 1 | sum(1 << i for i in some)
        for span in spans
        for some in combinations(range(1, span - 1), max(k - 2, 0))
    ])  # fmt: skip
    shifts = np.arange(1, spans[-1])[:, None]

    def common(one: Any, other: Any) -> Any:
        return np.exp2(np.bitwise_count(one & (other << shifts))).sum(axis=0)

    costs, chosen = common(words, words), []
    for _ in range(min(count, len(words))):
        best = int(costs.argmin())
        word = words[best]
        chosen.append(tuple(i for i in range(spans[-1]) if word >> i & 1))
        same = np.exp2(np.bitwise_count(words & word))
        costs = costs + common(words, word) + common(word, words) + same
        costs[best] = np.inf
    return tuple(chosen)


def index_kmers(
    text: Text, shape: tuple[int, ...], alphabet: str, max_sequences: int | None = None, *,
    numbered: bool = False,
) -> Kmers:  # fmt: skip
    """Return where each k-mer of a shape begins.

    K-mers with a letter that is no amino acid are left out, as are those of more than
    ``max_sequences``. ``numbered`` always gives k-mers that occur the numbers from 0 on.
    """
    xp, base, low, high = module_of(text), _base(alphabet), BEFORE, int(text.begins[-1])
    letters = xp.asarray(ALPHABETS[alphabet])[text.letters]
    most, kinds = base ** len(shape), None
    code = xp.zeros(high - low, np.int32 if most < 1 << 31 else np.int64)
    good = text.owners[low + shape[-1] : high + shape[-1]] == text.owners[low:high]
    for offset in shape:
        some = letters[low + offset : high + offset]
        code *= base
        code += some
        good &= some != NONE
    places = xp.flatnonzero(good)
    found, places = code[places], (places + low).astype(np.int32, copy=False)
    if numbered or most > _DENSE * len(found):
        kinds, found = xp.unique(found, return_inverse=True)
        most = len(kinds)
    indptr, order = _by_kmer(xp, found.astype(np.int32, copy=False), max(most, 1))
    return Kmers(*_once(xp, indptr, places[order], text.owners, max_sequences), kinds)


def _by_kmer(xp: Any, numbers: Any, count: int) -> tuple[Any, Any]:
    """Where each k-mer begins in an order by k-mers, and that order, ascending for each."""
    if len(numbers) < _FEW:  # nothing is compiled for these
        return offsets(xp.bincount(numbers, minlength=count)), xp.argsort(numbers, kind="stable")
    turned = Matrix(xp.arange(len(numbers) + 1), numbers, num_columns=count).T
    return turned.indptr, turned.indices


def _base(alphabet: str) -> int:
    classes = ALPHABETS[alphabet]
    return int(classes[classes != NONE].max()) + 1


def _once(
    xp: Any, indptr: Any, places: Any, owners: Any, max_sequences: int | None
) -> tuple[Any, Any]:
    """The first place of each k-mer in each sequence; none of those in too many sequences."""
    sequences = owners[places]
    kept = xp.ones(len(places), bool)
    kept[1:] = sequences[1:] != sequences[:-1]
    begins = indptr[:-1]
    kept[begins[begins < len(places)]] = True
    if max_sequences is not None:
        few = xp.diff(offsets(kept)[indptr]) <= max_sequences
        kept &= few[rows_of(indptr, len(places), np.int32, xp)]
    return offsets(kept)[indptr], places[kept]


def similar_kmers(codes: np.ndarray, *, k: int, alphabet: str, substitutes: int) -> Matrix:
    """Return which k-mers stand for one another, as a symmetric pattern with its diagonal.

    Each is joined to those of its ``substitutes`` most similar k-mers that occur. A letter of a
    reduced alphabet scores as the best of its class.
    """
    from edgewise.apps.cpu.kmers import nearest_kmers

    costs, order = _substitutions(alphabet)
    codes = host(codes)
    rows, columns = [np.arange(len(codes))], [np.arange(len(codes))]
    step = max(1, _LOOKUPS // (substitutes + 1))
    for low in range(0, len(codes), step):
        some = codes[low : low + step].astype(np.int64)
        near = nearest_kmers(some, k, substitutes + 1, costs, order)
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
    classes = ALPHABETS[alphabet][:20]
    members = [np.flatnonzero(classes == one) for one in range(_base(alphabet))]
    scores = np.array([[BLOSUM62[np.ix_(a, b)].max() for b in members] for a in members], np.int32)
    costs = scores.diagonal()[:, None] - scores
    np.fill_diagonal(costs, -1)  # itself first; no other costs nothing
    order = np.argsort(costs, axis=1, kind="stable")
    np.fill_diagonal(costs, 0)
    return np.take_along_axis(costs, order, axis=1), order.astype(np.int64)


def place_of(device: str) -> tuple[Any, Any]:
    """The array module of a device, and a context in which new arrays are there."""
    if device == "cpu":
        return np, nullcontext()
    from edgewise.base.cuda.device import array_module, device_number

    return array_module(), on(device_number(device))


def module_of(text: Text) -> Any:
    """The array module that the text is in."""
    return np if isinstance(text.letters, np.ndarray) else place_of("cuda")[0]
