"""How one call from Python becomes a call on every thread of a team.

`wrap` makes what Python calls of a kernel. If that begins with ``(me, team, control)``, a call with
``me`` below zero leads a launch: the arguments, unboxed once, are packed; the crew, found through
``control`` (see `edgewise.base.cpu.crew`), runs every thread's part by address on what is packed;
and the call returns when all have. An exception in a part raises the stop flag, and the call raises
it; of several the first.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callwrapper import PyCallWrapper

__all__ = ["LEAD", "wrap"]

#: The word of ``control`` that holds the address of `edgewise.base.cpu.crew.lead`.
LEAD = 3
_INT, _LONG, _BYTES = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
#: What is packed before the arguments: has a part failed, how, and with what.
_FAILED, _CODE, _ERROR, _HEAD = 0, 1, 2, 3
#: Where in the flattened arguments the numbers of the thread and of the team stand, and the
#: address of the data of ``control``.
_ME, _TEAM, _CONTROL = 0, 1, 6


def wrap(context, library, fndesc, env, call_helper, release_gil=False):
    """What Numba makes for Python to call, around a function that can lead."""
    module = context.create_module("wrapper")
    kind = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
    callee = ir.Function(module, kind, fndesc.llvm_func_name)
    named = list(fndesc.args[:3]) == ["me", "team", "control"]
    if named and isinstance(fndesc.argtypes[2], types.Array):
        callee = _leader(module, callee)
    wrapper = PyCallWrapper(
        context, module, callee, fndesc, env, call_helper=call_helper, release_gil=release_gil
    )
    wrapper.build()
    library.add_ir_module(module)


def _leader(module: Any, callee: Any) -> Any:
    """A function of the callee's type that leads a launch of it, or else calls it."""
    lead = ir.Function(module, callee.function_type, f"{callee.name}.lead")
    lead.linkage = "internal"
    builder = ir.IRBuilder(lead.append_basic_block())
    given = lead.args[2:]
    with builder.if_then(builder.icmp_signed(">=", given[_ME], _LONG(0))):
        builder.ret(builder.call(callee, lead.args))
    layout = ir.LiteralStructType([_LONG] * _HEAD + [one.type for one in given])
    packed = cgutils.alloca_once(builder, layout)
    for i, value in enumerate([*(_LONG(0) for _ in range(_HEAD)), *given]):
        builder.store(value, _field(builder, packed, i))
    part = _part(module, callee, layout)
    control = given[_CONTROL]
    place = builder.load(builder.gep(control, [_LONG(LEAD)]))
    kind = ir.FunctionType(_INT, [*(one.type for one in lead.args[:2]), *[_LONG] * 4])
    numbers = [builder.ptrtoint(one, _LONG) for one in (control, part, packed)]
    leading = builder.inttoptr(place, kind.as_pointer())
    builder.call(leading, [*lead.args[:2], numbers[0], given[_TEAM], *numbers[1:]])
    failed = builder.load(_field(builder, packed, _FAILED))
    with builder.if_then(builder.icmp_signed("!=", failed, _LONG(0)), likely=False):
        error = builder.load(_field(builder, packed, _ERROR))
        builder.store(builder.inttoptr(error, lead.args[1].type.pointee), lead.args[1])
        builder.ret(builder.trunc(builder.load(_field(builder, packed, _CODE)), _INT))
    builder.ret(_INT(0))
    return lead


def _part(module: Any, callee: Any, layout: Any) -> Any:
    """``part(packed, me)``: a thread's part of a launch."""
    kind = ir.FunctionType(ir.VoidType(), [_BYTES, _LONG])
    part = ir.Function(module, kind, f"{callee.name}.part")
    part.linkage = "internal"
    builder = ir.IRBuilder(part.append_basic_block())
    packed = builder.bitcast(part.args[0], layout.as_pointer())
    outs = [builder.alloca(one.type.pointee) for one in callee.args[:2]]
    count = len(callee.args) - 2
    given = [builder.load(_field(builder, packed, _HEAD + i)) for i in range(count)]
    given[_ME] = part.args[1]
    code = builder.call(callee, [*outs, *given])
    unset = _INT(-2)  # None was returned
    bad = builder.and_(
        builder.icmp_signed("!=", code, _INT(0)), builder.icmp_signed("!=", code, unset)
    )
    with builder.if_then(bad, likely=False):
        before = builder.atomic_rmw("xchg", _field(builder, packed, _FAILED), _LONG(1), "seq_cst")
        with builder.if_then(builder.icmp_signed("==", before, _LONG(0))):
            builder.store(builder.sext(code, _LONG), _field(builder, packed, _CODE))
            error = builder.ptrtoint(builder.load(outs[1]), _LONG)
            builder.store(error, _field(builder, packed, _ERROR))
        builder.store_atomic(_LONG(1), given[_CONTROL], "release", 8)
    builder.ret_void()
    return part


def _field(builder: Any, packed: Any, number: int) -> Any:
    return builder.gep(packed, [_INT(0), _INT(number)])
