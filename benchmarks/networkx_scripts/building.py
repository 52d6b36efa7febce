"""Graphs that are built, joined, relabeled, copied, written and read."""

import json

import networkx as nx

found = []
for n in range(10, 130, 4):
    G = nx.compose(nx.path_graph(n), nx.star_graph(n))
    H = nx.relabel_nodes(G, {v: f"v{v}" for v in G})
    nx.set_edge_attributes(H, {edge: i for i, edge in enumerate(H.edges)}, "weight")
    found.append(nx.is_isomorphic(G, nx.Graph(H)))
    found.append(len(nx.line_graph(G)) + nx.complement(G).number_of_edges())
    data = json.dumps(nx.node_link_data(H, edges="edges"))
    again = nx.node_link_graph(json.loads(data), edges="edges")
    found.append(again.number_of_edges() == H.number_of_edges())
    found.append(nx.to_numpy_array(H).sum() + nx.number_connected_components(again))
    found.append(nx.disjoint_union(G, H).number_of_nodes() + len(nx.dfs_tree(G, 0)))
print(found)
