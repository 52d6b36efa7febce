# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.coloring.aggregates import aggregates as aggregates
from edgewise.algorithms.coloring.balance import Balanced as Balanced, balance as balance
from edgewise.algorithms.coloring.bicoloring import (
    acyclic_bicoloring as acyclic_bicoloring,
    star_bicoloring as star_bicoloring,
)
from edgewise.algorithms.coloring.colored import (
    Coloring as Coloring,
    independent_sets as independent_sets,
)
from edgewise.algorithms.coloring.distance_2 import distance_2 as distance_2
from edgewise.algorithms.coloring.first_fit import greedy as greedy
from edgewise.algorithms.coloring.hessian_coloring import (
    HessianColoring as HessianColoring,
    hessian_coloring as hessian_coloring,
)
from edgewise.algorithms.coloring.improve import improve as improve
from edgewise.algorithms.coloring.jacobian_coloring import jacobian_coloring as jacobian_coloring
from edgewise.algorithms.coloring.jacobian_result import JacobianColoring as JacobianColoring
from edgewise.algorithms.coloring.jones_plassmann import jones_plassmann as jones_plassmann
from edgewise.algorithms.coloring.partial_distance_2 import partial_distance_2 as partial_distance_2
from edgewise.algorithms.coloring.speculative import speculative as speculative
from edgewise.algorithms.coloring.star import acyclic as acyclic, star as star
from edgewise.algorithms.coloring.two_sides import Bicoloring as Bicoloring
from edgewise.algorithms.coloring.verify_coloring import (
    ColoringVerdict as ColoringVerdict,
    verify_coloring as verify_coloring,
)
from edgewise.algorithms.coloring.verify_pattern_coloring import (
    PatternVerdict as PatternVerdict,
    verify_pattern_coloring as verify_pattern_coloring,
)
