"""NetworkX graph classes that keep arrays: ``networkx.Graph(backend="edgewise")``.

They are NetworkX's classes with their dicts, so that all methods work and changes are allowed. The
dicts of a graph that was made from arrays are made at the first use that needs them. Functions of
the backend read the arrays, which are made from the dicts at the first use and dropped at a change.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getattr_static
from typing import Any

import networkx as nx

from edgewise.networkx.compact import Compact

__all__ = [
    "DiGraph",
    "Graph",
    "MultiDiGraph",
    "MultiGraph",
    "adopted",
    "converted",
    "from_compact",
    "origin",
    "plain",
]

_BASES = {(False, False): nx.Graph, (True, False): nx.DiGraph, (False, True): nx.MultiGraph,
          (True, True): nx.MultiDiGraph}  # fmt: skip
_DICTS = ("_adj", "_node", "_succ", "_pred")


class _Dicts:
    """An attribute of a folded graph that is made when something asks for it."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, graph: Any, owner: Any = None) -> Any:
        if graph is None:
            return self
        if "_folded" not in graph.__dict__:
            raise AttributeError(self.name)
        _unfold(graph)
        return graph.__dict__[self.name]


class _Mixin:
    """What the four classes add: dicts on demand, and queries that read the arrays."""

    __networkx_backend__ = "edgewise"
    _adj, _node = _Dicts(), _Dicts()
    _resetters: dict[str, Any]

    def __init_subclass__(cls) -> None:
        plain = cls.__mro__[2] if cls.__mro__[1] is _Mixin else cls.__mro__[1]
        cls._resetters = getattr(cls, "_resetters", None) or {
            name: getattr_static(plain, name) for name in _DICTS if hasattr(plain, name)
        }

    def __new__(cls, *args: Any, **options: Any) -> Any:
        return object.__new__(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._resetters:  # as NetworkX does: views of the old dicts are dropped
            self.__dict__.pop("_folded", None)
            self._resetters[name].__set__(self, value)
        else:
            object.__setattr__(self, name, value)

    def __iter__(self) -> Iterator[Any]:
        folded = self.__dict__.get("_folded")
        return super().__iter__() if folded is None else iter(folded.nodes)  # type: ignore[misc]

    def __len__(self) -> int:
        folded = self.__dict__.get("_folded")
        return super().__len__() if folded is None else folded.n  # type: ignore[misc]

    def __contains__(self, node: Any) -> bool:
        folded = self.__dict__.get("_folded")
        if folded is None:
            return super().__contains__(node)  # type: ignore[misc]
        try:
            return folded.find(node) is not None
        except TypeError:  # not hashable
            return False

    has_node = __contains__

    def number_of_nodes(self) -> int:
        """Return the number of nodes."""
        return len(self)

    order = number_of_nodes

    def size(self, weight: Any = None) -> Any:
        """Return the number of edges, or the sum of an edge attribute."""
        folded = self.__dict__.get("_folded")
        if folded is None or weight is not None:
            return super().size(weight)  # type: ignore[misc]
        return folded.graph.num_edges

    def number_of_edges(self, u: Any = None, v: Any = None) -> int:
        """Return the number of edges, or of those between two nodes."""
        if "_folded" in self.__dict__ and u is None:
            return self.size()
        return super().number_of_edges(u, v)  # type: ignore[misc]

    def has_edge(self, u: Any, v: Any, *key: Any, **keys: Any) -> bool:
        """Return True if there is an edge between two nodes."""
        folded = self.__dict__.get("_folded")
        if folded is None:
            return super().has_edge(u, v, *key, **keys)  # type: ignore[misc]
        at, to = folded.find(u), folded.find(v)
        return at is not None and to is not None and folded.graph.has_edge(at, to)

    def neighbors(self, n: Any) -> Iterator[Any]:
        """Return an iterator over the neighbors of a node, in a directed graph its successors."""
        folded: Any = self.__dict__.get("_folded")
        at = None if folded is None else folded.find(n)
        if at is None:
            return super().neighbors(n)  # type: ignore[misc]
        return iter(folded.names(folded.targets[folded.indptr[at] : folded.indptr[at + 1]]))

    def to_directed_class(self) -> Any:
        """Return the class of directed copies."""
        return _CLASSES[True, self.is_multigraph()]  # type: ignore[attr-defined]

    def to_undirected_class(self) -> Any:
        """Return the class of undirected copies."""
        return _CLASSES[False, self.is_multigraph()]  # type: ignore[attr-defined]


class Graph(_Mixin, nx.Graph):
    """An undirected graph of the backend."""


class DiGraph(_Mixin, nx.DiGraph):
    """A directed graph of the backend."""

    _succ, _pred = _Dicts(), _Dicts()
    successors = _Mixin.neighbors


class MultiGraph(_Mixin, nx.MultiGraph):
    """An undirected graph of the backend with parallel edges."""


class MultiDiGraph(_Mixin, nx.MultiDiGraph):
    """A directed graph of the backend with parallel edges."""

    _succ, _pred = _Dicts(), _Dicts()


_CLASSES = {(False, False): Graph, (True, False): DiGraph, (False, True): MultiGraph,
            (True, True): MultiDiGraph}  # fmt: skip


def from_compact(rows: Compact, **attributes: Any) -> Any:
    """A graph of the backend that is made from arrays."""
    graph = object.__new__(DiGraph if rows.directed else Graph)
    graph.__dict__.update(graph=attributes, __networkx_cache__={}, _folded=rows)
    return graph


def converted(source: nx.Graph) -> Any:
    """A NetworkX graph as one of the backend; both share their dicts, and the cache of arrays."""
    graph = object.__new__(_CLASSES[source.is_directed(), source.is_multigraph()])
    for name in _DICTS:
        if hasattr(source, name):
            graph.__dict__[name] = getattr(source, name)
    cache = getattr(source, "__networkx_cache__", None)
    shared = nx.config.cache_converted_graphs and cache is not None and not _testing()
    graph.__dict__.update(graph=source.graph, _origin=source, _keeps_columns=True,
                          __networkx_cache__=cache if shared else {})  # fmt: skip
    return graph


def adopted(graph: Any) -> Any:
    """A graph of the backend with the dicts of a NetworkX graph that nobody else has."""
    made = object.__new__(_CLASSES[graph.is_directed(), graph.is_multigraph()])
    shared = {name: getattr(graph, name) for name in _DICTS if hasattr(graph, name)}
    made.__dict__.update(shared, graph=graph.graph, __networkx_cache__={})
    return made


def origin(graph: Any) -> Any:
    """The NetworkX graph that was converted, or the graph itself."""
    return graph.__dict__.get("_origin", graph)


def plain(graph: Any) -> Any:
    """A graph of the backend as one of NetworkX; both share their dicts."""
    if "_origin" in graph.__dict__:
        return graph.__dict__["_origin"]
    made = _BASES[graph.is_directed(), graph.is_multigraph()](backend="networkx")
    for name in _DICTS:
        if hasattr(made, name):
            setattr(made, name, getattr(graph, name))
    made.graph = graph.graph
    return made


def _testing() -> bool:
    return bool(nx.utils.backends._dispatchable._is_testing)


def _unfold(graph: Any) -> None:
    """Make the dicts of a graph from its arrays, which become its cache."""
    rows = graph.__dict__.pop("_folded")
    nodes = list(rows.nodes)
    sources, targets, _ = rows.graph.edges()
    values = {key: one[rows.graph.edge_to_arc].tolist() for key, one in rows.attributes.items()}
    facts = [*zip(*(one.tolist() for one in rows.of_nodes.values()), strict=True)]
    made: dict[str, Any] = {
        "_node": {
            node: dict(zip(rows.of_nodes, row, strict=True))
            for node, row in zip(nodes, facts or [()] * len(nodes), strict=True)
        },
        "_adj": {node: {} for node in nodes},
    }
    back = {node: {} for node in nodes} if rows.directed else made["_adj"]
    forth = made["_adj"]
    ends = zip(rows.names(sources), rows.names(targets), strict=True)
    if not values:
        for u, v in ends:
            forth[u][v] = back[v][u] = {}
    for (u, v), *row in zip(ends, *values.values(), strict=True) if values else ():
        forth[u][v] = back[v][u] = dict(zip(values, row, strict=True))
    if rows.directed:
        made |= {"_succ": forth, "_pred": back}
    graph.__dict__.update(made)
    if graph.__networkx_cache__ is not None:
        graph.__networkx_cache__["edgewise"] = rows
