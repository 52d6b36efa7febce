"""Atomics on CPU: LLVM's own instructions, and ``edgewise.atomic`` compiled to them.

Numba has no public CPU atomics. Integers use ``atomicrmw``; floats and booleans use a ``cmpxchg``
loop on their bits. All are acquire-release.
"""

from __future__ import annotations

import platform

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from edgewise.base import atomic
from edgewise.base.cache import inner
from edgewise.base.compiler import overload

__all__ = [
    "compare_and_swap",
    "exchange",
    "fetch_add",
    "fetch_or",
    "load",
    "pause",
    "prefetch",
    "prefetch_shared",
    "store",
]


def _element(context, builder, signature, args):
    """Pointer to ``array[index]`` as plain bits, the bits' type, and the element's data model."""
    array_type, index_type = signature.args[:2]
    index = context.cast(builder, args[1], index_type, types.intp)
    view = context.make_array(array_type)(context, builder, args[0])
    pointer = cgutils.get_item_pointer(context, builder, array_type, view, (index,))
    model = context.data_model_manager[array_type.dtype]
    bits = ir.IntType(context.get_abi_sizeof(model.get_data_type()) * 8)
    return builder.bitcast(pointer, bits.as_pointer()), bits, model


@intrinsic
def load(typingctx, array, index):
    """Atomically read ``array[index]`` (acquire)."""

    def codegen(context, builder, signature, args):
        pointer, bits, model = _element(context, builder, signature, args)
        raw = builder.load_atomic(pointer, "acquire", bits.width // 8)
        return model.from_data(builder, builder.bitcast(raw, model.get_data_type()))

    return array.dtype(array, index), codegen


def _check_writable(array):
    """What Numba says of an assignment to a read-only array holds for these too."""
    if not array.mutable:
        raise TypingError("Cannot modify readonly array")


@intrinsic
def store(typingctx, array, index, value):
    """Atomically write ``array[index] = value`` (release)."""
    _check_writable(array)

    def codegen(context, builder, signature, args):
        pointer, bits, model = _element(context, builder, signature, args)
        raw = builder.bitcast(model.as_data(builder, args[2]), bits)
        builder.store_atomic(raw, pointer, "release", bits.width // 8)
        return context.get_dummy_value()

    return types.void(array, index, array.dtype), codegen


@intrinsic
def compare_and_swap(typingctx, array, index, expected, value):
    """Store ``value`` if the element still has the bits of ``expected``: (stored?, old)."""
    _check_writable(array)

    def codegen(context, builder, signature, args):
        pointer, bits, model = _element(context, builder, signature, args)
        old, new = (builder.bitcast(model.as_data(builder, a), bits) for a in args[2:])
        pair = builder.cmpxchg(pointer, old, new, "acq_rel", "acquire")
        raw = builder.bitcast(builder.extract_value(pair, 0), model.get_data_type())
        found = model.from_data(builder, raw)
        stored = builder.extract_value(pair, 1)
        return context.make_tuple(builder, signature.return_type, (stored, found))

    pair = types.Tuple((types.boolean, array.dtype))
    return pair(array, index, array.dtype, array.dtype), codegen


def _modify(operation):
    """An intrinsic ``fetch(array, index, value) -> old`` of one ``atomicrmw`` operation."""

    @intrinsic
    def fetch(typingctx, array, index, value):
        _check_writable(array)

        def codegen(context, builder, signature, args):
            pointer, _, _ = _element(context, builder, signature, args)
            return builder.atomic_rmw(operation, pointer, args[2], "acq_rel")

        return array.dtype(array, index, array.dtype), codegen

    return fetch


fetch_add, fetch_or, exchange = _modify("add"), _modify("or"), _modify("xchg")
_FETCH = {name: _modify(name) for name in ("and", "min", "max", "umin", "umax")}


def _ask(write):
    """An intrinsic ``ask(array, index)`` for the cache line of an element, to change it or not."""

    @intrinsic
    def ask(typingctx, array, index):
        def codegen(context, builder, signature, args):
            byte, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
            if hasattr(array, "place"):  # `Blocks`: the bytes that hold the element
                at = context.cast(builder, args[1], signature.args[1], types.uint64)
                place = array.place(context, builder, args[0], at)
                pointer = builder.inttoptr(place, byte)
            else:
                pointer, _, _ = _element(context, builder, signature, args)
            kind = ir.FunctionType(ir.VoidType(), [byte, flag, flag, flag])
            call = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
            builder.call(call, [builder.bitcast(pointer, byte), flag(write), flag(3), flag(1)])
            return context.get_dummy_value()

        return types.void(array, index), codegen

    return ask


#: Ask for the cache line of ``array[index]``: to write to it soon, or to read it as others do.
prefetch, prefetch_shared = _ask(1), _ask(0)


@intrinsic
def pause(typingctx):
    """Tell the core that this is a spinning loop."""

    def codegen(context, builder, signature, args):
        if platform.machine() in ("x86_64", "AMD64"):
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(builder.module.declare_intrinsic("llvm.x86.sse2.pause", (), kind), [])
        return context.get_dummy_value()

    return types.void(), codegen


def _loop(combine):
    """``f(array, index, value) -> old`` by compare-and-swap, for what has no instruction."""
    combine = inner(combine)

    def update(array, index, value):
        old = load(array, index)
        while True:
            new = combine(old, value)
            if new == old:
                return old
            done, old = compare_and_swap(array, index, old, new)
            if done:
                return old

    return update


_ADD = _loop(lambda old, value: old + value)
_MIN = _loop(lambda old, value: value if value < old else old)
_MAX = _loop(lambda old, value: value if value > old else old)
_OR = _loop(lambda old, value: old or value)
_AND = _loop(lambda old, value: old and value)


def _instruction(fetch):
    def update(array, index, value):
        return fetch(array, index, value)

    return update


def _is_integer(array):
    return isinstance(array.dtype, types.Integer)


def _bitwise(array, fetch, on_flags):
    """The update for integers, or for booleans; floats have none."""
    if _is_integer(array):
        return _instruction(fetch)
    return on_flags if isinstance(array.dtype, types.Boolean) else None


@overload(atomic.add)
def _add(array, index, value):
    return _instruction(fetch_add) if _is_integer(array) else _ADD


@overload(atomic.min)
def _min(array, index, value):
    if _is_integer(array):
        return _instruction(_FETCH["min" if array.dtype.signed else "umin"])
    return _MIN


@overload(atomic.max)
def _max(array, index, value):
    if _is_integer(array):
        return _instruction(_FETCH["max" if array.dtype.signed else "umax"])
    return _MAX


@overload(atomic.bit_or)
def _bit_or(array, index, value):
    return _bitwise(array, fetch_or, _OR)


@overload(atomic.bit_and)
def _bit_and(array, index, value):
    return _bitwise(array, _FETCH["and"], _AND)


@overload(atomic.exch)
def _exch(array, index, value):
    if _is_integer(array):
        return _instruction(exchange)

    def swap(array, index, value):
        old = load(array, index)
        while True:
            done, old = compare_and_swap(array, index, old, value)
            if done:
                return old

    return swap


@overload(atomic.cas)
def _cas(array, index, expected, value):
    def swap(array, index, expected, value):
        return compare_and_swap(array, index, expected, value)[1]

    return swap
