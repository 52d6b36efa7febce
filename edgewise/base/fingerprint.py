"""What a compiled function is made from, as a hash.

A `Survey` starts at a function and follows all that decides what it compiles to: its code (the
instructions, the constants they use, the names; no comments, docstrings, line numbers, files or
modules), its defaults, the globals and closure cells it names, and every function among these, with
the options it is compiled with and the ``overload`` functions registered for it. Python's own
modules, NumPy and Numba count by name: their versions are in the hash. What has no content that
could be hashed makes the whole unknown, and an unknown kernel is not kept.

Numba freezes globals when it compiles, and code once compiled is reused. So a survey also tells
whether all that was compiled before was compiled from what is there now (`Survey.fresh`).
"""

from __future__ import annotations

import enum
import hashlib
import itertools
import os
import secrets
import sys
import types as python_types
import weakref
from collections.abc import Callable, Iterable
from functools import _lru_cache_wrapper
from typing import Any, NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba.core import event
from numba.core.bytecode import FunctionIdentity
from numba.core.targetconfig import ConfigStack
from numba.core.typing.templates import Signature
from numba.np.ufunc.gufunc import GUFunc
from numba.np.ufunc.ufunc_base import UfuncBase

from edgewise.base.bytecode import code_content
from edgewise.base.extensions import Extensions
from edgewise.base.pinned import (
    PLAIN,
    pinned_function,
    pinned_member,
    pinned_module,
    pinned_object,
    settings,
)

__all__ = ["Survey", "UnknownError", "fingerprint"]

#: Arrays above this, or with gaps, are compiled in as addresses by Numba: they have no content.
_LARGEST = 10**6

_NO_VALUE = object()


class UnknownError(Exception):
    """Something a function refers to has no content that a hash could cover."""


def fingerprint(function: Callable) -> str | None:
    """A hash of all that decides what ``function`` compiles to; None if that cannot be known."""
    try:
        return Survey(function).digest()
    except UnknownError:
        return None


class Survey:
    """All that a function compiles from, as it is now; raises UnknownError if that is unknown."""

    def __init__(self, function: Callable):
        self.root = function
        self.nodes: dict[Any, _Node] = {}
        _extensions.update()
        waiting = [function]
        try:
            while waiting:
                target = waiting.pop()
                if target not in self.nodes:
                    node = self.nodes[target] = _read(target)
                    waiting.extend(node.callees)
        except Exception as error:  # objects of others may do anything when they are looked at
            raise UnknownError(function) from error

    def digest(self, *more: Any) -> str:
        """The hash of it all, and of more values; the same in every process."""
        numbers = {target: number for number, target in enumerate(self.nodes)}
        parts = [settings()]
        for target, node in self.nodes.items():
            parts.append(node.content)
            parts.append(repr([numbers[callee] for callee in node.callees]))
            parts.append(_inherited.get(target, ""))
        reader = _Reader()
        try:
            reader.add(more)
        except Exception as error:
            raise UnknownError(more) from error
        if reader.callees:
            raise UnknownError(more)
        return hashlib.sha256("\0".join([*parts, *reader.parts]).encode()).hexdigest()

    def fresh(self) -> bool:
        """Is all of this that was compiled before compiled from what it refers to now?"""
        return not self._stale()

    def _stale(self) -> set[Any]:
        def stale(target, node):
            return node.compiled if target not in _states else _states[target] != node.state()

        return {t for t, node in self.nodes.items() if t is not self.root and stale(t, node)}

    def renew(self) -> None:
        """Let what was compiled from something else, and all that calls it, be compiled anew."""
        stale, size = self._stale(), -1
        while size != len(stale):
            size = len(stale)
            stale |= {t for t, node in self.nodes.items() if stale.intersection(node.callees)}
            stale.discard(self.root)
        if not all(hasattr(target, "_reset_overloads") for target in stale):
            return  # an overload: Numba keeps its code
        for target in stale:
            _states.pop(target, None)
            _inherited.pop(target, None)
            if target._can_compile:
                target._make_finalizer()()
                target._reset_overloads()
        for target in reversed(self.nodes):  # callees first
            if target in stale and not target._can_compile:
                target.recompile()

    def same(self, other: Survey) -> bool:
        """Has nothing changed between the two?"""
        mine, theirs = ({t: n[:2] for t, n in one.nodes.items()} for one in (self, other))
        return mine == theirs

    def remember(self, targets: Iterable[Any] | None = None) -> None:
        """Note that these (None: all of this) are being compiled from what is there now."""
        for target in self.nodes if targets is None else targets:
            state = self.nodes[target].state()
            if _states.setdefault(target, state) != state:
                _states[target] = _MIXED


class _Node(NamedTuple):
    """What one function is made from: its content, and the functions it refers to."""

    content: str
    callees: tuple[Any, ...]
    compiled: bool

    def state(self) -> tuple[Any, ...]:
        return (self.content, *map(weakref.ref, self.callees))


#: From what each function was compiled in this process; _MIXED if that has changed in between.
_states: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_MIXED = ("compiled from different things",)
#: The options of their callers that compiled functions took over, where they are not ours.
_inherited: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_extensions = Extensions()


def _read(target: Any) -> _Node:
    """What a function, compiled function or intrinsic is made from."""
    reader, compiled = _Reader(), False
    if hasattr(target, "py_func"):
        function, compiled = target.py_func, bool(getattr(target, "overloads", False))
        reader.options(target)
    elif hasattr(target, "_defn"):  # an intrinsic: the function that generates its instructions
        function = target._defn
        reader.parts.append("intrinsic")
        reader.add([vars(target).get("_prefer_literal"), vars(target).get("_ctor_kwargs")])
    else:
        function = target
        for template in _extensions.of(target):
            reader.overload(template)
    if not isinstance(function, python_types.FunctionType):
        raise UnknownError(target)
    reader.function(function)
    return _Node("\0".join(reader.parts), tuple(reader.callees), compiled or reader.compiled)


class _Reader:
    """Collects what one function refers to: values as text, functions as callees by number."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.callees: dict[Any, int] = {}
        self.compiled = False  # is there code that was compiled unseen?
        self._entered: set[int] = set()

    def function(self, function: Any) -> None:
        """Its code, its defaults, and the globals and cells that the code names."""
        content, names = code_content(function.__code__)
        scope = function.__globals__
        self.parts.append(content)
        if function.__defaults__ or function.__kwdefaults__:
            self.add((function.__defaults__, function.__kwdefaults__))
        for name in names:
            value = scope.get(name, _NO_VALUE)
            if value is not _NO_VALUE:
                self.parts.append(name)
                self.add(value, names)
            for template in _extensions.named(name):
                self.overload(template)
        for template in _extensions.everywhere:
            self.overload(template)
        for name, cell in zip(
            function.__code__.co_freevars, function.__closure__ or (), strict=True
        ):
            self.parts.append(name)
            try:
                self.add(cell.cell_contents, names)
            except ValueError:
                self.parts.append("empty")

    def options(self, dispatcher: Any) -> None:
        """How a function is compiled, and for which types if these are fixed."""
        compiler = getattr(dispatcher, "_compiler", None)
        if compiler is not None:
            self.add(compiler.pipeline_class)
            for parameter in compiler.pysig.parameters.values():  # as they were when it was made
                if parameter.default is not parameter.empty:
                    self.parts.append(parameter.name)
                    self.add(parameter.default)
        fixed = not getattr(dispatcher, "_can_compile", True)
        signatures = getattr(dispatcher, "nopython_signatures", ()) if fixed else ()
        locals_ = getattr(dispatcher, "locals", {})
        self.add([type(dispatcher), dispatcher.targetoptions, locals_, fixed, list(signatures)])

    def overload(self, template: Any) -> None:
        """A function that gives the code for another one."""
        if not hasattr(template, "_overload_func"):
            raise UnknownError(template)
        self.compiled |= bool(template._impl_cache) and template._overload_func not in _states
        self.parts.append("overload")
        self.add([template._jit_options, template._strict, template.prefer_literal])
        self.refer(template._overload_func)

    def refer(self, target: Any) -> None:
        self.parts.append(f"call {self.callees.setdefault(target, len(self.callees))}")

    def add(self, value: Any, names: tuple[str, ...] = ()) -> None:
        """Add a value; ``names`` are the attributes that the referring code may use of it."""
        kind = type(value)
        if kind in PLAIN:
            self.parts.append(f"{kind.__name__} {value!r}")
        elif kind is python_types.FunctionType:
            self._function(value)
        elif kind is python_types.ModuleType:
            self._module(value, names)
        elif isinstance(value, (UfuncBase, GUFunc)):
            raise UnknownError(value)  # which of its loops is taken depends on those there are
        elif hasattr(value, "py_func") or hasattr(value, "_defn"):
            self.refer(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, enum.Enum):
            self.parts.append(f"{kind.__qualname__}.{value.name}")
            self.add(value.value)
        elif isinstance(value, (np.generic, np.ndarray)):
            self._array(value)
        elif isinstance(value, (tuple, list, dict, set, frozenset)):
            self._collection(value, names)
        else:
            self._other(value, names)

    def _function(self, function: Any) -> None:
        if not pinned_function(function):
            self.refer(function)
            return
        self.parts.append(f"{function.__module__}.{function.__qualname__}")
        for template in _extensions.of(function):
            self.overload(template)

    def _module(self, module: Any, names: tuple[str, ...]) -> None:
        """A module counts by its name and what is used of it, unless that is pinned as it is."""
        self.parts.append(f"module {module.__name__}")
        if id(module) in self._entered:
            return
        self._entered.add(id(module))
        pinned, scope = pinned_module(module), vars(module)
        exported = () if pinned or "__getattr__" not in scope else scope.get("__all__", ())
        for name in names:
            value = scope.get(name, _NO_VALUE)
            if value is _NO_VALUE and name in exported:  # loaded when it is first asked for
                value = getattr(module, name)
            if value is not _NO_VALUE and not (pinned and self._is_theirs(value)):
                self.parts.append(name)
                self.add(value, names)

    def _is_theirs(self, value: Any) -> bool:
        return pinned_member(value) and not _extensions.of(value)

    def _class(self, kind: type) -> None:
        self.parts.append(f"class {kind.__module__}.{kind.__qualname__}")
        if issubclass(kind, enum.Enum):
            self.add([(member.name, member.value) for member in kind])
        elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
            self.add([kind._fields, getattr(kind, "_field_defaults", {})])
        elif issubclass(kind, numba.types.Type) and hasattr(kind, "content"):
            self.parts.append(kind.content())
        elif not pinned_object(kind):
            raise UnknownError(kind)
        for template in _extensions.of(kind):
            self.overload(template)

    def _array(self, value: Any) -> None:
        """Elements; the kind of order, and whether it may be written, are part of its type."""
        flags = value.flags
        whole = flags.c_contiguous or flags.f_contiguous
        if value.dtype.hasobject or value.nbytes > _LARGEST or not whole:
            raise UnknownError(value)
        shape = (value.shape, flags.c_contiguous, flags.aligned, flags.writeable)
        content = hashlib.sha256(value.tobytes("A")).hexdigest()
        self.parts.append(f"{type(value).__qualname__} {value.dtype!r} {shape} {content}")

    def _collection(self, value: Any, names: tuple[str, ...]) -> None:
        if id(value) in self._entered:
            raise UnknownError(value)  # one that holds itself
        self._entered.add(id(value))
        if type(value) not in (tuple, list, dict, set, frozenset):
            self.add(type(value))
        items: list[Any] = list(value.items() if isinstance(value, dict) else value)
        if isinstance(value, (set, frozenset)):
            if not all(type(item) in PLAIN for item in items):
                raise UnknownError(value)
            items = sorted(map(repr, items))
        self.parts.append(f"{type(value).__name__} {len(items)}")
        for item in items:
            self.add(item, names)
        self._entered.discard(id(value))

    def _other(self, value: Any, names: tuple[str, ...]) -> None:
        if isinstance(value, Signature):
            self.add([value.return_type, *value.args])
        elif isinstance(value, (np.dtype, ir.Type)):
            self.parts.append(repr(value) if isinstance(value, np.dtype) else f"llvm {value}")
        elif isinstance(value, _lru_cache_wrapper):
            self.add(value.__wrapped__, names)
        elif _is_numba_type(value) and (pinned_object(type(value)) or hasattr(value, "place")):
            self.parts.append(f"type {type(value).__qualname__}")
            dispatcher = getattr(value, "dispatcher", None)
            self.add(value.key if dispatcher is None else dispatcher)
        elif pinned_object(value):
            self.parts.append(f"{value.__module__}.{value.__qualname__}")
            for template in _extensions.of(value):
                self.overload(template)
        else:
            raise UnknownError(value)


def _is_numba_type(value: Any) -> bool:
    theirs = getattr(sys.modules.get("numba.cuda.types"), "Type", numba.types.Type)
    return isinstance(value, (numba.types.Type, theirs))


class _Watch(event.Listener):
    """Sees every function that Numba compiles, and notes from what."""

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        try:
            survey = Survey(dispatcher)
            others = [one for one in survey.nodes if not hasattr(one, "py_func")]
            survey.remember([dispatcher, *others])  # the compiled ones are seen on their own
        except UnknownError:
            _states[dispatcher] = _MIXED
        taken = _taken_over(dispatcher.targetoptions)
        if _inherited.setdefault(dispatcher, taken) != taken:
            _states[dispatcher] = _MIXED

    def on_end(self, event: Any) -> None:
        pass


def _taken_over(options: dict) -> str:
    """The options that a function takes over from its caller, where they are not a kernel's."""
    caller: Any = ConfigStack.top_or_none()
    model = "python" if caller is None else str(caller.error_model)
    loose = caller is not None and bool(caller.fastmath)
    model = "numpy" if "error_model" in options else model
    loose = False if "fastmath" in options else loose
    return "" if (model, loose) == ("numpy", False) else f"{model} {loose}"


def _own_names() -> None:
    """Number functions from a random start: the numbers are part of the names in kernels.

    Two kernels from two processes that a third one loads would else use each other's functions.
    """
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


event.register("numba:compile", _Watch())
_own_names()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_own_names)
