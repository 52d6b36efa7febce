"""Neighborhoods of single nodes in a graph of 3,000: searches with limits, subgraphs."""

import networkx as nx

G = nx.powerlaw_cluster_graph(3000, 3, 0.3, seed=2)
found = []
for node in range(0, 3000, 60):
    found.append(len(nx.ego_graph(G, node, radius=1)))
    found.append(len(nx.single_source_shortest_path_length(G, node, cutoff=2)))
    found.append(len(nx.descendants_at_distance(G, node, 2)))
    found.append(len(dict(nx.bfs_successors(G, node, depth_limit=2))))
    found.append(nx.clustering(G, node) > 0.1)
    found.append(sum(1 for _ in nx.common_neighbors(G, node, 0)))
pairs = [(u, u + 7) for u in range(0, 2900, 30)]
found += [round(score, 3) for _, _, score in nx.jaccard_coefficient(G, pairs)]
found += [len(nx.shortest_path(G, u, v)) for u, v in pairs]
print(sum(found), nx.number_of_edges(G.subgraph(range(500))))
