"""The functions and monoids that the operator tests share.

Every distinct message, monoid and set of types is one more kernel to compile, so tests take theirs
from here wherever they can.
"""

from __future__ import annotations

import math

from edgewise.base import atomic
from edgewise.operators import ADD, MAX, MIN, Monoid


def through(value, weight):
    return value + weight


def narrow(value, weight):
    return min(value, weight)


def spread(value, weight):
    return value * weight


def pass_on(value):
    return value


def hop(value):
    return value + 1


def sender(source):
    return source


def only_weight(weight):
    return weight


def one():
    return 1


def edge_mark(source, edge):
    return 1000 * source + edge


def between(source, target, edge):
    return 1000 * source + edge + 10**6 * (target % 3)


def best_sender(value, source):
    return value, source


def pair_through(value, weight, source):
    return value[0] + weight, source


def triple(value, weight, source):
    return value[0] + 1, weight, source


def odd_parts(value, source):
    return (value[0] if source % 2 else 0.0), value[1] % 2


def quadruple(value, weight, source):
    return value[0], weight, source, 2.0


def tight(value, weight, source, own):
    return source if value + weight == own else -1


def everything(value, weight, source, edge, own):
    return value + 2 * weight + 3 * source + 5 * edge + 7 * own


def gain(total, key, own, size, scale):
    """A score of every kind of name: how much better off own is with this key."""
    return total - scale * own * size + (key % 3) / 8


def better_off(total, staying, key, own, size, scale):
    """A score relative to the key to stay with."""
    return total - staying - scale * own * size + (key % 3) / 8


def at_home(total, staying, key, own, size, staying_size, scale):
    """The same, with what is read at the key to stay with; some keys are out of the question."""
    if key % 5 == 4:
        return -math.inf
    return total - staying + scale * own * (staying_size - size) + (key % 3) / 8


def product(weight, onward):
    return weight * onward


def drawn(value, weight, own, pull, table):
    """A message with params: a number, and an array that is read at any place."""
    return pull * (value - own) * weight + table[1]


def aimed(value, weight, target, column):
    return value * weight + column + target % 5


def tilted(value, weight, column):
    return value * weight + column


def remove(weight, value, level, scale):
    """What a vertex takes along when it goes, by a param."""
    return -scale * weight if value <= level else -100


def below(value, bound):
    return value < bound


def at_least(value, least):
    return value >= least


def unset(value):
    return value == 0


def above_two(value):
    return value > 2


def even_or_unset(value):
    return value < 0 or value % 2 == 0


def tally(source, target, edge, seen, total):
    """A visit that counts its calls per edge and per target."""
    atomic.add(seen, edge, 1)
    atomic.add(total, target, source)
    return (source + target) % 2 == 0


def _either(old, new):
    return old | new


def _times(old, new):
    return old * new


def _mixed(old, new):
    return old[0] + new[0], max(old[1], new[1]), min(old[2], new[2])


def _four(old, new):
    return old[0] + new[0], max(old[1], new[1]), min(old[2], new[2]), old[3] * new[3]


#: Idempotent, defined by a user.
UNION = Monoid(0, _either, idempotent=True)
#: Neither idempotent nor a sum.
PRODUCT = Monoid(1, _times)
#: Over three arrays: how many, the greatest, the least.
MIXED = Monoid((0, "lowest", "highest"), _mixed)
#: The same, and engines are told that the three go apart.
APART = MIXED._replace(parts=(ADD, MAX, MIN))
#: Over four arrays: also a product.
FOUR = Monoid((0, "lowest", "highest", 1), _four)


def of_both(weight_u, weight_v):
    return weight_u * weight_v


def of_some(weight_v, least, weight_u, source):
    return weight_u - 2 * weight_v if source > least else -1.0


def of_each(source, sizes):
    return 1.0 / (1.0 + sizes[source])
