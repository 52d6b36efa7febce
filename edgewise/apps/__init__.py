"""Applications: recommendations, nearest neighbors, clusters of points and cells, protein families,
anonymous tables.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.algorithms.family import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Alignments": "proteins.alignment",
    "Anonymized": "adaptive_anonymity",
    "GraphAlignment": "align_graphs",
    "PointClusters": "cluster_points",
    "ProteinFamilies": "protein_families",
    "ProteinNetwork": "protein_families",
    "Sequences": "proteins.sequences",
    "anonymize": "adaptive_anonymity",
    "align_graphs": "align_graphs",
    "align_proteins": "proteins.alignment",
    "protein_families": "protein_families",
    "protein_network": "protein_families",
    "read_fasta": "proteins.sequences",
    "Neighbors": "nearest_neighbors",
    "Recommendations": "recommend",
    "cluster_points": "cluster_points",
    "nearest_neighbors": "nearest_neighbors",
    "shared_neighbor_graph": "cluster_points",
    "recommend": "recommend",
    "scanpy": "",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
