"""Where to find what people look for under another name: the words of NetworkX, igraph, NetworKit.

Loaded only when a name is missing. Names that differ by a letter or two are found, too.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from typing import Any

__all__ = ["ELSEWHERE", "ON_GRAPHS", "graph_hint", "module_hint", "parameter_hint"]

#: Functions of other libraries that no function here shares a name with, and what to use.
ELSEWHERE = {
    **dict.fromkeys(
        ("DiGraph", "MultiGraph", "MultiDiGraph", "from_edges", "from_edge_list", "graph"),
        "edgewise.Graph.from_edges(sources, targets, directed=...)",
    ),
    **dict.fromkeys(
        ("read_edgelist", "read_csv", "read_graphml", "read_gml", "read_graph", "load"),
        "edgewise.read(path)",
    ),
    **dict.fromkeys(("write_graph", "write_edgelist", "save"), "edgewise.write(graph, path)"),
    "from_networkx": "edgewise.Graph.from_networkx(graph)",
    "from_pandas_edgelist": "edgewise.Graph.from_pandas(frame)",
    "from_scipy_sparse_array": "edgewise.Graph.from_scipy(matrix)",
    **dict.fromkeys(
        ("dijkstra_path", "bfs_path", "get_shortest_paths", "astar_path"),
        "edgewise.shortest_path(graph, source, target)",
    ),
    **dict.fromkeys(("dijkstra", "shortest_path_length"), "edgewise.sssp"),
    **dict.fromkeys(("bfs_edges", "bfs_tree", "breadth_first_search"), "edgewise.bfs"),
    **dict.fromkeys(
        ("all_pairs_shortest_path_length", "floyd_warshall"), "edgewise.all_pairs_shortest_paths"
    ),
    "betweenness": "edgewise.betweenness_centrality",
    "edge_betweenness": "edgewise.edge_betweenness_centrality",
    "closeness": "edgewise.closeness_centrality",
    "harmonic": "edgewise.harmonic_centrality",
    "eigenvector": "edgewise.eigenvector_centrality",
    "katz": "edgewise.katz_centrality",
    "page_rank": "edgewise.pagerank",
    **dict.fromkeys(
        ("connected_component_subgraphs", "node_connected_component"),
        "edgewise.connected_components(graph).groups() and graph.subgraph(vertices)",
    ),
    "number_connected_components": "edgewise.connected_components(graph).num_components",
    **dict.fromkeys(("wcc", "components", "clusters"), "edgewise.connected_components"),
    "scc": "edgewise.strongly_connected_components",
    **dict.fromkeys(
        ("louvain_communities", "community_multilevel", "best_partition", "PLM", "community"),
        "edgewise.communities.louvain",
    ),
    **dict.fromkeys(
        ("leiden_communities", "community_leiden", "ParallelLeiden"), "edgewise.communities.leiden"
    ),
    **dict.fromkeys(
        ("label_propagation_communities", "community_label_propagation", "PLP"),
        "edgewise.communities.label_propagation",
    ),
    **dict.fromkeys(
        ("greedy_modularity_communities", "community_fastgreedy"),
        "edgewise.communities.greedy_modularity",
    ),
    "community_edge_betweenness": "edgewise.communities.girvan_newman",
    **dict.fromkeys(
        ("resource_allocation_index", "ResourceAllocationIndex"),
        "edgewise.similarity.resource_allocation",
    ),
    "information_centrality": "edgewise.current_flow_closeness_centrality",
    **dict.fromkeys(
        ("KadabraBetweenness", "ApproxBetweenness", "EstimateBetweenness"),
        "edgewise.approximate_betweenness_centrality",
    ),
    **dict.fromkeys(("laplacian", "Laplacian"), "edgewise.laplacian_matrix"),
    "SpectralEmbedding": "edgewise.spectral_embedding",
    **dict.fromkeys(
        ("clustering_coefficient", "local_clustering", "transitivity_local_undirected"),
        "edgewise.clustering",
    ),
    "coreness": "edgewise.core_number",
    **dict.fromkeys(("max_weight_matching", "maximal_matching"), "edgewise.matching.suitor"),
    "spanning_tree": "edgewise.minimum_spanning_tree",
    **dict.fromkeys(("max_flow", "maxflow", "maximum_flow_value"), "edgewise.maximum_flow"),
    **dict.fromkeys(("min_cut", "mincut"), "edgewise.minimum_cut"),
    **dict.fromkeys(("node2vec", "random_walks"), "edgewise.node2vec_walk, edgewise.random_walk"),
    **dict.fromkeys(
        (
            "erdos_renyi_graph",
            "erdos_renyi",
            "gnp_random_graph",
            "fast_gnp_random_graph",
        ),
        "edgewise.generators.gnp_random",
    ),
    "gnm_random_graph": "edgewise.generators.gnm_random",
    "barabasi_albert_graph": "edgewise.generators.barabasi_albert",
    **dict.fromkeys(
        ("expected_degree_graph", "chung_lu", "ChungLuGenerator"),
        "edgewise.generators.expected_degree",
    ),
    **dict.fromkeys(("random_regular_graph", "K_Regular"), "edgewise.generators.random_regular"),
    **dict.fromkeys(
        ("Degree_Sequence", "random_degree_sequence_graph"),
        "edgewise.generators.configuration_model",
    ),
    **dict.fromkeys(("random_tree", "Tree_Game"), "edgewise.generators.random_labeled_tree"),
    "waxman_graph": "edgewise.generators.waxman",
    "navigable_small_world_graph": "edgewise.generators.navigable_small_world",
    **dict.fromkeys(("karate_club_graph", "karate"), "edgewise.generators.karate_club"),
    "to_networkx": "graph.to_networkx()",
    "to_igraph": "graph.to_igraph()",
    "draw": "graph.to_networkx() and networkx.draw",
}

_FROZEN = "graph.updated to make a new graph: graphs do not change"

#: Parameters of other libraries, and ours.
_PARAMETERS = {
    "weight": "weights", "capacity": "weights", "damping": "alpha", "damping_factor": "alpha",
    "tolerance": "tol", "epsilon": "tol", "iterations": "max_iter", "max_iterations": "max_iter",
    "cutoff": "max_depth", "seeds": "sources", "random_state": "seed", "gamma": "resolution",
    "reset_vertices": "sources", "normalised": "normalized",
}  # fmt: skip

#: Attributes that graphs of other libraries have, and what to use.
ON_GRAPHS = {
    **dict.fromkeys(
        ("nodes", "vs", "vertex_set", "iterNodes"), "graph.vertex_ids(), graph.num_vertices"
    ),
    **dict.fromkeys(
        ("number_of_nodes", "num_nodes", "vcount", "numberOfNodes", "order", "n"),
        "graph.num_vertices",
    ),
    **dict.fromkeys(
        ("number_of_edges", "ecount", "numberOfEdges", "size", "m"), "graph.num_edges"
    ),
    **dict.fromkeys(("es", "get_edgelist", "iterEdges", "edge_list"), "graph.edges()"),
    **dict.fromkeys(("is_directed", "isDirected"), "graph.directed"),
    **dict.fromkeys(("is_weighted", "isWeighted"), "graph.weights is not None"),
    **dict.fromkeys(("adj", "adjacency", "successors", "iterNeighbors"), "graph.neighbors(v)"),
    "predecessors": "graph.transposed.neighbors(v)",
    **dict.fromkeys(("out_degree", "outdegree", "degreeOut"), "graph.degrees()"),
    **dict.fromkeys(("in_degree", "indegree", "degreeIn"), "graph.in_degrees()"),
    **dict.fromkeys(("get_edge_data", "weight"), "graph.edge_weight(u, v), graph.weights"),
    **dict.fromkeys(("hasEdge", "are_adjacent", "are_connected"), "graph.has_edge(u, v)"),
    **dict.fromkeys(("has_node", "hasNode"), "vertex in graph"),
    **dict.fromkeys(("reverse", "transpose", "T"), "graph.transposed"),
    **dict.fromkeys(("as_undirected", "toUndirected"), "graph.to_undirected()"),
    **dict.fromkeys(("induced_subgraph", "subgraph_from_nodes"), "graph.subgraph(vertices)"),
    **dict.fromkeys(("adjacency_matrix", "get_adjacency", "to_scipy_sparse_array"),
                    "graph.to_scipy()"),
    "contract_vertices": "graph.contract",
    **dict.fromkeys(
        ("add_edge", "add_edges", "add_edges_from", "addEdge", "add_node", "add_nodes_from",
         "add_vertex", "add_vertices", "addNode", "remove_edge", "remove_edges_from",
         "removeEdge", "delete_edges", "clear"), _FROZEN,
    ),
    **dict.fromkeys(
        ("remove_node", "remove_nodes_from", "removeNode", "delete_vertices"),
        "graph.subgraph(vertices): graphs do not change",
    ),
}  # fmt: skip


def module_hint(name: str, module: str = "edgewise", names: Any = ()) -> str:
    """What to say about a name that a public module does not have, after its error.

    >>> import edgewise
    >>> module_hint("louvain"), module_hint("pagrank")
    ('; did you mean edgewise.communities.louvain?', '; did you mean edgewise.pagerank?')
    >>> module_hint("betweenness")
    '; use edgewise.betweenness_centrality'
    """
    if name.startswith("_"):
        return ""
    if name in ELSEWHERE:
        return f"; use {ELSEWHERE[name]}"
    known = _public()
    if name in known:
        return f"; did you mean {known[name]}?"
    found = get_close_matches(name, names, n=1)
    if found:
        return f"; did you mean {module}.{found[0]}?"
    found = get_close_matches(name, known, n=1)
    return f"; did you mean {known[found[0]]}?" if found else ""


def graph_hint(name: str, names: Any) -> str:
    """What to say about an attribute that a graph does not have; ``names`` are those it has.

    >>> import edgewise
    >>> graph_hint("number_of_nodes", ["num_vertices"])
    '; use graph.num_vertices'
    >>> graph_hint("num_vertexes", ["num_vertices"])
    '; did you mean graph.num_vertices?'
    """
    if name in ON_GRAPHS:
        return f"; use {ON_GRAPHS[name]}"
    known = _public()
    if name in known:
        return f"; did you mean {known[name]}(graph)?"
    if name in ELSEWHERE:
        return f"; use {ELSEWHERE[name]}"
    found = get_close_matches(name, names, n=1)
    return f"; did you mean graph.{found[0]}?" if found else ""


def parameter_hint(name: str, names: Any) -> str:
    """What to say about a parameter that a function does not have; ``names`` are those it has.

    >>> parameter_hint("damping", ["alpha", "tol"]), parameter_hint("tolerance", ["alpha", "tol"])
    ('; did you mean alpha?', '; did you mean tol?')
    >>> parameter_hint("color", ["alpha", "tol"])
    '; its parameters are alpha, tol'
    """
    meant = _PARAMETERS.get(name)
    found = [meant] if meant in names else get_close_matches(name, names, n=1)
    if found:
        return f"; did you mean {found[0]}?"
    return f"; its parameters are {', '.join(names)}" if names else ""


def _public() -> dict[str, str]:
    """Public names by their last word, and NetworkX's names, with the module they are in."""
    package: Any = sys.modules["edgewise"]
    found: dict[str, str] = {}
    for module in package._MODULES:
        for name in getattr(getattr(package, module), "__all__", ()):
            found[name] = f"edgewise.{module}.{name}"
    for row in package.ALGORITHMS.values():
        if row.networkx is not None:
            found.setdefault(row.networkx, f"edgewise.{row.name}")
    for row in package.ALGORITHMS:
        found[row.rpartition(".")[2]] = f"edgewise.{row}"
    return found | {name: f"edgewise.{name}" for name in package.__all__}
