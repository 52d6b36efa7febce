"""The operators as the tests call them: on whichever engine is under test.

Tests hand over host graphs and host arrays. An engine brings them to where it runs, calls the
operator, and brings results and changed arrays back; on CPU threads there is nothing to bring.
One more engine is one more entry in ``ENGINES``: every test then runs on it too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from edgewise import operators


class Engine(NamedTuple):
    """``run(operator, args, options)`` carries out one call."""

    run: Callable[[str, tuple, dict], Any]

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


def _cpu(operator, args, options):
    return getattr(operators, operator)(*args, **options)


ENGINES = {"cpu": Engine(_cpu)}
_current: list[Engine] = []


def choose(engine: Engine) -> None:
    """Let the operators below run on this engine from now on."""
    _current[:] = [engine]


def _operator(name):
    def call(*args, **options):
        return _current[0].run(name, args, options)

    return call


advance, propagate, unwind = map(_operator, ("advance", "propagate", "unwind"))
reduce_neighbors, sweep = map(_operator, ("reduce_neighbors", "sweep"))
intersect, compute = map(_operator, ("intersect", "compute"))
filter, reduce_all = map(_operator, ("filter", "reduce_all"))
