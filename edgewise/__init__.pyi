# Written by `make generate`: the public names, as type checkers see them.

from edgewise import (
    apps as apps,
    coloring as coloring,
    communities as communities,
    dynamic as dynamic,
    generators as generators,
    influence as influence,
    join as join,
    learning as learning,
    linalg as linalg,
    matching as matching,
    nn as nn,
    nx as nx,
    ordering as ordering,
    partitioning as partitioning,
    sensing as sensing,
    similarity as similarity,
    sklearn as sklearn,
)
from edgewise.algorithms.centrality.approximate_betweenness_centrality import (
    approximate_betweenness_centrality as approximate_betweenness_centrality,
)
from edgewise.algorithms.centrality.betweenness_centrality import (
    betweenness_centrality as betweenness_centrality,
)
from edgewise.algorithms.centrality.closeness_centrality import (
    closeness_centrality as closeness_centrality,
)
from edgewise.algorithms.centrality.current_flow import (
    current_flow_betweenness_centrality as current_flow_betweenness_centrality,
    current_flow_closeness_centrality as current_flow_closeness_centrality,
)
from edgewise.algorithms.centrality.degree_centrality import degree_centrality as degree_centrality
from edgewise.algorithms.centrality.edge_betweenness_centrality import (
    edge_betweenness_centrality as edge_betweenness_centrality,
)
from edgewise.algorithms.centrality.eigenvector_centrality import (
    eigenvector_centrality as eigenvector_centrality,
)
from edgewise.algorithms.centrality.group_betweenness_centrality import (
    group_betweenness_centrality as group_betweenness_centrality,
)
from edgewise.algorithms.centrality.group_centrality import (
    group_closeness_centrality as group_closeness_centrality,
    group_degree_centrality as group_degree_centrality,
)
from edgewise.algorithms.centrality.harmonic_centrality import (
    harmonic_centrality as harmonic_centrality,
)
from edgewise.algorithms.centrality.katz_centrality import katz_centrality as katz_centrality
from edgewise.algorithms.centrality.load_centrality import load_centrality as load_centrality
from edgewise.algorithms.centrality.voterank import voterank as voterank
from edgewise.algorithms.cliques.k_clique_count import k_clique_count as k_clique_count
from edgewise.algorithms.cliques.maximal_cliques import (
    Cliques as Cliques,
    iter_maximal_cliques as iter_maximal_cliques,
    maximal_clique_count as maximal_clique_count,
    maximal_cliques as maximal_cliques,
)
from edgewise.algorithms.cliques.maximum_clique import maximum_clique as maximum_clique
from edgewise.algorithms.components.biconnected_components import (
    articulation_points as articulation_points,
    biconnected_components as biconnected_components,
)
from edgewise.algorithms.components.bridges import (
    bridges as bridges,
    two_edge_connected_components as two_edge_connected_components,
)
from edgewise.algorithms.components.condensation import condensation as condensation
from edgewise.algorithms.components.connected_components import (
    connected_components as connected_components,
    weakly_connected_components as weakly_connected_components,
)
from edgewise.algorithms.components.is_bipartite import (
    Bipartition as Bipartition,
    bipartition as bipartition,
    is_bipartite as is_bipartite,
)
from edgewise.algorithms.components.is_connected import (
    is_connected as is_connected,
    is_strongly_connected as is_strongly_connected,
    is_weakly_connected as is_weakly_connected,
)
from edgewise.algorithms.components.largest_component import largest_component as largest_component
from edgewise.algorithms.components.strongly_connected_components import (
    strongly_connected_components as strongly_connected_components,
)
from edgewise.algorithms.components.topological_generations import (
    topological_generations as topological_generations,
)
from edgewise.algorithms.components.topological_sort import (
    is_dag as is_dag,
    topological_sort as topological_sort,
)
from edgewise.algorithms.components.transitive_closure import (
    transitive_closure as transitive_closure,
    transitive_reduction as transitive_reduction,
)
from edgewise.algorithms.cores.core_number import core_number as core_number
from edgewise.algorithms.cores.k_core import k_core as k_core
from edgewise.algorithms.cores.k_truss import k_truss as k_truss
from edgewise.algorithms.cores.truss_number import truss_number as truss_number
from edgewise.algorithms.distances.average_shortest_path_length import (
    average_shortest_path_length as average_shortest_path_length,
    global_efficiency as global_efficiency,
)
from edgewise.algorithms.distances.diameter import diameter as diameter
from edgewise.algorithms.distances.eccentricity import eccentricity as eccentricity
from edgewise.algorithms.distances.effective_diameter import (
    effective_diameter as effective_diameter,
)
from edgewise.algorithms.distances.local_efficiency import local_efficiency as local_efficiency
from edgewise.algorithms.distances.neighborhood_function import (
    neighborhood_function as neighborhood_function,
)
from edgewise.algorithms.distances.radius import radius as radius
from edgewise.algorithms.distances.sampled_mean import SampledMean as SampledMean
from edgewise.algorithms.flows.connectivity import (
    edge_connectivity as edge_connectivity,
    node_connectivity as node_connectivity,
)
from edgewise.algorithms.flows.disjoint_paths import (
    edge_disjoint_paths as edge_disjoint_paths,
    node_disjoint_paths as node_disjoint_paths,
)
from edgewise.algorithms.flows.global_minimum_cut import global_minimum_cut as global_minimum_cut
from edgewise.algorithms.flows.gomory_hu_tree import gomory_hu_tree as gomory_hu_tree
from edgewise.algorithms.flows.maximum_flow import (
    MaximumFlow as MaximumFlow,
    MinimumCut as MinimumCut,
    maximum_flow as maximum_flow,
    minimum_cut as minimum_cut,
)
from edgewise.algorithms.flows.min_cost_flow import min_cost_flow as min_cost_flow
from edgewise.algorithms.flows.minimum_node_cut import minimum_node_cut as minimum_node_cut
from edgewise.algorithms.forests.forest_roots import forest_roots as forest_roots
from edgewise.algorithms.forests.minimum_spanning_tree import (
    minimum_spanning_tree as minimum_spanning_tree,
)
from edgewise.algorithms.independence.dominating_set import dominating_set as dominating_set
from edgewise.algorithms.independence.maximal_independent_set import (
    maximal_independent_set as maximal_independent_set,
)
from edgewise.algorithms.matching.minimum_vertex_cover import (
    minimum_vertex_cover as minimum_vertex_cover,
)
from edgewise.algorithms.partition import Components as Components
from edgewise.algorithms.patterns.isomorphism import (
    is_isomorphic as is_isomorphic,
    isomorphism as isomorphism,
)
from edgewise.algorithms.patterns.motif_counts import motif_counts as motif_counts
from edgewise.algorithms.patterns.queries import (
    QueryMatches as QueryMatches,
    iter_query_matches as iter_query_matches,
    query_match_count as query_match_count,
    query_matches as query_matches,
)
from edgewise.algorithms.patterns.subgraph_matches import (
    subgraph_match_count as subgraph_match_count,
    subgraph_matches as subgraph_matches,
)
from edgewise.algorithms.ranking.hits import hits as hits
from edgewise.algorithms.ranking.money import money as money
from edgewise.algorithms.ranking.pagerank import pagerank as pagerank
from edgewise.algorithms.ranking.personalized_pagerank import (
    personalized_pagerank as personalized_pagerank,
)
from edgewise.algorithms.ranking.salsa import salsa as salsa
from edgewise.algorithms.ranking.scores import Scores as Scores
from edgewise.algorithms.structure.algebraic_connectivity import (
    algebraic_connectivity as algebraic_connectivity,
    fiedler_vector as fiedler_vector,
)
from edgewise.algorithms.structure.assortativity import (
    attribute_assortativity_coefficient as attribute_assortativity_coefficient,
    degree_assortativity_coefficient as degree_assortativity_coefficient,
    numeric_assortativity_coefficient as numeric_assortativity_coefficient,
)
from edgewise.algorithms.structure.average_neighbor_degree import (
    average_neighbor_degree as average_neighbor_degree,
)
from edgewise.algorithms.structure.complement import (
    complement as complement,
    line_graph as line_graph,
)
from edgewise.algorithms.structure.density import (
    degree_histogram as degree_histogram,
    density as density,
    reciprocity as reciprocity,
)
from edgewise.algorithms.structure.fit_kronecker import fit_kronecker as fit_kronecker
from edgewise.algorithms.structure.laplacian_matrix import (
    laplacian_matrix as laplacian_matrix,
    normalized_laplacian_matrix as normalized_laplacian_matrix,
)
from edgewise.algorithms.structure.operations import (
    compose as compose,
    difference as difference,
    intersection as intersection,
    symmetric_difference as symmetric_difference,
    union as union,
)
from edgewise.algorithms.structure.projection import projection as projection
from edgewise.algorithms.structure.rich_club import rich_club_coefficient as rich_club_coefficient
from edgewise.algorithms.structure.spectral_embedding import (
    spectral_embedding as spectral_embedding,
)
from edgewise.algorithms.structure.structural_holes import (
    constraint as constraint,
    effective_size as effective_size,
)
from edgewise.algorithms.traversal.all_pairs_shortest_paths import (
    all_pairs_shortest_paths as all_pairs_shortest_paths,
)
from edgewise.algorithms.traversal.bellman_ford import bellman_ford as bellman_ford
from edgewise.algorithms.traversal.bfs import bfs as bfs
from edgewise.algorithms.traversal.cycle_basis import cycle_basis as cycle_basis
from edgewise.algorithms.traversal.dag_longest_path import dag_longest_path as dag_longest_path
from edgewise.algorithms.traversal.descendants import (
    ancestors as ancestors,
    descendants as descendants,
    ego_graph as ego_graph,
)
from edgewise.algorithms.traversal.eulerian_path import eulerian_path as eulerian_path
from edgewise.algorithms.traversal.has_path import has_path as has_path
from edgewise.algorithms.traversal.k_hop_neighborhood import (
    Neighborhoods as Neighborhoods,
    k_hop_neighborhood as k_hop_neighborhood,
)
from edgewise.algorithms.traversal.k_shortest_paths import k_shortest_paths as k_shortest_paths
from edgewise.algorithms.traversal.multi_source_bfs import multi_source_bfs as multi_source_bfs
from edgewise.algorithms.traversal.path_list import PathList as PathList
from edgewise.algorithms.traversal.paths import Paths as Paths
from edgewise.algorithms.traversal.shortest_path import shortest_path as shortest_path
from edgewise.algorithms.traversal.simple_cycles import simple_cycles as simple_cycles
from edgewise.algorithms.traversal.simple_paths import (
    all_shortest_paths as all_shortest_paths,
    simple_paths as simple_paths,
)
from edgewise.algorithms.traversal.sssp import sssp as sssp
from edgewise.algorithms.triangles.clustering import clustering as clustering
from edgewise.algorithms.triangles.transitivity import (
    average_clustering as average_clustering,
    transitivity as transitivity,
)
from edgewise.algorithms.triangles.triad_census import triad_census as triad_census
from edgewise.algorithms.triangles.triangle_count import (
    triangle_count as triangle_count,
    triangles as triangles,
)
from edgewise.algorithms.walks.learning import (
    SkipGramPairs as SkipGramPairs,
    skip_gram as skip_gram,
    walk_batches as walk_batches,
)
from edgewise.algorithms.walks.node2vec_walk import node2vec_walk as node2vec_walk
from edgewise.algorithms.walks.random_walk import random_walk as random_walk
from edgewise.base import atomic as atomic, random as random
from edgewise.base.check_bounds import check_bounds as check_bounds
from edgewise.base.errors import (
    CompileError as CompileError,
    ConvergenceError as ConvergenceError,
    DeviceError as DeviceError,
    FileFormatError as FileFormatError,
)
from edgewise.base.observe import Trace as Trace, observe as observe
from edgewise.base.progress import progress as progress
from edgewise.base.threads import (
    get_threads as get_threads,
    set_threads as set_threads,
    threads as threads,
)
from edgewise.cli.profile.graph_profile import Profile as Profile, profile as profile
from edgewise.distributed.cluster import cluster as cluster
from edgewise.graph import Contraction as Contraction, Graph as Graph
from edgewise.io import read as read, write as write
from edgewise.io.converting import convert as convert
from edgewise.operators import (
    ADD as ADD,
    AND as AND,
    ANY as ANY,
    ARGMAX as ARGMAX,
    ARGMIN as ARGMIN,
    MAX as MAX,
    MIN as MIN,
    OR as OR,
    Cover as Cover,
    Frontier as Frontier,
    Monoid as Monoid,
    Sample as Sample,
    Sets as Sets,
    advance as advance,
    compute as compute,
    cover as cover,
    deliver as deliver,
    explore as explore,
    filter as filter,
    for_each as for_each,
    for_rows as for_rows,
    frontier as frontier,
    intersect as intersect,
    look_up as look_up,
    mark_duplicates as mark_duplicates,
    multisplit as multisplit,
    propagate as propagate,
    reach as reach,
    reduce_all as reduce_all,
    reduce_neighbors as reduce_neighbors,
    sample as sample,
    settle as settle,
    sweep as sweep,
    take as take,
    unwind as unwind,
)

__version__: str
