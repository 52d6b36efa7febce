"""From a Python function and its arguments to PTX, kept on disk by content.

The only file of the CUDA engine that names numba-cuda's compiler.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import numpy as np

from edgewise.base.compiling import compiling
from edgewise.base.cuda.device import capability as current_capability

__all__ = ["bounded", "entry_name", "ptx"]


def ptx(function: Callable, args: tuple, capability: tuple[int, int] | None = None) -> bytes:
    """The PTX of a kernel for arguments of these types, from the disk if it is there."""
    from numba import types

    from edgewise.base.claims import claimed
    from edgewise.base.fingerprint import Survey, UnknownError
    from edgewise.base.store import keep, kept

    capability = capability or current_capability()
    signature = types.void(*[_type_of(argument) for argument in args])
    name, key = function.__name__, None
    try:
        survey = Survey(function)
        if survey.fresh():
            types_and_names = str(signature), _fields(args)
            key = survey.digest(*types_and_names, capability, _versions(), _settings())
        survey.remember()
    except UnknownError:
        pass
    if key is None:
        return _compile(function, signature, capability)
    code = kept(name, key)
    if code is None:
        with claimed(key):
            code = kept(name, key)  # somebody else may have kept it meanwhile
            if code is None:
                code = _compile(function, signature, capability)
                keep(name, key, code)
    return code


def entry_name(code: bytes) -> str:
    """The name of the one kernel in a piece of PTX."""
    found = re.search(rb"\.visible\s+\.entry\s+([\w$]+)\s*\(", code)
    if found is None:
        raise ValueError("the compiled code holds no kernel")
    return found[1].decode()


def bounded(code: bytes, bounds: tuple[int, int] | None) -> bytes:
    """PTX that tells the assembler how many threads and blocks there will be."""
    if bounds is None:
        return code
    threads, blocks = bounds
    text = b"\\g<0>\n.maxntid %d, 1, 1\n.minnctapersm %d" % (threads, blocks)
    return re.sub(rb"\.visible\s+\.entry\s+[\w$]+\s*\([^)]*\)", text, code, count=1)


def _compile(function: Callable, signature: Any, capability: tuple[int, int]) -> bytes:
    from numba import cuda

    with compiling(), _compiling_for(capability):
        code, _ = cuda.compile(function, signature, cc=capability, device=False, abi="numba")
    return code.encode() if isinstance(code, str) else bytes(code)


@contextmanager
def _compiling_for(capability: tuple[int, int]) -> Iterator[None]:
    """Let device functions compile for this capability: numba-cuda asks the device, if any."""
    from numba.cuda import dispatcher

    ask = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=capability)
    try:
        yield
    finally:
        dispatcher.get_current_device = ask


def _versions() -> tuple[str, ...]:
    from importlib.metadata import version

    return tuple(version(name) for name in ("numba", "numba-cuda"))


def _settings() -> list[tuple[str, str]]:
    """The settings of numba-cuda that may change the code."""
    from numba.cuda.core import config

    found = {name: repr(value) for name, value in vars(config).items() if name.isupper()}
    wanted = ("OPT", "BOUNDSCHECK", "CUDA_DEBUGINFO_DEFAULT", "DEBUGINFO_DEFAULT")
    return [(name, found.get(name, "")) for name in wanted]


def _type_of(argument: Any) -> Any:
    """The Numba type of an argument, as `launches.lay_out` lays it out."""
    from numba import types
    from numba.np.numpy_support import from_dtype

    if argument is None:
        return types.none
    if isinstance(argument, tuple):
        inside = [_type_of(one) for one in argument]
        named = hasattr(argument, "_fields")
        return types.NamedTuple(inside, type(argument)) if named else types.Tuple(inside)
    if isinstance(argument, (bool, np.bool_)):
        return types.boolean
    if isinstance(argument, int):
        return types.int64
    if isinstance(argument, float):
        return types.float64
    if isinstance(argument, np.generic):
        scalar: Any = argument.dtype
        return from_dtype(scalar)
    kind: Any = np.dtype(argument.dtype)
    return types.Array(from_dtype(kind), argument.ndim, "C")


def _fields(argument: Any) -> list[Any]:
    """The names of the fields of all records in an argument, which its type does not spell."""
    if not isinstance(argument, tuple):
        return []
    names = list(getattr(argument, "_fields", ()))
    return names + [found for one in argument if (found := _fields(one))]
