"""The graphs of the study: undirected, without loops; those that nobody ordered are shuffled."""

from __future__ import annotations

import re
from typing import Any

from benchmarks.graphs import MissingGraphError, data_folder

__all__ = ["GENERATED", "GRAPHS", "QUICK", "graph_of"]

_FILES = {
    "cnr-2000": "cnr-2000.txt.gz",
    "com-dblp": "com-dblp.csv.gz",
    "ego-twitter": "ego-twitter-weighted.csv.gz",
    "github-map": "github-map-v2.txt.gz",
    "rotor": "rotor.graph.gz",
    "luxembourg": "luxembourg_osm.mtx.gz",
}
GRAPHS = (*_FILES, "urand20", "kron20")
#: What a machine without the data sets can make for itself: for a GPU. The last two have more
#: values than the second cache of a large GPU holds.
GENERATED = ("urand20", "kron20", "mesh1000", "web19", "mesh3000", "kron23")
QUICK = ("kron8", "mesh20")


def graph_of(name: str) -> Any:
    """A graph by name: a file's, ``kron<scale>``, ``urand<scale>``, ``mesh<side>``, ``web<scale>``.

    A mesh is a grid of triangles in random order; a web has communities of power-law sizes, hubs
    in each, in random order (LFR).
    """
    import edgewise
    from edgewise import generators, ordering

    if name in _FILES:
        path = data_folder() / "graphs" / _FILES[name]
        if not path.exists():
            raise MissingGraphError(f"there is no {path.name} beside the checkout")
        how = {"format": "edges"} if name in ("com-dblp", "luxembourg") else {}
        graph = edgewise.read(path, **how).with_weights(None)
        graph = graph.to_undirected().without_self_loops()
        return graph.with_labels(None)
    kind, size = re.fullmatch(r"(kron|urand|mesh|web)(\d+)|.*", name).groups()
    if kind is None:
        known = ", ".join(_FILES)
        raise ValueError(f"graph must be kron<scale>, urand, mesh, web or {known}, got {name!r}")
    if kind == "kron":
        return generators.rmat(int(size), seed=27)
    if kind == "urand":
        return generators.urand(int(size), seed=27)
    if kind == "mesh":
        graph = generators.triangular_mesh(int(size), int(size))
    else:
        made = generators.lfr_benchmark(
            1 << int(size), mu=0.2, max_degree=500, max_community=2000, seed=27
        )
        graph = made.graph
    return graph.permute(ordering.random_order(graph, seed=27))
