"""Why a user's function does not compile: one line that names it, its file, the line, the reason.

Numba tells the reason first and then every call that led there, ours among them. The reason is
translated where its words are Numba's own; the line is the first one told that lies in one of the
user's functions.
"""

from __future__ import annotations

import dis
import re
from types import CodeType
from typing import Any

from edgewise.base.errors import CompileError

__all__ = ["explain", "outside"]

_COLORS = re.compile(r"\x1b\[[0-9;]*m")
_MODES = re.compile(r"Failed in (nopython|cuda) mode")
_PLACES = re.compile(r'File "([^"]+)", line (\d+)|(?:at|from) (\S+) \((\d+)\)')

#: A tuple in Numba's words.
_TUPLES = re.compile(r"\b(?:Uni)?Tuple\(")

_INDEXING = {"BINARY_SUBSCR", "STORE_SUBSCR", "BINARY_SLICE", "STORE_SLICE"}
_DIVIDING = {"//", "%", "//=", "%="}
#: The instructions that make what takes memory, by what it is.
_MAKERS = {
    "a dict": {"BUILD_MAP", "MAP_ADD", "BUILD_CONST_KEY_MAP"},
    "a set": {"BUILD_SET", "SET_ADD"},
    "a list": {"BUILD_LIST", "LIST_APPEND"},
    "text": {"FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "BUILD_STRING"},
}
_ARRAY_MAKERS = {"arange", "array", "empty", "full", "linspace", "ones", "zeros"}


def explain(error: Exception, functions: list[Any]) -> CompileError:
    """The error to raise instead of Numba's; ``functions`` are the compiled ones of the user."""
    text = _COLORS.sub("", str(error))
    if not functions:
        return CompileError(_reason(text))
    function, line = _place(text, functions)
    reason = _TUPLES.sub("a tuple (", _reason(text, function.py_func.__code__))
    return CompileError(f"{_named(function, line)} cannot be compiled: {reason}")


def outside(kind: type[Exception], functions: list[Any]) -> Exception:
    """The error that one of these functions raised: an index, a divisor, a number too large."""
    if issubclass(kind, OverflowError):
        named = _named(functions[0]) if functions else "the message"
        return OverflowError(f"{named} returns a number that the type kept cannot hold; give "
                             "dtype=int64 or values of int64")  # fmt: skip
    by_zero = issubclass(kind, ZeroDivisionError)
    done = [(function, _operations(function.py_func.__code__)) for function in functions]
    blamed = [f for f, operations in done if operations & (_DIVIDING if by_zero else _INDEXING)]
    calling = [f for f, operations in done if "CALL" in operations]
    named = " or ".join(_named(one) for one in blamed or calling or functions)
    if by_zero:
        return ZeroDivisionError(f"{named} divides a whole number by zero")
    return IndexError(f"{named} uses an index outside of its array")


def _named(function: Any, line: int | None = None) -> str:
    code = function.py_func.__code__
    return f"{function.py_func.__name__} ({code.co_filename}:{line or code.co_firstlineno})"


def _operations(code: Any) -> set[str]:
    """The names of the instructions in a code object, and in those inside it."""
    found = set()
    for instruction in dis.get_instructions(code):  # newer Pythons have one name for a + b and a[b]
        found.add("BINARY_SUBSCR" if instruction.argrepr == "[]" else instruction.opname)
        if instruction.opname == "BINARY_OP":
            found.add(instruction.argrepr)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _operations(constant)
    return found


def _place(text: str, functions: list[Any]) -> tuple[Any, int | None]:
    """The function to blame and its line: where Numba was, or else what it was calling."""
    for found in _PLACES.finditer(text):
        path, line = found[1] or found[3], int(found[2] or found[4])
        for function in functions:
            code = function.py_func.__code__
            lines = [n for *_, n in code.co_lines() if n]
            if code.co_filename.endswith(path.lstrip("./")) and min(lines) <= line <= max(lines):
                return function, line
    named = re.search(r"NameError: name '(\w+)'", text)
    for called in re.findall(r"<function (\S+) at 0x", text):
        for function in functions:
            if function.py_func.__qualname__ == called:
                return function, _line_of(named[1], function) if named else None
    returned = re.search(r"it returns (.*?), wh", _reason(text))
    for function in functions:
        if function.py_func.__module__ == "edgewise.base.monoids":
            continue
        made = getattr(function, "nopython_signatures", ())
        if returned and returned[1] in [str(one.return_type) for one in made]:
            return function, None
    return functions[0], None


def _line_of(name: str, function: Any) -> int | None:
    """The first line of a function that uses a global name."""
    for instruction in dis.get_instructions(function.py_func):
        if instruction.argval == name and instruction.positions:
            return instruction.positions.lineno
    return None


def _allocation(text: str, code: Any) -> str | None:
    """What a function makes for which there is no memory; None if that is not the reason."""
    called = re.search(r"^ *>>> (\w+)\(", text, re.MULTILINE)
    named = _ARRAY_MAKERS & set(getattr(code, "co_names", ()))  # ours may stand there, too
    arrays = called is not None and called[1] in named
    if not arrays and "NRT required" not in text:
        return None
    found = _operations(code) if code is not None else set()
    made = [what for what, names in _MAKERS.items() if names & found]
    return made[0] if made else "an array or another object"


def _reason(text: str, code: Any = None) -> str:
    """Numba's first words that say something, in plain ones."""
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line and not _MODES.match(line)]
    first = told[0] if told else "for an unknown reason"
    if what := _allocation(text, code):
        return (
            f"it makes {what}, and there is no memory to be had inside an operator; "
            "use numbers and tuples, or an array that is passed as state"
        )
    if "use of yield in a closure" in text:
        return "it holds a generator expression, which compiled code cannot; write a loop"
    if "Cannot modify readonly array" in text:
        return "it writes to an array that is read-only"
    if found := re.search(r"it must give a .*|it returns .* cannot hold; .*", text):
        return found[0]  # said by an operator of ours
    if found := re.match(r"Untyped \w+ name '(\w+)'.*<class '(?:__main__\.)?([^']+)'>", first):
        name, kind = found.groups()
        if kind == "function":
            return f"it calls {name}, a plain Python function; put numba.njit on that one too"
        return f"it uses {name}, a {kind}, which compiled code cannot hold"
    if found := re.search(r"^>>> (.*)$", "\n".join(told[1:2]), re.MULTILINE):
        return _unknown_call(found[1])
    return re.sub(r" Raised from .*$", "", first).rstrip(".")


def _unknown_call(call: str) -> str:
    """The reason behind a call that Numba has no code for."""
    name, _, rest = call.partition("(")
    arguments = _split(rest.rstrip()[:-1])
    arguments = [re.sub(r"array\((\w+), 1d, \w+\)", r"\1", one) for one in arguments]
    if name in ("cast", "alike"):  # ours: a result in the types of what is kept
        kept, given = arguments if name == "cast" else reversed(arguments)
        return f"it returns {given}, where {kept} is wanted"
    if name == "<unknown function>":  # a type, called to convert a result
        return f"it returns {arguments[0]}, where one number is wanted"
    return f"there is no {call} in compiled code"


def _split(arguments: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for letter in arguments:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
