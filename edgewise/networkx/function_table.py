"""The table of the backend's functions, and the rules that decide where a call runs.

Nothing here loads NumPy or Numba: NetworkX asks these questions before every call.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from inspect import Signature, signature
from typing import Any, NamedTuple

import networkx as nx

from edgewise.networkx.settings import setting

__all__ = ["CLASSES", "FUNCTIONS", "Row", "refusal", "too_small"]


class Row(NamedTuple):
    """One function: where it is, and how long NetworkX takes for it."""

    module: str
    cost: float  # microseconds of NetworkX per unit of work; 0 if it looks at a few nodes only
    work: str  # the unit: "n" nodes, "m" nodes and arcs, "nm" their product, "dd" squared degrees


#: Modules, units of work, microseconds of NetworkX per unit, and the functions. "composed" runs
#: NetworkX's own few lines, whose calls of other functions come back to the backend. "as_is" runs
#: NetworkX's code on graphs of the backend alone, where it looks at a few nodes.
_GROUPS = (
    ("rank_functions", "m", 1.0, "pagerank hits"),
    ("rank_functions", "m", 6.0, "katz_centrality eigenvector_centrality"),
    ("rank_functions", "n", 0.2, "degree_centrality in_degree_centrality out_degree_centrality"),
    ("rank_functions", "nm", 0.2, "betweenness_centrality edge_betweenness_centrality"),
    ("rank_functions", "nm", 0.05, "closeness_centrality harmonic_centrality"),
    ("search_functions", "m", 0.15, """bfs_edges bfs_layers descendants ancestors
        single_source_shortest_path single_source_shortest_path_length
        single_target_shortest_path single_target_shortest_path_length dfs_edges
        dfs_preorder_nodes dfs_postorder_nodes"""),
    ("search_functions", "m", 0.0, "descendants_at_distance"),
    ("search_functions", "nm", 0.045, "all_pairs_shortest_path all_pairs_shortest_path_length"),
    ("length_functions", "m", 0.5, "multi_source_dijkstra multi_source_dijkstra_path_length"),
    ("length_functions", "m", 0.0, "dijkstra_path_length"),
    ("length_functions", "nm", 0.045, "average_shortest_path_length eccentricity center"),
    ("component_functions", "m", 0.08, """connected_components number_connected_components
        is_connected node_connected_component weakly_connected_components
        number_weakly_connected_components is_weakly_connected"""),
    ("component_functions", "m", 0.5, """strongly_connected_components
        number_strongly_connected_components is_forest biconnected_components is_biconnected
        articulation_points"""),
    ("component_functions", "m", 2.0, "bridges has_bridges bridge_components"),
    ("component_functions", "m", 0.2, "topological_generations color"),
    ("component_functions", "m", 0.03, """is_strongly_connected is_tree has_cycle
        is_directed_acyclic_graph is_bipartite"""),
    ("component_functions", "n", 0.15, "isolates number_of_isolates number_of_selfloops"),
    ("subgraph_functions", "m", 0.3, """core_number k_crust k_corona greedy_color
        maximal_independent_set"""),
    ("subgraph_functions", "m", 0.15, "maximal_matching"),
    ("subgraph_functions", "m", 0.8, """hopcroft_karp_matching minimum_spanning_edges
        maximum_spanning_edges"""),
    ("subgraph_functions", "m", 1.0, "k_core k_shell"),
    ("subgraph_functions", "dd", 0.12, "k_truss clustering transitivity find_cliques"),
    ("subgraph_functions", "dd", 0.04, "triangles"),
    ("subgraph_functions", "m", 0.0, "dominating_set"),
    ("community_functions", "m", 8.0, """louvain_partitions louvain_communities leiden_partitions
        leiden_communities"""),
    ("community_functions", "m", 1.3, "asyn_lpa_communities fast_label_propagation_communities"),
    ("community_functions", "m", 0.7, "modularity"),
    ("measure_functions", "m", 10.0, """maximum_flow maximum_flow_value minimum_cut
        minimum_cut_value"""),
    ("measure_functions", "m", 0.35, """jaccard_coefficient adamic_adar_index
        preferential_attachment attribute_assortativity_coefficient
        numeric_assortativity_coefficient rich_club_coefficient to_scipy_sparse_array"""),
    ("measure_functions", "m", 1.2, """overall_reciprocity degree_assortativity_coefficient
        degree_pearson_correlation_coefficient"""),
    ("centrality_functions", "nm", 0.3, """newman_betweenness_centrality
        group_betweenness_centrality current_flow_betweenness_centrality"""),
    ("centrality_functions", "nm", 0.05, """global_efficiency current_flow_closeness_centrality
        common_neighbor_centrality"""),
    ("centrality_functions", "m", 0.0, """group_degree_centrality group_in_degree_centrality
        group_out_degree_centrality"""),
    ("centrality_functions", "m", 0.3, "average_neighbor_degree"),
    ("centrality_functions", "m", 0.5, """group_closeness_centrality laplacian_matrix
        normalized_laplacian_matrix resource_allocation_index cn_soundarajan_hopcroft
        ra_index_soundarajan_hopcroft within_inter_cluster"""),
    ("centrality_functions", "m", 2.0, "voterank algebraic_connectivity fiedler_vector"),
    ("centrality_functions", "dd", 0.5, "local_efficiency"),
    ("generator_functions", "m", 1.0, """complete_graph path_graph cycle_graph star_graph
        wheel_graph ladder_graph circular_ladder_graph balanced_tree grid_2d_graph
        petersen_graph"""),
    ("composed", "m", 0.13, """bfs_tree bfs_predecessors bfs_successors dfs_tree dfs_predecessors
        dfs_successors topological_sort"""),
    ("composed", "m", 0.3, "sets condensation attracting_components number_attracting_components"),
    ("composed", "m", 0.5, """single_source_dijkstra single_source_dijkstra_path
        single_source_dijkstra_path_length multi_source_dijkstra_path is_semiconnected
        adjacency_matrix"""),
    ("composed", "m", 1.0, """minimum_spanning_tree maximum_spanning_tree is_branching
        reciprocity k_edge_components"""),
    ("composed", "dd", 0.12, "average_clustering"),
    ("composed", "m", 0.0, "dijkstra_path is_arborescence ego_graph"),
    ("composed", "nm", 0.04, "diameter radius periphery shortest_path shortest_path_length"),
    ("composed", "nm", 0.2, """all_pairs_dijkstra all_pairs_dijkstra_path
        all_pairs_dijkstra_path_length"""),
    ("as_is", "n", 0.0, """bidirectional_shortest_path bidirectional_dijkstra has_path is_isolate
        is_empty edge_boundary node_boundary is_partition"""),
)  # fmt: skip
FUNCTIONS = {
    name: Row(module, cost, work) for module, work, cost, names in _GROUPS for name in names.split()
}

#: Parameters that must have NetworkX's defaults.
_DEFAULTS = {
    "nstart": "pagerank hits katz_centrality eigenvector_centrality",
    "sources": "harmonic_centrality",
    "source": "average_neighbor_degree",
    "target": "average_neighbor_degree",
    "sort_neighbors": """bfs_edges bfs_tree bfs_predecessors bfs_successors dfs_edges dfs_tree
        dfs_predecessors dfs_successors dfs_preorder_nodes dfs_postorder_nodes""",
    "depth_limit": "dfs_postorder_nodes",
    "root": "bridges has_bridges",
    "sp": "eccentricity",
    "v": "newman_betweenness_centrality",
    "cutoff": "newman_betweenness_centrality",
    "dtype": "current_flow_betweenness_centrality current_flow_closeness_centrality",
    "weight": """newman_betweenness_centrality group_betweenness_centrality
        eccentricity diameter radius center periphery clustering average_clustering
        degree_assortativity_coefficient degree_pearson_correlation_coefficient""",
    "usebounds": "diameter radius center periphery",
    "nodes": """average_neighbor_degree
        find_cliques maximal_independent_set degree_assortativity_coefficient
        degree_pearson_correlation_coefficient attribute_assortativity_coefficient
        numeric_assortativity_coefficient""",
    "strategy": "greedy_color",
    "interchange": "greedy_color",
    "start_with": "dominating_set",
    "algorithm": """minimum_spanning_edges maximum_spanning_edges minimum_spanning_tree
        maximum_spanning_tree""",
    "ignore_nan": """minimum_spanning_edges maximum_spanning_edges minimum_spanning_tree
        maximum_spanning_tree""",
    "flow_func": "maximum_flow maximum_flow_value minimum_cut minimum_cut_value",
    "kwargs": "maximum_flow maximum_flow_value minimum_cut minimum_cut_value",
    "nodelist": """to_scipy_sparse_array adjacency_matrix laplacian_matrix
        normalized_laplacian_matrix""",
    "method": "shortest_path shortest_path_length",
    "create_using": """complete_graph path_graph cycle_graph star_graph wheel_graph ladder_graph
        circular_ladder_graph balanced_tree grid_2d_graph petersen_graph""",
    "periodic": "grid_2d_graph",
}
#: Kinds of graphs that a function leaves to NetworkX.
_KINDS = {
    "directed": """core_number k_core k_shell k_crust k_corona transitivity dominating_set color
        sets hopcroft_karp_matching maximum_spanning_tree minimum_spanning_tree
        louvain_communities louvain_partitions greedy_color asyn_lpa_communities
        fast_label_propagation_communities""",
    "undirected": "overall_reciprocity reciprocity",
    "multigraph": """overall_reciprocity reciprocity betweenness_centrality
        edge_betweenness_centrality minimum_spanning_edges maximum_spanning_edges
        minimum_spanning_tree maximum_spanning_tree degree_assortativity_coefficient
        degree_pearson_correlation_coefficient attribute_assortativity_coefficient
        numeric_assortativity_coefficient average_neighbor_degree voterank
        current_flow_betweenness_centrality
        current_flow_closeness_centrality algebraic_connectivity fiedler_vector""",
}


def _by_function(table: dict[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, names in table.items():
        for name in names.split():
            found.setdefault(name, []).append(key)
    return found


_DEFAULTS_OF, _KINDS_OF = _by_function(_DEFAULTS), _by_function(_KINDS)
#: Functions that have rules for calls with one argument.
_ASKED = {"rich_club_coefficient"} | {
    name for name, row in FUNCTIONS.items() if row.module == "generator_functions"
}

#: The classes that ``networkx.Graph(backend="edgewise")`` and its like make.
CLASSES = {
    "graph__new__": "Graph",
    "digraph__new__": "DiGraph",
    "multigraph__new__": "MultiGraph",
    "multidigraph__new__": "MultiDiGraph",
}

#: Seconds to load Numba, to load the kernels of a function, to convert a node or an arc, of a call.
_LOADING, _KERNELS, _ARC, _CALL = 1.2, 0.1, 0.3e-6, 3e-4
#: Older versions return other types and orders.
_IS_OLD = tuple(int(part) for part in nx.__version__.split(".")[:2]) < (3, 6)
#: Parameters that name an edge attribute.
_ATTRIBUTES = {"weight", "distance", "capacity"}


def refusal(name: str, args: Any, kwargs: Any) -> str | None:
    """Why a call cannot run here, or None."""
    if _IS_OLD:
        return "NetworkX 3.6 or later is needed"
    if name in CLASSES:
        plain = args and args[0] in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
        return None if plain else "subclasses of NetworkX's graph classes stay what they are"
    graph, module = next(_graphs(args, kwargs), None), FUNCTIONS[name].module
    for kind in _KINDS_OF.get(name, ()):
        if _is(graph, kind):
            return f"the graph is {'a ' * (kind == 'multigraph')}{kind}"
    if module == "as_is" and getattr(graph, "__networkx_backend__", "") != "edgewise":
        return "NetworkX looks at a few nodes only"
    if len(args) == 1 and not kwargs and name not in _ASKED:
        return None
    known = _signature(name)
    named, parameters = known.bind_partial(*args, **kwargs).arguments, known.parameters
    for one in _ATTRIBUTES & named.keys():
        if callable(named[one]):
            return f"{one} is a function"
    for one in _DEFAULTS_OF.get(name, ()):
        if one in named and named[one] not in (parameters[one].default, {}):
            return f"{one} is given"
    return _special(name, named, module)


def _is(graph: Any, kind: str) -> bool:
    if graph is None:
        return False
    if kind == "multigraph":
        return graph.is_multigraph()
    return graph.is_directed() == (kind == "directed")


def _special(name: str, named: dict[str, Any], module: str) -> str | None:
    if module == "generator_functions" and any(
        type(one) is not int for key, one in named.items() if key in ("n", "m", "r", "h")
    ):
        return "nodes are given instead of a number"
    if name == "rich_club_coefficient" and named.get("normalized", True):
        return "random graphs are compared with"
    if name == "k_edge_components" and (
        named.get("k", 0) > 2 or (named["G"].is_directed() and named.get("k", 0) > 1)
    ):
        return "k is greater than 2, or the graph is directed"
    if name == "average_shortest_path_length":
        known = named.get("method") in (None, "unweighted", "dijkstra")
        return None if known else "method is given"
    return None


def too_small(name: str, args: Any, kwargs: Any) -> str | None:
    """Why a call is faster in NetworkX, or None: conversion and the first call take longer."""
    if setting("always") or name not in FUNCTIONS:
        return None
    row, graph = FUNCTIONS[name], next(_graphs(args, kwargs), None)
    if graph is None:
        return None
    named = _signature(name).bind_partial(*args, **kwargs).arguments
    near = name.startswith("shortest_path") and None not in map(named.get, ("source", "target"))
    if row.cost == 0 or near:
        return "NetworkX looks at a few nodes only"
    here, n = _CALL, len(graph)
    if "numba" not in sys.modules:
        here += _LOADING
    elif f"edgewise.networkx.{row.module}" not in sys.modules:
        here += _KERNELS
    cost = row.cost * 1e-6
    if row.work == "nm":  # searches from all nodes, or from k of them
        cost *= n if named.get("k") is None else named["k"]
    if cost * (n + n * n) * (n if row.work == "dd" else 1) < here:
        return "the graph is small"
    kept = getattr(graph, "__networkx_cache__", None)
    degrees = [*map(len, graph._adj.values())]
    size = n + sum(degrees)
    here += 0 if kept and "edgewise" in kept else _ARC * size
    units = {"n": n, "dd": sum(one * one for one in degrees) if row.work == "dd" else 0}
    there = cost * units.get(row.work, size)
    # Calls that NetworkX has run on this graph count too: together they may pay for conversion.
    spent = there + (kept.get("edgewise_spent", 0.0) if kept else 0.0)
    if spent >= here:
        return None
    if kept is not None:
        kept["edgewise_spent"] = spent
    return f"about {there:.2g} s in NetworkX, {here:.2g} s with conversion"


def _graphs(args: Any, kwargs: Any) -> Iterator[Any]:
    for one in (*args, *kwargs.values()):
        if isinstance(one, nx.Graph):
            yield one


@cache
def _signature(name: str) -> Signature:
    return signature(nx.utils.backends._registered_algorithms[name].orig_func)
