"""A graph of 60,000 edges, read from edges, with the measures that take linear time."""

import networkx as nx

G = nx.barabasi_albert_graph(20_000, 3, seed=1)
rank = nx.pagerank(G)
cores = nx.core_number(G)
print(max(rank, key=rank.get), max(cores.values()), nx.number_connected_components(G))
print(nx.transitivity(G), max(nx.degree_centrality(G).values()), nx.is_connected(G))
print(len(nx.single_source_shortest_path_length(G, 0)), max(nx.greedy_color(G).values()))
print(nx.number_of_selfloops(G), len(nx.k_core(G, 3)), len(nx.maximal_matching(G)))
