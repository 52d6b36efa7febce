"""Stream: a graph that changes by batches of edges, with answers that are kept up to date.

The rows change in place (`changing`), so a batch costs the rows that it touches. An answer that was
asked for once is repaired after every batch. A frozen graph is made when somebody asks for it.
"""

from __future__ import annotations

from typing import Any

from edgewise.base.checks import (
    check_choice,
    check_fraction,
    check_number,
    check_one_device,
    check_vertex,
)
from edgewise.base.random import check_seed
from edgewise.dynamic.changing import Changing, Update
from edgewise.dynamic.community_repair import CommunityRepair
from edgewise.dynamic.component_repair import ComponentRepair
from edgewise.dynamic.contacts import Contacts
from edgewise.dynamic.core_repair import CoreRepair
from edgewise.dynamic.matching_repair import MatchingRepair
from edgewise.dynamic.path_repair import PathRepair
from edgewise.dynamic.rank_repair import RankRepair, StreamRank
from edgewise.dynamic.triangle_repair import TriangleRepair
from edgewise.graph.batch_ends import read_batch, read_removed
from edgewise.graph.foreign import LocalGraphLike, as_graph
from edgewise.graph.memory_limit import check_arcs

__all__ = ["Stream"]


class Stream(Changing):
    """A graph that changes by batches of edges, with answers that are kept up to date.

    Every method that returns an answer computes it at its first call. From then on, `update`
    repairs it: the cost is that of what changes, not that of the graph. Each answer equals that of
    the function of the same name on `graph`; ranks have a stated error, and communities are a
    partition of about the same modularity.

    Parameters
    ----------
    graph : Graph
        The graph to begin with, in host memory or on a GPU. Labels and weights are kept. A graph
        with columns is refused, except for the column of times.
    window : number or datetime.timedelta, optional
        Keep only edges of the last ``window`` units of time: those with a time of more than the
        latest time minus ``window``. With a duration, all times are dates. `update` needs ``times``
        then. An edge that occurs several times stays until its last occurrence is too old.
    time : str, optional
        The column of ``graph`` that holds times, if there is a window: ``"time"`` by default. See
        `Graph.window`.

    Examples
    --------
    >>> import edgewise as ew
    >>> stream = ew.dynamic.Stream(ew.Graph.from_edges([0, 1, 3], [1, 2, 4]))
    >>> stream.components().tolist()
    [0, 0, 0, 3, 3]
    >>> stream.update(add=([2], [3]), remove=([0], [1]))
    Update(added=1, removed=1, changed=0, vertices=0)
    >>> stream.components().tolist(), stream.triangle_count()
    ([0, 1, 1, 1, 1], 0)
    >>> stream.graph
    Graph(undirected, 5 vertices, 3 edges, 72 B)

    Of a stream of contacts, the last ten seconds:

    >>> calls = ew.dynamic.Stream(ew.Graph.from_edges([], [], num_vertices=3), window=10)
    >>> calls.update(add=([0, 1], [1, 2]), times=[5, 9]).added
    2
    >>> calls.update(add=([0], [2]), times=[16]).removed
    1
    """

    def __init__(self, graph: LocalGraphLike, *, window: Any = None, time: str | None = None):
        graph = as_graph(graph)
        check_one_device(graph, "Stream")
        check_arcs(graph, "Stream")
        self._contacts = None
        if window is not None:
            self._contacts = Contacts(graph, window, "time" if time is None else time)
            graph = self._contacts.first(graph)
        elif time is not None:
            raise ValueError(f"time needs a window, got time={time!r} without one")
        elif graph.columns is not None:
            raise ValueError(
                "Stream keeps labels and weights but no columns; give it graph.with_columns with "
                "None for each, or a graph without"
            )
        super().__init__(graph)

    def update(
        self, add: Any = None, remove: Any = None, *, times: Any = None, labels: bool | None = None
    ) -> Update:
        """Remove some edges and add others, and repair all answers; return what changed.

        Parameters
        ----------
        add, remove, labels
            As in `Graph.updated`. Removals come first. An edge that exists gets its new weight.
            Edges to remove that do not exist are ignored.
        times : array of numbers or dates
            The time of each edge of ``add``, for streams with a window only. There, ``remove`` is
            not allowed: edges go when they are too old.

        Returns
        -------
        Update
            The numbers of edges added, removed and changed, and of new vertices.

        Notes
        -----
        If an argument is wrong, the stream stays as it was. An update that is interrupted, or runs
        out of memory, leaves rows that are half changed: later calls raise RuntimeError.
        """
        self._check_whole()
        batch = read_batch(self, add, labels)
        gone = read_removed(self, remove, labels)
        if batch.weights is not None:
            batch = batch._replace(weights=self._cast(batch.weights))
        for answer in self._repairs():
            if hasattr(answer, "check"):
                answer.check(batch)
        if self._contacts is not None:
            if remove is not None:
                raise ValueError("remove must be None in a stream with a window")
            times = self._contacts.read(times, len(batch.sources))
        elif times is not None:
            raise ValueError("times needs a stream with a window")
        self._whole = False
        if self._contacts is not None:
            batch, gone = self._contacts.update(batch, times, self._directed)
        update = self._apply(batch, gone)
        self._whole = True
        return update

    def advance(self, now: Any) -> Update:
        """Move the clock of a stream with a window, and remove edges that are too old then.

        >>> from edgewise.graph import Graph
        >>> calls = Stream(Graph.from_edges([0], [1], edge_columns={"time": [5]}), window=10)
        >>> calls.advance(15).removed
        1

        Times may be dates, as NumPy, pandas and the standard library have them:

        >>> from datetime import datetime, timedelta
        >>> calls = Stream(Graph.from_edges([], [], num_vertices=3), window=timedelta(hours=2))
        >>> calls.update(add=([0], [1]), times=[datetime(2024, 5, 1, 9, 30)]).added
        1
        >>> calls.advance("2024-05-01T11:30").removed
        1
        """
        if self._contacts is None:
            raise ValueError("advance needs a stream with a window")
        self._contacts.move(now)
        return self.update(([], []) if self._kind is None else ([], [], []), times=[])

    def components(self) -> Any:
        """Return the component of each vertex, as `connected_components`."""
        return self._answer("components", lambda: ComponentRepair(self))

    def core_number(self) -> Any:
        """Return the core number of each vertex."""
        return self._answer("core_number", lambda: CoreRepair(self))

    def triangles(self) -> Any:
        """Return the number of triangles at each vertex."""
        return self._answer("triangles", lambda: TriangleRepair(self))

    def triangle_count(self) -> int:
        """Return the number of triangles."""
        return int(self.triangles().sum()) // 3

    def bfs(self, source: int | str) -> Any:
        """Return hop distances and predecessors from a source: `Paths`, as `bfs`."""
        source = check_vertex(self, source)
        return self._answer(("bfs", source), lambda: PathRepair(self, source, "bfs"))

    def sssp(self, source: int | str) -> Any:
        """Return shortest-path distances and predecessors: `Paths`, as `sssp`.

        Weights must be positive. Without weights, all edges have length 1.
        """
        source = check_vertex(self, source)
        return self._answer(("sssp", source), lambda: PathRepair(self, source, "sssp"))

    def matching(self) -> Any:
        """Return the locally dominant matching, as `matching.locally_dominant`."""
        return self._answer("matching", lambda: MatchingRepair(self))

    def pagerank(
        self, *, alpha: float = 0.85, personalization: Any = None, tol: float = 1e-7
    ) -> StreamRank:
        """Return PageRank and a bound of its error.

        Parameters
        ----------
        alpha : float
            Probability of following an edge, less than one.
        personalization : dict from vertex or label to number, optional
            Distribution of the jumps; uniform by default.
        tol : float
            The largest error, summed over vertices.

        Returns
        -------
        StreamRank
            ``rank`` and ``error``, at most ``tol`` up to rounding.
        """
        alpha, tol = check_fraction(alpha, "alpha"), check_number(tol, "tol")
        if alpha == 1:
            raise ValueError("alpha must be below 1 in a stream, got 1")
        if not tol > 0:
            raise ValueError(f"tol must be positive, got {tol!r}")
        if personalization is not None and not isinstance(personalization, dict):
            raise TypeError(f"personalization must be a dict, got {personalization!r:.80}")
        jumps = None if personalization is None else tuple(sorted(
            (check_vertex(self, v, "personalization"), float(share))
            for v, share in personalization.items()))  # fmt: skip
        key = ("pagerank", alpha, jumps, tol)
        start = None if jumps is None else dict(jumps)
        return self._answer(key, lambda: RankRepair(self, alpha, start, tol, self.trust(key)))

    def personalized_pagerank(
        self, source: int | str, *, alpha: float = 0.85, tol: float = 1e-7
    ) -> StreamRank:
        """Return the PageRank of walks that jump to one source, and a bound of its error."""
        return self.pagerank(alpha=alpha, personalization={source: 1.0}, tol=tol)

    def communities(
        self, *, method: str = "louvain", resolution: float = 1.0, seed: int = 0
    ) -> Any:
        """Return communities of high modularity, as `communities.louvain` or `leiden`.

        They change only near the changes of the graph, so they stay comparable from batch to batch.
        """
        check_choice(method, "method", ("louvain", "leiden"))
        resolution, seed = check_number(resolution, "resolution"), int(check_seed(seed))
        key = ("communities", method, resolution, seed)
        return self._answer(key, lambda: CommunityRepair(self, method, resolution, seed))

    def forget(self) -> None:
        """Stop repairing all answers; the next call of each computes it again."""
        self._answers.clear()
        self._trust.clear()

    def __repr__(self) -> str:
        names = [key if isinstance(key, str) else key[0] for key in self._answers]
        kept = f", keeps {', '.join(names)}" if names else ""
        kind = "directed" if self._directed else "undirected"
        return f"Stream({kind}, {self.num_vertices:,} vertices, {self.num_arcs:,} arcs{kept})"

    def _answer(self, key: Any, make: Any) -> Any:
        self._check_whole()
        if self._answers.get(key) is None:
            self._answers[key] = make()
        try:
            return self._answers[key].answer()
        except BaseException:  # an interrupt, for one, leaves it half repaired
            self._answers[key] = None
            raise
