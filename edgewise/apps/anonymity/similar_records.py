"""Similar records of a table, without comparing all pairs: near in sorted orders, then by descent.

Each of some rounds sorts the records by random columns, one after the other, and compares every
record with those next to it. Then every record is compared with the neighbors of its neighbors. A
record's list is written by one thread only, from lists of the round before, so that the result
does not depend on the number of threads.
"""

from __future__ import annotations

import numpy as np

from edgewise.base import random
from edgewise.base.parallel import sort
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["similar_records"]

#: Sorts, and how far to look in each direction.
_SORTS, _APART = 12, 6
#: Rounds of descent, and how many neighbors of how many neighbors are looked at.
_DESCENTS, _FEW = 3, 8


def similar_records(codes: np.ndarray, many: int, seed: int) -> np.ndarray:
    """The ids of ``many`` similar records of each, the most similar first; n x many.

    ``many`` is less than the number of records.
    """
    n, d = codes.shape
    ids = np.full((n, many), -1, np.int64)
    differ = np.full((n, many), d + 1, np.int32)
    reach = max(_APART, -(-many // 2))  # the first sort alone fills every list
    for turn in range(_SORTS):
        order = _sorted_by(codes, np.argsort(random.bits(seed, np.arange(d), turn)))
        for_each(n, _next_to, (codes, order, reach, ids, differ), work=n * reach * d // 2)
        reach = _APART
    for _ in range(_DESCENTS):
        old = ids.copy()
        state = (codes, old, min(_FEW, many), ids, differ)
        for_each(n, _beyond, state, work=n * _FEW * _FEW * d // 4)
    return ids


def _sorted_by(codes: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The records sorted by columns, as many as fit in 64 bits; ties in the order of the table."""
    keys, free = np.zeros(len(codes), np.uint64), 63
    for column in columns.tolist():
        bits = int(codes[:, column].max()).bit_length()
        if bits > free:
            break
        keys = keys << np.uint64(bits) | codes[:, column].astype(np.uint64)
        free -= bits
    order = np.arange(len(codes), dtype=np.int64)
    sort(keys.view(np.int64), order)
    return order


def _next_to(place, codes, order, reach, ids, differ):
    """Compare a record with those around its place, more to one side at the ends of the order."""
    n, v = len(order), order[place]
    low = max(0, min(place - reach, n - 1 - 2 * reach))
    for other in range(low, min(n, low + 2 * reach + 1)):
        _offer(v, order[other], codes, ids, differ)


def _beyond(v, codes, old, few, ids, differ):
    """Compare a record with neighbors of its neighbors."""
    for i in range(few):
        for j in range(few):
            _offer(v, old[old[v, i], j], codes, ids, differ)


@inner
def _offer(v, u, codes, ids, differ):
    """Put a record into the list of another, unless it is there or too different."""
    last = ids.shape[1] - 1
    if u == v:
        return
    count = 0
    for f in range(codes.shape[1]):
        count += codes[v, f] != codes[u, f]
    if count >= differ[v, last]:
        return
    place = last
    while place > 0 and differ[v, place - 1] > count:
        place -= 1
    at = place  # of equally different ones, the first stays first
    while at > 0 and differ[v, at - 1] == count:
        at -= 1
        if ids[v, at] == u:
            return
    for i in range(last, place, -1):
        ids[v, i], differ[v, i] = ids[v, i - 1], differ[v, i - 1]
    ids[v, place], differ[v, place] = u, count
