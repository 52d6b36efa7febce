"""Words that differ in one letter: string nodes, components, ladders between words."""

import random
import string

import networkx as nx

rng = random.Random(1)
words = {"".join(rng.choice("abcdef") for _ in range(5)) for _ in range(2500)}
G = nx.Graph(name="words")
G.add_nodes_from(sorted(words))
for word in sorted(words):
    for at in range(5):
        for letter in string.ascii_lowercase[:6]:
            other = word[:at] + letter + word[at + 1 :]
            if other > word and other in words:
                G.add_edge(word, other)
print(G, nx.number_connected_components(G))
large = G.subgraph(max(nx.connected_components(G), key=len))
ends = sorted(large)
for source, target in zip(ends[:20], ends[-20:], strict=True):
    print(source, target, nx.shortest_path(G, source, target))
print(len(list(nx.isolates(G))), nx.number_of_edges(large), len(list(nx.bridges(G))))
print(sorted(nx.node_connected_component(G, ends[0]))[:3], nx.transitivity(G))
