"""Hash tables by open addressing with linear probing, for every engine.

A key goes to the first free place from its home on, which a hash of it gives; the number of places
is a power of two, and some are always free. `probing` makes the search of such a table from three
functions of what it is kept in: they read a place, take a free one, and compare keys. Where threads
share a table, taking a place is an atomic step that tells if another thread was sooner. Like
`edgewise.base.bisection` it takes the decorator by which an engine compiles functions.

>>> def put(table, at, key):
...     table[at] = key
...     return 0
>>> probe = probing(key_at, put, is_key, lambda function: function)
>>> table = [0] * 4
>>> [tuple(map(int, probe(table, key % 4, 3, key))) for key in (7, 11, 7)]
[(3, 0), (0, 0), (3, 7)]
"""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["is_key", "key_at", "probing"]

_1 = np.uint64(1)


def probing(read: Any, take: Any, same: Any, compiled: Any, free: Any = 0) -> Any:
    """Return ``probe(data, home, last, key)``: the place of a key (uint64), and what was there.

    ``last`` is one less than the number of places. A key that was not in the table has the first
    place that held ``free``.

    - ``read(data, at)`` is what a place (uint64) holds.
    - ``take(data, at, key)`` puts a key at a place that was free, and returns ``free``; or what
      another thread has put there meanwhile. None leaves the table as it is.
    - ``same(data, at, held, key)`` tells whether a place that holds this holds this key.
    """

    def leave(data, at, key):
        return free

    held_at, taken, is_same = compiled(read), compiled(take or leave), compiled(same)

    @compiled
    def probe(data, home, last, key):
        at, mask = np.uint64(home), np.uint64(last)
        while True:
            held = held_at(data, at)
            if held == free:
                held = taken(data, at, key)
                if held == free:
                    return at, held
            if is_same(data, at, held, key):
                return at, held
            at = (at + _1) & mask

    return probe


def key_at(table, at):
    """What a place of a table holds that is an array of keys."""
    return table[at]


def is_key(table, at, held, key):
    """Is the key that a place holds this one?"""
    return held == key
