"""The rows of flows and cuts, a part of the table of algorithms."""

from __future__ import annotations

from edgewise.algorithms.table_rows import HOST as _HOST, LOCAL as _LOCAL, Algorithm

__all__ = ["FLOW_ROWS"]

# fmt: off
FLOW_ROWS = (
    Algorithm("maximum_flow", "flows.maximum_flow", _LOCAL, ("source", "target", "weights"), "flow",
              "maximum_flow", "Dinic, Soviet Math. Doklady 1970; Goldberg, Tarjan, J. ACM 1988",
              work="O(n² m) at most; close to linear on most networks"),
    Algorithm("minimum_cut", "flows.maximum_flow", _LOCAL, ("source", "target", "weights"), "cut",
              "minimum_cut", "Dinic, Soviet Math. Doklady 1970; Goldberg, Tarjan, J. ACM 1988",
              work="O(n² m) at most; close to linear on most networks"),
    Algorithm("global_minimum_cut", "flows.global_minimum_cut", _HOST, ("weights", "undirected"),
              "cut", "stoer_wagner", "Nagamochi, Ono, Ibaraki, Mathematical Programming 1994",
              work="n maximum flows at most; close to linear on most graphs"),
    Algorithm("edge_connectivity", "flows.connectivity", _HOST, (), "number", "edge_connectivity",
              "Esfahanian, Hakimi, Networks 1984",
              work="O(k n m) at most for connectivity k; that of "
              "`global_minimum_cut` in undirected graphs"),
    Algorithm("node_connectivity", "flows.connectivity", _HOST, (), "number", "node_connectivity",
              "Esfahanian, Hakimi, Networks 1984", work="O(k n m) at most for connectivity k"),
    Algorithm("minimum_node_cut", "flows.minimum_node_cut", _HOST, (), "vertices",
              "minimum_node_cut", "Esfahanian, Hakimi, Networks 1984",
              work="O(k n m) at most for connectivity k"),
    Algorithm("edge_disjoint_paths", "flows.disjoint_paths", _HOST, ("source", "target"),
              "path list", "edge_disjoint_paths", "Dinic, Soviet Math. Doklady 1970",
              work="O(m √m) at most"),
    Algorithm("node_disjoint_paths", "flows.disjoint_paths", _HOST, ("source", "target"),
              "path list", "node_disjoint_paths", "Dinic, Soviet Math. Doklady 1970",
              work="O(m √n) at most"),
    Algorithm("gomory_hu_tree", "flows.gomory_hu_tree", _HOST, ("weights", "undirected"),
              "subgraph", "gomory_hu_tree", "Gusfield, SIAM J. Comput. 1990",
              work="n - 1 maximum flows"),
    Algorithm("min_cost_flow", "flows.min_cost_flow", _HOST, ("weights", "directed"), "cost flow",
              "min_cost_flow", "Cunningham, Mathematical Programming 1976",
              work="exponential at most; usually a few passes over the edges per vertex"),
)
# fmt: on
