# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.partitioning.coarsen import Coarsening as Coarsening, coarsen as coarsen
from edgewise.algorithms.partitioning.cut_measures import (
    boundary as boundary,
    communication_volume as communication_volume,
    edge_cut as edge_cut,
)
from edgewise.algorithms.partitioning.draw import draw as draw
from edgewise.algorithms.partitioning.external import (
    kahip as kahip,
    kaminpar as kaminpar,
    metis as metis,
)
from edgewise.algorithms.partitioning.halos import (
    PartGraph as PartGraph,
    quotient as quotient,
    subgraphs as subgraphs,
)
from edgewise.algorithms.partitioning.hilbert_curve import hilbert_curve as hilbert_curve
from edgewise.algorithms.partitioning.imbalance import imbalance as imbalance
from edgewise.algorithms.partitioning.multi_jagged import multi_jagged as multi_jagged
from edgewise.algorithms.partitioning.multilevel import multilevel as multilevel
from edgewise.algorithms.partitioning.partition_graph import partition as partition
from edgewise.algorithms.partitioning.parts import Parts as Parts
from edgewise.algorithms.partitioning.placement import place_tasks as place_tasks
from edgewise.algorithms.partitioning.recursive_bisection import (
    recursive_coordinate_bisection as recursive_coordinate_bisection,
    recursive_inertial_bisection as recursive_inertial_bisection,
)
from edgewise.algorithms.partitioning.report import (
    PartitionQuality as PartitionQuality,
    quality as quality,
)
from edgewise.algorithms.partitioning.separator import separator as separator
from edgewise.algorithms.partitioning.spectral import spectral as spectral
from edgewise.algorithms.partitioning.torus import hops as hops
