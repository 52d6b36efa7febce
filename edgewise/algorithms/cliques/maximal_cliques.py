"""Maximal cliques: in degeneracy order [1], with pivots [2] over bit sets.

Each clique is found from its first vertex in an order in which few neighbors follow any vertex.
Listing searches twice. The worst case is O(n d 3^(d/3)); d is the largest core number.

[1] D. Eppstein, M. Loeffler, D. Strash. Listing all maximal cliques in sparse graphs in
    near-optimal time. ISAAC 2010.
[2] E. Tomita, A. Tanaka, H. Takahashi. The worst-case time complexity for generating all maximal
    cliques and computational experiments. Theoretical Computer Science 363, 2006.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.cliques.bron_kerbosch import Limits, Lists, search, size_of
from edgewise.algorithms.cliques.degeneracy import Ordered, in_order
from edgewise.algorithms.scratch import new_scratch
from edgewise.base.checks import check_count, check_undirected
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators import Frontier, compute

__all__ = ["Cliques", "iter_maximal_cliques", "maximal_clique_count", "maximal_cliques", "run"]

_MOST = 2**62
_BLOCK, _MEMBERS = 1 << 14, 1 << 22  # vertices, and members of cliques, at a time
_BYTES = 32  # for each member of a clique: itself, lengths and their sums at worst, some to spare


class Cliques(NamedTuple):
    """Clique i has the vertices ``members[indptr[i]:indptr[i + 1]]``, in ascending order."""

    indptr: Any
    members: Any

    @property
    def num_cliques(self) -> int:
        """The number of cliques."""
        return len(self.indptr) - 1

    def row(self, i: int) -> Any:
        """Return the vertices of clique ``i``; negative numbers count from the end."""
        i = range(self.num_cliques)[i]
        return self.members[self.indptr[i] : self.indptr[i + 1]]

    def lists(self) -> list[Any]:
        """Return the cliques as a list of arrays of vertices."""
        return np.split(self.members, self.indptr[1:-1]) if self.num_cliques else []


@takes_graph
def maximal_cliques(graph: LocalGraphLike, *, min_size: int = 1,
                    max_cliques: int | None = None) -> Cliques:  # fmt: skip
    """Return all maximal cliques.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.
    min_size : int
        Leave out cliques of fewer vertices.
    max_cliques : int, optional
        Raise an error if there are more cliques; nothing is allocated then.

    Returns
    -------
    Cliques
        The order is the same for any number of threads.

    Raises
    ------
    MemoryError
        When the cliques no longer fit the free memory; `iter_maximal_cliques` needs little.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> found = maximal_cliques(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> found.num_cliques, [clique.tolist() for clique in found.lists()]
    (2, [[2, 3], [0, 1, 2]])
    """
    ordered, least = _checked(graph, "maximal_cliques", min_size)
    most = _MOST if max_cliques is None else min(check_count(max_cliques, "max_cliques"), _MOST)
    vertices = np.arange(graph.num_vertices)
    members = free_memory() // _BYTES
    found, sizes = _searched(ordered, vertices, least, most, members)
    total = int(found.sum())
    if total > most:
        raise ValueError(f"max_cliques must be at least the number of cliques, got {most}")
    if int(sizes.sum()) > members:
        raise MemoryError(
            f"the free memory cannot hold more than {total:,} maximal cliques: give max_cliques or "
            "min_size, or use iter_maximal_cliques or maximal_clique_count")  # fmt: skip
    return _listed(ordered, vertices, least, found, sizes)


@takes_graph
def maximal_clique_count(graph: LocalGraphLike, *, min_size: int = 1) -> int:
    """Return the number of maximal cliques.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory. Self-loops and weights are ignored.
    min_size : int
        Leave out cliques of fewer vertices.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> maximal_clique_count(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    2
    """
    ordered, least = _checked(graph, "maximal_clique_count", min_size)
    return int(_searched(ordered, np.arange(graph.num_vertices), least)[0].sum())


def iter_maximal_cliques(graph: LocalGraphLike, *, min_size: int = 1) -> Iterator[Any]:
    """Return an iterator over the maximal cliques, in the order of `maximal_cliques`.

    Memory holds a few million members at a time, or the cliques of one first vertex.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> cliques = iter_maximal_cliques(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3]))
    >>> next(cliques).tolist()
    [2, 3]
    """
    return _blocks(graph, min_size)


@takes_graph
def _blocks(graph: LocalGraphLike, min_size: int) -> Iterator[Any]:
    return _in_turn(*_checked(graph, "iter_maximal_cliques", min_size))


def _in_turn(ordered: Ordered, least: int) -> Iterator[Any]:
    """Block by block; one that has too many members is halved, as long as it can be."""
    n, low, size = ordered.graph.num_vertices, 0, _BLOCK
    while low < n:
        block = np.arange(low, min(low + size, n))
        most = _MEMBERS if len(block) > 1 else _MOST
        found, sizes = _searched(ordered, block, least, members=most)
        if int(sizes.sum()) > most:
            size = len(block) // 2
            continue
        yield from _listed(ordered, block, least, found, sizes).lists()
        low, size = low + len(block), min(2 * size, _BLOCK)


def _checked(graph: Graph, name: str, min_size: Any) -> tuple[Ordered, int]:
    check_host(graph, name)
    check_undirected(graph, name)
    least = min(check_count(min_size, "min_size", 1), graph.num_vertices + 1)
    return in_order(graph), least


def _searched(
    ordered: Ordered, vertices: Any, least: int, cliques: int = _MOST, members: int = _MOST
) -> tuple[Any, Any]:
    """How many cliques begin at each of the vertices, and their sizes added up.

    No longer than until there are more ``cliques`` than this, or more ``members`` in all of them.
    """
    found, sizes = (np.zeros(ordered.graph.num_vertices, np.int64) for _ in range(2))
    none, limits = np.empty(0, np.int64), Limits(least, cliques, members, np.zeros(2, np.int64))
    run(ordered, vertices, limits, Lists(found, sizes, none, none, none, none))
    return found, sizes


def _listed(ordered: Ordered, vertices: Any, least: int, found: Any, sizes: Any) -> Cliques:
    """The cliques that begin at the vertices, of which is known how many they are."""
    firsts, places = offsets(found[vertices]), offsets(sizes[vertices])
    begin, place = (np.zeros(len(found), np.int64) for _ in range(2))
    begin[vertices], place[vertices] = firsts[:-1], places[:-1]
    lengths, members = np.empty(firsts[-1], np.int64), np.empty(places[-1], np.int64)
    again = np.zeros_like(found), np.zeros_like(sizes)
    limits = Limits(least, _MOST, _MOST, np.zeros(2, np.int64))
    run(ordered, vertices, limits, Lists(*again, begin, place, lengths, members))
    return Cliques(offsets(lengths), members)


def run(ordered: Ordered, vertices: Any, limits: Limits, lists: Lists) -> None:
    """Search from these vertices."""
    if len(vertices) == 0:
        return
    graph, later, before = ordered.graph, ordered.later, ordered.first - ordered.graph.indptr[:-1]
    n, space = graph.num_vertices, new_scratch(int(size_of(later, before)[vertices].max()))
    members = None if len(vertices) == n else Frontier._trusted(n, ids=vertices)
    # A search among k later neighbors has 2**k ends at most, and is long from about ten on.
    work = max(int((8 << np.minimum(later[vertices], 9)).sum()), len(vertices))
    compute(graph, members, search, (ordered.rows, limits, lists, space), work=work)
