"""A graph stored in another order, by the name of the order."""

from __future__ import annotations

from typing import Any

from edgewise.algorithms import ALGORITHMS
from edgewise.algorithms.ordering.suggest import suggest
from edgewise.base.checks import check_choice, check_one_device
from edgewise.base.random import check_seed
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.labels import Labels

__all__ = ["METRICS", "arrange", "names", "places_by_name"]

#: What an order can be refined for.
METRICS = ("log_gap", "linear_gap")


@takes_graph
def arrange(
    graph: LocalGraphLike, order: str = "auto", *, refine: str | None = None, seed: int = 0
) -> Any:
    """The graph stored in a better order; its labels tell what the vertices were called before.

    Parameters
    ----------
    graph : Graph
    order : str
        "auto", which takes what `suggest` says; "natural", which leaves the order as it is; or an
        order of `edgewise.ordering`, such as "rabbit" or "reverse_cuthill_mckee".
    refine : {"log_gap", "linear_gap"}, optional
        Refine the order for this measure (`edgewise.ordering.refine`).
    seed : int
        For orders that draw.

    Returns
    -------
    Graph
        The same graph, permuted, on its device; an order that needs host memory is found there. If
        the graph had no labels, the old ids are its labels now.

    Raises
    ------
    ValueError
        If there is no order of that name.

    Examples
    --------
    >>> from edgewise.generators import star
    >>> graph = arrange(star(3).permute([3, 0, 1, 2]), "degree")
    >>> graph.neighbors(0).tolist(), graph.label(0), graph.vertex(3)
    ([1, 2, 3], 3, 0)
    """
    check_one_device(graph, "arrange")
    check_choice(order, "order", names())
    if refine is not None:
        check_choice(refine, "refine", METRICS)
    places = places_by_name(graph, order, refine=refine, seed=int(check_seed(seed)))
    if graph.labels is None:
        graph = graph.with_labels(Labels.range(0, graph.num_vertices))
    return graph if places is None else graph.permute(places)


def names() -> list[str]:
    """All orders that `arrange` knows."""
    known = (row.name.partition(".")[2] for row in ALGORITHMS.values() if row.returns == "order")
    return ["auto", "natural", *(name for name in known if name != "refine")]


def places_by_name(graph: AnyGraph, order: str, *, refine: str | None = None, seed: int = 0) -> Any:
    """The positions of an order by its name; None where vertices stay as they are."""
    name = suggest(graph) if order == "auto" else order
    places = None
    if name != "natural":
        row = ALGORITHMS[f"ordering.{name}"]
        here = graph if "cuda" in row.engines else graph.to("cpu")
        places = row.load()(here, **({"seed": seed} if "seed" in row.needs else {}))
    if refine is not None:
        improve = ALGORITHMS["ordering.refine"].load()
        places = improve(graph, places, metric=refine, seed=seed)
    return places
