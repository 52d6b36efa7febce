"""NetworkX's own tests pass with the backend, except for those that are known."""

from __future__ import annotations

import json

import pytest

from edgewise.networkx.function_table import FUNCTIONS
from edgewise.networkx.known_failures import KNOWN_FAILURES
from tests.networkx.suite import PARTS, RECORD, run

#: Parts of NetworkX that take seconds, and functions that their tests must run in Edgewise.
SHORT = {
    "centrality": {"betweenness_centrality", "closeness_centrality", "katz_centrality"},
    "components": {
        "connected_components",
        "strongly_connected_components",
        "biconnected_components",
    },
    "link_analysis": {"pagerank", "hits"},
    "shortest_paths": {"single_source_shortest_path", "multi_source_dijkstra"},
    "traversal": {"bfs_edges", "dfs_edges"},
    "assortativity": {"average_neighbor_degree", "numeric_assortativity_coefficient"},
    "coloring": {"greedy_color"},
    "community": {"louvain_communities", "girvan_newman"},
    "flow": {"minimum_cut_value", "gomory_hu_tree"},
    "operators": {"complement", "compose"},
    "networkx.linalg": {"laplacian_matrix", "spectral_bisection"},
    "networkx.tests": {"from_scipy_sparse_array", "to_numpy_array"},
}


@pytest.mark.slow
def test_networkxs_tests_pass():
    found = run([*SHORT])
    assert not found["names"], found["output"][-3000:]
    assert found["passed"] > 1200
    missing = {name for names in SHORT.values() for name in names} - found["calls"].keys()
    assert not missing, "these ran in NetworkX alone"


#: Functions that NetworkX's tests do not run in Edgewise, by reason.
NOT_CALLED = {
    reason: names.split()
    for reason, names in {
        "NetworkX's tests name a flow function or other arguments that stay in NetworkX": """
            kruskal_mst_edges prim_mst_edges maximum_flow minimum_node_cut local_node_connectivity
            minimum_st_edge_cut vf2pp_isomorphism from_edgelist from_pandas_edgelist""",
        "newer than the record": """
            constraint effective_size min_weight_matching edge_current_flow_betweenness_centrality
            is_locally_k_edge_connected is_k_edge_connected min_edge_cover generalized_degree
            all_triangles partition_quality conductance cut_size label_propagation_communities
            capacity_scaling minimum_weight_full_matching all_pairs_node_connectivity
            average_node_connectivity complete_bipartite_graph turan_graph empty_graph
            hypercube_graph mycielski_graph kneser_graph karate_club_graph from_numpy_array
            find_negative_cycle disjoint_union disjoint_union_all convert_node_labels_to_integers
            relabel_nodes spectral_ordering spectral_bisection eigenvector_centrality_numpy
            kosaraju_strongly_connected_components""",
    }.items()
}


def test_every_function_ran_in_edgewise():
    """Functions that the record does not count are listed, and are compared in other tests."""
    found = json.loads(RECORD.read_text())["calls"]
    listed = [name for names in NOT_CALLED.values() for name in names]
    assert len({*listed}) == len(listed)
    assert {*listed} >= {name for name in FUNCTIONS if not found.get(name)}
    assert {*listed} <= FUNCTIONS.keys()


def test_the_record_holds():
    found = json.loads(RECORD.read_text())
    assert found["failed"] == 0 and found["passed"] > 5500
    assert found["expected"] <= len(KNOWN_FAILURES) + 5 < 40  # NetworkX has some of its own
    own = {name for name, row in FUNCTIONS.items() if row.module not in ("as_is", "composed")}
    assert len(own & found["calls"].keys()) > 150
    assert {*SHORT} < {*PARTS} and found["networkx"] >= "3.6"
