# Written by `make generate`: the public names, as type checkers see them.

from edgewise.sklearn.cluster_estimators import (
    Leiden as Leiden,
    Louvain as Louvain,
    MarkovClustering as MarkovClustering,
)
from edgewise.sklearn.embedding_estimators import (
    FastRP as FastRP,
    Node2Vec as Node2Vec,
    SpectralEmbedding as SpectralEmbedding,
)
