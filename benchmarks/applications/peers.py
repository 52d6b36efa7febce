"""What other packages do for the same tasks: samplers, embeddings, kernels and ratings.

Each function returns callables by name, for the packages that are installed. All work on one
processor, if the package has a setting for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import cycle
from typing import Any

import numpy as np

__all__ = ["embeddings", "kernels", "ratings", "samplers"]


def samplers(graph: Any, fanouts: tuple[int, ...], size: int) -> dict[str, Callable]:
    """Endless mini-batches of DGL and PyTorch Geometric."""
    found: dict[str, Callable] = {}
    sources, targets, _ = graph.arcs()
    if find_spec("dgl"):
        import dgl
        import torch

        torch.set_num_threads(1)
        there = dgl.graph((torch.from_numpy(sources), torch.from_numpy(targets))).formats("csc")
        sampler, rng = dgl.dataloading.NeighborSampler(list(fanouts[::-1])), torch.Generator()

        def batches() -> Iterator[Any]:
            while True:
                order = torch.randperm(graph.num_vertices, generator=rng).to(there.idtype)
                for low in range(0, len(order), size):
                    yield sampler.sample(there, order[low : low + size])

        found["DGL"] = batches
    if find_spec("torch_geometric") and (find_spec("pyg_lib") or find_spec("torch_sparse")):
        import torch
        from torch_geometric.data import Data
        from torch_geometric.loader import NeighborLoader

        torch.set_num_threads(1)
        edges = torch.from_numpy(np.stack([sources, targets]).astype(np.int64))
        data = Data(edge_index=edges, num_nodes=graph.num_vertices)
        loader = NeighborLoader(data, list(fanouts), batch_size=size, shuffle=True)
        found["PyTorch Geometric"] = lambda: (one for _ in cycle([0]) for one in loader)
    return found


def embeddings(graph: Any, dim: int, p: float, q: float) -> dict[str, Callable]:
    """Vectors of PecanPy with gensim, and of scikit-network."""
    found: dict[str, Callable] = {}
    if find_spec("pecanpy") and find_spec("gensim"):
        from gensim.models import Word2Vec
        from pecanpy import pecanpy

        def walked() -> np.ndarray:
            made = pecanpy.SparseOTF(p=p, q=q, workers=1, random_state=1)
            matrix = graph.to_scipy().tocsr()
            made.indptr, made.indices = (
                matrix.indptr.astype(np.uint32), matrix.indices.astype(np.uint32)
            )  # fmt: skip
            made.data = np.ones(matrix.nnz, np.float32)
            made.set_node_ids([str(v) for v in range(graph.num_vertices)])
            walks = made.simulate_walks(num_walks=10, walk_length=80)
            model = Word2Vec(walks, vector_size=dim, window=5, min_count=0, sg=1, negative=5,
                             workers=1, epochs=1, seed=1)  # fmt: skip
            vectors = np.zeros((graph.num_vertices, dim), np.float32)
            for name in model.wv.index_to_key:
                vectors[int(name)] = model.wv[name]
            return vectors

        found[f"PecanPy and gensim, q {q:g}"] = walked
    if find_spec("sknetwork"):
        from scipy.sparse import csr_matrix
        from sknetwork.embedding import RandomProjection, Spectral

        matrix = csr_matrix(graph.to_scipy().astype(float))
        found["scikit-network, projection"] = lambda: RandomProjection(dim).fit_transform(matrix)
        found["scikit-network, spectral"] = lambda: Spectral(dim // 2).fit_transform(matrix)
    return found


def kernels(graphs: list) -> dict[str, Callable]:
    """GraKeL's Gram matrices of graphs with a column "kind"."""
    if not find_spec("grakel"):
        return {}
    import grakel

    given = []
    for one in graphs:
        sources, targets, _ = one.arcs()
        pairs = set(zip(sources.tolist(), targets.tolist(), strict=True))
        given.append(grakel.Graph(pairs, dict(enumerate(one.vertices["kind"].tolist()))))
    base = (grakel.VertexHistogram, {})
    return {
        "weisfeiler_lehman_kernel": lambda: grakel.WeisfeilerLehman(
            n_iter=3, base_graph_kernel=base
        ).fit_transform(given),
        "shortest_path_kernel": lambda: grakel.ShortestPath(with_labels=True).fit_transform(given),
    }


def ratings(who: Any, what: Any, value: Any, shape: tuple[int, int]) -> dict[str, Callable]:
    """Estimates of a rating by implicit (ALS for clicks: only its time compares) and surprise."""
    found: dict[str, Callable] = {}
    if find_spec("implicit"):
        from implicit.als import AlternatingLeastSquares
        from scipy.sparse import csr_matrix

        def clicks() -> None:
            model = AlternatingLeastSquares(factors=8, iterations=10, num_threads=1, use_cg=False,
                                            calculate_training_loss=False)  # fmt: skip
            model.fit(csr_matrix((np.abs(value).astype(np.float32), (who, what)), shape),
                      show_progress=False)  # fmt: skip

        found["implicit, 10 rounds of ALS"] = clicks
    if find_spec("surprise"):
        import pandas
        from surprise import SVD, Dataset, Reader

        def steps() -> Callable:
            table = pandas.DataFrame({"who": who, "what": what, "value": value})
            reader = Reader(rating_scale=(value.min(), value.max()))
            whole = Dataset.load_from_df(table, reader).build_full_trainset()
            model = SVD(n_factors=8, n_epochs=30, random_state=1).fit(whole)
            rows = np.array([whole.to_inner_uid(u) for u in range(shape[0])])
            columns = np.array([whole.to_inner_iid(i) for i in range(shape[1])])

            def predict(i: Any, j: Any) -> Any:
                i, j = rows[i], columns[j]
                both = (model.pu[i] * model.qi[j]).sum(axis=1)
                return whole.global_mean + model.bu[i] + model.bi[j] + both

            return predict

        found["surprise, 30 rounds of SGD"] = steps
    return found
