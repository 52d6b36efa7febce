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
}


@pytest.mark.slow
def test_networkxs_tests_pass():
    found = run([*SHORT])
    assert not found["names"], found["output"][-3000:]
    assert found["passed"] > 600
    missing = {name for names in SHORT.values() for name in names} - found["calls"].keys()
    assert not missing, "these ran in NetworkX alone"


def test_the_record_holds():
    found = json.loads(RECORD.read_text())
    assert found["failed"] == 0 and found["passed"] > 5500
    assert found["expected"] <= len(KNOWN_FAILURES) + 5 < 40  # NetworkX has some of its own
    own = {name for name, row in FUNCTIONS.items() if row.module not in ("as_is", "composed")}
    assert len(own & found["calls"].keys()) > 150
    assert {*SHORT} < {*PARTS} and found["networkx"] >= "3.6"
