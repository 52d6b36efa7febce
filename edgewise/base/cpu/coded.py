"""`Coded` in kernels on CPU threads: ``coded[i]`` and ``len(coded)``.

To compiled code a `Coded` is three words: the addresses of codes and table, and the size. As for
`edgewise.base.cpu.bit_blocks`, no references are counted, and the content of this module is part of
the type, so that no other kernel depends on it.
"""

from __future__ import annotations

import operator
from functools import cache
from hashlib import sha256
from inspect import isfunction
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import NativeValue, intrinsic, register_model, unbox
from numba.np.numpy_support import from_dtype

from edgewise.base.bytecode import code_content
from edgewise.base.compiler import overload
from edgewise.base.cpu.bit_reading import WORD, load_bits

__all__ = ["CodedType", "coded_type"]

_FIELDS = ("codes_at", "table_at", "size")


class CodedType(types.Type):
    """Numba's type of a `Coded`, with codes of so many bytes."""

    def __init__(self, dtype: Any, code_bytes: int):
        self.dtype, self.code_bytes = dtype, code_bytes
        super().__init__(f"Coded({dtype}, {code_bytes})")

    @property
    def key(self) -> tuple[Any, ...]:
        """The types, and the code that reads elements: both are in a kernel's hash."""
        return self.dtype, self.code_bytes, _content()

    @staticmethod
    def content() -> str:
        """What kernels that name this class depend on, see `edgewise.base.fingerprint`."""
        return _content()

    def place(self, context: Any, builder: Any, coded: Any, index: Any) -> Any:
        """The address of the code of an element: what is to be prefetched."""
        proxy = cgutils.create_struct_proxy(self)(context, builder, value=coded)
        return builder.add(proxy.codes_at, builder.mul(index, WORD(self.code_bytes)))


@cache
def coded_type(dtype: np.dtype, code_bytes: int) -> CodedType:
    """Return Numba's type of codes of so many bytes that stand for numbers of a type."""
    return CodedType(from_dtype(dtype), code_bytes)


@register_model(CodedType)
class _Model(models.StructModel):
    def __init__(self, dmm: Any, fe_type: Any):
        super().__init__(dmm, fe_type, [(name, types.uint64) for name in _FIELDS])


@unbox(CodedType)
def _unbox(typ, obj, c):
    coded = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for name in _FIELDS:
        value = c.pyapi.object_getattr_string(obj, name)
        setattr(coded, name, c.pyapi.long_as_ulonglong(value))
        c.pyapi.decref(value)
    failed = cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    return NativeValue(coded._getvalue(), is_error=failed)


@intrinsic
def _element(typingctx, coded, index):
    return coded.dtype(coded, index), _read


def _read(context, builder, signature, args):
    """The number that the code at an index stands for."""
    kind, wide = signature.args[0], types.int64 if signature.args[1].signed else types.uint64
    index = context.cast(builder, args[1], signature.args[1], wide)
    code_kind = ir.IntType(8 * kind.code_bytes)
    place = kind.place(context, builder, args[0], index)
    code = builder.zext(load_bits(builder, place, code_kind, kind.code_bytes), WORD)
    table = cgutils.create_struct_proxy(kind)(context, builder, value=args[0]).table_at
    number = context.get_value_type(kind.dtype)
    size = kind.dtype.bitwidth // 8
    return load_bits(builder, builder.add(table, builder.mul(code, WORD(size))), number, size)


@intrinsic
def _size(typingctx, coded):
    def codegen(context, builder, signature, args):
        return cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0]).size

    return types.intp(coded), codegen


def _getitem(coded, index):
    if isinstance(coded, CodedType) and isinstance(index, types.Integer):
        return lambda coded, index: _element(coded, index)
    return None


def _len(coded):
    return (lambda coded: _size(coded)) if isinstance(coded, CodedType) else None


_MEANT: dict[Any, Any] = {operator.getitem: _getitem, len: _len}
for _function, _code in _MEANT.items():
    _code.counts_by_type = True  # see `edgewise.base.extensions`
    overload(_function)(_code)


@cache
def _content() -> str:
    functions = [one for one in globals().values() if isfunction(one)]
    content = repr([code_content(function.__code__)[0] for function in functions])
    return sha256(content.encode()).hexdigest()
