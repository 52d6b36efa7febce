"""Compiled kernels that are kept on disk, also those built around a user's function.

`kernel` compiles a function as Numba's ``njit`` does, without the GIL, and gives it a cache keyed
by content: all that it compiles from (`edgewise.base.fingerprint`), the types of its arguments,
and the CPU. Nothing else identifies a kernel, so lambdas and closures hit in a later process, as do
functions of the same content in another module, and a change anywhere in what they call misses.
Of processes that miss at the same moment one compiles (`edgewise.base.claims`).

This file, `compiler`, `parts` and those of the fingerprint are the only ones that use private names
of Numba.
"""

from __future__ import annotations

import importlib
import pickle
import weakref
from collections.abc import Callable
from functools import cache
from inspect import isfunction
from typing import Any, NamedTuple

import numba
from numba.core import event
from numba.core.caching import _Cache
from numba.core.codegen import RuntimeLinker
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import _rebuild_env
from numba.core.serialize import dumps
from numba.extending import is_jitted

from edgewise.base import compiler, forks, team_calls
from edgewise.base.bytecode import code_content
from edgewise.base.claims import Claim, claim
from edgewise.base.compiler import by_type, watched
from edgewise.base.fingerprint import Survey, UnknownError, fingerprint
from edgewise.base.store import cache_directory, clear_cache, keep, kept

__all__ = ["cache_directory", "clear_cache", "fingerprint", "helper", "inlined", "inner", "kernel",
           "vectorized"]  # fmt: skip


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
    dispatcher._cache = _KernelCache(dispatcher)
    return watched(dispatcher)


def helper(function: Callable | None = None, **options: Any) -> Any:
    """Compile a function that other compiled functions call; a compiled one is left as it is."""
    if function is None:
        return lambda function: helper(function, **options)
    if is_jitted(function):
        return function
    options = {"error_model": "numpy", **options}
    jit: Any = numba.njit
    return by_type(jit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **options)(function))


def inner(function: Callable) -> Any:
    """A `helper` that allocates nothing and counts no references: for what runs per edge."""
    return helper(function, _nrt=False)


def inlined(function: Callable) -> Any:
    """An `inner` function that is always made part of its callers: for what runs per vertex."""
    return helper(function, _nrt=False, forceinline=True)


def vectorized(function: Callable) -> Any:
    """An `inner` function whose sums of floats may be in any order, for vector instructions."""
    return helper(function, _nrt=False, fastmath={"reassoc", "contract", "nsz"})


class _KernelCache(_Cache):
    """One file per kernel and signature, named by the hash of everything that matters."""

    def __init__(self, dispatcher: Any):
        self._dispatcher, self._enabled = weakref.ref(dispatcher), True
        self._name = dispatcher.py_func.__name__
        self._missing: dict[Any, _Missing] = {}

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
        self.give_up(sig)
        if not self._enabled:
            return None
        try:
            survey = Survey(self._dispatcher())
            if not survey.fresh():
                survey.renew()
                survey = Survey(self._dispatcher())
            key = survey.digest(sig, target_context.codegen().magic_tuple(), _way(), self._module())
        except UnknownError:
            return None
        if not survey.fresh():
            return None
        result = self._kept(key, target_context)
        if result is None:
            ours = claim(key)
            result = self._kept(key, target_context)  # somebody else may have kept it meanwhile
            if result is None:
                self._missing[sig] = _Missing(key, survey, ours)
                return None
            if ours is not None:
                ours.end()
        survey.remember([survey.root])
        return result

    def save_overload(self, sig, data) -> None:
        missing = self._missing.get(sig)
        if missing is None:
            return
        try:
            bound = data.lifted or _bound_to_this_process(data.library)
            if not bound and Survey(missing.survey.root).same(missing.survey):
                keep(self._name, missing.key, dumps(_parts(data)))
        except UnknownError:
            pass
        finally:
            self.give_up(sig)

    def give_up(self, sig=None) -> None:
        """Let other processes compile what this one has not, or (None) all of it."""
        for one in list(self._missing) if sig is None else [sig]:
            missing = self._missing.pop(one, None)
            if missing is not None and missing.claim is not None:
                missing.claim.end()

    def _module(self) -> str:
        """Where the kernel itself is from; a script has another name in its children."""
        dispatcher: Any = self._dispatcher()
        module = dispatcher.py_func.__module__
        return "__main__" if module == "__mp_main__" else module

    def _kept(self, key: str, target_context: Any) -> Any:
        content = kept(self._name, key)
        if content is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # no kernel after all, or made in a module that is not there: a miss
            return None


class _Missing(NamedTuple):
    """A kernel that is being compiled, by us alone if there is a claim."""

    key: str
    survey: Survey
    claim: Claim | None


class _Failures(event.Listener):
    """Hears of kernels that cannot be compiled: nobody shall wait for them."""

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        cache = getattr(event.data["dispatcher"], "_cache", None)
        failed = event._exc_details is not None  # Numba's is_failed says the contrary
        if failed and isinstance(cache, _KernelCache):
            cache.give_up()


class _Anywhere:
    """An environment of what a kernel calls, without the module of it.

    That is where compiled code never looks, and those who load the kernel may not have it.
    """

    def __init__(self, environment: Any):
        self.environment = environment

    def __reduce__(self) -> tuple:
        return _rebuild_env, (__name__, self.environment.consts, self.environment.env_name)


def _parts(data: Any) -> tuple:
    """What is kept of a kernel."""
    *parts, environments = data._reduce()
    return (*parts, tuple(map(_Anywhere, environments)))


@cache
def _way() -> list[str]:
    """The content of the code that decides how Numba compiles for us."""
    scopes = [vars(compiler), vars(team_calls)]
    scopes += [vars(kind) for kind in vars(compiler).values() if _is_own(kind)]
    functions = [one for scope in scopes for one in scope.values() if isfunction(one)]
    return [code_content(function.__code__)[0] for function in functions]


def _is_own(kind: Any) -> bool:
    return isinstance(kind, type) and kind.__module__ == compiler.__name__


def _bound_to_this_process(library: Any) -> bool:
    """Does the code hold addresses: of large or strided global arrays, of foreign functions?

    Functions that call each other in a circle find one another by address, too.
    """
    names = (variable.name for variable in library._final_module.global_variables)
    return library.has_dynamic_globals or any(
        name.startswith(RuntimeLinker.PREFIX) for name in names
    )


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


event.register("numba:compile", _Failures())
forks.hold(global_compiler_lock)  # a child of a thread amid compiling could never compile
