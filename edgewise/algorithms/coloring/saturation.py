"""Coloring of pins that share nets by saturation: DSATUR [1], for up to 64 colors.

The next pin is one whose neighbors have the most different colors. It takes the smallest color that
is free. On regular patterns, such as stencils, most colors are forced, so few are needed: five for
the 5-point stencil. Ties go to the pin whose number changed last. The work is the sum of the
squared lengths of the nets, on one CPU thread.

[1] D. Brélaz. New methods to color the vertices of a graph. Comm. ACM 22(4), 1979.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.coloring.net_orders import insert, remove
from edgewise.algorithms.coloring.nets import Nets
from edgewise.base.bits import lowest_bit
from edgewise.operators.sequential import going, sequential

__all__ = ["MOST_COLORS", "color_by_saturation"]

MOST_COLORS = 64


def color_by_saturation(nets: Nets) -> np.ndarray | None:
    """Return the color of each pin, or None if it needs more than `MOST_COLORS`."""
    pins, colors = nets.num_pins, np.full(nets.num_pins, -1, np.int32)
    table = np.full((pins, 4), -1, np.int32)  # of each pin: number of colors, none, and two links
    table[:, 0] = 0
    heads, taken = np.full(MOST_COLORS + 2, -1, np.int32), np.zeros(pins, np.int64)
    state = (*nets[:4], table, heads, taken, colors)
    sequential(_color, state, steps=pins, work=8 * len(nets.net_pins) + pins, phase="saturation")
    return colors if colors.min(initial=0) >= 0 else None


def _color(control, net_ptr, net_pins, pin_ptr, pin_nets, table, heads, taken, colors):
    """taken[v] has the colors of the neighbors of v as bits."""
    n, steps, at = len(table), np.int64(0), np.int64(0)
    for v in range(n - 1, -1, -1):
        insert(v, table, heads)
    for i in range(n):
        while heads[at] < 0:
            at -= 1
        v = np.int64(heads[at])
        if taken[v] == -1:
            return
        color = lowest_bit(~taken[v])
        remove(v, table, heads)
        colors[v], table[v, 0], bit = color, -1, np.int64(1) << color
        for e in range(pin_ptr[v], pin_ptr[v + 1]):
            u = np.int64(pin_nets[e])
            steps += net_ptr[u + 1] - net_ptr[u]
            for f in range(net_ptr[u], net_ptr[u + 1]):
                w = np.int64(net_pins[f])
                if table[w, 0] >= 0 and taken[w] & bit == 0:
                    remove(w, table, heads)
                    taken[w] |= bit
                    table[w, 0] += 1
                    insert(w, table, heads)
                    at = max(at, np.int64(table[w, 0]))
        steps += 1
        if steps > 100_000:
            steps = 0
            if not going(control, i):
                return
