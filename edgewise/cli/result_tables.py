"""Results of algorithms as tables by label; `edgewise.cli.result_files` writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.cli.result_files import Result

if TYPE_CHECKING:
    from edgewise.graph import Graph

__all__ = ["result_of"]

STATES = ("susceptible", "exposed", "infectious", "recovered")
LISTS = {"cliques": ("clique", "cliques", "members"), "path list": ("path", "paths", "vertices"),
         "overlapping": ("community", "communities", "members")}  # fmt: skip


def result_of(
    graph: Graph, name: str, returns: str, found: Any, given: dict[str, Any] | None = None
) -> Result:
    """What an algorithm returned, with the labels of the graph beside it.

    ``given`` are its arguments: some say which vertices, or pairs of them, the result is about.
    """
    given = given or {}
    if returns == "number":
        return Result({}, {name: np.asarray([found])})
    if returns in LISTS:
        one, several, many = LISTS[returns]
        numbers = np.repeat(np.arange(len(found.indptr) - 1), np.diff(found.indptr))
        totals = {several: len(found.indptr) - 1, many: len(numbers)}
        shares = {"share": found[2]} if returns == "overlapping" else {}
        return Result({one: numbers}, {"vertex": _labels(graph, found[1]), **shares}, totals=totals)
    if returns == "initiator":
        cells: dict[str, Any] = dict(zip("abc", found.initiator.ravel()[[0, 1, 3]], strict=True))
        cells |= {"power": found.power}
        return Result({}, {key: [value] for key, value in cells.items()}, totals=cells)
    if returns == "subgraph":
        return _edges_of(found)
    if returns == "edges" and given.get("pairs") is not None:
        us, vs = (_labels(graph, side) for side in given["pairs"])
        return Result({"source": us, "target": vs}, {name: found})
    if returns == "counts":
        return Result({"motif": np.array([*found])}, {"count": np.array([*found.values()])})
    if returns == "matches":
        return _matches(graph, found)
    if returns == "similar":
        return _similar(graph, found, given.get("vertices"))
    if returns == "walks":
        return _walks(graph, found)
    if returns in ("series", "by degree"):
        key = "hops" if returns == "series" else "degree"
        return Result({key: np.arange(len(found))}, {name: found})
    if returns == "sequence":
        names = _labels(graph, np.asarray(found, np.int64))
        about: dict[str, Any] = {"vertices": len(names), "first": names[:20]}
        return Result({"place": np.arange(len(names))}, {"vertex": names}, totals=about)
    if returns == "neighborhoods":
        sources = np.repeat(found.sources, np.diff(found.indptr))
        ends = {"source": sources, "vertex": found.vertices}
        near = {key: _labels(graph, vertices) for key, vertices in ends.items()}
        return Result(near, {"distance": found.distance})
    if returns in ("flow", "cost flow"):
        return _flow(graph, found)
    if returns == "matrix":
        row, column = (_labels(graph, ends) for ends in found.tocoo().coords)
        return Result({"row": row, "column": column}, {"value": found.tocoo().data})
    if returns in ("seeds", "sensors"):
        names = _labels(graph, found.chosen)
        about = {**_totals(found), returns: names}
        return Result({returns[:-1]: names}, {"gain": found.gains}, totals=about)
    if returns == "containment":
        return _containment(graph, found, given.get("remove") == "edges")
    if returns in ("edges", "selection"):
        sources, targets, _ = graph.edges()
        chosen: Any = found.edges if returns == "selection" else slice(None)
        ends = {"source": sources[chosen], "target": targets[chosen]}
        keys = {key: _labels(graph, vertices) for key, vertices in ends.items()}
        if returns == "selection":
            return Result(keys, {}, totals=_totals(found))
        return Result(keys, {name: found})
    keys = {"vertex": _labels(graph, np.arange(graph.num_vertices))}
    if returns == "matching":
        return Result(keys, {"mate": _some_labels(graph, found.mate)}, totals=_totals(found))
    if returns == "paths":
        distance = np.ma.masked_array(found.distance, _unreached(found.distance))
        return Result(keys, {"distance": distance, "parent": _some_labels(graph, found.parent)})
    if returns in ("distances", "square"):
        whole = returns == "square" and _columns(graph, found, np.arange(len(found)), "to")
        return Result(keys, whole or _from_each(graph, found))
    if returns == "scores":
        return Result(keys, dict(found._asdict()))
    if returns == "mapping":
        there = given["other"], graph.full(-1) if found is None else found
        totals = {"isomorphic": found is not None}
        return Result(keys, {"partner": _some_labels(*there)}, totals=totals)
    if returns == "estimate":
        return Result(keys, dict([*found._asdict().items()][:3]), totals=_totals(found))
    if returns == "order":
        gaps = _gaps(graph, found) if hasattr(graph, "indptr") else {}  # not of one on a grid
        return Result(keys, {"position": found}, totals=gaps)
    if returns in ("colors", "parts"):
        total = found.k if returns == "parts" else int(found.max(initial=-1)) + 1
        return Result(keys, {returns[:-1]: found}, totals={returns: total})
    if returns == "spread":
        states = dict(zip(STATES, found.states.T, strict=True))
        parts = {"curve": found.curve, "sizes": found.sizes, **states}
        return Result(keys, {"infected": found.infected}, totals=_totals(found), parts=parts)
    if returns == "cut":
        totals = {"value": found.value, "source_side": int(found.side.sum())}
        return Result(keys, {"side": found.side}, totals=totals)
    if returns == "bipartition":
        return Result(keys, *_two_sides(found, graph.num_vertices))
    if returns == "contraction":
        return Result(keys, {name: found.mapping}, totals=_edges_of(found.graph).totals)
    if returns in ("members", "hierarchy"):
        *finer, members = found.levels if returns == "hierarchy" else [found]
        values = {name: _labels(graph, members)}
        values |= {f"level {i}": _labels(graph, one) for i, one in enumerate(finer)}
        return Result(keys, values, groups=members)
    if found.ndim == 2:  # several answers at once
        columns = enumerate(found.T if returns == "embedding" else found)
        return Result(keys, {f"{name} {j}": column for j, column in columns})
    return Result(keys, {name: found})


def _flow(graph: Graph, found: Any) -> Result:
    """The edges along which something flows, from where it comes to where it goes."""
    used = np.flatnonzero(found.flow)
    sources, targets, flow = *(ends[used] for ends in graph.edges()[:2]), found.flow[used]
    ends = {"source": (sources, targets), "target": (targets, sources)}
    keys = {key: _labels(graph, np.where(flow > 0, *pair)) for key, pair in ends.items()}
    side = {"source_side": int(found.side.sum())} if hasattr(found, "side") else {}
    totals = {found._fields[0]: found[0], "edges": len(used), **side}
    return Result(keys, {"flow": abs(flow)}, totals=totals)


def _containment(graph: Graph, found: Any, of_edges: bool) -> Result:
    """Vertices, or the ends of edges, in the order of their choice."""
    ends = zip(("source", "target"), graph.edges()[:2], strict=True)
    keys = {key: _labels(graph, side[found.chosen]) for key, side in ends if of_edges}
    keys = keys or {"vertex": _labels(graph, found.chosen)}
    totals = {"before": found.before.mean, "after": found.after.mean, "saved": found.saved}
    return Result(keys, {}, totals={**totals, **keys})


def _two_sides(found: Any, n: int) -> tuple[dict[str, Any], None, dict[str, Any]]:
    """A side for every vertex; or, for those on an odd cycle, where they come on it."""
    if found.cycle is None:
        left = int(found.sides.sum())
        return {"side": found.sides}, None, {"bipartite": True, "left": left, "right": n - left}
    place = np.full(n, -1)
    place[found.cycle] = np.arange(len(found.cycle))
    totals = {"bipartite": False, "odd_cycle": len(found.cycle)}
    return {"place_on_cycle": np.ma.masked_array(place, place < 0)}, None, totals


def _edges_of(part: Graph) -> Result:
    """A graph that an algorithm made, as its edges."""
    sources, targets, weights = part.edges()
    keys = {"source": _labels(part, sources), "target": _labels(part, targets)}
    totals = {"vertices": part.num_vertices, "edges": part.num_edges}
    return Result(keys, {} if weights is None else {"weight": weights}, totals=totals)


def _matches(graph: Graph, found: Any) -> Result:
    """A line for each with a column for every vertex of the pattern."""
    columns = {f"vertex {i}": _labels(graph, ids) for i, ids in enumerate(found.T)}
    return Result(columns, {}, totals={"matches": len(found)})


def _similar(graph: Graph, found: Any, vertices: Any) -> Result:
    """A line for each vertex and one that is similar to it."""
    asked = np.arange(graph.num_vertices) if vertices is None else np.asarray(vertices)
    there = found.vertices >= 0
    keys = {"vertex": np.repeat(asked, there.sum(axis=1)), "similar": found.vertices[there]}
    labels = {key: _labels(graph, ids) for key, ids in keys.items()}
    return Result(labels, {"score": found.scores[there]})


def _walks(graph: Graph, found: np.ndarray) -> Result:
    """A line for each walk, a column for each step."""
    steps = {f"step {t}": _some_labels(graph, column) for t, column in enumerate(found.T)}
    there = found[found >= 0]
    totals = {"walks": len(found), "steps": len(there) - len(found),
              "vertices": len(np.unique(there))}  # fmt: skip
    return Result({"walk": np.arange(len(found))}, steps, totals=totals)


def _from_each(graph: Graph, found: np.ndarray) -> dict[str, Any]:
    """A column of distances for each source, under its label: a source is where they are 0."""
    count, n = found.shape
    sources = np.arange(n) if count == n else found.argmin(axis=1) if n else np.arange(0)
    return _columns(graph, found.T, sources, "from")


def _columns(graph: Graph, found: np.ndarray, vertices: np.ndarray, way: str) -> dict[str, Any]:
    """Columns of distances from, or to, these vertices."""
    return {
        f"distance {way} {name}": np.ma.masked_array(found[:, j], _unreached(found[:, j]))
        for j, name in enumerate(_labels(graph, vertices).tolist())
    }


def _totals(found: Any) -> dict[str, Any]:
    """The numbers of a matching or a selection."""
    return {key: value for key, value in found._asdict().items() if np.ndim(value) == 0}


def _gaps(graph: Graph, order: np.ndarray) -> dict[str, Any]:
    """What an order does to the gaps within neighborhoods."""
    from edgewise.algorithms.ordering import linear_gap, log_gap

    return {
        f"{name}{when}": measure(graph, places)
        for name, measure in (("log_gap", log_gap), ("linear_gap", linear_gap))
        for when, places in (("", order), ("_as_stored", None))
    }


def _labels(graph: Graph, vertices: np.ndarray) -> np.ndarray:
    return vertices if graph.labels is None else np.asarray(graph.label(vertices))


def _some_labels(graph: Graph, vertices: np.ndarray) -> np.ma.MaskedArray:
    """The labels of vertices, where there are any: -1 stands for none.

    What lies under the mask is for files that have no nulls: -1 (or the least integer, if a label
    is negative), or an empty text.
    """
    none = vertices < 0
    if graph.num_vertices == 0:
        return np.ma.masked_array(vertices, none)
    labels = _labels(graph, np.where(none, 0, vertices))
    if labels.dtype.kind in "iu":
        labels = labels.astype(np.int64)
        negative = graph.labels is not None and int(graph.label(0)) < 0
        labels[none] = np.iinfo(np.int64).min if negative else -1
    else:
        labels = labels.astype(object)
        labels[none] = ""
    return np.ma.masked_array(labels, none)


def _unreached(distance: np.ndarray) -> np.ndarray:
    if np.issubdtype(distance.dtype, np.integer):
        return distance == np.iinfo(distance.dtype).max
    return ~np.isfinite(distance)
