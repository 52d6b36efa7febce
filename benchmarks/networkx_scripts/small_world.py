"""Clustering and path lengths of small-world graphs over the probability of rewiring."""

import networkx as nx

for p in (0.0, 0.01, 0.1, 0.5):
    G = nx.connected_watts_strogatz_graph(300, 6, p, seed=1)
    print(p, nx.average_clustering(G), nx.average_shortest_path_length(G), nx.diameter(G))
    central = nx.betweenness_centrality(G, k=30, seed=2)
    print(max(central, key=central.get), nx.degree_assortativity_coefficient(G) if p else 0)
