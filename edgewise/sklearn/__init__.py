"""Estimators with the conventions of scikit-learn: clusterings and embeddings by graphs.

They need scikit-learn (``pip install edgewise[sklearn]``) and load at their first use.
"""

from __future__ import annotations

from edgewise.base.lazy import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "FastRP": "embedding_estimators",
    "Leiden": "cluster_estimators",
    "Louvain": "cluster_estimators",
    "MarkovClustering": "cluster_estimators",
    "Node2Vec": "embedding_estimators",
    "SpectralEmbedding": "embedding_estimators",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
