"""Sums of traffic matrices on CPU threads: runs of sorted links, merged.

The links of all matrices that make one sum are cut into parts by their keys, so that a part fits
the cache whatever matrices it has links of: every matrix gives each of its links at a fixed
distance as a sample, and the sorted samples are where parts may begin. Threads take parts. A few
runs are merged pairwise, level by level, equal links added; many are laid in one row and sorted
(`edgewise.sensing.cpu.many`). Either way memory is read and written once, however many matrices
there are, and the result is the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.bisection import galloping
from edgewise.base.cache import inlined, inner, kernel
from edgewise.base.cpu.sort import DIGIT_BITS, sort_bucket
from edgewise.base.cpu.team import grab
from edgewise.base.offsets import offsets
from edgewise.base.threads import get_threads, launch
from edgewise.graph.csr import frozen
from edgewise.sensing.cpu.loose import Loose, in_waves
from edgewise.sensing.cpu.many import add_many, heavy_hitters, key_of, scratch_for
from edgewise.sensing.cpu.ranks import narrow, widen
from edgewise.sensing.links import Links

__all__ = ["summed"]

_PART = 1 << 15  # links that a part has, about; at most three times as many
_MERGED = 4  # runs that are merged rather than sorted
_RUNS = 512  # matrices that are summed at once, at most
_0, _1 = np.uint64(0), np.uint64(1)


class _Plan(NamedTuple):
    """What is cut into parts, and how."""

    bounds: np.ndarray  #: where the links of each matrix begin
    groups: np.ndarray  #: the first matrix of each sum
    steps: np.ndarray  #: the distance of samples, for each sum
    every: np.ndarray  #: how many samples a part has
    samples: np.ndarray  #: where the samples of each sum begin
    parts: np.ndarray  #: the first part of each sum
    rows: np.ndarray  #: where the cuts of each sum begin: a row for each part, and one for the end
    sums: np.ndarray  #: the sum to which each part belongs


def summed(
    links: Links, bounds: np.ndarray, groups: np.ndarray, into: Links | None = None
) -> tuple[Links, np.ndarray]:
    """The sums of matrices that follow each other, and where each one's links begin.

    With ``into``, arrays of ids of 32 bits that are long enough, they are written there.
    """
    bounds, groups = np.asarray(bounds, np.int64), np.asarray(groups, np.int64)
    if int(np.diff(groups).max(initial=0)) > _RUNS:
        few = np.append(np.concatenate([
            np.arange(low, high, _RUNS) for low, high in zip(groups, groups[1:], strict=False)
        ]), groups[-1])  # fmt: skip
        links, bounds = summed(links, bounds, few)
        return summed(links, bounds, np.searchsorted(few, groups), into)
    source, destination, ids = narrow(links.source, links.destination)
    given = Links(frozen(source), frozen(destination), frozen(links.packets))
    plan = _planned(bounds, groups)
    begins, cuts = _cut(given, plan)
    found, starts = in_waves(begins, _merging(given, plan, cuts), into)
    return widen(found, ids, links.source.dtype), starts[plan.parts]


def _planned(bounds: np.ndarray, groups: np.ndarray) -> _Plan:
    runs = np.diff(groups)
    steps = _PART // np.maximum(runs, 1)
    each = np.diff(bounds) // np.repeat(steps, runs)  # samples of every matrix
    samples = offsets(each)[groups]
    every = _PART // steps
    number = np.diff(samples) // every + 1
    parts, rows = offsets(number), offsets((number + 1) * runs)
    return _Plan(
        bounds, groups, steps, every, samples, parts, rows, np.repeat(np.arange(len(runs)), number)
    )


def _cut(links: Links, plan: _Plan) -> tuple[np.ndarray, np.ndarray]:
    """How many links come before each part, and where its own begin in each matrix."""
    team, parts = get_threads(), len(plan.sums)
    samples = np.empty((2, plan.samples[-1]), np.uint64)
    least = np.empty(parts, np.uint64)
    few = np.empty((team, 1 << DIGIT_BITS), np.int64)
    launch(_choose, links, plan, samples, least, few, team=team,
           work=32 * samples.shape[1] + parts)  # fmt: skip
    cuts, begins = np.empty(plan.rows[-1], np.int64), np.empty(parts + 1, np.int64)
    launch(_search, links, plan, least, cuts, begins, work=16 * len(cuts))
    begins[parts] = len(links.source)
    return begins, cuts


def _merging(links: Links, plan: _Plan, cuts: np.ndarray) -> Callable[[Loose, int, int], None]:
    """A function that fills parts with their links, equal ones added."""
    team, size = get_threads(), min(3 * _PART, len(links.source))
    most = int(np.diff(plan.groups).max(initial=0))
    scratch = scratch_for(team, size, most)

    def fill(loose: Loose, first: int, last: int) -> None:
        work = 8 * int(loose.begins[last] - loose.begins[first])
        launch(_merge_parts, links, plan, cuts, scratch, loose, first, last, team=team, work=work)

    return fill


@kernel(borrows=True)
def _choose(me, team, control, links, plan, samples, least, few):
    """Sort the samples of each sum, and take some as the first keys of parts."""
    while True:
        group, end = grab(control, 0, 1, len(plan.groups) - 1)
        if group >= end:
            return
        step, at = plan.steps[group], plan.samples[group]
        for run in range(plan.groups[group], plan.groups[group + 1]):
            for i in range(plan.bounds[run] + step - 1, plan.bounds[run + 1], step):
                samples[0, at] = key_of(links, i)
                at += 1
        low = plan.samples[group]
        mine, other = samples[0, low:at], samples[1, low:at]
        sort_bucket(mine, None, other, None, few[me], _0, 0, 64, False)
        every, first = plan.every[group], plan.parts[group]
        least[first] = _0
        for part in range(first + 1, plan.parts[group + 1]):
            least[part] = mine[(part - first) * every - 1]


@kernel(borrows=True)
def _search(me, team, control, links, plan, least, cuts, begins):
    """Find where parts begin in each matrix: those of some parts in a row are near each other."""
    while True:
        low, high = grab(control, 0, 16, len(least))
        if low >= high:
            return
        while low < high:
            group = plan.sums[low]
            end = min(high, plan.parts[group + 1])
            _search_in(links, plan, group, low, end, least, cuts, begins)
            low = end


@inner
def _search_in(links, plan, group, low, high, least, cuts, begins):
    """Find where some parts of one sum begin."""
    first, last = plan.groups[group], plan.groups[group + 1]
    runs, start = last - first, plan.parts[group]
    begins[low:high] = plan.bounds[first]
    for run in range(first, last):
        begin, end = plan.bounds[run], plan.bounds[run + 1]
        at, column = begin, plan.rows[group] + run - first
        for part in range(low, high):
            if part > start:
                at = _lower_bound(links, at, end, least[part])
            begins[part] += at - begin
            cuts[column + (part - start) * runs] = at
        if high == plan.parts[group + 1]:
            cuts[column + (high - start) * runs] = end


def _is_before(links, i, key):
    return key_of(links, i) < key


_lower_bound = galloping(_is_before, inner, 64)


@kernel(borrows=True)
def _merge_parts(me, team, control, links, plan, cuts, scratch, loose, first, last):
    """Make the links of each part one run."""
    while True:
        part, end = grab(control, 0, 1, last - first)
        if part >= end:
            return
        part += first
        group = plan.sums[part]
        runs = plan.groups[group + 1] - plan.groups[group]
        at = plan.rows[group] + (part - plan.parts[group]) * runs
        lows, highs = cuts[at : at + runs], cuts[at + runs : at + 2 * runs]
        begin, size = loose.begins[part] - loose.begins[first], np.int64(-1)
        if runs == 2:
            size = _sum_two(links, lows, highs, loose, begin)
        elif runs > _MERGED:
            size = _sum_many(me, links, lows, highs, scratch, loose, begin)
        if size < 0:
            number = _fetch(me, links, lows, highs, scratch)
            size = _merge_runs(me, scratch, number, loose, begin)
        loose.sizes[part] = size


def _merger(key: Any, packets: Any) -> Any:
    """A function that merges runs of what has the key and the packets that these functions say."""

    @inner
    def merge(given, i, middle, j, high, other, sums, at):
        """Merge ``i:middle`` and ``j:high``; no step depends on a branch that cannot be told."""
        while i < middle and j < high:
            one, two = key(given, i), key(given, j)
            first, second = packets(given, i), packets(given, j)
            left, right = np.uint64(one <= two), np.uint64(two <= one)
            other[at] = min(one, two)
            sums[at] = (first & -np.int64(left)) + (second & -np.int64(right))
            i += left
            j += right
            at += _1
        while i < middle:
            other[at], sums[at] = key(given, i), packets(given, i)
            i += _1
            at += _1
        while j < high:
            other[at], sums[at] = key(given, j), packets(given, j)
            j += _1
            at += _1
        return at

    return merge


_merge_links = _merger(key_of, inlined(lambda links, i: links.packets[i]))
_merge_keys = _merger(inlined(lambda given, i: given[0][i]), inlined(lambda given, i: given[1][i]))


@inner
def _sum_two(links, lows, highs, loose, begin):
    """Merge two runs as they are; how many links."""
    one, other, at = np.uint64(lows[0]), np.uint64(lows[1]), np.uint64(begin)
    ends = np.uint64(highs[0]), np.uint64(highs[1])
    out = loose.keys, loose.packets
    return np.int64(_merge_links(links, one, ends[0], other, ends[1], *out, at) - at)


@inner
def _sum_many(me, links, lows, highs, scratch, loose, begin):
    """Sum many runs; how many links, or -1 for no space.

    A run with a good part of all links, as a sum has to which windows are added, is merged with
    what the others make.
    """
    large = heavy_hitters(lows, highs)
    if large < 0:
        keys, sums = loose.keys[begin:], loose.packets[begin:]
        return add_many(me, links, lows, highs, large, scratch, keys, sums)
    keys, sums = scratch.keys[me, 1], scratch.packets[me, 1]
    middle = add_many(me, links, lows, highs, large, scratch, keys, sums)
    if middle < 0:
        return middle
    last = middle
    for i in range(lows[large], highs[large]):
        keys[last], sums[last] = key_of(links, i), links.packets[i]
        last += 1
    at, middle, last = np.uint64(begin), np.uint64(middle), np.uint64(last)
    out = loose.keys, loose.packets
    return np.int64(_merge_keys((keys, sums), _0, middle, middle, last, *out, at) - at)


@inner
def _fetch(me, links, lows, highs, scratch):
    """Copy the runs of a part to where they are merged; how many have links."""
    keys, packets, ends = scratch.keys[me, 0], scratch.packets[me, 0], scratch.ends[me]
    size, number = 0, 0
    ends[0] = _0
    for run in range(len(lows)):
        for i in range(lows[run], highs[run]):
            keys[size] = key_of(links, i)
            packets[size] = links.packets[i]
            size += 1
        if lows[run] < highs[run]:
            number += 1
            ends[number] = np.uint64(size)
    return number


@inner
def _merge_runs(me, scratch, number, loose, begin):
    """Merge so many runs, pairwise until there is one; the last step writes it where it belongs."""
    ends, side = scratch.ends[me], 0
    while number > 2:
        keys, packets = scratch.keys[me, side], scratch.packets[me, side]
        other, sums = scratch.keys[me, 1 - side], scratch.packets[me, 1 - side]
        at, begun, pairs = _0, _0, 0
        for run in range(0, number, 2):
            middle = ends[run + 1]
            last = ends[min(run + 2, number)]
            at = _merge_keys((keys, packets), begun, middle, middle, last, other, sums, at)
            begun = last
            pairs += 1
            ends[pairs] = at
        number, side = pairs, 1 - side
    keys, packets = scratch.keys[me, side], scratch.packets[me, side]
    middle, last = ends[min(1, number)], ends[number]
    begin = np.uint64(begin)
    found = loose.keys, loose.packets
    end = _merge_keys((keys, packets), _0, middle, middle, last, *found, begin)
    return np.int64(end - begin)
