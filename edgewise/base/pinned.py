"""What counts by its name alone in the hash of a kernel, because its version is in the hash.

These are the modules of Python itself, NumPy, Numba and llvmlite, told by where their files are: a
user's module may have the name of one of Python's.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import types as python_types
from functools import lru_cache
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config

from edgewise.base.bytecode import code_content

__all__ = [
    "PLAIN",
    "likeness",
    "pinned_file",
    "pinned_function",
    "pinned_member",
    "pinned_module",
    "pinned_object",
    "settings",
]

#: Values whose text says all.
PLAIN = (int, float, complex, bool, str, bytes, type(None), type(Ellipsis), range)

#: Settings of Numba that leave the code as it is; every other one is part of the hash.
_IDLE_SETTINGS = ("DUMP_", "DEBUG_PRINT_", "CACHE_", "COLOR_", "THREADING_", "NUMBA_", "_", "GDB_")
_IDLE_SETTINGS_NAMES = {
    "ALWAYS_WARN_UNINIT_VAR", "ANNOTATE", "CAPTURED_ERRORS", "DEBUG_CACHE", "DIFF_IR",
    "DISABLE_PERFORMANCE_WARNINGS", "DISABLE_TYPEINFER_FAIL_CACHE", "FUNCTION_CACHE_SIZE",
    "HIGHLIGHT_DUMPS", "HTML", "LLVM_PASS_TIMINGS", "PARALLEL_DIAGNOSTICS", "SHOW_HELP",
    "CHROME_TRACE", "TRACE", "WARNINGS", "RUNNING_UNDER_PROFILER",
}  # fmt: skip


def settings() -> str:
    """The versions, and the settings of Numba, that decide what code comes out."""
    versions = (sys.implementation.cache_tag, sys.version_info[:3], numba.__version__,
                llvmlite.__version__, np.__version__)  # fmt: skip
    settings = [
        (name, value)
        for name, value in vars(config).items()
        if name.isupper()
        and "CUDA" not in name
        and name not in _IDLE_SETTINGS_NAMES
        and not name.startswith(_IDLE_SETTINGS)
    ]
    return repr((versions, sorted(settings, key=str)))


@lru_cache(4096)
def pinned_file(path: str) -> bool:
    """Is this a file of Python itself, NumPy, Numba or llvmlite, whose versions are known?"""
    if path.startswith(_PACKAGES) or path.startswith("<frozen "):
        return True
    return path.startswith(_LIBRARY) and "-packages" not in path


def _folder(module: Any) -> str:
    return os.path.dirname(os.path.abspath(module.__file__)) + os.sep


def _cuda_folder() -> str:
    """Where numba-cuda is: beside Numba, in a folder of its own."""
    return os.path.join(os.path.dirname(_folder(numba)[:-1]), "numba_cuda") + os.sep


_PACKAGES = (_folder(numba), _folder(np), _folder(llvmlite), _cuda_folder())
_LIBRARY = tuple(
    {_folder(os), *(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))}
)


def pinned_module(module: Any) -> bool:
    """Is this a module of theirs?"""
    if module is None or module.__name__ == "__main__":
        return False
    path = getattr(module, "__file__", None)
    if path is None:
        origin = getattr(getattr(module, "__spec__", None), "origin", None)
        return origin in ("built-in", "frozen")
    return pinned_file(path)


def pinned_object(value: Any) -> bool:
    """Is this what a pinned module calls by its name?"""
    name = getattr(value, "__qualname__", None) or getattr(value, "__name__", None)
    module = sys.modules.get(getattr(value, "__module__", None) or "")
    if not isinstance(name, str) or not pinned_module(module):
        return False
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value or getattr(module, value.__name__, None) is value


def pinned_function(function: Any) -> bool:
    """Is this a function of theirs, with the code that it came with?"""
    return pinned_file(function.__code__.co_filename) and pinned_object(function)


def pinned_member(value: Any) -> bool:
    """Need this member of a pinned module not be looked at?"""
    if type(value) in PLAIN or isinstance(value, python_types.ModuleType):
        return False
    function = getattr(value, "py_func", value)
    return not isinstance(function, python_types.FunctionType) or pinned_file(
        function.__code__.co_filename
    )


def likeness(function: Any) -> tuple | None:
    """What tells functions apart that refer to nothing but numbers, text and pinned modules.

    None if a function refers to anything else. This takes a hundredth of a fingerprint, so that a
    lambda made anew for every call costs next to nothing.
    """
    if function.__defaults__ or function.__kwdefaults__:
        return None
    content, names = code_content(function.__code__)
    scope, cells = function.__globals__, function.__closure__ or ()
    try:
        held = [(name, scope[name]) for name in names if name in scope]
        held += zip(function.__code__.co_freevars, (c.cell_contents for c in cells), strict=True)
    except ValueError:  # a cell that is still empty
        return None
    parts = []
    for name, value in held:
        if type(value) in PLAIN:
            parts.append((name, type(value), repr(value)))
        elif type(value) is python_types.ModuleType and pinned_module(value):
            parts.append((name, python_types.ModuleType, value.__name__))
        else:
            return None
    code = function.__code__  # errors name the place
    return content, tuple(parts), code.co_filename, code.co_firstlineno
