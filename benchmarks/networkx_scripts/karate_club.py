"""The measures that a tutorial computes on a graph of 34 nodes."""

import networkx as nx

G = nx.karate_club_graph()
for node in G:
    print(node, G.degree(node), nx.clustering(G, node), nx.node_clique_number(G, node))
for measure in (
    nx.degree_centrality,
    nx.closeness_centrality,
    nx.betweenness_centrality,
    nx.eigenvector_centrality,
    nx.pagerank,
    nx.core_number,
    nx.triangles,
    nx.square_clustering,
):
    values = measure(G)
    print(measure.__name__, sorted(values, key=values.get, reverse=True)[:5])
print(nx.diameter(G), nx.radius(G), nx.center(G), nx.periphery(G), nx.density(G))
print(nx.transitivity(G), nx.average_clustering(G), nx.average_shortest_path_length(G))
print([sorted(one) for one in nx.community.greedy_modularity_communities(G)])
print(nx.shortest_path(G, 0, 33), nx.has_path(G, 3, 9), nx.degree_assortativity_coefficient(G))
