# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.communities.agreement import (
    adjusted_rand_score as adjusted_rand_score,
    normalized_mutual_info_score as normalized_mutual_info_score,
)
from edgewise.algorithms.communities.codelength import codelength as codelength
from edgewise.algorithms.communities.conductance import (
    community_conductance as community_conductance,
    conductance as conductance,
)
from edgewise.algorithms.communities.constant_potts import constant_potts as constant_potts
from edgewise.algorithms.communities.coverage import (
    coverage as coverage,
    performance as performance,
)
from edgewise.algorithms.communities.dendrograms import (
    Dendrogram as Dendrogram,
    Hierarchy as Hierarchy,
)
from edgewise.algorithms.communities.ecg import ecg as ecg
from edgewise.algorithms.communities.found_communities import Communities as Communities
from edgewise.algorithms.communities.girvan_newman import girvan_newman as girvan_newman
from edgewise.algorithms.communities.greedy_modularity import greedy_modularity as greedy_modularity
from edgewise.algorithms.communities.infomap import infomap as infomap
from edgewise.algorithms.communities.k_clique_communities import (
    k_clique_communities as k_clique_communities,
)
from edgewise.algorithms.communities.label_propagation import label_propagation as label_propagation
from edgewise.algorithms.communities.leiden import leiden as leiden
from edgewise.algorithms.communities.local_community import local_community as local_community
from edgewise.algorithms.communities.louvain import louvain as louvain
from edgewise.algorithms.communities.markov_clustering import markov_clustering as markov_clustering
from edgewise.algorithms.communities.modularity import modularity as modularity
from edgewise.algorithms.communities.overlapping import (
    OverlappingCommunities as OverlappingCommunities,
)
from edgewise.algorithms.communities.overlapping_agreement import (
    overlapping_nmi_score as overlapping_nmi_score,
)
from edgewise.algorithms.communities.partitions import (
    leiden_partitions as leiden_partitions,
    louvain_partitions as louvain_partitions,
)
from edgewise.algorithms.communities.slpa import slpa as slpa
