# Written by `make generate`: the public names, as type checkers see them.

from edgewise.apps.cluster_points import (
    PointClusters as PointClusters,
    cluster_points as cluster_points,
    shared_neighbor_graph as shared_neighbor_graph,
)
from edgewise.apps.nearest_neighbors import (
    Neighbors as Neighbors,
    nearest_neighbors as nearest_neighbors,
)
from edgewise.apps.recommend import Recommendations as Recommendations, recommend as recommend
