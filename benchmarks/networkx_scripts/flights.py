"""A directed multigraph of flights, with several edges between two places."""

import random

import networkx as nx

rng = random.Random(8)
places = [f"P{i:03}" for i in range(150)]
G = nx.MultiDiGraph()
for _ in range(2500):
    u, v = rng.sample(places, 2)
    G.add_edge(u, v, carrier=rng.choice("ABC"), minutes=rng.randint(40, 600), price=rng.random())
rank = nx.pagerank(G, weight=None)
print(sorted(rank, key=rank.get)[-5:], nx.is_strongly_connected(G))
for u, v in zip(places[:30], places[60:90], strict=True):
    print(u, v, nx.shortest_path(G, u, v), nx.dijkstra_path_length(G, u, v, weight="minutes"))
simple = nx.DiGraph(G)
print(nx.overall_reciprocity(simple), nx.number_strongly_connected_components(G))
hubs, authorities = nx.hits(simple)
print(max(hubs, key=hubs.get), max(authorities, key=authorities.get))
print(nx.degree_centrality(G)["P000"], len(nx.to_numpy_array(G, weight="minutes")))
