"""Monoids: how values at one place become one: messages at a vertex, weights of merged edges.

A monoid has an identity and an associative, commutative ``combine(old, new)``. ``idempotent`` says
that combining a message twice changes nothing, which lets engines read newer values and repeat
work. ``early_exit`` says that a vertex which holds any value other than the identity is finished:
engines stop looking at it (`ANY`: the first message wins, whichever comes first). ``absorbing``
is a value that no message can change (all bits of `OR`): engines may pass over who has it. A
monoid of tuples may name ``parts``, a monoid each by which its members are combined for themselves:
then they need not change together.

>>> import numpy as np
>>> float(MIN.identity_for(np.float64)), int(ADD.identity_for(np.int32))
(inf, 0)
>>> int(OR.identity_for(np.uint8)), int(AND.identity_for(np.uint8))
(0, 255)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count

__all__ = ["ADD", "AND", "ANY", "ARGMAX", "ARGMIN", "MAX", "MIN", "OR", "Monoid", "add_each"]


class Monoid(NamedTuple):
    """An associative operation ``combine`` and its identity; for tuples of values, both are tuples.

    ``identity`` is a value or one of five words. ``"lowest"`` is the smallest value of the type
    (-inf for floats) and ``"highest"`` the largest (inf for floats). ``"missing"`` marks an unset
    element: -1 for integers, inf for floats, False for booleans. ``"zeros"`` and ``"ones"`` have no
    bit or all bits set, for integers and booleans.
    """

    identity: Any
    combine: Callable[..., Any]
    idempotent: bool = False
    early_exit: bool = False
    order: int = 0  # 1: lower values come first (MIN); -1: higher ones (MAX); 0: no order
    absorbing: Any = None  # a value or a word, as identity
    parts: tuple[Any, ...] = ()  # of a tuple: the monoids of its members, if these go apart

    def identity_for(self, *dtypes: Any) -> Any:
        """Return the identity in the given type, or a tuple of identities for several types."""
        several = isinstance(self.identity, tuple)
        wanted = len(self.identity) if several else 1
        if wanted != len(dtypes):
            raise ValueError(
                f"values must be as many arrays as reduce combines at once ({wanted}), got "
                f"{len(dtypes)}; where messages make one value of several, dtype= says its type"
            )
        if not several:
            return _as(self.identity, np.dtype(dtypes[0]))
        return tuple(
            _as(one, np.dtype(dtype)) for one, dtype in zip(self.identity, dtypes, strict=True)
        )

    def absorbing_for(self, dtype: Any) -> Any:
        """Return the absorbing element in the given type, or None if there is none."""
        return None if self.absorbing is None else _as(self.absorbing, np.dtype(dtype))


def _as(identity: Any, dtype: np.dtype) -> Any:
    known = type(identity) in (str, int)  # those that hash as what they are
    return _made_once(identity, dtype) if known else _made(identity, dtype)


def _made(identity: Any, dtype: np.dtype) -> Any:
    if isinstance(identity, str):
        check_choice(identity, "identity", ("lowest", "highest", "missing", "zeros", "ones"))
        if dtype.kind == "b":
            identity = identity in ("highest", "ones")
        elif identity in ("zeros", "ones"):
            if dtype.kind == "f":
                raise TypeError(f"reduce combines bits of integers or booleans, got dtype {dtype}")
            every = -1 if dtype.kind == "i" else np.iinfo(dtype).max
            identity = 0 if identity == "zeros" else every
        elif dtype.kind == "f":
            identity = -np.inf if identity == "lowest" else np.inf
        elif identity == "missing":
            identity = -1 if dtype.kind == "i" else np.iinfo(dtype).max
        else:
            limits = np.iinfo(dtype)
            identity = limits.min if identity == "lowest" else limits.max
    try:
        number = dtype.type(identity)
        held = identity is not None and (dtype.kind not in "iu" or number == identity)
    except (TypeError, ValueError, OverflowError):
        held = False
    if not held:
        raise ValueError(f"the identity of reduce must be a number of {dtype}, got {identity!r}")
    return number


_made_once = lru_cache(256)(_made)


def _lower(old, new):
    return new if new < old else old


def _higher(old, new):
    return new if new > old else old


def _plus(old, new):
    return old + new


def _replace(old, new):
    return new


def _either_bit(old, new):
    return old | new


def _both_bits(old, new):
    return old & new


def _lower_pair(old, new):
    return new if new[0] < old[0] or (new[0] == old[0] and new[1] < old[1]) else old


def _higher_pair(old, new):
    return new if new[0] > old[0] or (new[0] == old[0] and new[1] < old[1]) else old


MIN = Monoid("highest", _lower, idempotent=True, order=1)
MAX = Monoid("lowest", _higher, idempotent=True, order=-1)
ADD = Monoid(0, _plus)
ANY = Monoid("missing", _replace, idempotent=True, early_exit=True)
#: Bitwise or of integers; logical or of booleans.
OR = Monoid("zeros", _either_bit, idempotent=True, absorbing="ones")
#: Bitwise and of integers; logical and of booleans.
AND = Monoid("ones", _both_bits, idempotent=True, absorbing="zeros")
#: Of pairs (key, id), the one with the smallest key; ties go to the smallest id.
ARGMIN = Monoid(("highest", "highest"), _lower_pair, idempotent=True)
#: Of pairs (key, id), the one with the largest key; ties go to the smallest id.
ARGMAX = Monoid(("lowest", "highest"), _higher_pair, idempotent=True)


def _plus_two(old, new):
    return old[0] + new[0], old[1] + new[1]


def _plus_three(old, new):
    return old[0] + new[0], old[1] + new[1], old[2] + new[2]


def _plus_four(old, new):
    return old[0] + new[0], old[1] + new[1], old[2] + new[2], old[3] + new[3]


_PLUS_EACH = tuple(
    Monoid((0,) * count, combine, parts=(ADD,) * count)
    for count, combine in ((2, _plus_two), (3, _plus_three), (4, _plus_four))
)


def add_each(count: int) -> Monoid:
    """`ADD` for values that are tuples of 2 to 4 numbers: each is added up for itself.

    >>> add_each(2).combine((1, 2.5), (3, 0.5))
    (4, 3.0)
    """
    return _PLUS_EACH[check_count(count, "count", 2, 4) - 2]
