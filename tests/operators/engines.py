"""The operators as the tests call them: on whichever engine is under test.

Tests hand over host graphs and host arrays. An engine brings them to where it runs, calls the
operator, and brings results and changed arrays back; on CPU threads there is nothing to bring.
One more engine is one more entry in ``ENGINES``: every test then runs on it too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from edgewise import operators
from edgewise.graph.csr import CSR


class Engine(NamedTuple):
    """``run(operator, args, options)`` carries out one call of an operator, by name, or of another
    function that takes a graph and arrays."""

    run: Callable[[Any, tuple, dict], Any]

    def send(self, operator, graph, members, message, values, **options):
        """Run ``advance`` or ``propagate`` on copies: (values, changed vertices, ascending)."""
        copies = tuple(a.copy() for a in values) if isinstance(values, tuple) else values.copy()
        start = members
        if members is not None and not isinstance(members, operators.Frontier):
            start = operators.frontier(graph, members)
        last = self.run(operator, (graph, start, message, copies), options)
        ids = last.ids.tolist()
        assert len(ids) == len(set(ids)) == len(last), "a vertex is in the frontier twice"
        return copies, sorted(ids)


def _named(operator):
    return operator if callable(operator) else getattr(operators, operator)


def _cpu(operator, args, options):
    return _named(operator)(*args, **options)


def _cuda(operator, args, options):
    """Bring everything to the GPU (or its simulator), run there, bring back what has changed."""
    from edgewise.base.cuda.device import array_module

    xp, moved = array_module(), []

    def send(one):
        if isinstance(one, CSR):
            return _on_device(one)
        if isinstance(one, operators.Sets):
            return one.to("cuda")
        if isinstance(one, np.ndarray):
            for here, there in moved:  # one array may be given twice
                if here is one:
                    return there
            there = xp.array(one)
            moved.append((one, there))
            return there
        if isinstance(one, operators.Frontier):
            ids = xp.array(one.ids)
            return operators.Frontier._trusted(one.size, ids=ids, kind=one.kind)
        if isinstance(one, tuple) and (type(one) is tuple or _holds_arrays(one)):
            several = map(send, one)
            return type(one)(*several) if hasattr(one, "_fields") else tuple(several)
        if isinstance(one, dict):
            return {name: send(part) for name, part in one.items()}
        return one

    def fetch(one):
        if isinstance(one, xp.ndarray):
            return one.get() if hasattr(one, "get") else one
        if isinstance(one, operators.Frontier):
            form = {"bits": fetch(one.bits)} if one.dense else {"ids": fetch(one.ids)}
            return operators.Frontier._trusted(one.size, kind=one.kind, count=len(one), **form)
        if isinstance(one, operators.Sets):
            return one.to("cpu")
        if isinstance(one, tuple):
            several = map(fetch, one)
            return type(one)(*several) if hasattr(one, "_fields") else tuple(several)
        return one

    known = {name: send(one) for name, one in options.items()}
    if operator == "for_each":  # in the simulator arrays do not tell where they are
        known.setdefault("device", "cuda")
    try:
        result = _named(operator)(*map(send, args), **known)
    finally:
        for here, there in moved:
            if here.flags.writeable:
                here[...] = fetch(there)
    given = [here for here, there in moved if there is result]
    return given[0] if given else fetch(result)


def _holds_arrays(record):
    """Is it a record of a user's, not one of the library's, such as a monoid?"""
    return any(isinstance(one, np.ndarray) for one in record)


def _on_device(graph):
    held = _moved.get(id(graph))
    if held is None or held[0] is not graph:
        held = _moved[id(graph)] = graph, graph.to("cuda")
    return held[1]


def no_gpu() -> str | None:
    """Why nothing can run on CUDA here; None if it can."""
    from edgewise.base.cuda.device import device_number
    from edgewise.base.errors import DeviceError

    try:
        device_number("cuda")
    except DeviceError as reason:
        return str(reason)
    return None


_moved: dict[int, Any] = {}
ENGINES = {"cpu": Engine(_cpu), "cuda": Engine(_cuda)}
_current: list[Engine] = []


def choose(engine: Engine) -> None:
    """Let the operators below run on this engine from now on."""
    _current[:] = [engine]


def call(function, /, *args, **options):
    """Call a function, or an operator by name, on the engine under test."""
    return _current[0].run(function, args, options)


def _operator(name):
    return partial(call, name)


advance, propagate, unwind = map(_operator, ("advance", "propagate", "unwind"))
reduce_neighbors, sweep = map(_operator, ("reduce_neighbors", "sweep"))
intersect, compute = map(_operator, ("intersect", "compute"))
filter, reduce_all = map(_operator, ("filter", "reduce_all"))
for_rows, look_up, deliver = map(_operator, ("for_rows", "look_up", "deliver"))
multisplit, sample = map(_operator, ("multisplit", "sample"))
reach, cover, explore = map(_operator, ("reach", "cover", "explore"))
settle, for_each = map(_operator, ("settle", "for_each"))
mark_duplicates = _operator("mark_duplicates")
