"""Communities of a graph with known groups, by several methods."""

import networkx as nx

G = nx.planted_partition_graph(4, 50, 0.3, 0.02, seed=6)
for method, options in (
    (nx.community.louvain_communities, {"seed": 1}),
    (nx.community.greedy_modularity_communities, {}),
    (nx.community.label_propagation_communities, {}),
    (nx.community.asyn_lpa_communities, {"seed": 1}),
):
    found = list(method(G, **options))
    print(method.__name__, sum(map(len, found)), nx.community.is_partition(G, found))
    print(nx.community.modularity(G, found) > 0.2)
