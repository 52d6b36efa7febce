# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.matching.assign_tasks import (
    TaskAssignment as TaskAssignment,
    assign_tasks as assign_tasks,
)
from edgewise.algorithms.matching.b_edge_cover import b_edge_cover as b_edge_cover
from edgewise.algorithms.matching.b_suitor import b_suitor as b_suitor
from edgewise.algorithms.matching.bipartite import (
    maximum_weight_bipartite as maximum_weight_bipartite,
)
from edgewise.algorithms.matching.greedy import greedy as greedy
from edgewise.algorithms.matching.heavy_diagonal import heavy_diagonal as heavy_diagonal
from edgewise.algorithms.matching.heavy_perfect import heavy_perfect as heavy_perfect
from edgewise.algorithms.matching.hopcroft_karp import hopcroft_karp as hopcroft_karp
from edgewise.algorithms.matching.locally_dominant import locally_dominant as locally_dominant
from edgewise.algorithms.matching.maximum_cardinality import (
    maximum_cardinality as maximum_cardinality,
)
from edgewise.algorithms.matching.minimum_vertex_cover import (
    minimum_vertex_cover as minimum_vertex_cover,
)
from edgewise.algorithms.matching.path_growing import path_growing as path_growing
from edgewise.algorithms.matching.paz_schwartzman import (
    paz_schwartzman as paz_schwartzman,
    paz_schwartzman_stream as paz_schwartzman_stream,
)
from edgewise.algorithms.matching.result import (
    BoundedMatching as BoundedMatching,
    Matching as Matching,
    Selection as Selection,
)
from edgewise.algorithms.matching.suitor import suitor as suitor
from edgewise.algorithms.matching.two_thirds import two_thirds as two_thirds
from edgewise.algorithms.matching.verify_edge_cover import (
    CoverVerdict as CoverVerdict,
    verify_edge_cover as verify_edge_cover,
)
from edgewise.algorithms.matching.verify_matching import (
    MatchingVerdict as MatchingVerdict,
    verify_matching as verify_matching,
)
from edgewise.algorithms.matching.vertex_weighted import vertex_weighted as vertex_weighted
