"""Words of memory that threads wait on: by address, with sleep, and functions called by address.

A word is an element of an int64 array. `nap` puts a thread to sleep until somebody rings the word
(Linux: a futex) or some time has passed; elsewhere it only sleeps, briefly: 0.1 ms, on Windows the
shortest time that the system has. All accesses here are
sequentially consistent, so that of two threads that each write one word and read the other's at
least one sees the other's write.
"""

from __future__ import annotations

import platform
import sys

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = [
    "add_at",
    "address",
    "byte_at",
    "call_part",
    "call_wait",
    "load_at",
    "nap",
    "ring",
    "scratch",
    "store_at",
]

_INT, _LONG = ir.IntType(32), ir.IntType(64)
_BYTES = ir.IntType(8).as_pointer()
#: The number of the system call; private futexes, as all threads are of one process.
_FUTEX = {"x86_64": 202, "aarch64": 98}.get(platform.machine(), 0)
_FUTEX = _FUTEX if sys.platform == "linux" else 0
_WAIT, _WAKE, _EVERYONE = 128, 129, 1 << 30
_ORDER = "seq_cst"


@intrinsic
def address(typingctx, array, index):
    """The address of ``array[index]``, as a number."""

    def codegen(context, builder, signature, args):
        array_type, index_type = signature.args
        place = context.cast(builder, args[1], index_type, types.intp)
        view = context.make_array(array_type)(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, array_type, view, (place,))
        return builder.ptrtoint(pointer, _LONG)

    return types.int64(array, index), codegen


@intrinsic
def load_at(typingctx, place):
    """Read a word."""

    def codegen(context, builder, signature, args):
        return builder.load_atomic(_word(builder, args[0]), _ORDER, 8)

    return types.int64(types.int64), codegen


@intrinsic
def store_at(typingctx, place, value):
    """Write a word."""

    def codegen(context, builder, signature, args):
        builder.store_atomic(args[1], _word(builder, args[0]), _ORDER, 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def add_at(typingctx, place, value):
    """Add to a word: what was there before."""

    def codegen(context, builder, signature, args):
        return builder.atomic_rmw("add", _word(builder, args[0]), args[1], _ORDER)

    return types.int64(types.int64, types.int64), codegen


@intrinsic
def nap(typingctx, place, seen, microseconds):
    """Sleep until the word is rung, unless its lower half is no longer that of ``seen``.

    It may also end for no reason; after ``microseconds`` (0: never) it does.
    """

    def codegen(context, builder, signature, args):
        if not _FUTEX:
            _sleep(builder)
            return context.get_dummy_value()
        limit = cgutils.alloca_once(builder, ir.ArrayType(_LONG, 2))
        million = _LONG(1_000_000)
        seconds, rest = builder.sdiv(args[2], million), builder.srem(args[2], million)
        for i, value in enumerate((seconds, builder.mul(rest, _LONG(1000)))):
            builder.store(value, builder.gep(limit, [_INT(0), _INT(i)]))
        endless = builder.icmp_signed("==", args[2], _LONG(0))
        limited = builder.select(endless, _LONG(0), builder.ptrtoint(limit, _LONG))
        expected = builder.and_(args[1], _LONG(0xFFFFFFFF))
        _futex(builder, args[0], _WAIT, expected, limited)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


@intrinsic
def ring(typingctx, place):
    """Wake all who nap at a word."""

    def codegen(context, builder, signature, args):
        if _FUTEX:
            _futex(builder, args[0], _WAKE, _LONG(_EVERYONE), _LONG(0))
        return context.get_dummy_value()

    return types.void(types.int64), codegen


@intrinsic
def call_part(typingctx, part, packed, me):
    """Call a thread's part of a launch on what is packed, both given by their addresses."""

    def codegen(context, builder, signature, args):
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _LONG])
        function = builder.inttoptr(args[0], kind.as_pointer())
        builder.call(function, [builder.inttoptr(args[1], _BYTES), args[2]])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


@intrinsic
def call_wait(typingctx, function, place, seen, napping, stop, base):
    """Call `edgewise.base.cpu.crew.outwait` by its address."""
    kinds = (types.int64,) * 5

    def codegen(context, builder, signature, args):
        kind = context.call_conv.get_function_type(types.none, kinds)
        target = builder.inttoptr(args[0], kind.as_pointer())
        context.call_conv.call_function(builder, target, types.none, kinds, args[1:])
        return context.get_dummy_value()

    return types.void(types.int64, *kinds), codegen


@intrinsic(prefer_literal=True)
def scratch(typingctx, size):
    """The address of some bytes that last as long as the function that asks for them."""

    def codegen(context, builder, signature, args):
        kind = ir.ArrayType(ir.IntType(8), size.literal_value)
        return builder.ptrtoint(cgutils.alloca_once(builder, kind), _LONG)

    return types.int64(size), codegen


@intrinsic
def byte_at(typingctx, place):
    """Read a byte."""

    def codegen(context, builder, signature, args):
        return builder.zext(builder.load(builder.inttoptr(args[0], _BYTES)), _LONG)

    return types.int64(types.int64), codegen


def _word(builder, place):
    return builder.inttoptr(place, _LONG.as_pointer())


def _external(builder, name, result, kinds, **options):
    kind = ir.FunctionType(result, kinds, **options)
    return cgutils.get_or_insert_function(builder.module, kind, name)


def _sleep(builder):
    if sys.platform == "win32":
        builder.call(_external(builder, "Sleep", ir.VoidType(), [_INT]), [_INT(1)])
    else:
        builder.call(_external(builder, "usleep", _INT, [_INT]), [_INT(100)])


def _futex(builder, place, operation, value, limit):
    call = _external(builder, "syscall", _LONG, [_LONG], var_arg=True)
    builder.call(call, [_LONG(_FUTEX), place, _LONG(operation), value, limit])
