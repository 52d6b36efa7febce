"""The triad census: every set of three vertices of a directed graph by its type [1].

Only triangles are searched for: the edges are oriented toward the end of larger degree, and the
rows of the ends of each edge are merged. A wedge is two adjacent pairs with a common vertex. The
numbers of neighbors of each kind give all wedges, and those in triangles are subtracted. The other
types follow from the numbers of adjacent pairs and of all triads. O(m sqrt(m)) work at most.

[1] P. Holland, S. Leinhardt. A method for detecting structure in sociometric data. American J.
    Sociology 76, 1970.
[2] V. Batagelj, A. Mrvar. A subquadratic triad census algorithm for large sparse networks with
    small maximum degree. Social Networks 23, 2001.
"""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any

import numpy as np

from edgewise.algorithms.patterns.searching import exact_sum
from edgewise.base.checks import check_directed, check_one_device
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import row_ids
from edgewise.operators import for_each

__all__ = ["triad_census"]

#: The types of triads, by the numbers of mutual, single and absent pairs of edges.
_TYPES = ("003", "012", "102", "021D", "021U", "021C", "111D", "111U", "030T", "030C", "201",
          "120D", "120U", "120C", "210", "300")  # fmt: skip
#: How a vertex is joined to another: by an edge to it, an edge from it, or both.
_TO, _FROM, _BOTH = 1, 2, 3
#: The wedge by the links of its middle vertex.
_WEDGES = {
    (_TO, _TO): "021D",
    (_FROM, _FROM): "021U",
    (_TO, _FROM): "021C",
    (_TO, _BOTH): "111U",
    (_FROM, _BOTH): "111D",
    (_BOTH, _BOTH): "201",
}
_CLOSED = ("030T", "030C", "120D", "120U", "120C", "210", "300")
#: Parts of the vertices, each with its own counters.
_PARTS = 1 << 14


@takes_graph
def triad_census(graph: LocalGraphLike) -> dict[str, int]:
    """Return the number of triads of each of the 16 types: directed subgraphs of three vertices.

    Parameters
    ----------
    graph : Graph
        Directed. Self-loops and weights are ignored.

    Returns
    -------
    dict from str to int
        The exact number of each type under its standard name: the numbers of mutual, single and
        absent pairs of edges, and a letter where several types have the same (Down, Up, Cyclic,
        Transitive). "300" is a triangle with all six edges.

    See Also
    --------
    motif_counts : The same of undirected graphs, also with four vertices.

    Notes
    -----
    O(m √m) time in the worst case.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> census = triad_census(Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], directed=True))
    >>> {name: number for name, number in census.items() if number}
    {'012': 1, '021D': 1, '021C': 1, '030C': 1}
    """
    check_one_device(graph, "triad_census")
    check_directed(graph, "triad_census")
    n, links = graph.num_vertices, _links(graph)
    closed = _closed(links)
    census = dict.fromkeys(_TYPES, 0) | closed
    for name, number in _wedges(links).items():
        census[name] = number - sum(_inside(name, one) * many for one, many in closed.items())
    for name, link in (("012", _TO), ("102", _BOTH)):
        pairs = int((links.weights == link).sum()) // (2 if link == _BOTH else 1)
        share = int(name == "012")  # the position of the number of such pairs in a name
        census[name] = pairs * max(n - 2, 0) - sum(
            int(one[share]) * many for one, many in census.items() if one not in ("012", "102")
        )
    census["003"] = comb(n, 3) - sum(census.values())
    return census


def _links(graph: Graph) -> Any:
    """The neighbors of each vertex, in any direction; weights are links."""
    xp, sources, targets = graph.xp, row_ids(graph), graph.indices
    kinds = xp.repeat(xp.asarray([_TO, _FROM], np.int32), len(targets))
    return type(graph).from_edges(
        xp.concatenate((sources, targets)), xp.concatenate((targets, sources)), kinds,
        directed=True, num_vertices=graph.num_vertices, self_loops="drop",
    )  # fmt: skip


def _wedges(links: Any) -> dict[str, int]:
    """The numbers of pairs of neighbors of all vertices, by their links."""
    xp, n, rows = links.xp, links.num_vertices, row_ids(links)
    many = [xp.bincount(rows[links.weights == link], minlength=n).astype(np.int64)
            for link in (_TO, _FROM, _BOTH)]  # fmt: skip
    return {
        name: exact_sum(
            many[a - 1] * (many[b - 1] - 1) // 2 if a == b else many[a - 1] * many[b - 1]
        )
        for (a, b), name in _WEDGES.items()
    }


def _closed(links: Any) -> dict[str, int]:
    """The numbers of triangles by type."""
    xp, n, degree = links.xp, links.num_vertices, links.row_lengths()
    rows, heads = row_ids(links), links.indices
    up = (degree[rows] < degree[heads]) | ((degree[rows] == degree[heads]) & (rows < heads))
    indptr = offsets(xp.bincount(rows[up], minlength=n)) if n else xp.zeros(1, np.int64)
    parts, types = min(n, _PARTS), xp.asarray(_table())
    found = xp.zeros((parts, len(_CLOSED)), np.int64)
    state = (indptr, heads[up], links.weights[up], types, n, parts, found)
    for_each(parts, _merge, state, device=links.device, work=8 * links.num_arcs)
    return dict(zip(_CLOSED, map(exact_sum, found.T), strict=True))


def _merge(part, indptr, heads, kinds, types, n, parts, found):
    """Find the triangles of some vertices u, each by the edges (u, v), (u, w) and (v, w)."""
    for u in range(part, n, parts):
        for e in range(indptr[u], indptr[u + 1]):
            i, i_end = indptr[u], indptr[u + 1]
            j, j_end = indptr[heads[e]], indptr[heads[e] + 1]
            while i < i_end and j < j_end:
                if heads[i] < heads[j]:
                    i += 1
                elif heads[j] < heads[i]:
                    j += 1
                else:
                    found[part, types[16 * kinds[e] + 4 * kinds[i] + kinds[j]]] += 1
                    i += 1
                    j += 1


def _table() -> np.ndarray:
    """The number of the type of a triangle, by the links of u to v, of u to w, and of v to w."""
    types = np.zeros(64, np.int64)
    for uv, uw, vw in product((_TO, _FROM, _BOTH), repeat=3):
        types[16 * uv + 4 * uw + vw] = _CLOSED.index(_type(uv, uw, vw))
    return types


def _type(uv: int, uw: int, vw: int) -> str:
    """The type of a triangle.

    >>> _type(_TO, _TO, _TO), _type(_TO, _FROM, _TO), _type(_TO, _TO, _BOTH)
    ('030T', '030C', '120D')
    """
    corners = _corners(uv, uw, vw)
    single = [one for one in corners if _BOTH not in one]
    if len(single) == 1:  # the corner across from the only mutual pair
        return {"021D": "120D", "021U": "120U", "021C": "120C"}[_WEDGES[single[0]]]
    if not single:
        return "300" if (uv, uw, vw) == (_BOTH,) * 3 else "210"
    return "030C" if {*single} == {(_TO, _FROM)} else "030T"


def _corners(uv: int, uw: int, vw: int) -> list[tuple[int, int]]:
    """The links of each corner, sorted."""
    back = {_TO: _FROM, _FROM: _TO, _BOTH: _BOTH}
    pairs = ((uv, uw), (back[uv], vw), (back[uw], back[vw]))
    return [(min(pair), max(pair)) for pair in pairs]


def _inside(wedge: str, closed: str) -> int:
    """How many wedges of a type are in a triangle of a type."""
    links = next(one for one in product((_TO, _FROM, _BOTH), repeat=3) if _type(*one) == closed)
    return [_WEDGES[corner] for corner in _corners(*links)].count(wedge)
