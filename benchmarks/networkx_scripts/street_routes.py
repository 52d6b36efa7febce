"""Routes in a street grid with lengths and times as edge attributes."""

import random

import networkx as nx

rng = random.Random(3)
G = nx.grid_2d_graph(40, 40)
for u, v in G.edges:
    G[u][v]["length"] = rng.uniform(50, 200)
    G[u][v]["minutes"] = G[u][v]["length"] / rng.choice([300, 500, 800])
nodes = list(G)
total = 0.0
for _ in range(60):
    source, target = rng.sample(nodes, 2)
    route = nx.shortest_path(G, source, target, weight="length")
    total += nx.path_weight(G, route, "minutes")
    total += nx.shortest_path_length(G, source, target, weight="minutes")
print(round(total, 3), nx.is_connected(G), len(nx.shortest_path(G, (0, 0), (39, 39))))
near = nx.single_source_dijkstra_path_length(G, (20, 20), cutoff=600, weight="length")
print(len(near), nx.astar_path_length(G, (0, 0), (9, 9), weight="length"))
print(round(nx.minimum_spanning_tree(G, weight="length").size("length"), 3))
