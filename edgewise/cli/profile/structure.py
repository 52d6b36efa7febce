"""Sizes, components, cores and ranks: what one pass, or one algorithm, says about a graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.errors import ConvergenceError
from edgewise.cli.describe import degree_arrays, id_range, label_of, mean_degree, weight_range
from edgewise.cli.profile.degrees import log_bins, thin

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["components", "cores", "ranks", "sizes"]

_ALPHA = 0.85
_SIDES = {"degree": "degree", "in": "in_degree", "out": "out_degree"}


def sizes(graph: Graph) -> dict[str, Any]:
    """How large the graph is, of what kind, and what its weights are."""
    n, m = graph.num_vertices, graph.num_edges
    possible = n * (n - 1) if graph.directed else n * (n - 1) // 2
    loops = int(graph.num_self_loops)
    arrays = [graph.indptr, graph.indices, *([] if graph.weights is None else [graph.weights])]
    return {
        "vertices": n,
        "ids": id_range(graph),
        "edges": int(m),
        "directed": graph.directed,
        "weighted": graph.weights is not None,
        "labeled": "names" in id_range(graph) and n > 0,
        "self_loops": loops,
        "mean_degree": mean_degree(graph),
        "density": (int(m) - loops) / possible if possible else None,
        "reciprocity": _reciprocity(graph) if graph.directed else None,
        "bytes": int(sum(array.nbytes for array in arrays)),
        "weights": weight_range(graph),
    }


def components(simple: Graph) -> dict[str, Any]:
    """Connected components (weakly connected ones of a directed graph) and their sizes."""
    from edgewise.algorithms.components.connected_components import connected_components

    n = simple.num_vertices
    label = connected_components(simple)
    count = np.bincount(label, minlength=n)
    every = np.sort(count[count > 0])[::-1]
    values, counts = np.unique(every, return_counts=True)
    return {
        "count": len(every),
        "largest": int(every[0]) if n else 0,
        "largest_share": float(every[0] / n) if n else None,
        "isolated": int(np.count_nonzero(every == 1)),
        "top": every[:10].tolist(),
        "bins": log_bins(values, counts),
    }


def cores(simple: Graph) -> dict[str, Any]:
    """Core numbers: the largest k for which a vertex keeps k neighbors that all keep k.

    The degeneracy is the largest of them; the innermost core is the densest part in this sense.
    """
    from edgewise.cli.profile.core_kernels import core_numbers

    if not simple.num_vertices:
        return {
            "degeneracy": 0,
            "median": 0,
            "innermost": 0,
            "innermost_density": None,
            "sizes": [],
        }
    core = core_numbers(simple.indptr, simple.indices)
    shell = np.bincount(core)
    inside = shell[::-1].cumsum()[::-1]  # inside[k] vertices have core number k or more
    k = len(shell) - 1
    members = core == k
    size = int(inside[k])
    median = int(np.searchsorted(shell.cumsum(), len(core) / 2))
    within = _arcs_within(simple, members)
    few = [0, *(thin(np.arange(1, k + 1)) + 1).tolist()]
    return {
        "degeneracy": k,
        "median": median,
        "innermost": size,
        "innermost_density": within / (size * (size - 1)) if size > 1 else None,
        "sizes": [[i, int(inside[i])] for i in few],
    }


def ranks(graph: Graph, *, top: int, weights: Any = None) -> dict[str, Any]:
    """PageRank: the highest vertices by label, and how the scores fall off."""
    from edgewise.algorithms.ranking.pagerank import pagerank
    from edgewise.algorithms.weighting import edge_weights

    n = graph.num_vertices
    converged = True
    try:
        score = pagerank(graph, alpha=_ALPHA, weights=weights)
    except ConvergenceError as error:
        score, converged = error.best, False
    order = np.argsort(-score, kind="stable")
    first = order[:top]
    falling = score[order]
    few = thin(np.arange(1, n + 1))
    sides = degree_arrays(graph)
    return {
        "converged": converged,
        "weighted": edge_weights(graph, weights) is not None,
        "alpha": _ALPHA,
        "top_share": float(falling[: max(1, n // 100)].sum()) if n else None,
        "half": int(np.searchsorted(falling.cumsum(), 0.5 * falling.sum())) + 1 if n else 0,
        "top": [
            {
                "vertex": label_of(graph, v),
                "score": float(score[v]),
                **{_SIDES[side]: int(array[v]) for side, array in sides.items()},
            }
            for v in first.tolist()
        ],
        "curve": np.column_stack([few + 1.0, falling[few]]).tolist(),
    }


def _reciprocity(graph: Graph) -> float | None:
    """The share of arcs between different vertices that have their opposite."""
    from edgewise.cli.profile.core_kernels import mutual_arcs

    back, arcs = graph.transposed, graph.num_arcs - graph.num_self_loops
    mutual = mutual_arcs(graph.indptr, graph.indices, back.indptr, back.indices)
    return mutual / int(arcs) if arcs else None


def _arcs_within(graph: Graph, members: np.ndarray) -> int:
    sources, targets, _ = graph.arcs()
    return int(np.count_nonzero(members[sources] & members[targets]))
