"""Long-range contacts in a square grid, drawn by their lattice distance."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.cpu.bisection import row_of
from edgewise.base.cpu.random import bits, uniform
from edgewise.base.cpu.team import grab
from edgewise.generators.cpu.permutation import below

__all__ = ["draw_contacts"]

_CHUNK = 1 << 10
_1 = np.uint64(1)


@kernel
def draw_contacts(me, team, control, seed, n, q, sums, sources, targets):
    """Contact e belongs to vertex ``e // q``; ``sums[d]`` is the weight of distances 1 to d.

    A distance is drawn for a grid without borders, then one of the 4 d vertices that far away.
    Those beyond the border are drawn again.
    """
    while True:
        low, high = grab(control, 0, _CHUNK, len(sources))
        if low == high:
            break
        for e in range(low, high):
            v = e // q
            turn = np.uint64(0)
            while True:
                draw = uniform(seed, np.uint64(e), turn) * sums[-1]
                d = row_of(sums, 0, len(sums) - 1, draw) + 1
                word = bits(seed, np.uint64(e), turn + _1)
                side, rest = divmod(np.int64(below(word, np.uint64(4 * d))), d)
                down, right = d - rest, rest
                if side & 1:
                    down, right = -right, down
                if side & 2:
                    down, right = -down, -right
                down, right = v // n + down, v % n + right
                if 0 <= down < n and 0 <= right < n:
                    break
                turn += _1 + _1
            sources[e], targets[e] = v, down * n + right
