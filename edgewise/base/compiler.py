"""How Numba is made to compile our kernels sooner, without a change of what they compile to.

- What a kernel calls is compiled for the kernel alone: it is linked into it, so no machine code of
  its own is made.
- A constant argument counts by its type, so a helper is compiled once for ``0``, ``1`` and ``n``.
  After inlining the constant is known to the optimizer all the same.
- No garbage is collected meanwhile: a compiler makes very many objects that live until it is done.
  They then belong to the oldest generation at once, so the next collection does not visit them.
  Python collects that generation when it has grown by collections, so `_collect` does it here.
- Numba announces every call of LLVM as an event, which takes longer than many of the calls do.

What Python calls of a kernel that begins with ``(me, team, control)`` can also lead a launch, see
`edgewise.base.team_calls`. Beside these two and `cache`, no file uses private names of Numba.
"""

from __future__ import annotations

import gc
import sys
from functools import partial
from typing import Any
from weakref import WeakSet

from llvmlite.binding import ffi
from numba import config, extending, types
from numba.core import callconv, errors, event
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.environment import lookup_environment

from edgewise.base import compiling
from edgewise.base.team_calls import wrap

__all__ = ["CHECKED", "by_type", "kernels_loaded", "overload", "watched"]

_kernels: WeakSet = WeakSet()
_GROWTH = 1 << 22  # blocks of memory: about what forty kernels leave behind

if getattr(config, "DISABLE_JIT", False):
    raise RuntimeError(
        "NUMBA_DISABLE_JIT is set, but operators and algorithms run as compiled code alone; unset "
        "it, and look for faults in your own functions with edgewise.check_bounds()"
    )

#: Numba's decorator, for functions that compiled code alone calls.
_alone: Any = {"no_cfunc_wrapper": True}
overload = partial(extending.overload, jit_options=_alone)

#: The error model of checked functions: whole numbers divided by zero raise, floats do not.
CHECKED = "checked"


class _CheckedModel(callconv.NumpyErrorModel):
    def fp_zero_division(self, builder, exc_args=None, loc=None):
        if "integer" not in exc_args[0]:
            return False
        self.call_conv.return_user_exc(builder, ZeroDivisionError, exc_args, loc)
        return True


callconv.error_models[CHECKED] = _CheckedModel


def watched(dispatcher: Any) -> Any:
    """Compile this kernel sooner, and tell of it."""
    _kernels.add(dispatcher)
    return dispatcher


def kernels_loaded() -> int:
    """How many kernels this process has compiled or found on disk, each type of it counted."""
    return sum(len(kernel.signatures) for kernel in _kernels)


def by_type(dispatcher: Any) -> Any:
    """Let a helper be compiled once for all values of a type, unless it needs to know the value."""
    template = dispatcher.get_call_template

    def get_call_template(args, kws):
        names = {name: types.unliteral(kind) for name, kind in kws.items()}
        try:
            return template([types.unliteral(kind) for kind in args], names)
        except errors.ForceLiteralArg:
            return template(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


class _Listener(event.Listener):
    """Hears when a compilation begins and ends; Numba lets one thread compile at a time."""

    depth = 0
    collects = False
    announcers: Any = ()
    codegen: Any = None
    context: Any = None
    blocks = 0

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if self.depth == 0:
            if dispatcher not in _kernels:
                return
            self.codegen = dispatcher.targetctx.codegen()
            self.codegen._library_class = _Library
            self.codegen.set_env = self._set_env
            self.context = dispatcher.targetctx
            self.context.create_cpython_wrapper = partial(wrap, self.context)
            self.collects = gc.isenabled()
            gc.disable()
            self.announcers = _silence()
            compiling.begin()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        if self.depth == 0:
            return
        self.depth -= 1
        if self.depth == 0:
            del self.codegen._library_class, self.codegen.set_env
            del self.context.create_cpython_wrapper
            ffi.lib._lock._cblist.extend(self.announcers)
            if self.collects:
                if not gc.get_freeze_count():
                    gc.freeze()
                    gc.unfreeze()
                    self._collect()
                gc.enable()
            compiling.end()

    def _collect(self) -> None:
        """Collect all garbage if memory grew by a quarter since the last time, as Python does."""
        blocks = sys.getallocatedblocks()
        if blocks - self.blocks > max(_GROWTH, self.blocks // 4):
            gc.collect()
            self.blocks = sys.getallocatedblocks()

    def _set_env(self, name: str, environment: Any) -> None:
        """Only what has machine code has a place for its environment."""
        if self.codegen._engine.get_global_value_address(name):
            type(self.codegen).set_env(self.codegen, name, environment)


def _silence() -> list[Any]:
    """Take away what announces calls of LLVM; the caller puts it back.

    The kernel's own timer always listens. If anything else does, nothing is taken away.
    """
    if len(event._registered["numba:llvm_lock"]) > 1:
        return []
    announcers = list(ffi.lib._lock._cblist)
    ffi.lib._lock._cblist.clear()
    return announcers


class _Library(JITCodeLibrary):
    """Code that gets no machine code of its own, unless something outside of a kernel calls it."""

    def _finalize_final_module(self) -> None:
        if not self._called_from_outside():
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True
            return
        super()._finalize_final_module()
        codegen: Any = self._codegen
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name)
            if environment is not None:
                codegen.set_env(variable.name, environment)

    def _called_from_outside(self) -> bool:
        """From Python, or by its address: so do functions that call each other in a circle."""
        module = self._final_module
        wrappers = (one for one in module.functions if one.name.startswith("_ZN7cpython"))
        names = (variable.name for variable in module.global_variables)
        return any(not one.is_declaration for one in wrappers) or any(
            name.startswith(RuntimeLinker.PREFIX) for name in names
        )


_listener = _Listener()
event.register("numba:compile", _listener)
