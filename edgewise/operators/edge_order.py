"""The strict order of edges that matchings rest on, the same from both ends and on every engine.

The heavier edge comes first; of equal weights the one with the greater `tie`, a hash of the two
ids; of equal hashes the one with the smaller ids. With a strict order there is exactly one matching
in which every edge that is not chosen meets a chosen one that outranks it. A hash, not the ids
alone, because ids that grow along a path would make equal weights wait for each other in a chain as
long as the path.
"""

from __future__ import annotations

from types import FunctionType

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.random import mix

__all__ = ["plain_tie", "tie", "ties"]

_GOLDEN, _ONE = np.uint64(0x9E3779B97F4A7C15), np.uint64(1)


def plain_tie(u, v):
    """The rank of edge u - v among edges of equal weight, the same from both ends: never 0.

    Plain arithmetic on np.uint64; `tie` is its compiled form, for functions given to operators and
    for kernels, `ties` that for arrays.
    """
    return mix(mix(u + v + _GOLDEN) ^ (u * v)) | _ONE


# Over a compiled `mix`: engines translate compiled functions, and only those.
_scope = {**plain_tie.__globals__, "mix": inner(mix)}
tie = inner(FunctionType(plain_tie.__code__, _scope, "tie"))


def ties(us: np.ndarray, vs: np.ndarray) -> np.ndarray:
    """The `tie` of every edge us[i] - vs[i].

    >>> bool((ties(np.array([1, 2]), np.array([7, 7])) == ties(np.array([7, 7]), [1, 2])).all())
    True
    """
    with np.errstate(over="ignore"):
        return plain_tie(np.asarray(us).astype(np.uint64), np.asarray(vs).astype(np.uint64))
