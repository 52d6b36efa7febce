"""Calls on small graphs, beside igraph and SciPy: what a call costs before there is much to do.

All keep the graph in their own form beforehand, and answer the same question. A call is repeated
until a tenth of a second has passed, in several turns by library; the best mean counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.graphs import data_folder
from benchmarks.report import machine, spell_time, table
from benchmarks.timing import mean_time

__all__ = ["measure_small"]

#: From so many edges on no row may take longer than this share of the fastest library's time.
_FROM, _WANTED = 5000, 1.2
#: Below, a call takes this long at most, or less than the fastest library.
_QUICK = 100e-6
_FILES = {
    "cora": "cora.csv.gz",
    "wiki-Vote": "wiki-Vote.txt.gz",
    "ca-HepPh": "ca-HepPh.txt.gz",
    "cond-mat": "cond-mat-2005.weighted.txt.gz",
}


class Given(NamedTuple):
    """One graph in every library's form."""

    ours: Any
    igraph: Any
    scipy: Any
    start: int


def measure_small(
    threads: int, trials: int, only: list[str], folder: Path, tell: Callable[[str], None],
    *, quick: bool = False,
) -> str:  # fmt: skip
    """Time every row on every graph; the report in Markdown, also written to ``folder``."""
    import edgewise as ew

    ew.set_threads(threads)
    rows, cells = [], []
    for name, given in _graphs(quick):
        for task, calls in _tasks(given).items():
            if only and task not in only:
                continue
            if quick or (task in _SLOW and given.ours.num_edges > 200_000):
                calls = {library: calls[library] for library in ("ours", *list(calls)[1:2])}
            seconds = _turns(calls, 1 if quick else trials)
            alone = _alone(ew, calls["ours"], trials) if threads > 1 and not quick else None
            fastest = min(seconds, key=lambda one: seconds[one] if one != "ours" else np.inf)
            ours, ratio = seconds["ours"], seconds["ours"] / seconds[fastest]
            large = given.ours.num_edges >= _FROM
            miss = ratio > (_WANTED if large else 1.0) and (large or ours > _QUICK)
            cells.append({"graph": name, "edges": given.ours.num_edges, "task": task,
                          "threads": threads, "one_thread": alone, **seconds})  # fmt: skip
            rows.append([task, name, spell_time(ours), "" if alone is None else spell_time(alone),
                         spell_time(seconds[fastest]), fastest, f"{ratio:.2f}",
                         "missed" if miss else ""])  # fmt: skip
            tell(" | ".join(rows[-1]))
    head = ["task", "graph", "Edgewise", "on one thread", "fastest library", "which", "ratio", ""]
    text = f"{machine()}, {threads} threads. Best of {trials} turns.\n\n{table(head, rows)}\n"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.json").write_text(json.dumps(cells, indent=1) + "\n")
    (folder / "small.md").write_text(f"# small\n\n{text}")
    return text


def _graphs(quick: bool) -> Iterator[tuple[str, Given]]:
    """From a hundred edges to hundreds of thousands; files where they are at hand."""
    import edgewise as ew

    yield "random 100", _given(ew.generators.uniform(100, 300, seed=1))
    if quick:
        return
    yield "road 70 x 70", _given(ew.generators.road(70, 70, seed=1))
    yield "R-MAT 12", _given(ew.generators.rmat(12, seed=1))
    folder = data_folder() / "graphs"
    for name, file in _FILES.items():
        if (folder / file).exists():
            yield name, _given(ew.read(folder / file, directed=False))


def _given(graph: Any) -> Given:
    import igraph
    from scipy.sparse import csr_array

    n, pairs = graph.num_vertices, np.column_stack(graph.edges()[:2])
    draw = np.random.default_rng(1).integers(1, 256, len(pairs)).astype(np.float64)
    import edgewise as ew

    ours = ew.Graph.from_edges(pairs[:, 0], pairs[:, 1], draw, num_vertices=n)
    source, target, weights = ours.edges()
    theirs = igraph.Graph(n=n, edges=np.column_stack([source, target]).tolist())
    theirs.es["weight"] = weights.tolist()
    matrix = csr_array((ours.weights, ours.indices, ours.indptr.astype(np.int32)), (n, n))
    return Given(ours, theirs, matrix, int(ours.degrees().argmax()))


_SLOW = ("betweenness_centrality", "closeness_centrality", "harmonic_centrality")


def _tasks(given: Given) -> dict[str, dict[str, Callable[[], Any]]]:
    """The calls of every library, by task; ours first, then igraph."""
    from scipy.sparse import csgraph

    import edgewise as ew

    g, ig, sp, s = given
    simple = ig.copy()
    return {
        "bfs": {"ours": lambda: ew.bfs(g, s), "igraph": lambda: ig.bfs(s),
                "scipy": lambda: csgraph.breadth_first_order(sp, s)},
        "sssp": {"ours": lambda: ew.sssp(g, s),
                 "igraph": lambda: ig.distances(s, weights="weight"),
                 "scipy": lambda: csgraph.dijkstra(sp, indices=s)},
        "connected_components": {
            "ours": lambda: ew.connected_components(g),
            "igraph": lambda: ig.connected_components().membership,
            "scipy": lambda: csgraph.connected_components(sp, directed=False)},
        "core_number": {"ours": lambda: ew.core_number(g), "igraph": lambda: ig.coreness()},
        "pagerank": {"ours": lambda: ew.pagerank(g, weights="unit"),
                     "igraph": lambda: ig.pagerank()},
        "triangle_count": {"ours": lambda: ew.triangle_count(g),
                           "igraph": lambda: ig.list_triangles()},
        "clustering_coefficient": {
            "ours": lambda: ew.clustering_coefficient(g),
            "igraph": lambda: ig.transitivity_local_undirected()},
        "minimum_spanning_tree": {
            "ours": lambda: ew.minimum_spanning_tree(g),
            "igraph": lambda: ig.spanning_tree(weights="weight", return_tree=False),
            "scipy": lambda: csgraph.minimum_spanning_tree(sp)},
        "degree_assortativity_coefficient": {
            "ours": lambda: ew.degree_assortativity_coefficient(g),
            "igraph": lambda: ig.assortativity_degree(directed=False)},
        "bridges": {"ours": lambda: ew.bridges(g), "igraph": lambda: ig.bridges()},
        "biconnected_components": {
            "ours": lambda: ew.biconnected_components(g),
            "igraph": lambda: ig.biconnected_components().sizes()},
        "eigenvector_centrality": {
            "ours": lambda: ew.eigenvector_centrality(g, weights="unit"),
            "igraph": lambda: ig.eigenvector_centrality()},
        "is_bipartite": {"ours": lambda: ew.is_bipartite(g),
                         "igraph": lambda: ig.is_bipartite(return_types=True)},
        "label_propagation": {"ours": lambda: ew.label_propagation(g),
                              "igraph": lambda: ig.community_label_propagation()},
        "communities.louvain": {"ours": lambda: ew.communities.louvain(g),
                                "igraph": lambda: simple.community_multilevel()},
        "communities.leiden": {
            "ours": lambda: ew.communities.leiden(g),
            "igraph": lambda: simple.community_leiden("modularity", n_iterations=2)},
        "k_core": {"ours": lambda: ew.k_core(g, k=3), "igraph": lambda: ig.k_core(3)},
        "betweenness_centrality": {
            "ours": lambda: ew.betweenness_centrality(g), "igraph": lambda: ig.betweenness()},
        "closeness_centrality": {
            "ours": lambda: ew.closeness_centrality(g), "igraph": lambda: ig.closeness()},
        "harmonic_centrality": {
            "ours": lambda: ew.harmonic_centrality(g),
            "igraph": lambda: ig.harmonic_centrality()},
        "eccentricity": {
            "ours": lambda: ew.eccentricity(g, disconnected="ignore"),
            "igraph": lambda: ig.eccentricity()},
        "diameter": {"ours": lambda: ew.diameter(g, disconnected="ignore"),
                     "igraph": lambda: ig.diameter()},
        "reverse_cuthill_mckee": {
            "ours": lambda: ew.ordering.reverse_cuthill_mckee(g),
            "scipy": lambda: csgraph.reverse_cuthill_mckee(sp, symmetric_mode=True)},
    }  # fmt: skip


def _turns(calls: dict[str, Callable[[], Any]], trials: int) -> dict[str, float]:
    """The best mean of each library."""
    best = dict.fromkeys(calls, np.inf)
    for call in calls.values():
        call()
    for _ in range(trials):
        for library, call in calls.items():
            best[library] = min(best[library], mean_time(call, 0.1))
    return best


def _alone(ew: Any, call: Callable[[], Any], trials: int) -> float:
    with ew.threads(1):
        call()
        return min(mean_time(call, 0.1) for _ in range(trials))
