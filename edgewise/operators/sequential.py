"""`sequential`: one CPU thread, for steps that depend on one another.

The function is called once, as ``function(control, *state)``. Every thousand steps or so it calls
``going(control, done)``, which notes how far it has come and says whether to go on; if not, it
returns, whatever it leaves behind: the caller gets the KeyboardInterrupt, and no result. Meanwhile
the calling thread waits in Python, so Ctrl-C is heard, and observers hear how far it has come
(``phase``, ``done`` and ``total``) five times a second. ``prefetch(array, index)`` asks for the
cache line of an element that will be read soon: loops over random places gain most from it.

>>> import numpy as np
>>> def running_maximum(control, values):
...     for i in range(1, len(values)):
...         if i % 1024 == 0 and not going(control, i):
...             return
...         values[i] = max(values[i], values[i - 1])
>>> values = np.array([3, 1, 4, 1, 5])
>>> sequential(running_maximum, values, steps=5)
>>> values.tolist()
[3, 3, 4, 4, 5]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any, TypeGuard

import numpy as np

from edgewise.base import threads
from edgewise.base.cache import kernel
from edgewise.base.checks import check_choice
from edgewise.base.cpu.atomics import prefetch_shared as prefetch
from edgewise.base.cpu.team import going, stopped
from edgewise.base.observe import notify, observed
from edgewise.base.threads import get_threads, launch
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.cpu.state import state_tuple
from edgewise.operators.functions import compiled, naming_failures

__all__ = [
    "edges_near",
    "going",
    "in_reach",
    "is_small",
    "leads_near",
    "method_for",
    "prefetch",
    "runs_alone",
    "sequential",
    "sequential_or",
    "stopped",
]

#: Vertices are near if there are no more than so many between them; so many edges are looked at.
_NEAR, _SAMPLE = 1 << 14, 4096
#: How many times the work that one thread does alone a small graph may have.
_SMALL = 2
#: Two threads, the other way, took 1.3 times as long as one search for components of cnr-2000.
_FEW_THREADS = 2


def sequential(
    function: Callable[..., Any],
    state: Any,
    *,
    steps: int,
    work: int | None = None,
    phase: str | None = None,
) -> None:
    """Call ``function(control, *state)`` once, compiled, on one CPU thread.

    Parameters
    ----------
    function : callable
        Calls ``going(control, done)`` at least every millisecond, and returns if that is false.
    state : array or number, or tuple of them
    steps : int
        How many steps there are: what ``done`` grows to.
    work : int, optional
        About how many items (edges, say) will be touched; as many as steps if not given. Work of
        less than a tenth of a second is done at once on the calling thread.
    phase : str, optional
        What observers are told is done; the function's name if not given.
    """
    arrays = state_tuple(state)
    name = (phase or function.__name__).strip("_")
    function = compiled(function, "function", 1 + len(arrays))
    beat = count()

    def tell(control: Any) -> None:
        notify(next(beat), phase=name, done=int(control[1]), total=steps)

    with naming_failures(function):
        launch(
            sequential_kernel(function), arrays, work=steps if work is None else work, team=1,
            meanwhile=tell if observed() else None,
        )  # fmt: skip


def sequential_or(
    graph: AnyGraph,
    alone: Any,
    together: Any,
    *arguments: Any,
    times: float | None = None,
    team: int | None = None,
) -> Any:
    """What ``alone(graph, *arguments)`` returns where one CPU thread is the better choice.

    Elsewhere it is what ``together(graph, *arguments)`` returns. By default one thread is chosen
    for every graph that it can reach; with ``times``, for graphs that are small by `is_small`; with
    ``team``, if there are no more threads than that.

    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1], [1, 2])
    >>> sequential_or(graph, lambda graph: "one thread", lambda graph: "operators", times=2)
    'one thread'
    """
    chosen = in_reach(graph) if times is None else is_small(graph, times)
    chosen = chosen and (team is None or get_threads() <= team)
    return (alone if chosen else together)(graph, *arguments)


def method_for(graph: AnyGraph, method: str, alone: str, together: str) -> str:
    """The method that is asked for: ``alone``, which one CPU thread carries out, or ``together``.

    By default it is ``alone`` where a graph is in reach. It is refused elsewhere.

    >>> from edgewise.graph import Graph
    >>> method_for(Graph.from_edges([0, 1], [1, 2]), "auto", "search", "trees")
    'search'
    """
    reached = in_reach(graph)
    check_choice(method, "method", ("auto", alone, together))
    if method == "auto":
        return alone if reached else together
    if method == alone and not reached:
        where = "a GPU" if graph.one_device else "a GPU or a grid"
        raise ValueError(f"method {alone!r} needs a graph in host memory, not one on {where}")
    return method


def runs_alone(
    graph: AnyGraph, bounds: np.ndarray, wide: int, first: int = 0
) -> Iterator[tuple[int, int]]:
    """Steps that follow one another, in runs for one CPU thread and single ones for all threads.

    Step i has ``bounds[i + 1] - bounds[i]`` items. From the first one on, ``(low, high)`` are steps
    that one thread takes, and ``(i, i)`` is one of at least ``wide`` items for all of them. Where
    no thread reaches the graph, that is every step.

    >>> from edgewise.graph import Graph
    >>> list(runs_alone(Graph.from_edges([0], [1]), np.array([0, 1, 3, 9, 10]), 5))
    [(0, 2), (2, 2), (3, 4)]
    """
    shared = np.diff(bounds) >= (wide if in_reach(graph) else 0)
    step, last = first, len(bounds) - 1
    while step < last:
        end = step
        while end < last and not shared[end]:
            end += 1
        yield step, end
        step = max(end, step + 1)


def in_reach(graph: AnyGraph) -> TypeGuard[Graph]:
    """Are the arrays of a graph where `sequential` can work on them?"""
    return graph.one_device and graph.device == "cpu"


def is_small(graph: AnyGraph, times: float = _SMALL) -> TypeGuard[Graph]:
    """Is a graph in reach, and one thread done with all of its edges before several have met?

    Up to so many times as many arcs as a launch takes to be shared; where one thread has a better
    method than several, it pays up to more.
    """
    return in_reach(graph) and graph.num_arcs < times * threads.SERIAL_WORK


def leads_near(graph: AnyGraph) -> bool:
    """Is a graph in reach, and one thread that follows its edges about as fast as all of them?

    It is where threads are few and three of four edges lead to vertices that are in its cache
    still: some edges are looked at.

    >>> from edgewise.graph import Graph
    >>> leads_near(Graph.from_edges([0, 1], [1, 2], directed=True))
    True
    """
    few = graph.num_vertices <= _NEAR or get_threads() <= _FEW_THREADS
    return few and in_reach(graph) and edges_near(graph)


def edges_near(graph: Graph) -> bool:
    """Do three of four edges of a graph in reach lead to vertices that are near in memory?"""
    if graph.num_vertices <= _NEAR:
        return True
    some = np.linspace(0, graph.num_arcs - 1, min(_SAMPLE, graph.num_arcs)).astype(np.int64)
    sources = np.searchsorted(graph.indptr, some, side="right") - 1
    near = int(np.count_nonzero(abs(graph.stored.indices[some] - sources) < _NEAR))
    return 4 * near >= 3 * len(some)


@cache
def sequential_kernel(function: Any) -> Any:
    """The kernel around one function."""

    @kernel(borrows=True)
    def run(me, team, control, arrays):
        function(control, *arrays)

    return run
