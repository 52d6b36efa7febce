"""A directed acyclic graph of tasks: orders, critical paths, what depends on what."""

import random

import networkx as nx

rng = random.Random(5)
G = nx.DiGraph()
for task in range(1500):
    G.add_node(task, hours=rng.randint(1, 9))
    for before in rng.sample(range(max(0, task - 40), task), min(task, 3)):
        G.add_edge(before, task, weight=G.nodes[before]["hours"])
print(nx.is_directed_acyclic_graph(G), list(nx.topological_sort(G))[:5])
print(len(list(nx.topological_generations(G))), nx.dag_longest_path_length(G))
print(nx.dag_longest_path(G)[:5], list(nx.lexicographical_topological_sort(G))[:3])
for task in rng.sample(range(1500), 40):
    print(task, len(nx.ancestors(G, task)), len(nx.descendants(G, task)))
part = G.subgraph(range(150))
print(nx.transitive_reduction(part).number_of_edges(), nx.number_weakly_connected_components(part))
print(sorted(nx.descendants(G, 1490)), list(nx.bfs_edges(G, 1400, depth_limit=2))[:4])
