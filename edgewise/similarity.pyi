# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.similarity.link_prediction import (
    common_neighbors as common_neighbors,
    preferential_attachment as preferential_attachment,
    resource_allocation as resource_allocation,
)
from edgewise.algorithms.similarity.pairwise import (
    adamic_adar as adamic_adar,
    cosine as cosine,
    jaccard as jaccard,
    overlap as overlap,
)
from edgewise.algorithms.similarity.top_k import Similar as Similar, top_k as top_k
