"""What is asked of every library in `benchmarks.small`, each of its own form of the same graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

__all__ = ["MOST", "Form", "Given", "as_given", "tasks"]

#: Up to how many edges a task is taken whose work grows with the square of the graph.
MOST = {
    "all_pairs_shortest_paths": 10_000,
    "betweenness_centrality": 50_000,
    "closeness_centrality": 50_000,
    "diameter": 50_000,
    "eccentricity": 50_000,
    "edge_betweenness_centrality": 10_000,
    "harmonic_centrality": 50_000,
    "maximal_cliques": 10_000,
    "maximum_flow": 10_000,
    "motif_counts": 10_000,
    "radius": 10_000,
}


class Form(NamedTuple):
    """A graph as Edgewise, igraph and SciPy have it."""

    ours: Any
    igraph: Any
    scipy: Any


class Given(NamedTuple):
    """One graph in every library's form; beside it, its edges with directions, and its vertices
    twice, so that every edge joins two sides."""

    ours: Any
    igraph: Any
    scipy: Any
    start: int
    arrows: Form
    sides: Form


def as_given(graph: Any) -> Given:
    """The graph with weights drawn from 1 to 255."""
    n, pairs = graph.num_vertices, np.column_stack(graph.edges()[:2])
    draw = np.random.default_rng(1)
    weights = draw.integers(1, 256, len(pairs)).astype(np.float64)
    turned = np.where(draw.random(len(pairs))[:, None] < 0.5, pairs, pairs[:, ::-1])
    forms = _form(n, pairs, weights), _form(n, turned, directed=True), _form(2 * n, pairs + [0, n])
    return Given(*forms[0], int(forms[0].ours.degrees().argmax()), *forms[1:])


def _form(n: int, pairs: np.ndarray, weights: Any = None, directed: bool = False) -> Form:
    import igraph
    from scipy.sparse import csr_array

    import edgewise as ew

    ours = ew.Graph.from_edges(pairs[:, 0], pairs[:, 1], weights, num_vertices=n, directed=directed)
    source, target, weights = ours.edges()
    theirs = igraph.Graph(n, np.column_stack([source, target]).tolist(), directed=directed)
    if weights is not None:
        theirs.es["weight"] = weights.tolist()
    values = np.ones(ours.num_arcs) if ours.weights is None else ours.weights
    return Form(
        ours, theirs, csr_array((values, ours.indices, ours.indptr.astype(np.int32)), (n, n))
    )


def tasks(given: Given) -> dict[str, dict[str, Callable[[], Any]]]:
    """The calls of every library, by task; ours first, then igraph."""
    from scipy.sparse import csgraph

    import edgewise as ew

    g, ig, sp, s, arrows, sides = given
    far = int(ew.bfs(g, s).parent.argmax())
    some = np.linspace(0, g.num_vertices - 1, 10).astype(np.int64)
    pairs = np.column_stack(g.edges()[:2])[:1000]
    listed, sources = pairs.tolist(), some.tolist()
    left = np.arange(2 * g.num_vertices) >= g.num_vertices
    kinds, labels = left.tolist(), ew.communities.label_propagation(g, weights=None)
    membership = labels.tolist()
    half = sides.scipy[: g.num_vertices, g.num_vertices :]
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
        "pagerank": {"ours": lambda: ew.pagerank(g, weights=None),
                     "igraph": lambda: ig.pagerank()},
        "triangle_count": {"ours": lambda: ew.triangle_count(g),
                           "igraph": lambda: ig.list_triangles()},
        "clustering": {
            "ours": lambda: ew.clustering(g),
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
            "ours": lambda: ew.eigenvector_centrality(g, weights=None),
            "igraph": lambda: ig.eigenvector_centrality()},
        "is_bipartite": {"ours": lambda: ew.is_bipartite(g),
                         "igraph": lambda: ig.is_bipartite(return_types=True)},
        "label_propagation": {"ours": lambda: ew.communities.label_propagation(g, weights=None),
                              "igraph": lambda: ig.community_label_propagation()},
        "communities.louvain": {"ours": lambda: ew.communities.louvain(g, weights=None),
                                "igraph": lambda: ig.community_multilevel()},
        "communities.leiden": {
            "ours": lambda: ew.communities.leiden(g, weights=None),
            "igraph": lambda: ig.community_leiden("modularity", n_iterations=2)},
        "k_core": {"ours": lambda: ew.k_core(g, k=3), "igraph": lambda: ig.k_core(3)},
        "betweenness_centrality": {
            "ours": lambda: ew.betweenness_centrality(g), "igraph": lambda: ig.betweenness()},
        "closeness_centrality": {
            "ours": lambda: ew.closeness_centrality(g), "igraph": lambda: ig.closeness()},
        "harmonic_centrality": {
            "ours": lambda: ew.harmonic_centrality(g),
            "igraph": lambda: ig.harmonic_centrality()},
        "eccentricity": {
            "ours": lambda: ew.eccentricity(g, on_disconnected="ignore"),
            "igraph": lambda: ig.eccentricity()},
        "diameter": {"ours": lambda: ew.diameter(g, on_disconnected="ignore"),
                     "igraph": lambda: ig.diameter()},
        "reverse_cuthill_mckee": {
            "ours": lambda: ew.ordering.reverse_cuthill_mckee(g),
            "scipy": lambda: csgraph.reverse_cuthill_mckee(sp, symmetric_mode=True)},
        "strongly_connected_components": {
            "ours": lambda: ew.strongly_connected_components(arrows.ours),
            "igraph": lambda: arrows.igraph.connected_components("strong").membership,
            "scipy": lambda: csgraph.connected_components(arrows.scipy, connection="strong")},
        "personalized_pagerank": {
            "ours": lambda: ew.personalized_pagerank(g, s, weights=None),
            "igraph": lambda: ig.personalized_pagerank(reset_vertices=[s])},
        "multi_source_bfs": {"ours": lambda: ew.multi_source_bfs(g, some),
                             "igraph": lambda: ig.distances(sources),
                             "scipy": lambda: csgraph.dijkstra(sp, indices=some, unweighted=True)},
        "articulation_points": {"ours": lambda: ew.articulation_points(g),
                                "igraph": lambda: ig.articulation_points()},
        "matching.hopcroft_karp": {
            "ours": lambda: ew.matching.hopcroft_karp(sides.ours, sides=left),
            "igraph": lambda: sides.igraph.maximum_bipartite_matching(kinds),
            "scipy": lambda: csgraph.maximum_bipartite_matching(half)},
        "maximum_flow": {"ours": lambda: ew.maximum_flow(g, s, far),
                         "igraph": lambda: ig.maxflow(s, far, capacity="weight")},
        "similarity.jaccard": {
            "ours": lambda: ew.similarity.jaccard(g, pairs=pairs),
            "igraph": lambda: ig.similarity_jaccard(pairs=listed)},
        "communities.modularity": {
            "ours": lambda: ew.communities.modularity(g, labels, weights=None),
            "igraph": lambda: ig.modularity(membership)},
        "random_walk": {"ours": lambda: ew.random_walk(g, [s], weights=None),
                        "igraph": lambda: ig.random_walk(s, 80)},
        "motif_counts": {"ours": lambda: ew.motif_counts(g),
                         "igraph": lambda: ig.motifs_randesu(3)},
        "maximal_cliques": {"ours": lambda: ew.maximal_cliques(g),
                            "igraph": lambda: ig.maximal_cliques()},
        "edge_betweenness_centrality": {
            "ours": lambda: ew.edge_betweenness_centrality(g),
            "igraph": lambda: ig.edge_betweenness()},
        "all_pairs_shortest_paths": {
            "ours": lambda: ew.all_pairs_shortest_paths(g, weights=None),
            "igraph": lambda: ig.distances(),
            "scipy": lambda: csgraph.shortest_path(sp, unweighted=True)},
        "radius": {"ours": lambda: ew.radius(g, on_disconnected="ignore"),
                   "igraph": lambda: ig.radius()},
    }  # fmt: skip
