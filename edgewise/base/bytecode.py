"""The content of a code object: what a compiler reads of it, without what only people read.

That is the instructions, the constants that they use, and the names; comments, docstrings, line
numbers and file names are left out.
"""

from __future__ import annotations

import dis
import hashlib
import types
from typing import Any

__all__ = ["code_content"]


def code_content(code: Any) -> tuple[str, tuple[str, ...]]:
    """The content of a code object, and the global and attribute names in it, nested ones too."""
    known = _codes.get(id(code))
    if known is None:
        if len(_codes) > 10_000:
            _codes.clear()
        known = _codes[id(code)] = (code, *_read_code(code))
    return known[1:]


_codes: dict[int, tuple[Any, str, tuple[str, ...]]] = {}  # the object is kept, for its id


def _read_code(code: Any) -> tuple[str, tuple[str, ...]]:
    """Constants count in the order of their use: a docstring takes a number, but no part."""
    operations, arguments = code.co_code[::2], bytearray(code.co_code[1::2])
    uses = []
    for operation in dis.hasconst:
        at = operations.find(operation)
        while at >= 0:
            number, before = arguments[at], at
            while before and operations[before - 1] == dis.EXTENDED_ARG:
                before -= 1
                number += arguments[before] << 8 * (at - before)
            uses.append((at, number))
            at = operations.find(operation, at + 1)
    constants, names = [], list(code.co_names)
    for at, number in sorted(uses):
        arguments[at] = 0
        constants.append(_constant(code.co_consts[number], names))
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount)
    locals_ = (code.co_varnames, code.co_cellvars, code.co_freevars, code.co_names)
    table = getattr(code, "co_exceptiontable", b"")
    parts = (counts, code.co_flags & _FLAGS, locals_, operations, bytes(arguments), table)
    content = hashlib.sha256(repr((parts, constants)).encode()).hexdigest()
    return content, tuple(dict.fromkeys(names))


#: Of a code object's flags: takes any arguments, is a generator, is a coroutine.
_FLAGS = 0x4 | 0x8 | 0x20 | 0x80 | 0x100 | 0x200


def _constant(value: Any, names: list[str]) -> Any:
    if isinstance(value, types.CodeType):
        content, inside = code_content(value)
        names += inside
        return content
    if isinstance(value, tuple):
        return tuple(_constant(one, names) for one in value)
    if isinstance(value, frozenset):
        return "set", sorted(repr(one) for one in value)
    return repr(value)
