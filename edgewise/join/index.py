"""The index of sets: lists by tokens, where long lists are split by further tokens.

A similar set shares one of the first tokens of a set, those of its prefix, from the rarest on. The
list of a frequent token grows with the number of sets, so that to look through it for each of its
sets takes quadratic time. Such a list is split by the next token that two sets share, as long as
it takes to make lists short: a prefix tree. A path holds the first tokens that two similar sets
share, and what a set has of other tokens before the last of them cannot be shared. This is worth
little, so a set has few paths: if it may lose ``d`` tokens, d + 1 choices for the next one.

Two sets that share enough are both in the list of the path of their first shared tokens, which
ends at a leaf. So no pair is lost, however lists are chosen. Chosen are the longest, level by
level, while the entries fit the memory that is set, and only where sets have few choices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.base.parallel import get_threads, launch, sort
from edgewise.graph.csr import frozen
from edgewise.operators import for_each

__all__ = ["DEPTH", "hits", "index_of"]

#: Tokens of a path, at most.
DEPTH = 6

_LONG = 16  # entries of a list that is not split
_SPREAD = 8  # entries that one may become on the next level, on average
_BITS = 8  # for each child
_SIZE = 2  # entries of a level for each token of all sets, at most


class _Level(NamedTuple):
    """Nodes of one depth."""

    entries: Any  #: those of one node follow each other, by rising set
    counts: np.ndarray  #: int64, how many each node has
    tokens: np.ndarray  #: int32, the last token of each node's path


def hits(rows: Any, needed: np.ndarray, kinds: int) -> float:
    """How many entries are read if each set of a list reads all of it, and no list is split."""
    counts = _prefixes(rows, frozen(needed), kinds)[1].astype(np.float64)
    return float(counts @ counts)


def index_of(rows: Any, needed: np.ndarray, kinds: int) -> Any:
    """The index of sets that must share what is ``needed`` of each (infinite: leave it out)."""
    from edgewise.join.cpu.tree import Index, fill_rest
    from edgewise.join.cpu.utilities import Entries

    needed = frozen(needed)
    ends, counts = _prefixes(rows, needed, kinds)
    level = _postings(rows, ends, counts)
    leaves: list[Any] = []
    nodes: list[list[np.ndarray]] = []
    last_tokens = [np.zeros(0, np.int32)]
    plain = kinds
    while True:
        split = _chosen(rows, needed, level, len(leaves) + 1)
        leaves.append(_part(level, ~split))
        nodes.append([np.where(split, 0, level.counts), *_spans(level, split)])
        if not split.any():
            nodes[-1].append(np.zeros(len(split), np.int64))
            break
        if len(leaves) == 1:
            plain = int(np.argmax(split))
        level, above = _below(rows, needed, level, split)
        nodes[-1].append(above)
        last_tokens.append(level.tokens)
    entries = Entries(*map(frozen, map(np.concatenate, zip(*leaves, strict=True))))
    lengths, firsts, lasts, children = map(np.concatenate, zip(*nodes, strict=True))
    rest = np.empty(len(entries.sets), np.float32)
    for_each(len(rest), fill_rest, (rows, entries, rest), work=8 * len(rest))
    if plain < kinds:
        ends = _ends(rows, needed, plain)
    children, tokens, bits = _tree(children, np.concatenate(last_tokens))
    largest = int(rows.sizes.max(initial=0))
    by_size = np.searchsorted(rows.sizes, np.arange(largest + 2)).astype(np.int32)
    return Index(
        offsets(lengths), entries.sets, entries.sums, frozen(rest), frozen(ends),
        frozen(by_size), plain, children, tokens, frozen(firsts), frozen(lasts), bits,
    )  # fmt: skip


def _tree(counts: np.ndarray, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where the children of each node begin, their tokens, and the bits of their hashes."""
    from edgewise.join.cpu.tree import fill_bits

    children, tokens = offsets(counts), frozen(tokens)
    bits = np.zeros(1 << (_BITS * len(tokens) // 64).bit_length(), np.uint64)
    work = 8 * len(tokens) + len(counts)
    for_each(len(counts), fill_bits, (children, tokens, bits), work=work)
    return children, tokens, frozen(bits)


def _prefixes(rows: Any, needed: np.ndarray, kinds: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the prefix of each set ends, and in how many prefixes each token is."""
    from edgewise.join.cpu.utilities import END, count_postings

    ends, counts = _ends(rows, needed, int(END)), np.zeros(kinds, np.int64)
    launch(count_postings, rows, frozen(ends), counts, team=get_threads(), work=8 * len(ends))
    return ends, counts


def _ends(rows: Any, needed: np.ndarray, last: int) -> np.ndarray:
    from edgewise.join.cpu.utilities import find_prefixes

    ends = np.empty(len(rows.sizes), np.int64)
    for_each(len(ends), find_prefixes, (rows, needed, last, ends), work=8 * len(ends))
    return ends


def _postings(rows: Any, ends: np.ndarray, counts: np.ndarray) -> _Level:
    """The lists of all tokens."""
    from edgewise.join.cpu.utilities import fill_postings

    team, kinds, starts = get_threads(), len(counts), offsets(counts)
    total = int(starts[-1])
    bounds = np.searchsorted(starts, np.arange(team + 1) * total // team)
    bounds[0], bounds[-1] = 0, kinds
    entries = _entries(total)
    launch(fill_postings, rows, frozen(ends), entries, bounds, starts[:-1].copy(), team=team,
           work=8 * len(ends))  # fmt: skip
    return _Level(entries, counts, np.arange(kinds, dtype=np.int32))


def _entries(count: int) -> Any:
    from edgewise.join.cpu.utilities import Entries

    return Entries(
        np.empty(count, np.int32), np.empty(count, np.int32), np.empty(count, np.float32)
    )


def _part(level: _Level, chosen: np.ndarray) -> Any:
    """The entries of the chosen nodes."""
    mask = np.repeat(chosen, level.counts)
    return type(level.entries)(*(frozen(column[mask]) for column in level.entries))


def _spans(level: _Level, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last set of each of the chosen nodes."""
    spans = np.zeros((2, len(chosen)), np.int32)
    begins = offsets(level.counts)[:-1][chosen]
    spans[0, chosen] = level.entries.sets[begins]
    spans[1, chosen] = level.entries.sets[begins + level.counts[chosen] - 1]
    return spans[0], spans[1]


def _chosen(rows: Any, needed: np.ndarray, level: _Level, depth: int) -> np.ndarray:
    """Which nodes of a level to split: the longest ones whose sets have few choices."""
    from edgewise.join.cpu.utilities import END

    chosen = (level.counts > _LONG) & (level.tokens != END) & (depth < DEPTH)
    if not chosen.any():
        return chosen
    which, counts = np.flatnonzero(chosen), level.counts[chosen]
    more = np.add.reduceat(_choices(rows, needed, _part(level, chosen)), offsets(counts)[:-1])
    order = np.argsort(-counts, kind="stable")
    order = order[more[order] <= _SPREAD * counts[order]]
    order = order[np.cumsum(more[order]) <= _SIZE * len(rows.tokens)]
    chosen[:] = False
    chosen[which[order]] = True
    return chosen


def _choices(rows: Any, needed: np.ndarray, entries: Any) -> np.ndarray:
    """How many entries each entry becomes on the next level."""
    from edgewise.join.cpu.tree import count_children

    counts = np.empty(len(entries.sets), np.int64)
    work = 32 * len(counts)
    for_each(len(counts), count_children, (rows, needed, entries, counts), work=work)
    return counts


def _below(
    rows: Any, needed: np.ndarray, level: _Level, split: np.ndarray
) -> tuple[_Level, np.ndarray]:
    """The children of the nodes that are split, and how many each node has."""
    from edgewise.join.cpu.tree import fill_children

    entries = _part(level, split)
    nodes = np.repeat(np.flatnonzero(split), level.counts[split])
    starts = offsets(_choices(rows, needed, entries))
    total = int(starts[-1])
    keys, out = np.empty(total, np.int64), _entries(total)
    for_each(len(nodes), fill_children, (rows, entries, frozen(nodes), starts, keys, out),
             work=32 * total)  # fmt: skip
    order = np.arange(total, dtype=np.int64)
    sort(keys, order)
    begins = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(begins, append=total)
    keys = keys[begins]
    out = type(out)(*(column[order] for column in out))
    above = np.bincount(keys >> 32, minlength=len(split))
    return _Level(out, counts, (keys & 0x7FFFFFFF).astype(np.int32)), above
