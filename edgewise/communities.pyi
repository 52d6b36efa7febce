# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.communities.agreement import (
    adjusted_rand_index as adjusted_rand_index,
    normalized_mutual_information as normalized_mutual_information,
)
from edgewise.algorithms.communities.codelength import codelength as codelength
from edgewise.algorithms.communities.conductance import (
    conductance as conductance,
    conductances as conductances,
)
from edgewise.algorithms.communities.constant_potts import constant_potts as constant_potts
from edgewise.algorithms.communities.coverage import (
    coverage as coverage,
    performance as performance,
)
from edgewise.algorithms.communities.ensemble import ensemble as ensemble
from edgewise.algorithms.communities.hierarchy import Hierarchy as Hierarchy
from edgewise.algorithms.communities.label_propagation import label_propagation as label_propagation
from edgewise.algorithms.communities.leiden import leiden as leiden
from edgewise.algorithms.communities.local_community import local_community as local_community
from edgewise.algorithms.communities.louvain import louvain as louvain
from edgewise.algorithms.communities.map_equation import map_equation as map_equation
from edgewise.algorithms.communities.modularity import modularity as modularity
