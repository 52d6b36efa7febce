"""Vectors of floats in compiled code: what Numba does not make of a loop by itself."""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

__all__ = ["row_adder"]


@cache
def row_adder(lanes: int) -> Any:
    """``add_row(sums, factors, k, columns, values, low, high)`` for vectors of so many float32.

    For each entry e of ``low`` to ``high - 1``, ``values[e]`` times the k-th vector of ``factors``
    is added to the vector ``columns[e]`` of ``sums``. No column may occur twice.
    """
    vector, index = ir.VectorType(ir.FloatType(), lanes), ir.IntType(64)
    first = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)

    @intrinsic
    def add_row(typingctx, sums, factors, k, columns, values, low, high):
        def codegen(context, builder, signature, args):
            def data(i):
                return context.make_array(signature.args[i])(context, builder, args[i]).data

            def at(pointer, number):
                place = builder.gep(pointer, [builder.mul(number, ir.Constant(index, lanes))])
                return builder.bitcast(place, vector.as_pointer())

            totals, others, scales = data(0), data(3), data(4)
            factor = builder.load(at(data(1), args[2]))
            factor.align = 4
            kind = ir.FunctionType(vector, [vector] * 3)
            name = f"llvm.fmuladd.v{lanes}f32"
            fused = cgutils.get_or_insert_function(builder.module, kind, name)
            empty = ir.Constant(vector, ir.Undefined)
            with cgutils.for_range(builder, builder.sub(args[6], args[5]), intp=index) as loop:
                e = builder.add(args[5], loop.index)
                column = builder.load(builder.gep(others, [e]))
                if column.type.width < 64:
                    column = builder.zext(column, index)
                scale = builder.load(builder.gep(scales, [e]))
                one = builder.insert_element(empty, scale, ir.Constant(ir.IntType(32), 0))
                place = at(totals, column)
                old = builder.load(place)
                old.align = 4
                new = builder.call(fused, [factor, builder.shuffle_vector(one, empty, first), old])
                builder.store(new, place).align = 4
            return context.get_dummy_value()

        given = (sums, factors, types.uint64, columns, values, types.uint64, types.uint64)
        return types.void(*given), codegen

    return add_row
