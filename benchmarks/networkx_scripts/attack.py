"""The largest component while the hubs of a scale-free graph are removed one after another."""

import networkx as nx

G = nx.barabasi_albert_graph(800, 2, seed=4)
sizes = []
for _ in range(120):
    hub = max(G.degree, key=lambda pair: pair[1])[0]
    G.remove_node(hub)
    sizes.append(len(max(nx.connected_components(G), key=len)))
print(sizes, nx.number_connected_components(G), len(list(nx.isolates(G))))
print(max(nx.core_number(G).values()), nx.number_of_isolates(G))
