"""Atomic instructions of the GPU for all element types of 32 and 64 bits."""

from __future__ import annotations

from llvmlite import ir
from numba import cuda, types
from numba.cuda.extending import intrinsic

from edgewise.base.cuda.device_functions import device

__all__ = ["add", "bit_and", "bit_or", "cas", "exch", "fence", "grid_barrier", "load",
           "max", "min", "store"]  # fmt: skip


def _element(context, builder, signature, args):
    """Pointer to ``array[index]`` as plain bits, the bits' type, and the element's type."""
    array_type, index_type = signature.args[:2]
    index = context.cast(builder, args[1], index_type, types.uint64)
    view = context.make_array(array_type)(context, builder, args[0])
    pointer = builder.gep(view.data, [index])
    data = context.get_data_type(array_type.dtype)
    bits = ir.IntType(context.get_abi_sizeof(data) * 8)
    return builder.bitcast(pointer, bits.as_pointer()), bits, data


@intrinsic
def cas(typingctx, array, index, expected, value):
    """Store ``value`` if the element has the bits of ``expected``; return what was there."""

    def codegen(context, builder, signature, args):
        pointer, bits, data = _element(context, builder, signature, args)
        old, new = (builder.bitcast(one, bits) for one in args[2:])
        pair = builder.cmpxchg(pointer, old, new, "monotonic", "monotonic")
        return builder.bitcast(builder.extract_value(pair, 0), data)

    return array.dtype(array, index, array.dtype, array.dtype), codegen


def _modify(operation):
    @intrinsic
    def fetch(typingctx, array, index, value):
        def codegen(context, builder, signature, args):
            pointer, bits, data = _element(context, builder, signature, args)
            new = builder.bitcast(args[2], bits)
            return builder.bitcast(builder.atomic_rmw(operation, pointer, new, "monotonic"), data)

        return array.dtype(array, index, array.dtype), codegen

    return fetch


exch, bit_or, bit_and = _modify("xchg"), _modify("or"), _modify("and")


@device
def fence():
    """Let what this thread has written be seen before what it writes from now on."""
    cuda.threadfence()


@device
def add(array, index, value):
    """Add to an element; return what was there."""
    return cuda.atomic.add(array, index, value)


@device
def min(array, index, value):
    """Lower an element; return what was there."""
    return cuda.atomic.min(array, index, value)


@device
def max(array, index, value):
    """Raise an element; return what was there."""
    return cuda.atomic.max(array, index, value)


def _access(text: str, stores: bool):
    """A load or store by inline PTX."""

    @intrinsic
    def read(typingctx, array, index):
        def codegen(context, builder, signature, args):
            pointer, bits, data = _element(context, builder, signature, args)
            letter = "l" if bits.width == 64 else "r"
            code = f"{text}.b{bits.width} $0, [$1];"
            asm = ir.InlineAsm(
                ir.FunctionType(bits, [pointer.type]), code, f"={letter},l,~{{memory}}", True
            )
            return builder.bitcast(builder.call(asm, [pointer]), data)

        return array.dtype(array, index), codegen

    @intrinsic
    def write(typingctx, array, index, value):
        def codegen(context, builder, signature, args):
            pointer, bits, data = _element(context, builder, signature, args)
            letter = "l" if bits.width == 64 else "r"
            code = f"{text}.b{bits.width} [$0], $1;"
            asm = ir.InlineAsm(
                ir.FunctionType(ir.VoidType(), [pointer.type, bits]),
                code, f"l,{letter},~{{memory}}", True,
            )  # fmt: skip
            builder.call(asm, [pointer, builder.bitcast(args[2], bits)])
            return context.get_dummy_value()

        return types.void(array, index, array.dtype), codegen

    return write if stores else read


load = _access("ld.relaxed.gpu", False)
store = _access("st.relaxed.gpu", True)
_acquire = _access("ld.acquire.gpu", False)


@device
def grid_barrier(control, blocks):
    """Wait until every block is here; ``control`` is an int32 word, zero at the launch.

    All threads of a block call it. What was written before is seen by all after.
    """
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        here = cuda.atomic.add(control, 0, 1)
        last = (here // blocks + 1) * blocks
        while _acquire(control, 0) < last:
            pass
        cuda.threadfence()
    cuda.syncthreads()
