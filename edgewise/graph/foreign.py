"""Graphs of other libraries at the door of the algorithms: converted, or an error that says how.

No library is imported for it: what is not loaded has made no graph.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial, wraps
from inspect import Parameter, signature
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from edgewise.base.checks import check_unmasked
from edgewise.graph.convert import from_scipy
from edgewise.graph.csr import CSR
from edgewise.graph.edges import arcs_of
from edgewise.graph.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.memory_limit import check_limit, streams
from edgewise.graph.result_html import shows_itself
from edgewise.graph.weight_columns import WEIGHT

if TYPE_CHECKING:
    import igraph
    import networkx
    from scipy.sparse import sparray, spmatrix

__all__ = [
    "GraphLike",
    "LocalGraphLike",
    "as_graph",
    "on_every_rank",
    "streams",
    "takes_graph",
    "takes_graph_or_matrix",
]

#: Arguments that may be an array over edges.
_PER_EDGE = {"weights", "probability"}

#: What algorithms on one device accept: a graph, or one of another library, as `as_graph` takes it.
LocalGraphLike: TypeAlias = "Graph | networkx.Graph | igraph.Graph | sparray | spmatrix"
#: What algorithms on every engine accept: the same, or a graph on a grid.
GraphLike: TypeAlias = "LocalGraphLike | AnyGraph"

Function = TypeVar("Function", bound=Callable[..., Any])


def takes_graph(function: Function) -> Function:
    """A decorator for algorithms: ``function`` gets a `Graph`, whatever graph it is given.

    It gets arrays over arcs where the caller gives arrays over edges.

    >>> import networkx
    >>> takes_graph(lambda graph: graph.num_edges)(networkx.path_graph(4))
    3
    """
    return _with_door(function, as_graph)


def takes_graph_or_matrix(function: Function) -> Function:
    """As `takes_graph`, where a rectangular matrix is a bipartite graph: rows and columns."""
    return _with_door(function, partial(as_graph, rectangular=True))


def on_every_rank(function: Function) -> Function:
    """A decorator for operators: on a grid all ranks must make the same call."""

    @wraps(function)
    def door(*args: Any, **options: Any) -> Any:
        graph = args[0] if args else options.pop("graph", None)
        return function(**options) if graph is None else _call(function, graph, args, options)

    return cast(Function, door)


def _call(function: Function, graph: Any, args: tuple, options: dict[str, Any]) -> Any:
    """Call it; a graph on a grid has ``call``, which compares the arguments of all ranks first."""
    if getattr(graph, "engine", "local") == "local":
        return function(graph, *args[1:], **options)
    return graph.call(function, graph, *args[1:], **options)


def _with_door(function: Function, enter: Callable[[Any], Any]) -> Function:
    parameters = signature(function).parameters
    names = tuple(parameters)
    by_name = tuple(one for one in names if parameters[one].kind is Parameter.KEYWORD_ONLY)
    any_name = any(one.kind is Parameter.VAR_KEYWORD for one in parameters.values())

    @wraps(function)
    def door(*args: Any, **options: Any) -> Any:
        if not args and "graph" not in options:
            return function(**options)
        graph = args[0] if args else options.pop("graph")
        if type(graph) is not Graph:
            graph, options = _entered(graph, enter, options)
        if getattr(graph, "_pages", None) is not None:
            check_limit(graph, function)
        if len(args) > len(names) - len(by_name) and by_name and not any_name:
            count = len(names) - len(by_name)
            takes = f"{count} positional argument{'s' if count > 1 else ''}"
            wanted = ", ".join(f"{name}=" for name in by_name)
            raise TypeError(
                f"{function.__name__}() takes {takes} but {len(args)} were given; "
                f"others go by name: {wanted}"
            )
        if len(args) > 1:
            for name, given in zip(names, args, strict=False):
                check_unmasked(given, name)
        for name, given in options.items():
            if name not in parameters and not any_name:
                from edgewise.base.hints import parameter_hint

                hint = parameter_hint(name, names[1:])
                raise TypeError(
                    f"{function.__name__}() got an unexpected keyword argument {name!r}{hint}"
                )
            check_unmasked(given, name)
            if name in _PER_EDGE:
                options[name] = arcs_of(graph, given, name)
        return _call(function, graph, args, options)

    shows_itself(function)
    return cast(Function, door)


def _entered(graph: Any, enter: Callable[..., Any], options: dict[str, Any]) -> tuple[Any, Any]:
    """The graph converted, and the options: an attribute of edges that weighs is their weight."""
    weights = options.get("weights")
    if not isinstance(weights, str) or weights == WEIGHT or not _has_attributes(graph):
        return enter(graph), options
    found = enter(graph, weight=weights)
    if found.weights is None and found.num_edges:
        raise ValueError(f"weights must name an attribute of edges, got {weights!r}")
    return found, {**options, "weights": WEIGHT}


def _has_attributes(graph: Any) -> bool:
    """Is it a graph of NetworkX or igraph?"""
    networkx, igraph = sys.modules.get("networkx"), sys.modules.get("igraph")
    return (networkx is not None and isinstance(graph, networkx.Graph)) or (
        igraph is not None and isinstance(graph, igraph.Graph)
    )


def as_graph(graph: Any, *, rectangular: bool = False, weight: str = WEIGHT) -> Any:
    """``graph`` as a `Graph`: itself, or converted from NetworkX, SciPy or igraph.

    NetworkX nodes 0..n-1 keep their numbers; other nodes are labels in the order of ``list(graph)``
    (but integers other than 0..n-1 are refused, as they could be mistaken for positions). A SciPy
    matrix is read as undirected if it is symmetric; where ``rectangular`` ones are welcome, it must
    not be square, as it could mean either. igraph's vertices keep their numbers, and their names.
    ``weight`` is the attribute of NetworkX or igraph that holds the weights.

    >>> import scipy.sparse
    >>> as_graph(scipy.sparse.csr_array([[0, 1], [0, 0]])).directed
    True
    """
    if isinstance(graph, Graph) or (hasattr(graph, "engine") and not isinstance(graph, CSR)):
        return graph
    if isinstance(graph, CSR):
        if rectangular:
            return graph
        raise TypeError(f"graph must be a Graph, got {graph}: a matrix of rows and columns")
    networkx, igraph = sys.modules.get("networkx"), sys.modules.get("igraph")
    if networkx is not None and isinstance(graph, networkx.Graph):
        return _from_networkx(graph, weight)
    if igraph is not None and isinstance(graph, igraph.Graph):
        return Graph.from_igraph(graph, weight=weight)
    scipy = sys.modules.get("scipy.sparse")
    if scipy is not None and scipy.issparse(graph):
        return _from_matrix(graph, rectangular)
    raise TypeError(f"graph must be a Graph, got {_described(graph)}: {_advice(graph)}")


def _from_networkx(graph: networkx.Graph, weight: str) -> Graph:
    found = Graph.from_networkx(graph, weight=weight)
    if found.labels is not None and any(isinstance(node, Integral) for node in graph):
        raise TypeError(
            "graph must be a Graph, or have the nodes 0 to n - 1, or no integer nodes, which would "
            "be read as vertex ids. Convert it by graph = edgewise.Graph.from_networkx(graph). "
            "Then graph.vertex(node) gives the id of a node, and graph.table(result) adds the nodes"
        )
    return found


def _from_matrix(matrix: Any, rectangular: bool) -> Any:
    if rectangular:
        if matrix.shape[0] != matrix.shape[1]:
            return CSR.from_scipy(matrix)
        raise TypeError(
            "graph must be a Graph or a rectangular matrix, but this matrix is square and could be "
            "either: use edgewise.Graph.from_scipy(matrix) for the adjacency of a graph, or "
            "edgewise.graph.CSR.from_scipy(matrix) for rows on the left and columns on the right"
        )
    try:
        return from_scipy(Graph, matrix)
    except ValueError:  # not symmetric, or worse
        return from_scipy(Graph, matrix, directed=True)


def _described(graph: Any) -> str:
    kind = type(graph)
    home = kind.__module__.partition(".")[0]
    name = kind.__name__ if home == "builtins" else f"{home}.{kind.__name__}"
    return repr(graph) if isinstance(graph, (str, int, float, type(None))) else f"a {name}"


def _advice(graph: Any) -> str:
    """How to make a graph of what is none."""
    home, name = type(graph).__module__.partition(".")[0], type(graph).__name__
    if home in _HOW:
        return _HOW[home]
    if isinstance(graph, str) or hasattr(graph, "__fspath__"):
        return "edgewise.read(path) reads one"
    if (home, name) == ("numpy", "ndarray") and graph.ndim == 2 and graph.shape[1] not in (2, 3):
        return "edgewise.Graph.from_scipy(scipy.sparse.csr_array(matrix)) makes one of a matrix"
    if isinstance(graph, dict):
        return "edgewise.Graph.from_networkx(networkx.Graph(graph)) makes one of a dict"
    return "edgewise.Graph.from_edges(pairs) makes one of pairs (u, v) or triples (u, v, weight)"


_HOW = {
    "pandas": "edgewise.Graph.from_pandas(frame) makes one of its columns",
    "polars": "edgewise.Graph.from_polars(frame) makes one of its columns",
    "duckdb": "edgewise.Graph.from_arrow(relation) makes one of its columns",
    "pyarrow": "edgewise.Graph.from_arrow(table) makes one of its columns",
    "cupyx": "edgewise.Graph.from_scipy(matrix.get()) makes one",
    "rustworkx": "edgewise.Graph.from_edges(graph.edge_list(), num_vertices=graph.num_nodes(), "
    "directed=...) makes one",
    "networkit": "edgewise.Graph.from_networkit(graph) makes one",
    "dgl": "edgewise.Graph.from_dgl(graph) makes one",
    "torch_geometric": "edgewise.Graph.from_pyg(data) makes one",
    "graph_tool": "edgewise.Graph.from_graph_tool(graph) makes one",
}
