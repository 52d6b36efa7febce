"""Statistics over hundreds of random graphs of 20 nodes."""

import networkx as nx

connected, widths, found = 0, [], []
for seed in range(250):
    G = nx.gnp_random_graph(20, 0.2, seed=seed)
    found.append(sum(nx.triangles(G).values()) // 3)
    found.append(max(nx.core_number(G).values()))
    found.append(max(nx.greedy_color(G).values()))
    if nx.is_connected(G):
        connected += 1
        widths.append(nx.diameter(G))
        found.append(len(list(nx.articulation_points(G))))
        found.append(len(nx.maximal_matching(G)))
    found.append(max(map(len, nx.connected_components(G))))
    found.append(nx.is_bipartite(G) + nx.is_forest(G))
print(connected, widths, sum(found))
