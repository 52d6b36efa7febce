# Written by `make generate`: the public names, as type checkers see them.

from edgewise.learning.batch_loader import Batches as Batches
from edgewise.learning.belief_propagation import (
    Beliefs as Beliefs,
    belief_propagation as belief_propagation,
)
from edgewise.learning.complete_matrix import (
    MatrixFactors as MatrixFactors,
    complete_matrix as complete_matrix,
)
from edgewise.learning.fast_rp import fast_rp as fast_rp
from edgewise.learning.graph_kernels import (
    marginalized_kernel as marginalized_kernel,
    shortest_path_kernel as shortest_path_kernel,
    weisfeiler_lehman_kernel as weisfeiler_lehman_kernel,
)
from edgewise.learning.layer_sampling import (
    LayerBlock as LayerBlock,
    LayerSample as LayerSample,
    sample_layers as sample_layers,
)
from edgewise.learning.missing_edges import (
    MissingEdges as MissingEdges,
    sample_missing_edges as sample_missing_edges,
)
from edgewise.learning.neighbor_batches import (
    layer_batches as layer_batches,
    neighbor_batches as neighbor_batches,
)
from edgewise.learning.neighbor_sampling import (
    Block as Block,
    NeighborSample as NeighborSample,
    sample_neighbors as sample_neighbors,
)
from edgewise.learning.node2vec import node2vec as node2vec
from edgewise.learning.train_gcn import (
    ConvolutionalNetwork as ConvolutionalNetwork,
    train_gcn as train_gcn,
)
