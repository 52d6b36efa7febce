"""Scores by parasail [1], where it is installed, on our own threads.

Its functions are called by address from a kernel: Python's lock would let one thread run at a time.
A profile of the left sequence serves all pairs that follow with the same. Numbers of 8 bits come
first; parasail turns to 16 and 32 bits when they overflow.

[1] J. Daily. Parasail: SIMD C library for global, semi-global, and local pairwise sequence
    alignments. BMC Bioinformatics 2016.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from edgewise.apps.proteins.alphabets import LETTERS
from edgewise.base.cache import kernel
from edgewise.base.cpu.futex import address
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch

__all__ = ["has_parasail", "parasail_scores"]

_LONG, _INT = ir.IntType(64), ir.IntType(32)
_TEXT = np.frombuffer(LETTERS.encode().ljust(32), np.uint8)


class _Library(NamedTuple):
    """The addresses of parasail's functions, and of its matrix."""

    profile: Any
    score: Any
    free_result: Any
    free_profile: Any
    matrix: Any


@cache
def has_parasail() -> bool:
    """Is parasail installed?"""
    try:
        _library()
    except (ImportError, AttributeError, OSError):
        return False
    return True


@cache
def _library() -> _Library:
    import ctypes

    import parasail

    functions = parasail.bindings_v2._lib
    names = "profile_create_sat", "sw_striped_profile_sat", "result_free", "profile_free"
    places = [
        ctypes.cast(getattr(functions, f"parasail_{name}"), ctypes.c_void_p).value for name in names
    ]
    matrix = ctypes.cast(parasail.blosum62.pointer, ctypes.c_void_p).value
    return _Library(*(np.int64(place or 0) for place in (*places, matrix)))


def parasail_scores(letters, left, right, gaps, cells: int) -> np.ndarray:
    """The score of the best local alignment of each pair, under BLOSUM62.

    Then where it ends in the left and in the right sequence: behind the last letter. Of several
    best ones it is the first in the right sequence, and of these the first in the left. ``left``
    and ``right`` are pairs of arrays: where sequences begin and how many letters they have. Pairs
    that follow one another with the same left sequence share its profile. ``gaps`` is what the
    first and each further letter of a gap cost.
    """
    found = np.empty((len(left[0]), 3), np.int32)
    args = _TEXT[letters], *left, *right, np.int64(gaps[0]), np.int64(gaps[1])
    launch(_score, _library(), args, found, work=cells)
    return found


@kernel
def _score(me, team, control, library, args, found):
    text, begins, sizes, other_begins, other_sizes, gap_open, gap_extend = args
    zero, profile, current, length = np.int64(0), np.int64(0), np.int64(-1), np.int64(-1)
    while True:
        low, high = grab(control, 0, 64, len(begins))
        if low >= high:
            break
        for p in range(low, high):
            if begins[p] != current or sizes[p] != length:
                if profile:
                    _call(library.free_profile, profile, zero, zero, zero, zero)
                current, length = begins[p], sizes[p]
                begin = address(text, current)
                profile = _call(library.profile, begin, length, library.matrix, zero, zero)
            begin = address(text, other_begins[p])
            result = _call(library.score, profile, begin, other_sizes[p], gap_open, gap_extend)
            found[p, 0] = _int_at(result)
            found[p, 1], found[p, 2] = _int_at(result + 4) + 1, _int_at(result + 8) + 1
            _call(library.free_result, result, zero, zero, zero, zero)
    if profile:
        _call(library.free_profile, profile, zero, zero, zero, zero)


@intrinsic
def _call(typingctx, place, a, b, c, d, e):
    """Call a C function of up to five integers and pointers; those too many are ignored."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(_LONG, [_LONG] * 5)
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])

    return types.int64(*[types.int64] * 6), codegen


@intrinsic
def _int_at(typingctx, place):
    """The C integer at an address."""

    def codegen(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], _INT.as_pointer()))

    return types.int32(types.int64), codegen
