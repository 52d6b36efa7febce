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
    "bipartite": {"projected_graph", "hopcroft_karp_matching"},
    "connectivity": {"edge_connectivity", "stoer_wagner"},
    "tree": {"minimum_spanning_edges", "is_tree"},
    "networkx.classes": {"number_of_selfloops"},
    "networkx.generators": {"line_graph", "ego_graph"},
    "flow": {"minimum_cut_value", "gomory_hu_tree"},
    "operators": {"complement", "compose"},
    "networkx.linalg": {"laplacian_matrix", "spectral_bisection"},
    "networkx.tests": {"from_scipy_sparse_array", "to_numpy_array"},
}


@pytest.mark.slow
def test_networkxs_tests_pass():
    found = run([*SHORT])
    assert not found["names"], found["output"][-3000:]
    assert found["passed"] > 3800
    missing = {name for names in SHORT.values() for name in names} - found["calls"].keys()
    assert not missing, "these ran in NetworkX alone"


#: Functions that NetworkX's tests call with a flow function or other arguments that stay there.
NOT_CALLED = {"kruskal_mst_edges", "prim_mst_edges", "maximum_flow", "minimum_node_cut",
              "local_node_connectivity", "minimum_st_edge_cut"}  # fmt: skip


def test_every_function_ran_in_edgewise():
    """Functions that the record does not count are listed, and are compared in other tests."""
    found = json.loads(RECORD.read_text())["calls"]
    assert {name for name in FUNCTIONS if not found.get(name)} == NOT_CALLED


def test_the_record_holds():
    found = json.loads(RECORD.read_text())
    assert found["failed"] == 0 and found["passed"] > 5500
    assert found["expected"] <= len(KNOWN_FAILURES) + 5 < 40  # NetworkX has some of its own
    own = {name for name, row in FUNCTIONS.items() if row.module not in ("as_is", "composed")}
    assert len(own & found["calls"].keys()) > 150
    assert {*SHORT} < {*PARTS} and found["networkx"] >= "3.6"
