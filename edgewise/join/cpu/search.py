"""The candidates of each set: those that share enough of what its tokens, or elements, are worth.

For one left set the lists of its prefix are run through, each only over the sets of a size that
could still be enough; ``met`` sums up what each set was seen to share. A set is taken in at the
first that both have if what both have from there on could do (positional filter). Those taken in
are then finished: the two rows are merged behind what is known already, until the sum is exact
(joint filter) or the rest of one row is too little. A set whose elements are worth enough is
searched by these, and what they leave is tried by tokens as well.

Where the list of a token is split (`edgewise.join.index`), its tree is gone through in depth: for
each token of the set that may be the next shared one. StringSets found there are merged from the
first token on that may have a tree.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.atomics import fetch_add, load
from edgewise.base.cpu.bisection import lower_bound
from edgewise.base.cpu.team import grab
from edgewise.join.cpu.asked import Ask, bound_of, depth_of, need_of, sizes_of
from edgewise.join.cpu.tree import child_of
from edgewise.join.cpu.utilities import END

__all__ = ["COST", "COSTLIEST", "Found", "Scratch", "gather", "search"]

_SLACK = 2e-9  # relative: sums that rounding has made too small lose no pair
_PREFIX, _LENGTH, _POSITIONAL, _JOINT, _PAIRS = range(5)
#: Columns of the tally: the token whose lists were read most, twice, plus 1 if it is an element;
#: and how many of their entries were.
COSTLIEST, COST = 5, 6

_FREE = -1.0  # in ``met``: a candidate, whatever it shares
_SEEN = 1e-30  # a candidate that was found in a tree


class Scratch(NamedTuple):
    """Work arrays: one row for each thread."""

    met: np.ndarray  #: float64, zeros: what each set in the range of sizes shares
    taken: np.ndarray  #: int32, which sets were taken in
    bounds: np.ndarray  #: float64
    lows: np.ndarray  #: int32, for each place in the prefix the least size that is enough
    highs: np.ndarray  #: int32, the largest
    nodes: np.ndarray  #: int64, the path to a node of the tree,
    places: np.ndarray  #: int64, which place of the row is next below each,
    sums: np.ndarray  #: float64, and what its tokens are worth


class Found(NamedTuple):
    """Candidates as they come: those of left set ``first + i`` begin at ``places[i]``."""

    counts: np.ndarray  #: int64
    places: np.ndarray  #: int64
    sets: np.ndarray  #: int32
    bounds: np.ndarray  #: float64
    total: np.ndarray  #: int64, one word
    tally: np.ndarray  #: int64, for each left set and filter how many passed


@kernel(borrows=True)
def search(me, team, control, join, first, levels, limit, chunk, scratch, found):
    """The candidates of left sets from ``first`` on, in order, until there are above ``limit``."""
    while load(found.total, 0) <= limit:
        low, high = grab(control, 0, chunk, len(found.counts))
        if low >= high:
            return
        for i in range(low, high):
            count = _probe(me, join, first + i, levels[first + i], scratch, found.tally[i])
            found.counts[i] = count
            if count > 0:
                place = fetch_add(found.total, 0, count)
                found.places[i] = place
                for k in range(count):
                    found.sets[place + k] = scratch.taken[me, k]
                    found.bounds[place + k] = scratch.bounds[me, k]


@inner
def _probe(me, join, one, level, scratch, tally):
    """Find the candidates of one set, into the first entries of this thread's scratch."""
    size, largest = np.int64(join.tokens.left.sizes[one]), len(join.tokens.index.by_size) - 2
    if level > 1.0 or level * size > largest:
        return np.int64(0)
    low = np.int64(np.ceil(level * size))
    high = np.int64(min(np.floor(size / level), np.float64(largest)))
    share, edits = level / (1.0 + level), join.tokens.edits
    ask = Ask(me, one, size, low, high, edits * share, edits - 1.0, _SLACK * edits * size)
    if join.by_elements:
        first = Ask(me, one, size, low, high, share, 0.0, _SLACK * size)
        kept = _search(join, join.elements, first, np.int64(0), scratch, tally)
        kept = _try_again(join.tokens, ask, kept, scratch)
        enough = np.floor((first.slack - join.elements.left_shift[one]) / share) - size
        high = np.int64(min(np.float64(high), enough + 1.0))  # larger sets must share an element
        if len(join.tokens.index.sets) > 0 and low <= high:
            ask = Ask(me, one, size, low, high, share, 0.0, _SLACK * size)
            kept += _search(join, join.tokens, ask, kept, scratch, tally)
    else:
        kept = _search(join, join.tokens, ask, np.int64(0), scratch, tally)
    count = join.left_counts[one]
    for i in range(kept):
        tally[_PAIRS] += count * join.right_counts[scratch.taken[me, i]]
    if join.alone and count > 1:
        scratch.taken[me, kept], scratch.bounds[me, kept] = one, 1.0
        kept += 1
        tally[_PAIRS] += count * (count - 1) // 2
    tally[_JOINT] += kept
    return kept


@inner
def _search(join, scheme, ask, kept, scratch, tally):
    """Find those that share enough by one scheme, behind the ``kept`` ones; how many there are."""
    taken, bounds = scratch.taken[ask.me, kept:], scratch.bounds[ask.me, kept:]
    base = np.int64(scheme.index.by_size[ask.low])
    limit = np.int64(scheme.index.by_size[ask.high + 1])
    if join.alone:
        limit = min(limit, np.int64(ask.one))
    count, depth = _take_in(join, scheme, ask, base, limit, taken, scratch, tally)
    return _finish(scheme, ask, base, count, depth, taken, bounds, scratch, tally)


@inner
def _take_in(join, scheme, ask, base, limit, taken, scratch, tally):
    """Run through the lists of a set; how many were taken in, and how many lists that were."""
    left, index, met = scheme.left, scheme.index, scratch.met[ask.me]
    shift, count, depth = scheme.left_shift[ask.one], np.int64(0), np.int64(0)
    if ask.spare > 0.0:  # of some sizes all are candidates
        least, most = sizes_of(ask, ask.slack)
        if least <= most:
            for other in range(index.by_size[least], min(limit, np.int64(index.by_size[most + 1]))):
                met[other - base] = _FREE
                taken[count] = other
                count += 1
    at = left.starts[ask.one]
    while left.tokens[at] < index.plain:
        least, most = sizes_of(ask, left.rest[at] - shift + ask.slack)
        if least > most:
            return count, depth
        first = np.int64(index.by_size[least])
        last = min(limit, np.int64(index.by_size[most + 1]))
        if first >= last:
            return count, depth
        scratch.lows[ask.me, depth], scratch.highs[ask.me, depth] = least, most
        depth += 1
        before, token = tally[_LENGTH], np.int64(left.tokens[at])
        begin, end = _list(index, token, first, last, tally)
        for k in range(begin, end):
            other = np.int64(index.sets[k])
            so_far = met[other - base]
            if so_far > 0.0:
                met[other - base] = so_far + min(left.worth[at], index.worth[k])
            elif so_far == 0.0 and _promising(
                join, scheme, ask, k, np.float64(left.worth[at]), left.rest[at + 1]
            ):
                met[other - base] = min(left.worth[at], index.worth[k])
                taken[count] = other
                count += 1
        _note(scheme, token, before, tally)
        at += 1
    return _take_in_below(join, scheme, ask, at, base, limit, count, taken, scratch, tally), depth


@inner
def _take_in_below(join, scheme, ask, at, base, limit, count, taken, scratch, tally):
    """Run through lists and trees of tokens from ``at`` on; how many were taken in, in all."""
    left, index, met = scheme.left, scheme.index, scratch.met[ask.me]
    nodes, places, sums = scratch.nodes[ask.me], scratch.places[ask.me], scratch.sums[ask.me]
    shift, level, token, before = scheme.left_shift[ask.one], 0, np.int64(END), tally[_LENGTH]
    places[0], sums[0] = at, 0.0
    while level >= 0:
        if level == 0:
            _note(scheme, token, before, tally)
            token, before = np.int64(left.tokens[places[0]]), tally[_LENGTH]
            if token == END:
                break
        at, total = places[level], sums[level]
        least, most = sizes_of(ask, total + left.rest[at] - shift + ask.slack)
        if least > most:
            level -= 1
            continue
        first = np.int64(index.by_size[least])
        last = min(limit, np.int64(index.by_size[most + 1]))
        if first >= last:
            level -= 1
            continue
        node, total = token, total + left.worth[at]
        if level > 0:
            node = child_of(index, nodes[level], left.tokens[at])
        places[level] = at + 1
        ended = left.tokens[at] == END
        if ended:
            level -= 1
        if node < 0:
            continue
        if index.children[node] < index.children[node + 1]:
            if index.first[node] < last and index.last[node] >= first:
                level += 1
                nodes[level], places[level], sums[level] = node, at + 1, total
            continue
        begin, end = _list(index, node, first, last, tally)
        rest = 0.0 if ended else np.float64(left.rest[at + 1])
        for k in range(begin, end):
            other = np.int64(index.sets[k])
            if met[other - base] == 0.0 and _promising(join, scheme, ask, k, total, rest):
                met[other - base] = _SEEN
                taken[count] = other
                count += 1
    return count


@inner
def _list(index, node, first, last, tally):
    """Where a list has the sets from ``first`` to before ``last``."""
    begin, end = index.starts[node], index.starts[node + 1]
    tally[_PREFIX] += end - begin
    begin = lower_bound(index.sets, begin, end, first)
    end = lower_bound(index.sets, begin, end, last)
    tally[_LENGTH] += end - begin
    return begin, end


@inner
def _promising(join, scheme, ask, k, worth, rest):
    """Could the set of an entry share enough with the one that asks, and is it to be found here?

    ``worth`` are the tokens up to this one to the set that asks, and ``rest`` those behind it.
    """
    index, other = scheme.index, np.int64(scheme.index.sets[k])
    need = need_of(ask, np.int64(scheme.right.sizes[other]))
    need += max(scheme.left_shift[ask.one], scheme.right_shift[other])
    most = min(worth, np.float64(index.worth[k])) + min(rest, np.float64(index.rest[k]))
    return most >= need and _fits(join, scheme, ask, other)


@inner
def _note(scheme, token, before, tally):
    """Keep the token whose lists were read most."""
    cost = tally[_LENGTH] - before
    if cost > tally[COST]:
        tally[COSTLIEST], tally[COST] = 2 * token + scheme.elements, cost


@inner
def _fits(join, scheme, ask, other):
    """Is it by this scheme that a set is to be found? By elements, if it must share some."""
    if not join.by_elements:
        return True
    elements = join.elements
    need = ask.share * (ask.size + scheme.right.sizes[other]) - ask.slack
    need += max(elements.left_shift[ask.one], elements.right_shift[other])
    return (need > 0.0) == scheme.elements


@inner
def _finish(scheme, ask, base, count, depth, taken, bounds, scratch, tally):
    """Keep of those taken in the ones that share enough, with bounds of their scores."""
    met = scratch.met[ask.me]
    kept, begin, shift = np.int64(0), scheme.left.starts[ask.one], scheme.left_shift[ask.one]
    for i in range(count):
        other = np.int64(taken[i])
        so_far = met[other - base]
        met[other - base] = 0.0
        size = np.int64(scheme.right.sizes[other])
        bound = np.float64(min(ask.size, size)) / max(ask.size, size)
        if so_far != _FREE:
            larger = max(shift, scheme.right_shift[other])
            need = need_of(ask, size) + larger
            at = begin + depth_of((scratch.lows[ask.me], scratch.highs[ask.me]), 0, depth, size)
            shared = _shared(scheme, ask.one, at, other, so_far, need, tally)
            if shared < need:
                continue
            bound = min(bound, bound_of(ask, size, shared - larger))
        taken[kept], bounds[kept] = other, bound
        kept += 1
    return kept


@inner
def _try_again(scheme, ask, count, scratch):
    """Keep of ``count`` sets those that share enough by another scheme, too, without shifts."""
    taken, bounds, kept = scratch.taken[ask.me], scratch.bounds[ask.me], np.int64(0)
    for i in range(count):
        other = np.int64(taken[i])
        size = np.int64(scheme.right.sizes[other])
        need = need_of(ask, size)
        begin, begin_other = scheme.left.starts[ask.one], scheme.right.starts[other]
        shared = _merge(scheme.left, begin, scheme.right, begin_other, 0.0, need)
        if shared >= need:
            taken[kept], bounds[kept] = other, min(bounds[i], bound_of(ask, size, shared))
            kept += 1
    return kept


@inner
def _shared(scheme, one, at, other, so_far, need, tally):
    """What two sets share, or anything below ``need``.

    ``so_far`` they share up to where the left row stands at ``at``, of what is in the index.
    """
    left, right = scheme.left, scheme.right
    to = scheme.index.ends[other]
    if left.tokens[at] <= right.tokens[to]:
        if so_far + left.rest[at] < need:
            return need - 1.0
        to = lower_bound(right.tokens, right.starts[other], to, left.tokens[at])
    else:
        if so_far + right.rest[to] < need:
            return need - 1.0
        at = lower_bound(left.tokens, left.starts[one], at, right.tokens[to])
    if so_far + min(left.rest[at], right.rest[to]) < need:
        return need - 1.0
    tally[_POSITIONAL] += 1
    return _merge(left, at, right, to, so_far, need)


@inner
def _merge(left, at, right, to, so_far, need):
    """``so_far`` and what two rows share from ``at`` and ``to`` on, or anything below ``need``."""
    while so_far + min(left.rest[at], right.rest[to]) >= need:
        token, token_other = left.tokens[at], right.tokens[to]
        if token == token_other:
            if token == END:
                return so_far
            so_far += min(left.worth[at], right.worth[to])
        at += token <= token_other
        to += token_other <= token
    return need - 1.0


@inlined
def gather(i, first, starts, found, lefts, rights, alone, out):
    """Bring candidates into the order of the left sets, and write ids of sets.

    ``lefts`` and ``rights`` are the sets that stand for the distinct ones of each side.
    """
    one = lefts[first + i]
    shift = found.places[i] - starts[i]
    for k in range(starts[i], starts[i + 1]):
        other = rights[found.sets[k + shift]]
        out.left[k] = min(one, other) if alone else one
        out.right[k] = max(one, other) if alone else other
        out.bound[k] = found.bounds[k + shift]
