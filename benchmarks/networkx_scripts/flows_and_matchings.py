"""Flows, cuts, matchings and trees on graphs of some hundred nodes."""

import random

import networkx as nx

rng = random.Random(9)
G = nx.gnp_random_graph(120, 0.08, seed=3, directed=True)
for _, _, data in G.edges(data=True):
    data |= {"capacity": rng.randint(1, 20), "weight": rng.randint(1, 9)}
print(nx.maximum_flow_value(G, 0, 119), nx.minimum_cut_value(G, 1, 118))
B = nx.bipartite.random_graph(80, 80, 0.05, seed=4)
top = [v for v, data in B.nodes(data=True) if data["bipartite"] == 0]
print(len(nx.bipartite.hopcroft_karp_matching(B, top)) // 2, nx.is_bipartite(B))
U = G.to_undirected()
print(len(nx.max_weight_matching(U)), nx.minimum_spanning_tree(U).size("weight"))
print(nx.node_connectivity(U), nx.edge_connectivity(U), len(nx.min_edge_cover(U)))
print(len(list(nx.find_cliques(U))), len(nx.maximal_independent_set(U, seed=1)) > 0)
print(len(nx.cycle_basis(U)), nx.is_eulerian(U), nx.algebraic_connectivity(U) > 0)
