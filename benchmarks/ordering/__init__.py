"""Orders of the vertices: what they cost, what they measure, and what algorithms gain by them.

After Tables 2.2 and 2.3 of Mandulak's thesis, on the data of this repository: every order with and
without refinement, the measures, and the times of PageRank (20 iterations), connected components
and Louvain over those of the natural and of a random order; simulated cache misses, and how
measures and times go together. A process of its own does the work; an order that takes too long
ends it, and is left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.driver import use_threads
from benchmarks.ordering.graphs import GENERATED, GRAPHS, QUICK, graph_of
from benchmarks.ordering.pictures import draw
from benchmarks.ordering.study import BESIDE, Case, prepare
from benchmarks.ordering.text import markdown
from benchmarks.peer import Peer
from benchmarks.report import spell_time
from benchmarks.suite import Suite, measure_suite

__all__ = ["GENERATED", "GRAPHS", "QUICK", "measure_ordering"]

#: Orders that are refined, by half of the vertices; with ``every``, all are, by as many as pays.
_REFINED = ("natural", "rabbit")
#: On graphs of so many edges only some orders are tried, refined by one vertex in a hundred, and
#: Louvain is left out; not with ``every``. On a GPU the same orders are tried of every graph.
_LARGE = 8_000_000
_MAIN = ("natural", "random", "degree", "hub_sort", "bfs", "reverse_cuthill_mckee", "rabbit")


def measure_ordering(
    names: list[str], trials: int, limit: float, device: str, folder: Path,
    tell: Callable[[str], None], *, every: bool = False,
) -> tuple[str, list[Path]]:  # fmt: skip
    """Measure every graph: see `measure_suite`. The report, and pictures."""
    use_threads(2 if device == "cpu" else os.cpu_count() or 1)
    with Peer(prepare, device) as peer:

        def load(name: str) -> tuple[str, bool, bool]:
            graph = graph_of(name)
            tell(f"{name}: {graph}")
            large = graph.num_edges > _LARGE and not every
            return name, large, large or (device != "cpu" and not every)

        def measure(asked: tuple[str, bool, bool]) -> list[dict[str, Any]]:
            return _measure(peer, _cases(*asked, every, trials, device != "cpu"), limit, tell)

        name, known = "ordering" if device == "cpu" else "ordering-cuda", (*GRAPHS, *GENERATED)
        suite = Suite(name, known, load, measure, partial(markdown, device=device))
        text = measure_suite(suite, names, folder, tell)
    pictures = list(draw(names, folder)) if device == "cpu" else []
    return text, pictures


def _cases(
    graph: str, large: bool, some: bool, every: bool, trials: int, quick: bool
) -> Iterator[Case]:
    """What is asked about a graph: first what others are compared with.

    Where algorithms are ``quick``, as on a GPU, large graphs have no fewer trials.
    """
    from edgewise.algorithms.ordering.reorder import METRICS, names

    asked = Case(graph, "natural", 1 if large and not quick else trials, louvain=not large)
    fraction: float | str = "auto" if every else 0.01 if large else 0.5
    for name in _MAIN if some else names()[1:]:
        yield asked._replace(order=name)
        if name in _REFINED or every:
            for metric in METRICS:
                yield asked._replace(order=name, refine=metric, fraction=fraction)
    for name, variable in BESIDE.items():
        if variable is None or os.environ.get(variable):
            yield Case(graph, name, 1, louvain=False)


def _measure(peer: Peer, cases: Iterable[Case], limit: float, tell) -> list[dict[str, Any]]:
    rows = []
    for case in cases:
        reply = peer.ask(case, limit)
        called = case.order + (f" + {case.refine}" if case.refine else "")
        if isinstance(reply, str):
            tell(f"  {called}: {reply}")
            continue
        rows.append(reply)
        spent = reply["refine_s" if case.refine else "order_s"]
        gap = reply["log_gap"] / max(2 * reply["m"], 1)
        tell(f"  {called}: {spell_time(spent)}, log gap {gap:.2f} an arc, PageRank "
             f"{spell_time(reply['pagerank'])}")  # fmt: skip
    return rows
