"""Users' functions: which values they name, and how they become part of a kernel.

A message names what it needs among its parameters; a `Function` says what that is, so that an
engine loads nothing else. `compiled` gives one compiled function per content: the same lambda
written twice, or made anew in a loop, is compiled once.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from edgewise.base.check_bounds import debugging
from edgewise.base.compiling import compile_errors
from edgewise.operators.failures import explain, outside
from edgewise.operators.recall import keep, recall

__all__ = [
    "MESSAGE_NAMES",
    "TRAVERSAL_NAMES",
    "TWO_STEP_NAMES",
    "Function",
    "calling",
    "check_takes",
    "check_visit",
    "compiled",
    "finish_names",
    "looking",
    "naming_failures",
    "parameters",
    "picker",
    "plain",
    "plain_function",
]


@cache
def finish_names(*result: str, states: int) -> tuple[str, ...]:
    """What a function of a member, of what its row gave, and of so much state is given."""
    return ("v", *result, *(f"state{i}" for i in range(states)))


class Function(NamedTuple):
    """A user's function as an engine takes it.

    ``names`` are its parameters in its order (those that are taken by position under the names of
    what they stand for); ``params`` are the values of those that the call's ``params`` gives.
    """

    given: Callable[..., Any]
    names: tuple[str, ...]
    params: tuple = ()


#: What a message may name, beside params and what only some calls have.
MESSAGE_NAMES = ("value", "weight", "source", "edge", "own")
#: What a message of a traversal may name.
TRAVERSAL_NAMES = (*MESSAGE_NAMES, "target")
#: What a message over two steps may name.
TWO_STEP_NAMES = ("value", "weight", "onward", "source", "own")

_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
#: Functions whose calls do not run them: generators, and what async makes.
_SUSPENDED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

_known: WeakKeyDictionary = WeakKeyDictionary()
_checked: WeakKeyDictionary = WeakKeyDictionary()
_signatures: WeakKeyDictionary = WeakKeyDictionary()
_by_content: dict[tuple[str, str], Any] = {}  # of one module: globals may change
_by_likeness: dict[Any, Any] = {}
_looked_at: WeakKeyDictionary = WeakKeyDictionary()


def compiled(function: Callable | None, argument: str, takes: int | None = None) -> Any:
    """The compiled form of a user's function (None stays None) that ``takes`` so many arguments."""
    if function is None:
        return None
    known = _checked if debugging() else _known
    source = plain_function(function, argument)
    if takes is not None and not _takes_just(source, takes):
        check_takes(source, argument, takes)
    return known.get(function) or _compile(function, source, known)


def _compile(function: Any, source: Any, known: WeakKeyDictionary) -> Any:
    """The compiled form of a function that was not ``known`` yet."""
    from edgewise.base.cache import fingerprint, helper
    from edgewise.base.pinned import likeness

    alike = likeness(function) if function is source else None
    if alike is not None and (alike, known is _checked) in _by_likeness:
        result = known[function] = _by_likeness[alike, known is _checked]
        return result
    if known is _checked:
        from edgewise.base.cpu.checked import checked

        result = checked(function)
    else:
        result = helper(function)
    content = fingerprint(result)
    if content is not None:
        place = source.__module__, content
        same = _by_content.get(place)
        if same is None or fingerprint(same) != content:  # what that one refers to may change
            _by_content[place] = result
        else:
            result = same
    known[function] = result
    if alike is not None:
        _by_likeness[alike, known is _checked] = result
    return result


def plain_function(function: Any, argument: str) -> Any:
    """The function as it was written, also under ``numba.njit``."""
    if type(function) is FunctionType and not function.__code__.co_flags & _SUSPENDED:
        return function
    if not callable(function):
        raise TypeError(f"{argument} must be a function, got {function!r}")
    source = getattr(function, "py_func", function)
    if not inspect.isfunction(source):
        raise TypeError(f"{argument} must be a plain Python function, got {function!r}")
    if source.__code__.co_flags & _SUSPENDED:
        raise TypeError(
            f"{argument} must return its value at once: {source.__name__} is a generator or async"
        )
    return source


def _signature(source: Any) -> inspect.Signature:
    """The signature of a plain function, which takes longer to find than to keep."""
    found = _signatures.get(source)
    if found is None:
        found = _signatures[source] = inspect.signature(source)
    return found


def check_takes(function: Any, argument: str, takes: int) -> None:
    """Raise unless a plain or compiled function can be called with so many arguments."""
    source = plain_function(function, argument)
    if _takes_just(source, takes):
        return
    try:
        _signature(source).bind(*range(takes))
    except TypeError:
        shape = f"{source.__name__}{_signature(source)}"
        raise TypeError(f"{argument} must take {takes} argument(s), got {shape}") from None


def _takes_just(source: Any, takes: int) -> bool:
    """Has a plain function so many parameters, all alike?"""
    code = source.__code__
    return code.co_argcount == takes and not (code.co_kwonlyargcount or source.__defaults__)


def check_visit(function: Any) -> None:
    """Is a message given where the edge form is meant? Say that ``reduce`` is missing."""
    names = parameters(plain_function(function, "function"))
    told = len(names) < 3 or "value" in names or "weight" in names
    if told and set(names) <= set(MESSAGE_NAMES):
        raise TypeError(
            f"reduce is missing: {function.__name__}({', '.join(names)}) is a message, and reduce "
            "combines the messages to a vertex, such as reduce=MIN; without it, function must "
            "take (source, target, edge, *values)"
        )


def parameters(function: Callable) -> tuple[str, ...]:
    """The parameter names of a plain or compiled function."""
    code = getattr(function, "__code__", None)
    if code is not None and not (code.co_kwonlyargcount or code.co_flags & _STARRED):
        return code.co_varnames[: code.co_argcount]
    return tuple(_signature(getattr(function, "py_func", function)).parameters)


def plain(function: Function | None, leading: tuple[str, ...], argument: str = "message") -> Any:
    """The compiled function of the values ``leading`` and then the tuple of its params.

    ``plain(message, MESSAGE_NAMES)(value, weight, source, edge, own, params)`` picks what the
    message names; ``params`` is the record's tuple of that name.
    """
    if function is None:
        return None
    key = ("plain", function.names, leading, debugging())
    return recall(function.given, key) or _plain_of(function, leading, argument, key)


def _plain_of(function: Function, leading: tuple[str, ...], argument: str, key: Any) -> Any:
    """`plain` of a function that is not known so yet."""
    from edgewise.base.cache import helper

    inside = compiled(function.given, argument)
    return keep(function.given, key, calling(inside, function.names, (*leading, "params"), helper))


def picker(function: Function, leading: tuple[str, ...], argument: str = "message") -> Any:
    """The compiled function of one tuple: the values ``leading``, and then all its params."""
    known = ("picker", function.names, leading, debugging())
    return recall(function.given, known) or _picker_of(function, leading, argument, known)


def _picker_of(function: Function, leading: tuple[str, ...], argument: str, known: Any) -> Any:
    """`picker` of a function that is not known so yet."""
    from edgewise.base.cache import helper

    inside = compiled(function.given, argument)
    return keep(function.given, known, _picking(inside, function.names, leading, helper))


def calling(inside: Any, names: tuple[str, ...], given: tuple[str, ...], compile: Any) -> Any:
    """A function of ``names`` as one of all that is ``given`` by position, for any engine.

    One of those given is ``"params"``, a tuple; the names that are not given are its members, in
    order. ``compile`` is what the engine compiles functions with.
    """
    key = (inside, names, given)
    if key not in _calling:
        k, call = given.index("params"), _picking(inside, names, given, compile)
        _calling[key] = compile(lambda *every: call((*every, *every[k])))
    return _calling[key]


def _picking(inside: Any, names: tuple[str, ...], leading: tuple[str, ...], compile: Any) -> Any:
    """A function of ``names`` as one of a tuple: the values ``leading``, then all its params."""
    key = (inside, names, leading)
    if key not in _pickers:
        ends, theirs = len(leading), [name for name in names if name not in leading]
        places = (leading.index(name) if name in leading else ends + theirs.index(name)
                  for name in names)  # fmt: skip
        _pickers[key] = _from_places(inside, tuple(places), compile)
    return _pickers[key]


def _from_places(inside: Any, places: tuple[int, ...], compile: Any) -> Any:
    """``call(every)``: call a function with the members of a tuple at these places."""
    if len(places) < len(_FROM):  # each function takes 20 milliseconds to compile
        return compile(_FROM[len(places)](inside, *places))
    first, rest = places[0], _from_places(inside, places[1:], compile)
    return compile(lambda every, *chosen: rest(every, *chosen, every[first]))


#: How to call with no member of a tuple, with one, two, and so on; ``y`` are chosen already.
_FROM = (
    lambda f: lambda x, *y: f(*y),
    lambda f, a: lambda x, *y: f(*y, x[a]),
    lambda f, a, b: lambda x, *y: f(*y, x[a], x[b]),
    lambda f, a, b, c: lambda x, *y: f(*y, x[a], x[b], x[c]),
    lambda f, a, b, c, d: lambda x, *y: f(*y, x[a], x[b], x[c], x[d]),
    lambda f, a, b, c, d, e: lambda x, *y: f(*y, x[a], x[b], x[c], x[d], x[e]),
    lambda f, a, b, c, d, e, g: lambda x, *y: f(*y, x[a], x[b], x[c], x[d], x[e], x[g]),
)


class naming_failures:  # noqa: N801 (a context manager; this form costs a tenth of contextlib's)
    """Turn Numba's account of why a user's function does not compile into one clear line."""

    __slots__ = ("functions",)

    def __init__(self, *functions: Any):
        self.functions = functions

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, _: Any) -> None:
        if error is None:
            return
        kinds: list[Any] = [*compile_errors()]
        theirs = getattr(sys.modules.get("numba.cuda.errors"), "UnsupportedBytecodeError", None)
        if theirs is not None:  # numba-cuda has one of its own
            kinds.append(theirs)
        if issubclass(kind, tuple(kinds)):
            raise explain(error, _dispatchers(self.functions)) from None
        if issubclass(kind, (IndexError, OverflowError, ZeroDivisionError)) and debugging():
            raise outside(kind, _dispatchers(self.functions)) from error


def looking(function: Any, given: Callable) -> Any:
    """A compiled function that looks at what another returns, which errors name instead."""
    _looked_at[function] = given
    return function


def _dispatchers(functions: tuple) -> list[Any]:
    """The compiled forms of functions, which may be that already, or records, or None."""
    given = [one.given if isinstance(one, Function) else one for one in functions]
    given = [one if one is None else _looked_at.get(one, one) for one in given]
    return [
        one if hasattr(one, "py_func") else compiled(one, "function")
        for one in given
        if one is not None
    ]


_calling: dict[Any, Any] = {}
_pickers: dict[Any, Any] = {}
