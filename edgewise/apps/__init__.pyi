# Written by `make generate`: the public names, as type checkers see them.

from edgewise.apps.cell_clusters import (
    CellClusters as CellClusters,
    cell_clusters as cell_clusters,
    neighbor_graph as neighbor_graph,
)
from edgewise.apps.nearest_neighbors import (
    Neighbors as Neighbors,
    nearest_neighbors as nearest_neighbors,
)
from edgewise.apps.who_to_follow import WhoToFollow as WhoToFollow, who_to_follow as who_to_follow
