"""Learning on graphs: mini-batches with sampled neighbors, missing edges, embeddings,
kernels between graphs, belief propagation, matrix completion.

The functions load at their first use.
"""

from __future__ import annotations

from edgewise.base.lazy import lazy

#: Where each public name lives.
_HOME: dict[str, str] = {
    "Batches": "batch_loader",
    "Beliefs": "belief_propagation",
    "Block": "neighbor_sampling",
    "ConvolutionalNetwork": "train_gcn",
    "LayerBlock": "layer_sampling",
    "LayerSample": "layer_sampling",
    "MatrixFactors": "complete_matrix",
    "MissingEdges": "missing_edges",
    "NeighborSample": "neighbor_sampling",
    "belief_propagation": "belief_propagation",
    "complete_matrix": "complete_matrix",
    "fast_rp": "fast_rp",
    "layer_batches": "neighbor_batches",
    "marginalized_kernel": "graph_kernels",
    "neighbor_batches": "neighbor_batches",
    "node2vec": "node2vec",
    "sample_layers": "layer_sampling",
    "sample_missing_edges": "missing_edges",
    "sample_neighbors": "neighbor_sampling",
    "shortest_path_kernel": "graph_kernels",
    "train_gcn": "train_gcn",
    "weisfeiler_lehman_kernel": "graph_kernels",
}

__all__ = sorted(_HOME)
__getattr__, __dir__ = lazy(__name__, _HOME)
