"""The strict order of edges inside CUDA kernels (`edgewise.operators.edge_order` states it)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.language import cuda
from edgewise.base.cuda.random import mix, twin
from edgewise.operators.edge_order import plain_tie

__all__ = ["NONE", "Look", "Shape", "acrosser", "looking"]

NONE, _EVERY_LANE = -1, 0xFFFFFFFF

tie = twin(plain_tie, mix=mix)


class Shape(NamedTuple):
    """The types that a kernel is made for."""

    ids: np.dtype
    weights: np.dtype  # as they are compared: int64 for integers
    weighted: bool

    @classmethod
    def of(cls, indices: Any, weights: Any, weighted: bool) -> Shape:
        """The types for these arrays."""
        signed = np.dtype(np.int32 if indices.dtype.itemsize == 4 else np.int64)
        kind = np.dtype(weights.dtype)
        if not weighted:
            kind = np.dtype(np.uint64)  # of `tie`
        elif kind.kind != "f":
            kind = np.dtype(np.int64)
        return cls(signed, kind, weighted)


class Look(NamedTuple):
    """Device functions that look through rows for the edge that ranks highest."""

    along: Any  # along(v, e, high, step, rows, taken, fresh): (worth, neighbor), -1 if none
    better: Any  # better(v, worth, u, other worth, other u): does the other rank higher?


def looking(shape: Shape) -> Look:
    """The functions for given types; without weights an edge's worth is its `tie`."""
    ids, kind, weighted = shape.ids.type, shape.weights.type, shape.weighted
    unsigned = np.uint32 if shape.ids.itemsize == 4 else np.uint64
    zero, five, low_bits = kind(0), unsigned(5), unsigned(31)

    if weighted:
        worth = device(lambda v, u, weights, e: kind(weights[e]))
    else:
        worth = device(lambda v, u, weights, e: tie(v, np.uint64(u)))

    @device
    def outranks(v, u, other):
        """Does v - other come before v - u, of equal weight?"""
        mine = tie(np.uint64(v), np.uint64(u))
        others = tie(np.uint64(v), np.uint64(other))
        return others > mine or (others == mine and other < u)

    @device
    def better(v, w, u, other_w, other):
        return other_w > w or (other_w == w and other_w > zero and outranks(v, u, other))

    @device
    def is_open(v, u, taken, fresh):
        word = np.uint32(0) if fresh else taken[u >> five] >> np.uint32(u & low_bits)
        return word & np.uint32(1) == np.uint32(0) and np.uint64(u) != v

    @device
    def pick(v, w, u, other_w, other, open):
        """The better of what there is and of an edge that may be open; branches are rare."""
        offered = other_w if open else zero
        if offered > w:
            return offered, ids(other)
        if offered == w and offered > zero and outranks(v, u, ids(other)):
            return offered, ids(other)
        return w, u

    @device
    def along(v, e, high, step, rows, taken, fresh):
        w, u = zero, ids(NONE)
        indices, weights = rows[1], rows[2]
        two = step + step
        three, four = two + step, two + two
        while e + three < high:  # loads of four edges are under way together
            a, b = indices[e], indices[e + step]
            c, d = indices[e + two], indices[e + three]
            aw, bw = worth(v, a, weights, e), worth(v, b, weights, e + step)
            cw, dw = worth(v, c, weights, e + two), worth(v, d, weights, e + three)
            ao, bo = is_open(v, a, taken, fresh), is_open(v, b, taken, fresh)
            co, do = is_open(v, c, taken, fresh), is_open(v, d, taken, fresh)
            w, u = pick(v, w, u, aw, a, ao)
            w, u = pick(v, w, u, bw, b, bo)
            w, u = pick(v, w, u, cw, c, co)
            w, u = pick(v, w, u, dw, d, do)
            e += four
        while e < high:
            a = indices[e]
            w, u = pick(v, w, u, worth(v, a, weights, e), a, is_open(v, a, taken, fresh))
            e += step
        return w, u

    return Look(along, better)


def acrosser(shape: Shape, better: Any, lanes: int) -> Any:
    """``across(v, w, u)``: the best that each ``lanes`` lanes of a warp hold; all 32 call it."""

    kind, sent = shape.weights.type, np.int64 if shape.weights.kind == "u" else shape.weights.type

    @device
    def across(v, w, u):
        step = lanes // 2
        while step > 0:
            other_w = kind(cuda.shfl_xor_sync(_EVERY_LANE, sent(w), step))
            other = cuda.shfl_xor_sync(_EVERY_LANE, u, step)
            if better(v, w, u, other_w, other):
                w, u = other_w, other
            step //= 2
        return w, u

    return across
