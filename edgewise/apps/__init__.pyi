# Written by `make generate`: the public names, as type checkers see them.

from edgewise.apps import scanpy as scanpy
from edgewise.apps.adaptive_anonymity import Anonymized as Anonymized, anonymize as anonymize
from edgewise.apps.align_graphs import (
    GraphAlignment as GraphAlignment,
    align_graphs as align_graphs,
)
from edgewise.apps.cluster_points import (
    PointClusters as PointClusters,
    cluster_points as cluster_points,
    shared_neighbor_graph as shared_neighbor_graph,
)
from edgewise.apps.nearest_neighbors import (
    Neighbors as Neighbors,
    nearest_neighbors as nearest_neighbors,
)
from edgewise.apps.protein_families import (
    ProteinFamilies as ProteinFamilies,
    ProteinNetwork as ProteinNetwork,
    protein_families as protein_families,
    protein_network as protein_network,
)
from edgewise.apps.proteins.alignment import (
    Alignments as Alignments,
    align_proteins as align_proteins,
)
from edgewise.apps.proteins.sequences import Sequences as Sequences, read_fasta as read_fasta
from edgewise.apps.recommend import Recommendations as Recommendations, recommend as recommend
