"""The rows of a stream, and what a batch does to them and to the answers.

Rows change in place, so a batch costs the rows that it touches. A batch of a large share of the
graph makes a new graph in one pass, as `Graph.updated` does.

An answer is an object with ``start()``, ``grow(n)``, ``answer()`` and ``share``, and those of these
methods that it needs: ``check(batch)`` before anything changes; ``before(tops)`` and
``after(tops)`` around all changes, with the rows that change; ``removing(change)`` and
``removed(change)`` around removals; ``added(change)`` after insertions; ``late()`` instead of all
these if the batch is large. If it is not ``staged``, it does not mind when the rows change.

A new answer is only what the static call returned. ``start()`` makes what repairs need of it,
before the first batch that is to be repaired. Not all are: a batch may be too large, or the last
repairs may have been given up (`worklist.Trust`). The next call of such an answer is a static one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.dynamic.slack_rows import SlackRows
from edgewise.dynamic.worklist import TooFarError, Trust
from edgewise.graph import Graph
from edgewise.graph.batch_ends import Batch
from edgewise.graph.labels import Labels
from edgewise.graph.transfer import like
from edgewise.graph.updates import exchanged, merged
from edgewise.operators.sorting import stable_order

__all__ = ["Change", "Changing", "Update"]

#: Batches of more than this share of the arcs make new rows; smaller ones than ``LEAST`` never do,
#: and are always repaired.
MERGED, LEAST = 1 / 32, 64
#: Not all edges of a batch change the graph. So many times as many edges as an answer is repaired
#: for are too many before they are compared with the graph.
SURELY = 2
#: So many numbers are sorted by radix, on all threads.
_MANY = 1 << 14


class Update(NamedTuple):
    """What a batch changed.

    Attributes
    ----------
    added, removed : int
        The numbers of edges that are new and that are gone.
    changed : int
        The number of edges with a new weight.
    vertices : int
        The number of new vertices.
    """

    added: int
    removed: int
    changed: int
    vertices: int


class Change(NamedTuple):
    """Edges that come or go: sources, targets, weights or None; of edges, and of arcs by row."""

    edges: tuple[Any, Any, Any]
    arcs: tuple[Any, Any, Any]


class Changing:
    """Rows that change by batches, and answers that are repaired."""

    def __init__(self, graph: Graph):
        self._graph: Graph | None = graph
        self._bare: Graph | None = None
        self._labels, self._directed = graph.labels, graph.directed
        self._kind: Any = None if graph.weights is None else graph.weights.dtype
        self.out = SlackRows(graph)
        self.into = SlackRows(graph, turned=True) if graph.directed else self.out
        self._answers: dict[Any, Any] = {}
        self._trust: dict[Any, Trust] = {}
        self._whole = True

    @property
    def graph(self) -> Graph:
        """The graph as it is now: frozen, made at first use after a batch in O(n + m) time."""
        self._check_whole()
        return self._frozen()

    def _frozen(self) -> Graph:
        if self._graph is None:
            self._graph = self.out.frozen(self._labels, self._bare)
            self._bare = None
        return self._graph

    @property
    def bare(self) -> Graph:
        """The graph as it is now without weights, which takes fewer bytes to make."""
        if self._graph is None and self._kind is not None:
            if self._bare is None:
                self._bare = self.out.without_weights(self._labels)
            return self._bare
        graph = self.graph
        if graph.weights is None:
            return graph
        return like(graph, graph.indptr, graph.indices, directed=graph.directed,
                    labels=graph.labels)  # fmt: skip

    def _check_whole(self) -> None:
        """RuntimeError after an update that was interrupted."""
        if not self._whole:
            raise RuntimeError("this stream was interrupted during an update; make a new one")

    @property
    def num_vertices(self) -> int:
        """The number of vertices."""
        return self.out.num_vertices

    @property
    def directed(self) -> bool:
        """Do edges have directions?"""
        return self._directed

    @property
    def num_arcs(self) -> int:
        """The number of arcs, as of a graph."""
        return self.out.num_arcs

    @property
    def labels(self) -> Labels | None:
        """The labels of the vertices."""
        return self._labels

    @property
    def weights(self) -> Any:
        """An empty array of the type of the weights; None if edges have none."""
        return None if self._kind is None else np.empty(0, self._kind)

    def _cast(self, weights: Any) -> Any:
        """The weights of a batch in the type of the stream's."""
        if not np.can_cast(weights.dtype, self._kind, "same_kind"):
            raise TypeError(
                f"weights of add must fit the stream's {self._kind}, got {weights.dtype}; see "
                "with_weights"
            )
        cast = weights.astype(self._kind)
        if self._kind is not None and self._kind.kind == "i" and (cast != weights).any():
            raise ValueError(f"weights of add must fit {self._kind}, got {weights.max()}")
        return cast

    def _apply(self, batch: Batch, gone: tuple[Any, Any]) -> Update:
        """Change the rows and repair the answers."""
        if self._is_surely_large(len(batch.sources) + len(gone[0])):
            return self._replace(batch, gone)
        more = batch.num_vertices - self.num_vertices
        if more:
            for one in {id(rows): rows for rows in (self.out, self.into)}.values():
                one.grow(batch.num_vertices)
            self._labels, self._graph, self._bare = batch.labels, None, None
        less, places, fresh, weights, (changed, back) = self._differences(batch, gone)
        size = len(less) + len(fresh)
        if size:
            self._give_up(size)
        if size or more:
            for answer in self._repairs():
                answer.start()
                if more:
                    answer.grow(batch.num_vertices)
        if size:
            large = self._is_large(size if self._directed else 2 * size)
            old = None if large or weights is None else self.out.weights_at(places)
            self._repair(self._change(less, old), self._change(fresh, weights), large)
        both = changed + back
        return Update(len(fresh) - both, len(less) - both, changed, more)

    def _is_surely_large(self, size: int) -> bool:
        """Is a batch merged anyway, and repaired by none, without a look at its edges?"""
        edges = self.num_arcs if self._directed else self.num_arcs // 2
        return size > max(MERGED * edges, LEAST) and all(
            size > SURELY * max(one.share * edges, LEAST) for one in self._repairs()
        )

    def _replace(self, batch: Batch, gone: tuple[Any, Any]) -> Update:
        """Make a new graph in the pass of `Graph.updated`; all answers are computed again."""
        more = batch.num_vertices - self.num_vertices
        graph, tally = merged(self._frozen(), batch, gone)
        if any(tally):
            self._give_up(np.inf)
        if any(tally) or more:
            self._graph, self._bare, self._labels = graph, None, batch.labels
            self._fill(graph)
            for answer in self._repairs():
                answer.start()
                if more:
                    answer.grow(batch.num_vertices)
        return Update(tally.added, tally.removed, tally.changed, more)

    def _fill(self, graph: Graph) -> None:
        """Take the rows of a new graph."""
        self.out.fill(graph)
        if self._directed:
            self.into.fill(graph.transposed)

    def _differences(
        self, batch: Batch, gone: tuple[Any, Any]
    ) -> tuple[Any, Any, Any, Any, tuple[int, int]]:
        """The keys of edges that go, and their places; those of edges that come, and their weights.

        Then, how many edges of both have a new weight, and how many go and come.
        """
        xp = self.out.xp
        less, _ = self._keys(*gone, None)
        keys, weights = self._keys(batch.sources, batch.targets, batch.weights)
        found, places = self._find(less), self._find(keys)
        less, found = less[found >= 0], found[found >= 0]
        there, leaves = places >= 0, _among(xp, keys, less)
        differs = xp.zeros(len(keys), bool)
        if weights is not None:
            differs[there] = self.out.weights_at(places[there]) != weights[there]
            differs &= ~leaves
        comes = ~there | leaves | differs
        changed, back = int(differs.sum()), int(leaves.sum())
        if changed:
            less = xp.concatenate([less, keys[differs]])
            order = _order(xp, less)
            less, found = less[order], xp.concatenate([found, places[differs]])[order]
        new = None if weights is None else weights[comes]
        return less, found, keys[comes], new, (changed, back)

    def _is_large(self, arcs: int) -> bool:
        """Are so many arcs sooner merged into a new graph than put into rows?"""
        staged = any(getattr(one, "staged", True) for one in self._repairs())
        return not staged and arcs > max(MERGED * self.num_arcs, LEAST)

    def _repairs(self) -> list[Any]:
        """The answers that are kept up to date."""
        return [one for one in self._answers.values() if one is not None]

    def trust(self, key: Any) -> Trust:
        """Whether to repair an answer."""
        return self._trust.setdefault(key, Trust())

    def _give_up(self, size: float) -> None:
        """Forget the answers that are sooner computed again than repaired."""
        edges = self.num_arcs if self._directed else self.num_arcs // 2
        for key, one in self._answers.items():
            if one is None:
                continue
            tries = self.trust(key).tries()
            if not tries or size > max(one.share * edges, LEAST):
                self._answers[key] = one.late() if hasattr(one, "late") else None

    def _repair(self, minus: Change, plus: Change, large: bool) -> None:
        xp = self.out.xp
        if large:
            self._tell("removed", minus)
            self._merge(minus, plus)
            self._tell("added", plus)
            return
        self._graph = self._bare = None
        ranked = any(hasattr(one, "before") for one in self._repairs())
        tops = _distinct(xp.sort(xp.concatenate([minus.arcs[0], plus.arcs[0]]))) if ranked else None
        self._tell("before", tops)
        if len(minus.arcs[0]):
            self._tell("removing", minus)
            self.out.remove(*minus.arcs[:2])
            if self._directed:
                us, vs, _ = _sorted(xp, minus.arcs[1], minus.arcs[0], None, self.num_vertices)
                self.into.remove(us, vs)
            self._tell("removed", minus)
        if len(plus.arcs[0]):
            self.out.insert(*plus.arcs)
            if self._directed:
                us, vs, ws = plus.arcs
                self.into.insert(*_sorted(xp, vs, us, ws, self.num_vertices))
            self._tell("added", plus)
        self._tell("after", tops)
        for key, one in self._answers.items():
            if one is not None and not hasattr(one, "late"):
                self.trust(key).succeeds()

    def _tell(self, what: str, news: Any) -> None:
        """Call a method of all answers that have it."""
        for key, one in self._answers.items():
            if hasattr(one, what):
                try:
                    getattr(one, what)(news)
                except TooFarError:
                    self._answers[key] = None
                    self.trust(key).fails()

    def _merge(self, minus: Change, plus: Change) -> None:
        """Make a new graph at once: a large batch touches most rows anyway."""
        graph = self._frozen()
        self._graph = exchanged(graph, self._labels, self.num_vertices, plus.arcs, minus.arcs)
        self._bare = None
        self._fill(self._graph)

    def _keys(self, us: Any, vs: Any, weights: Any) -> tuple[Any, Any]:
        """Distinct edges as ascending keys (source, target), on the device; the last weight."""
        if not self._directed:
            us, vs = np.minimum(us, vs), np.maximum(us, vs)
        keys, xp = us * self.num_vertices + vs, self.out.xp
        if weights is None:
            return xp.asarray(_distinct(np.sort(keys))), None
        order = _order(np, keys)
        keys = keys[order]
        last = np.ones(len(keys), bool)
        last[:-1] = keys[1:] != keys[:-1]
        return xp.asarray(keys[last]), xp.asarray(weights[order[last]])

    def _find(self, keys: Any) -> Any:
        n = max(self.num_vertices, 1)
        return self.out.find(keys // n, keys % n)

    def _change(self, keys: Any, weights: Any) -> Change:
        xp, n = self.out.xp, self.num_vertices
        us, vs = keys // max(n, 1), keys % max(n, 1)
        if self._directed:
            return Change((us, vs, weights), (us, vs, weights))
        other = us != vs
        ends, others = xp.concatenate([us, vs[other]]), xp.concatenate([vs, us[other]])
        both = None if weights is None else xp.concatenate([weights, weights[other]])
        return Change((us, vs, weights), _sorted(xp, ends, others, both, n))


def _distinct(values: Any) -> Any:
    """Ascending values, each once."""
    same = values[1:] == values[:-1]
    if not bool(same.any()):
        return values
    keep = values != values
    keep[0], keep[1:] = True, ~same
    return values[keep]


def _sorted(xp: Any, us: Any, vs: Any, ws: Any, n: int) -> tuple[Any, Any, Any]:
    """Arcs by row."""
    keys = us * n + vs
    if ws is None:
        keys = xp.sort(keys)
        return keys // max(n, 1), keys % max(n, 1), None
    order = _order(xp, keys)
    return us[order], vs[order], ws[order]


def _order(xp: Any, keys: Any) -> Any:
    """The positions of keys as these ascend."""
    return stable_order(keys) if len(keys) > _MANY else xp.argsort(keys, kind="stable")


def _among(xp: Any, keys: Any, others: Any) -> Any:
    """Which of some keys are among others, which ascend."""
    if len(others) == 0:
        return xp.zeros(len(keys), bool)
    found = xp.searchsorted(others, keys)
    found[found == len(others)] = 0
    return others[found] == keys
