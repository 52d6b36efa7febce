"""Operators: the programming model, and the only door to threads, devices and grids.

State is arrays over vertices or edges; a `Frontier` is a set of vertices or edges. Each operator
takes a plain Python function and compiles it into its own loops. Modules here state the contracts
(``traversal.py``, ``unwinding.py``, ``neighborhoods.py``, ``intersection.py``, ``members.py``,
``items.py``, ``pointers.py``, ...); engines carry them out (``cpu/`` for CPU threads) and give
equal results: bitwise for integers (except what `ANY` picks), to rounding for floats.

Two forms of functions:

* *message form*, with a `Monoid` as ``reduce``: ``message`` names what it needs among ``value``
  (``sources[u]``, by default ``values[u]``), ``weight``, ``source`` and ``edge`` of the edge that
  it travels along, and nothing else is loaded;
* *edge form*, without ``reduce``: ``visit(source, target, edge, *state) -> bool`` changes state by
  itself, with `edgewise.atomic` where several edges may meet.

>>> from edgewise.graph import Graph
>>> graph = Graph.from_edges([0, 0, 1], [1, 2, 3])
>>> import numpy as np
>>> hops = graph.full(np.inf)
>>> hops[0] = 0
>>> propagate(graph, frontier(graph, 0), lambda value: value + 1, hops, reduce=MIN).empty()
True
>>> hops.tolist()
[0.0, 1.0, 1.0, 2.0]
"""

from __future__ import annotations

from edgewise.operators.covering import Cover, cover
from edgewise.operators.duplicates import mark_duplicates
from edgewise.operators.engines import register
from edgewise.operators.exploring import explore
from edgewise.operators.frontier import Frontier, frontier
from edgewise.operators.intersection import intersect
from edgewise.operators.items import for_each
from edgewise.operators.members import compute, filter, reduce_all
from edgewise.operators.monoids import ADD, AND, ANY, ARGMAX, ARGMIN, MAX, MIN, OR, Monoid
from edgewise.operators.neighborhoods import reduce_neighbors, sweep
from edgewise.operators.pointers import deliver, look_up
from edgewise.operators.reaching import reach
from edgewise.operators.rows import for_rows
from edgewise.operators.sampling import Sample, sample
from edgewise.operators.sets import Sets
from edgewise.operators.settling import settle
from edgewise.operators.splitting import multisplit
from edgewise.operators.traversal import advance, propagate
from edgewise.operators.unwinding import unwind

__all__ = [
    "ADD",
    "AND",
    "ANY",
    "ARGMAX",
    "ARGMIN",
    "MAX",
    "MIN",
    "OR",
    "Cover",
    "Frontier",
    "Monoid",
    "Sample",
    "Sets",
    "advance",
    "compute",
    "cover",
    "deliver",
    "explore",
    "filter",
    "for_each",
    "for_rows",
    "frontier",
    "intersect",
    "look_up",
    "mark_duplicates",
    "multisplit",
    "propagate",
    "reach",
    "reduce_all",
    "reduce_neighbors",
    "register",
    "sample",
    "settle",
    "sweep",
    "unwind",
]
