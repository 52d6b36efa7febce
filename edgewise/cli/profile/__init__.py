"""A whole picture of one graph: sizes, degrees, components, distances, triangles, cores, ranks.

`measure` gives it as one nested dictionary of plain numbers and lists (a JSON document); `tables`
shows that on a terminal and `report` as one HTML page. Directions count in degrees, distances and
ranks; components, triangles and cores are those of the undirected graph beneath, without loops.
What would cost too much on a large graph is sampled, and then says so and gives its 95% interval.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from edgewise.base.compiling import clock
from edgewise.cli.profile.degrees import degrees
from edgewise.cli.profile.distances import distances
from edgewise.cli.profile.structure import components, cores, ranks, sizes
from edgewise.cli.profile.triangles import triangles
from edgewise.cli.sample import sample_graph

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["STEPS", "measure", "prepare"]

#: The steps of a profile, in order: their names as a progress bar shows them.
STEPS = ("sizes", "degrees", "components", "distances", "triangles", "cores", "ranks")


def measure(
    graph: Graph,
    *,
    samples: int = 64,
    top: int = 10,
    seed: int = 0,
    weights: Any = None,
    step: Callable[[str], None] = lambda name: None,
) -> dict[str, Any]:
    """Measure all there is to say about a graph.

    Parameters
    ----------
    graph : Graph
    samples : int
        From how many random vertices distances are measured, if the graph has more than that.
    top : int
        How many of the highest-ranked vertices to name.
    seed : int
        Decides every random choice.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none). PageRank
        alone follows them: they may be lengths as well as strengths. They must not be negative.
    step : callable
        Called with the name of each of `STEPS` as it begins.

    Returns
    -------
    dict
        One entry per step, and ``timings`` with the seconds each took.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> found = measure(Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3]))
    >>> found["sizes"]["edges"], found["triangles"]["total"], found["cores"]["degeneracy"]
    (4, 1, 2)
    """
    found: dict[str, Any] = {}
    timings: dict[str, float] = {}

    def take(name: str, function: Callable, *args: Any, **options: Any) -> Any:
        start = clock()
        value = function(*args, **options)
        timings[name] = timings.get(name, 0.0) + clock() - start
        return value

    for name in STEPS:
        step(name)
        if name == "sizes":
            found[name] = take(name, sizes, graph)
            simple = take(name, _simple, graph)
        elif name == "degrees":
            found[name] = take(name, degrees, graph, seed=seed)
        elif name == "components":
            found[name] = take(name, components, simple)
        elif name == "distances":
            found[name] = take(name, distances, graph, samples=samples, seed=seed)
        elif name == "triangles":
            found[name] = take(name, triangles, simple, seed=seed)
        elif name == "cores":
            found[name] = take(name, cores, simple)
        else:
            found[name] = take(name, ranks, graph, top=top, weights=weights)
    return {**found, "timings": timings}


def prepare(graph: Graph, *, weights: Any = None) -> None:
    """Load, or compile, what `measure` needs for such a graph, so that its timings are true."""
    kind = None if graph.weights is None else str(graph.weights.dtype)
    measure(sample_graph(graph.directed, kind), samples=2, weights=weights)


def _simple(graph: Graph) -> Graph:
    """The undirected graph beneath, without loops and weights."""
    if graph.directed:
        graph = graph.to_undirected()
    if graph.num_self_loops:
        graph = graph.without_self_loops()
    return graph
