"""Local alignments of many pairs of proteins: Smith-Waterman with affine gaps, under BLOSUM62.

Scores of whole alignments come from the fastest program at hand: parasail on CPU threads, our own
kernel on a GPU, and `dynamic_programs` where parasail is not installed. All give the same scores.
Everything else (counts, bands, X-drop) is `dynamic_programs` on every engine, a pair per thread.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np

from edgewise.apps.cpu.parasail_scores import has_parasail, parasail_scores
from edgewise.apps.proteins.alphabets import BLOSUM62
from edgewise.apps.proteins.dynamic_programs import (
    FIELDS,
    Costs,
    Trail,
    extension,
    local_alignment,
)
from edgewise.apps.proteins.sequences import Sequences, check_pairs
from edgewise.base.checks import check_choice, check_count
from edgewise.graph.transfer import host, on
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["Alignments", "align_proteins", "alignment_scores", "alignments_of", "regions_of",
           "scores_and_ends"]  # fmt: skip

_METHODS = ("full", "banded", "xdrop")
#: Which methods read a parameter.
_READERS = {"band": ("banded",), "drop": ("xdrop",), "seeds": ("banded", "xdrop")}
#: Bytes per letter of the longest sequence while a pair is aligned, and in all.
_BYTES, _MEMORY = 40, 1 << 28
_COSTLIEST = 1000
_ENDLESS, _LOWEST, _0 = np.int32(2**31 - 1), np.int32(-(1 << 30)), np.int32(0)


class Alignments(NamedTuple):
    """One local alignment per pair; positions count from 0, and ends are exclusive.

    Attributes
    ----------
    score : array of int64
        The score of the alignment; 0 if there is none.
    left_begin, left_end, right_begin, right_end : array of int64
        The part of either sequence that is aligned.
    matches : array of int64
        The number of columns with two equal letters.
    columns : array of int64
        The number of columns, gaps included.
    """

    score: Any
    left_begin: Any
    left_end: Any
    right_begin: Any
    right_end: Any
    matches: Any
    columns: Any

    @property
    def identity(self) -> Any:
        """The fraction of columns with two equal letters."""
        return self.matches / np.maximum(self.columns, 1)


class _Pairs(NamedTuple):
    """Pairs to align, and where their results go."""

    letters: Any
    starts: Any
    left: Any
    right: Any
    seeds: Any  #: positions of a seed (of a band, their difference), the score, or score and ends
    found: Any  #: n x 7


class _Space(NamedTuple):
    """Memory for the rows of dynamic programs: pair p has every ``stride``-th word."""

    best: Any
    down: Any
    begin: Any
    count: Any
    down_begin: Any
    down_count: Any
    step: Any  #: from a pair to the next
    stride: Any


def align_proteins(
    sequences: Sequences,
    left: Any,
    right: Any,
    *,
    method: str = "full",
    gap_open: int = 11,
    gap_extend: int = 1,
    band: int | None = None,
    drop: int | None = None,
    seeds: Any = None,
    device: str = "cpu",
) -> Alignments:
    """Return the best local alignments of pairs of proteins under BLOSUM62.

    Parameters
    ----------
    sequences : Sequences
        Protein sequences, as `read_fasta` returns them.
    left, right : array of int
        The pairs, as positions in ``sequences``.
    method : {"full", "banded", "xdrop"}
        "full" is the Smith-Waterman algorithm. "banded" is the same near one diagonal. "xdrop"
        extends a seed in both directions and stops where the score drops.
    gap_open, gap_extend : int
        A gap of n letters costs ``gap_open + (n - 1) * gap_extend``.
    band : int, optional
        For "banded" alone: the largest distance from the diagonal, by default 64.
    drop : int, optional
        For "xdrop" alone: cells that score this much less than the best are not extended; by
        default 50.
    seeds : array of int, n x 2, optional
        A position in either sequence per pair, as `protein_network` has them in ``left_seed`` and
        ``right_seed``. The band lies around their diagonal, and "xdrop" starts before these
        letters. By default the beginnings of both sequences. Not for "full".
    device : str
        The device to use, "cpu" or "cuda".

    Returns
    -------
    Alignments
        Scores, positions, matches and columns. All engines return the same alignment of equals.

    Raises
    ------
    ValueError
        If a pair or seed is out of range, or a cost is not positive.
    TypeError
        If ``band``, ``drop`` or ``seeds`` are given to a method that does not read them.

    Notes
    -----
    O(m n) time per pair for "full", O(m band) for "banded". The memory is linear.

    Examples
    --------
    >>> from edgewise.apps.proteins.sequences import encoded
    >>> found = align_proteins(encoded({"a": "WWHEAGAWGHEE", "b": "PAWHEAE"}), [0], [1])
    >>> found.score.tolist(), found.matches.tolist(), found.columns.tolist()
    ([28], [4], [4])
    """
    check_choice(method, "method", _METHODS)
    for name, value in (("band", band), ("drop", drop), ("seeds", seeds)):
        if value is not None and method not in _READERS[name]:
            readers = " or ".join(f'"{one}"' for one in _READERS[name])
            raise TypeError(f'{name} needs method={readers}, got method="{method}"')
    left, right = check_pairs(sequences, left, right)
    costs = _costs(gap_open, gap_extend)
    seeds = np.zeros((len(left), 2), np.int64) if seeds is None else np.asarray(seeds, np.int64)
    sizes = sequences.lengths
    ends = np.stack([sizes[left], sizes[right]], axis=1)
    if seeds.shape != ends.shape or ((seeds < 0) | (seeds > ends)).any():
        raise ValueError("seeds must have two positions per pair, within the sequences")
    if method == "full":
        return _known(sequences, left, right, np.full(len(left), _ENDLESS), costs, device)
    if method == "xdrop":
        limit, function = check_count(50 if drop is None else drop, "drop", most=1 << 24), _extended
    else:
        limit, function = check_count(64 if band is None else band, "band", most=1 << 24), _aligned
    cells = ends.min(axis=1) * np.minimum(ends.max(axis=1), 2 * limit + 1)
    table = _in_batches(sequences, left, right, seeds, function, costs, limit, cells, device)
    return Alignments(*table.T)


def alignments_of(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, scores: np.ndarray, *,
    gap_open: int = 11, gap_extend: int = 1, device: str = "cpu",
) -> Alignments:  # fmt: skip
    """Return the alignments of pairs whose `alignment_scores` are known, as "full" has them."""
    left, right = check_pairs(sequences, left, right)
    return _known(sequences, left, right, scores, _costs(gap_open, gap_extend), device)


def _known(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, scores: np.ndarray, costs: Costs,
    device: str,
) -> Alignments:  # fmt: skip
    ends, function = np.stack([scores, scores], axis=1), _whole
    if _uses_library(device, costs):
        ends, function = _by_library(sequences, right, left, costs)[:, [0, 2, 1]], _from_end
    cells = sequences.lengths[left] * sequences.lengths[right]
    args = function, costs, 0, cells, device
    return Alignments(*_in_batches(sequences, left, right, ends.astype(np.int64), *args).T)


def regions_of(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, scores: np.ndarray,
    ends: np.ndarray, *, gap_open: int = 11, gap_extend: int = 1, device: str = "cpu",
) -> Alignments:  # fmt: skip
    """Return `alignments_of` pairs, sooner, but without matches and columns where ends are known.

    Then parasail finds the beginning: the end of an alignment of the reversed sequences, without
    what follows the given end. If several alignments are best, it may be that of another.
    """
    left, right = check_pairs(sequences, left, right)
    costs = _costs(gap_open, gap_extend)
    if not ends.shape[1]:
        return _known(sequences, left, right, scores, costs, device)
    letters, stop = sequences.letters[::-1], len(sequences.letters) - sequences.starts
    stops = ends.astype(np.int64).T
    sides = [(stop[ids] - size, size) for ids, size in zip((left, right), stops, strict=True)]
    cells, gaps = int((stops[0] * stops[1]).sum()), (costs.gap_open, costs.gap_extend)
    back = parasail_scores(letters, sides[0], sides[1], gaps, cells)[:, 1:].T
    begins, stops = (stops - back) * (scores > 0), stops * (scores > 0)
    none = np.zeros(len(left), np.int64)
    return Alignments(scores.astype(np.int64), begins[0], stops[0], begins[1], stops[1], none, none)


def _uses_library(device: str, costs: Costs) -> bool:
    """Is parasail there for it? If gaps cost the same everywhere, it misses some."""
    return device == "cpu" and costs.gap_open > costs.gap_extend and has_parasail()


def _by_library(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, costs: Costs
) -> np.ndarray:
    """Scores and ends by parasail, which takes less time if the same is left several times."""
    order = np.argsort(left, kind="stable")
    starts, sizes = sequences.starts[:-1], sequences.lengths
    sides = [(starts[ids[order]], sizes[ids[order]]) for ids in (left, right)]
    cells, found = int((sizes[left] * sizes[right]).sum()), np.empty((len(left), 3), np.int32)
    gaps = costs.gap_open, costs.gap_extend
    found[order] = parasail_scores(sequences.letters, sides[0], sides[1], gaps, cells)
    return found


def alignment_scores(
    sequences: Sequences, left: Any, right: Any, *, gap_open: int = 11, gap_extend: int = 1,
    device: str = "cpu", library: bool | None = None,
) -> np.ndarray:  # fmt: skip
    """Return the score of the best local alignment of each pair, as "full" has it.

    ``library`` chooses parasail or our own program on CPU threads; by default what is installed.
    """
    options: Any = {"gap_open": gap_open, "gap_extend": gap_extend, "device": device}
    return scores_and_ends(sequences, left, right, **options, library=library)[0]


def scores_and_ends(
    sequences: Sequences, left: Any, right: Any, *, gap_open: int = 11, gap_extend: int = 1,
    device: str = "cpu", library: bool | None = None,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return `alignment_scores`, and where the alignments end in both sequences, if it is known.

    The ends are an array of n x 2. It is n x 0 where programs give the scores alone.
    """
    left, right = check_pairs(sequences, left, right)
    costs, unknown = _costs(gap_open, gap_extend), np.empty((len(left), 0), np.int32)
    if device != "cpu":
        from edgewise.apps.cuda.smith_waterman import scores_of
        from edgewise.base.cuda.device import device_number

        with on(device_number(device)):
            return scores_of(sequences, left, right, costs), unknown
    if _uses_library(device, costs) if library is None else library:
        found = _by_library(sequences, right, left, costs)  # the ends that our program finds
        return found[:, 0], found[:, [2, 1]]
    cells = sequences.lengths[left] * sequences.lengths[right]
    seeds = np.zeros((len(left), 2), np.int64)
    found = _in_batches(sequences, left, right, seeds, _scored, costs, 0, cells, device)
    return found[:, 0].astype(np.int32), unknown


def _costs(gap_open: int, gap_extend: int) -> Costs:
    first = check_count(gap_open, "gap_open", least=1, most=_COSTLIEST)
    more = check_count(gap_extend, "gap_extend", least=1, most=first)
    return Costs(BLOSUM62.ravel(), np.int32(first), np.int32(more))


def _in_batches(
    sequences: Sequences, left: np.ndarray, right: np.ndarray, seeds: np.ndarray, function: Any,
    costs: Costs, limit: int, cells: np.ndarray, device: str,
) -> np.ndarray:  # fmt: skip
    """Call a function for every pair, with rows for each; pairs of similar size go together."""
    result = np.zeros((len(left), len(FIELDS)), np.int64)
    order, width = np.argsort(cells, kind="stable"), sequences.lengths[right] + 1
    xp, place = np, None
    if device != "cpu":
        from edgewise.base.cuda.device import array_module, device_number

        xp, place = array_module(), device_number(device)
    with nullcontext() if place is None else on(place):
        letters, starts, scores = map(
            xp.asarray, (sequences.letters, sequences.starts, costs.scores)
        )
        costs = costs._replace(scores=scores)
        low = 0
        while low < len(order):
            most = np.maximum.accumulate(width[order[low : low + (1 << 16)]])
            fits = most * np.arange(1, len(most) + 1) * _BYTES <= _MEMORY
            high = low + max(1, int(fits.sum()))
            some, longest = order[low:high], int(most[high - low - 1])
            found = xp.zeros((len(some), len(FIELDS)), np.int64)
            ends = [xp.asarray(side[some]) for side in (left, right, seeds)]
            pairs = _Pairs(letters, starts, ends[0], ends[1], ends[2], found)
            space = _space(len(some), longest, xp, device)
            work = int(cells[some].sum())
            for_each(len(some), function, (pairs, costs, limit, space), device=device, work=work)
            result[some] = host(found)
            low = high
    return result


def _space(count: int, longest: int, xp: Any, device: str) -> _Space:
    """Rows one behind the other for CPU threads; those of GPU threads alternate."""
    size = count * longest
    step, stride = (longest, 1) if device == "cpu" else (1, count)
    narrow, wide = (lambda: xp.empty(size, np.int32)), (lambda: xp.empty(size, np.int64))
    return _Space(narrow(), narrow(), wide(), wide(), wide(), wide(), step, stride)


_local, _extend = inner(local_alignment), inner(extension)


def _to_begin(p, pairs, costs, space, score, i, j):
    """The best alignment of a score that ends before i and j.

    No end part of it scores less than 0, or it would be better without. So cells below 0, or below
    the best minus the score of all, need not be extended.
    """
    if score > 0:
        a, b = pairs.starts[pairs.left[p]], pairs.starts[pairs.right[p]]
        rows, text = (space.best, space.down, p * space.step, space.stride), pairs.letters
        counts = space.count, space.down_count
        back = _extend(text, a + i - 1, i, text, b + j - 1, j, -1, costs, score, _0, rows, counts)
        pairs.found[p, 0] = back[0]
        pairs.found[p, 1], pairs.found[p, 2] = i - back[1], i
        pairs.found[p, 3], pairs.found[p, 4] = j - back[2], j
        pairs.found[p, 5], pairs.found[p, 6] = back[3], back[4]


_back = inner(_to_begin)


def _scored(p, pairs, costs, limit, space):
    a, b = pairs.starts[pairs.left[p]], pairs.starts[pairs.right[p]]
    m, n = pairs.starts[pairs.left[p] + 1] - a, pairs.starts[pairs.right[p] + 1] - b
    rows = space.best, space.down, p * space.step, space.stride
    text = pairs.letters
    one = _local(text, a, m, text, b, n, costs, 0, m + n, _ENDLESS, rows, None)
    pairs.found[p, 0] = one[0]


def _aligned(p, pairs, costs, limit, space):
    a, b = pairs.starts[pairs.left[p]], pairs.starts[pairs.right[p]]
    m, n = pairs.starts[pairs.left[p] + 1] - a, pairs.starts[pairs.right[p] + 1] - b
    rows = space.best, space.down, p * space.step, space.stride
    trail = Trail(space.begin, space.count, space.down_begin, space.down_count)
    center, text = pairs.seeds[p, 1] - pairs.seeds[p, 0], pairs.letters
    one = _local(text, a, m, text, b, n, costs, center, limit, _ENDLESS, rows, trail)
    for i in range(7):
        pairs.found[p, i] = one[i]


def _whole(p, pairs, costs, limit, space):
    """Where the best alignment ends, and from there back."""
    a, b = pairs.starts[pairs.left[p]], pairs.starts[pairs.right[p]]
    m, n = pairs.starts[pairs.left[p] + 1] - a, pairs.starts[pairs.right[p] + 1] - b
    rows, text = (space.best, space.down, p * space.step, space.stride), pairs.letters
    enough = np.int32(pairs.seeds[p, 0])  # its score, where that is known
    end = _local(text, a, m, text, b, n, costs, 0, m + n, enough, rows, None)
    _back(p, pairs, costs, space, np.int32(end[0]), end[2], end[4])


def _from_end(p, pairs, costs, limit, space):
    """From a known end back."""
    score, i, j = np.int32(pairs.seeds[p, 0]), pairs.seeds[p, 1], pairs.seeds[p, 2]
    _back(p, pairs, costs, space, score, i, j)


def _extended(p, pairs, costs, limit, space):
    a, b = pairs.starts[pairs.left[p]], pairs.starts[pairs.right[p]]
    m, n = pairs.starts[pairs.left[p] + 1] - a, pairs.starts[pairs.right[p] + 1] - b
    i, j = pairs.seeds[p, 0], pairs.seeds[p, 1]
    rows = space.best, space.down, p * space.step, space.stride
    counts, text, drop = (space.count, space.down_count), pairs.letters, np.int32(limit)
    how = costs, drop, _LOWEST, rows, counts
    on = _extend(text, a + i, m - i, text, b + j, n - j, 1, *how)
    back = _extend(text, a + i - 1, i, text, b + j - 1, j, -1, *how)
    pairs.found[p, 0] = on[0] + back[0]
    pairs.found[p, 1], pairs.found[p, 2] = i - back[1], i + on[1]
    pairs.found[p, 3], pairs.found[p, 4] = j - back[2], j + on[2]
    pairs.found[p, 5], pairs.found[p, 6] = on[3] + back[3], on[4] + back[4]
