"""Compiled kernels that are kept on disk, also those built around a user's function.

`kernel` compiles a function as Numba's ``njit`` does, without the GIL, and gives it a cache keyed
by content: the code and constants of the function and of everything it refers to (globals,
closure cells, other compiled functions, recursively), a hash of the package's own kernel sources,
the versions of Python and Numba, and the CPU. Nothing else identifies a kernel, so lambdas and
closures hit in a later process, and a change anywhere in what they call misses.

This is the only file that uses private names of Numba.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import shutil
import sys
import tempfile
import types as python_types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.serialize import dumps
from numba.extending import is_jitted

__all__ = ["cache_directory", "clear_cache", "fingerprint", "helper", "inlined", "inner", "kernel"]

#: Modules that count by their name alone: their versions are in the key already.
_STABLE = {"numpy", "numba", "llvmlite", *sys.stdlib_module_names} - {"__main__"}
_SUM = 32  # bytes of the checksum that a file begins with


def kernel(function: Callable | None = None, *, borrows: bool = False, **options: Any) -> Any:
    """Compile a function that is called from Python; keep the machine code on disk.

    With ``borrows`` it allocates nothing, and no references to arrays are counted: hot loops over
    arrays in tuples run several times as fast.
    """
    if function is None:
        return lambda function: kernel(function, borrows=borrows, **options)
    options = {"error_model": "numpy", **options}
    if borrows:
        options["_nrt"] = False
    jit: Any = numba.njit
    dispatcher = jit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    dispatcher._cache = _KernelCache(function, repr(sorted(options.items())))
    return dispatcher


def helper(function: Callable | None = None, **options: Any) -> Any:
    """Compile a function that other compiled functions call; a compiled one is left as it is."""
    if function is None:
        return lambda function: helper(function, **options)
    if is_jitted(function):
        return function
    options = {"error_model": "numpy", **options}
    jit: Any = numba.njit
    return jit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function)


def inner(function: Callable) -> Any:
    """A `helper` that allocates nothing and counts no references: for what runs per edge."""
    return helper(function, _nrt=False)


def inlined(function: Callable) -> Any:
    """An `inner` function that is always made part of its callers: for what runs per vertex."""
    return helper(function, _nrt=False, forceinline=True)


def cache_directory() -> Path:
    """Where compiled kernels are kept: EDGEWISE_CACHE_DIR, or the user's cache folder."""
    named = os.environ.get("EDGEWISE_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "edgewise" / "kernels"


def clear_cache() -> None:
    """Remove every kernel kept on disk."""
    shutil.rmtree(cache_directory(), ignore_errors=True)


def fingerprint(function: Callable, engine: str = "cpu") -> str | None:
    """A hash of all that decides what ``function`` compiles to; None if that cannot be known."""
    versions = (sys.version_info[:3], numba.__version__, np.__version__)
    digest = hashlib.sha256(repr(versions).encode() + _kernel_sources(engine))
    try:
        _feed(digest, function, (), {})
    except _UnknownError:
        return None
    return digest.hexdigest()


class _KernelCache(_Cache):
    """One file per kernel and signature, named by the hash of everything that matters."""

    def __init__(self, function: Callable, options: str):
        self._function, self._options, self._enabled = function, options, True
        self._print: str | None = None

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        pass

    def load_overload(self, sig, target_context):
        _skip_blas_probe()
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            content = path.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(content[_SUM:]).digest() != content[:_SUM]:
            return None  # a damaged file counts as a miss and is written again
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(content[_SUM:]))
        except ImportError:  # made in a module that is no longer there, or was none: a miss
            return None

    def save_overload(self, sig, data) -> None:
        path = self._path(sig, data.codegen)
        if path is None:
            return
        content, name = dumps(data._reduce()), None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                name = file.name
                file.write(hashlib.sha256(content).digest() + content)
            os.replace(name, path)
        except OSError:  # a folder that cannot be written costs compile time, nothing else
            if name is not None:
                Path(name).unlink(missing_ok=True)

    def _path(self, sig, codegen) -> Path | None:
        if not self._enabled:
            return None
        self._print = self._print or fingerprint(self._function)
        if self._print is None:
            return None
        parts = (self._print, self._options, str(sig), codegen.magic_tuple())
        key = hashlib.sha256(repr(parts).encode()).hexdigest()
        return cache_directory() / f"{self._function.__name__.strip('<>')}-{key[:40]}.kernel"


@cache
def _skip_blas_probe() -> None:
    """Load the part of Numba that looks for BLAS without its loading scipy.linalg to see.

    That takes a quarter of a second in every process. SciPy is there, it is required; and code
    that uses BLAS is checked again when it is compiled.
    """
    from numba.np import linalg

    probe, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = probe


class _UnknownError(Exception):
    """Something a function refers to has no content that a hash could cover."""


@cache
def _kernel_sources(engine: str) -> bytes:
    """A hash of the sources that an engine compiles: what code objects alone do not show."""
    package = Path(__file__).parents[1]
    other = "cuda" if engine == "cpu" else "cpu"
    digest = hashlib.sha256()
    for folder in ("base", "operators"):
        for path in sorted((package / folder).rglob("*.py")):
            if path.parent.name != other:
                digest.update(path.read_bytes())
    return digest.digest()


def _feed(digest: Any, value: Any, names: tuple[str, ...], seen: dict[Any, int]) -> None:
    """Add ``value`` to the digest; ``names`` are the attributes the referring code may use."""
    if isinstance(value, Dispatcher):
        digest.update(repr(sorted(value.targetoptions.items())).encode())
        value = value.py_func
    elif hasattr(value, "py_func"):  # a function compiled for another engine
        value = value.py_func
    if hasattr(value, "_defn"):  # an intrinsic: the code that generates its instructions
        value = value._defn.__code__
    is_module = isinstance(value, python_types.ModuleType)
    key = (id(value), names if is_module else ())
    if key in seen:
        digest.update(b"seen %d" % seen[key])
        return
    digest.update(type(value).__name__.encode() + b":")
    if isinstance(value, python_types.FunctionType):
        seen[key] = len(seen)
        _feed_function(digest, value, seen)
    elif isinstance(value, python_types.CodeType):
        digest.update(value.co_code + repr((value.co_names, value.co_varnames)).encode())
        for constant in value.co_consts:
            _feed(digest, constant, names, seen)
    elif is_module:
        seen[key] = len(seen)
        _feed_module(digest, value, names, seen)
    elif isinstance(value, (tuple, list)):
        digest.update(b"%d" % len(value))
        for item in value:
            _feed(digest, item, names, seen)
    elif isinstance(value, np.ndarray):
        digest.update(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif isinstance(value, (int, float, complex, str, bytes, frozenset, np.generic, type(None))):
        digest.update(repr(value).encode())
    elif isinstance(value, (type, python_types.BuiltinFunctionType, np.ufunc, np.dtype)):
        digest.update(f"{getattr(value, '__module__', '')}.{value!r}".encode())
    elif type(value).__module__.split(".")[0] in _STABLE:
        digest.update(repr(value).split(" at 0x")[0].encode())
    elif value is not Ellipsis:
        raise _UnknownError


def _feed_function(digest: Any, function: Any, seen: dict[Any, int]) -> None:
    if function.__module__ and function.__module__.split(".")[0] in _STABLE:
        digest.update(f"{function.__module__}.{function.__qualname__}".encode())
        return
    code = function.__code__
    _feed(digest, code, (), seen)
    _feed(digest, function.__defaults__, (), seen)
    names = _all_names(code)
    for name in names:
        if name in function.__globals__:
            digest.update(name.encode())
            _feed(digest, function.__globals__[name], names, seen)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        digest.update(name.encode())
        _feed(digest, cell.cell_contents, names, seen)


def _feed_module(digest: Any, module: Any, names: tuple[str, ...], seen: dict[Any, int]) -> None:
    """A module counts by its name and, unless it is a pinned library, by what is used of it."""
    digest.update(module.__name__.encode())
    if module.__name__.split(".")[0] not in _STABLE | {"edgewise"}:
        for name in names:
            if name in vars(module):
                digest.update(name.encode())
                _feed(digest, vars(module)[name], names, seen)


def _all_names(code: Any) -> tuple[str, ...]:
    """The global and attribute names that a code object and those inside it use."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            names += _all_names(constant)
    return tuple(dict.fromkeys(names))


if hasattr(os, "register_at_fork"):  # a child of a thread amid compiling could never compile
    os.register_at_fork(
        before=global_compiler_lock.acquire,
        after_in_parent=global_compiler_lock.release,
        after_in_child=global_compiler_lock.release,
    )
