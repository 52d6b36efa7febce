"""Kernels that look at every index: run by Python alone, or compiled with bounds checks."""

from __future__ import annotations

from functools import cache

import numpy as np
from numba.extending import is_jitted

from edgewise.base.cache import kernel
from edgewise.base.cpu.checked import checked
from edgewise.base.rebind import rebound
from edgewise.sensing import formats, packet_batches


def run_plain(monkeypatch):
    """Let the kernels of captures be run by Python, where an index outside of an array raises."""
    _replace_launch(monkeypatch, plain)


def run_checked(monkeypatch):
    """Let the kernels of captures be compiled with bounds checks."""
    _replace_launch(monkeypatch, bounded)


@cache
def plain(function):
    """A compiled function and all that it calls, as Python."""
    return rebound(function.py_func, lambda one: plain(one) if is_jitted(one) else one, _itself)


@cache
def bounded(function):
    """A kernel and all that it calls, compiled with bounds checks."""
    twin = rebound(function.py_func, lambda one: checked(one) if is_jitted(one) else one, _itself)
    return kernel(twin, borrows=True, boundscheck=True)


def _itself(copy):
    return copy


def _replace_launch(monkeypatch, twin):
    def launch(function, *args, **_):
        twin(function)(0, 1, np.zeros(1, np.int64), *args)

    for module in (packet_batches, formats):
        monkeypatch.setattr(module, "launch", launch)
