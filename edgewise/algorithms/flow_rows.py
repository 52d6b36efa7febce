"""The rows of flows and cuts, a part of the table of algorithms."""

from __future__ import annotations

from edgewise.algorithms.table_rows import HOST as _HOST, LOCAL as _LOCAL, Algorithm

__all__ = ["FLOW_ROWS"]

# fmt: off
FLOW_ROWS = (
    Algorithm("maximum_flow", "flows.maximum_flow", _LOCAL, ("source", "target", "weights"), "flow",
              "maximum_flow", "Dinic, Soviet Math. Doklady 1970; Goldberg, Tarjan, J. ACM 1988"),
    Algorithm("minimum_cut", "flows.maximum_flow", _LOCAL, ("source", "target", "weights"), "cut",
              "minimum_cut", "Dinic, Soviet Math. Doklady 1970; Goldberg, Tarjan, J. ACM 1988"),
    Algorithm("global_minimum_cut", "flows.global_minimum_cut", _HOST, ("weights", "undirected"),
              "cut", "stoer_wagner", "Nagamochi, Ono, Ibaraki, Mathematical Programming 1994"),
    Algorithm("edge_connectivity", "flows.connectivity", _HOST, (), "number", "edge_connectivity",
              "Esfahanian, Hakimi, Networks 1984"),
    Algorithm("node_connectivity", "flows.connectivity", _HOST, (), "number", "node_connectivity",
              "Esfahanian, Hakimi, Networks 1984"),
    Algorithm("minimum_node_cut", "flows.minimum_node_cut", _HOST, (), "vertices",
              "minimum_node_cut", "Esfahanian, Hakimi, Networks 1984"),
    Algorithm("edge_disjoint_paths", "flows.disjoint_paths", _HOST, ("source", "target"),
              "path list", "edge_disjoint_paths", "Dinic, Soviet Math. Doklady 1970"),
    Algorithm("node_disjoint_paths", "flows.disjoint_paths", _HOST, ("source", "target"),
              "path list", "node_disjoint_paths", "Dinic, Soviet Math. Doklady 1970"),
    Algorithm("gomory_hu_tree", "flows.gomory_hu_tree", _HOST, ("weights", "undirected"),
              "subgraph", "gomory_hu_tree", "Gusfield, SIAM J. Comput. 1990"),
    Algorithm("min_cost_flow", "flows.min_cost_flow", _HOST, ("weights", "directed"), "cost flow",
              "min_cost_flow", "Cunningham, Mathematical Programming 1976"),
)
# fmt: on
