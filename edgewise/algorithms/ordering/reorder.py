"""Reordering of a graph by the name of the order."""

from __future__ import annotations

from typing import Any

from edgewise.algorithms import ALGORITHMS
from edgewise.algorithms.ordering.suggest_method import suggest_method
from edgewise.base.checks import check_choice, check_one_device
from edgewise.base.random import check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.labels import Labels

__all__ = ["METRICS", "names", "places_by_name", "reorder"]

#: What an order can be refined for.
METRICS = ("log_gap", "linear_gap")


@takes_graph
def reorder(
    graph: LocalGraphLike, method: str = "auto", *, refine_metric: str | None = None, seed: int = 0
) -> Any:
    """Return the graph with its vertices reordered for locality.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    method : str
        The name of an order of `edgewise.ordering`, such as "rabbit" or "reverse_cuthill_mckee";
        the suffix "_order" is left out. "auto" uses `suggest_method`. "natural" keeps the given
        order.
    refine_metric : {"log_gap", "linear_gap"}, optional
        Refine the order for this measure with `edgewise.ordering.refine`.
    seed : int
        The seed of orders that use random numbers.

    Returns
    -------
    Graph
        The permuted graph, on the same device. Orders that need host memory are computed there. Its
        labels are the given labels, or the given ids if the graph had none.

    Raises
    ------
    ValueError
        If there is no order of that name.

    See Also
    --------
    suggest_method : Recommends an order.

    Examples
    --------
    >>> from edgewise.generators import star
    >>> graph = reorder(star(3).permute([3, 0, 1, 2]), "degree")
    >>> graph.neighbors(0).tolist(), graph.label(0), graph.vertex(3)
    ([1, 2, 3], 3, 0)
    """
    check_one_device(graph, "reorder")
    check_choice(method, "method", names())
    if refine_metric is not None:
        check_choice(refine_metric, "refine_metric", METRICS)
    places = places_by_name(graph, method, refine_metric=refine_metric, seed=int(check_seed(seed)))
    if graph.labels is None:
        graph = graph.with_labels(Labels.range(0, graph.num_vertices))
    return graph if places is None else graph.permute(places)


def names() -> list[str]:
    """All orders that `reorder` knows."""
    known = (row.name.partition(".")[2] for row in ALGORITHMS.values() if row.returns == "order")
    return ["auto", "natural", *(name.removesuffix("_order") for name in known if name != "refine")]


def places_by_name(
    graph: AnyGraph, method: str, *, refine_metric: str | None = None, seed: int = 0
) -> Any:
    """The positions of an order by its name; None where vertices stay as they are."""
    name = suggest_method(graph) if method == "auto" else method
    places = None
    if name != "natural":
        row = ALGORITHMS.get(f"ordering.{name}_order") or ALGORITHMS[f"ordering.{name}"]
        here = graph if "cuda" in row.engines else graph.to("cpu")
        places = row.load()(here, **({"seed": seed} if "seed" in row.needs else {}))
    if refine_metric is not None:
        improve = ALGORITHMS["ordering.refine"].load()
        places = improve(graph, places, metric=refine_metric, seed=seed)
    return places
