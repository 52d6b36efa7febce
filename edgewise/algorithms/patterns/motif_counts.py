"""Counts of all graphs of three or four vertices, by the formulas of PGD [1] and ESCAPE [2].

Let d be degrees, t(e) the number of triangles on an edge, and T that of all triangles. The numbers
of subgraphs are

    star   sum over v of C(d, 3)              path     sum over uv of (d(u) - 1)(d(v) - 1), less 3 T
    paw    sum over v of t(v) (d(v) - 2)      diamond  sum over e of C(t(e), 2)
    cycle  sum over pairs of C(common neighbors, 2) / 2

and `k_clique_count` counts the cliques. The numbers of induced subgraphs follow by inclusion and
exclusion, from those with the most edges down. All numbers are exact. O(sum over edges of the
smaller degree) work, plus that of the cliques.

[1] N. Ahmed, J. Neville, R. Rossi, N. Duffield. Efficient graphlet counting for large networks.
    ICDM 2015.
[2] A. Pinar, C. Seshadhri, V. Vishal. ESCAPE: efficiently counting all 5-vertex subgraphs.
    WWW 2017.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from math import comb

import numpy as np

from edgewise.algorithms.cliques.k_clique_count import k_clique_count
from edgewise.algorithms.patterns.inputs import MOTIFS
from edgewise.algorithms.patterns.searching import by_rising_degree, exact_sum
from edgewise.algorithms.triangles.triangle_count import triangle_count
from edgewise.algorithms.two_steps import parts
from edgewise.base.checks import check_flag, check_one_device, check_undirected
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import host, like, row_ids, rows_of
from edgewise.operators import ADD, Frontier, intersect, reduce_neighbors

__all__ = ["motif_counts"]


@takes_graph
def motif_counts(graph: LocalGraphLike, *, size: int = 3, induced: bool = True) -> dict[str, int]:
    """Return the number of motifs of each type: subgraphs of three or four vertices.

    Parameters
    ----------
    graph : Graph
        Undirected. Self-loops and weights are ignored.
    size : {3, 4}
        Number of vertices of a motif.
        The types of size 3 are "triangle", "wedge", "edge" (and an isolated vertex) and "none" (no
        edge). The connected types of size 4 are "clique", "diamond", "cycle", "paw" (a triangle
        with a pendant edge), "path" and "star". The others are "triangle" and "wedge" (and an
        isolated vertex), "two_edges", "edge" and "none".
    induced : bool
        Whether to count induced subgraphs, so that each set of vertices counts once.
        Otherwise all subgraphs count: a clique of four vertices contains twelve paths.

    Returns
    -------
    dict from str to int
        The exact number of motifs of each type.

    See Also
    --------
    subgraph_match_count : The number of subgraphs isomorphic to any small pattern.

    Notes
    -----
    The time is O(sum over edges of the smaller degree), plus that of counting the 4-cliques.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> motif_counts(graph)
    {'triangle': 1, 'wedge': 2, 'edge': 1, 'none': 0}
    >>> {name: number for name, number in motif_counts(graph, size=4).items() if number}
    {'paw': 1}
    """
    check_one_device(graph, "motif_counts")
    check_undirected(graph, "motif_counts")
    induced = check_flag(induced, "induced")
    if isinstance(size, (bool, np.bool_)) or not isinstance(size, (int, np.integer)):
        raise TypeError(f"size must be 3 or 4, got {size!r:.80}")
    if size not in MOTIFS:
        raise ValueError(f"size must be 3 or 4, got {size}")
    plain = graph.without_self_loops()
    found = _of_three(plain) if size == 3 else _of_four(plain)
    return _induced(int(size), found) if induced else found


def _of_three(graph: Graph) -> dict[str, int]:
    n, m = graph.num_vertices, graph.num_edges
    return {"triangle": triangle_count(graph), "wedge": _stars(graph, 2), "edge": m * (n - 2),
            "none": comb(n, 3)}  # fmt: skip


def _of_four(graph: Graph) -> dict[str, int]:
    """All subgraphs of four vertices by their number, induced or not."""
    n, m = graph.num_vertices, graph.num_edges
    us, vs, degree = row_ids(graph), graph.indices, graph.row_lengths()
    once = (degree[us] > degree[vs]) | ((degree[us] == degree[vs]) & (us > vs))
    us, vs = us[once].astype(np.int64), vs[once].astype(np.int64)
    closed = intersect(graph, (us, vs)).counts
    a, b = degree[us], degree[vs]
    triangles, wedges = exact_sum(closed) // 3, _stars(graph, 2)
    return {
        "clique": k_clique_count(graph, k=4) if triangles else 0,
        "diamond": exact_sum(closed * (closed - 1)) // 2,
        "cycle": _cycles(graph),
        "paw": exact_sum(closed * (a + b)) // 2 - 6 * triangles,
        "path": exact_sum((a - 1) * (b - 1)) - 3 * triangles,
        "star": _stars(graph, 3),
        "triangle": triangles * (n - 3),
        "wedge": wedges * (n - 3),
        "two_edges": comb(m, 2) - wedges,
        "edge": m * comb(n - 2, 2) if n > 1 else 0,
        "none": comb(n, 4),
    }


def _stars(graph: Graph, leaves: int) -> int:
    """The sum over all vertices of C(degree, leaves)."""
    many = host(graph.xp.bincount(graph.row_lengths())) if graph.num_vertices else np.zeros(1, int)
    return sum(int(many[d]) * comb(int(d), leaves) for d in np.flatnonzero(many))


def _cycles(graph: Graph) -> int:
    """Cycles of four, each from its last vertex u by degree: u -> v -> w with v and w before it.

    A pair u, w that shares c such neighbors v closes C(c, 2) of them.
    """
    rows, _ = by_rising_degree(graph)
    xp, n, total = rows.xp, rows.num_vertices, 0
    sources = row_ids(rows)
    down = sources > rows.indices
    indptr = offsets(xp.bincount(sources[down], minlength=n))
    before = like(rows, indptr, rows.indices[down], None, directed=True, labels=None)
    members = np.arange(n)
    for low, high in parts(before, rows, members):
        some = Frontier._trusted(n, ids=xp.arange(low, high))
        found = reduce_neighbors(before, some, _one, None, reduce=ADD, via=rows, key="source",
                                 mode="out", dtype=np.int64)  # fmt: skip
        owners = rows_of(found.indptr, len(found.keys), np.int64, xp)
        common = found.totals[found.keys < owners]
        total += exact_sum(common * (common - 1)) // 2
    return total


def _one():
    return 1


def _induced(size: int, found: dict[str, int]) -> dict[str, int]:
    """Induced subgraphs from all of them: those with most edges are induced; then one by one."""
    result: dict[str, int] = {}
    for name, number in found.items():
        inside = (_copies(size, name, other) * many for other, many in result.items())
        result[name] = number - sum(inside)
    return result


@cache
def _copies(size: int, name: str, other: str) -> int:
    """How often one graph is part of another on the same vertices.

    >>> _copies(4, "path", "clique"), _copies(4, "paw", "diamond"), _copies(4, "cycle", "paw")
    (12, 4, 0)
    """
    edges, into = ({frozenset(map(int, edge)) for edge in MOTIFS[size][one].split()}
                   for one in (name, other))  # fmt: skip
    images = {frozenset(frozenset(image[v] for v in edge) for edge in edges)
              for image in permutations(range(size))}  # fmt: skip
    return sum(image <= into for image in images)
