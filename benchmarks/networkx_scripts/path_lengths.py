"""Histogram of path lengths and eccentricities, as in the first example of NetworkX's gallery."""

import networkx as nx

for G in (nx.lollipop_graph(4, 6), nx.barbell_graph(20, 10), nx.grid_2d_graph(12, 12)):
    pathlengths = []
    for v in G.nodes():
        lengths = dict(nx.single_source_shortest_path_length(G, v))
        pathlengths += lengths.values()
    histogram = {}
    for one in pathlengths:
        histogram[one] = histogram.get(one, 0) + 1
    print(sum(pathlengths) / len(pathlengths), sorted(histogram.items()))
    print(nx.radius(G), nx.diameter(G), max(nx.eccentricity(G).values()), len(nx.center(G)))
    print(len(nx.periphery(G)), nx.density(G))
