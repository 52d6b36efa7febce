"""Vectors of vertices: how well they predict hidden edges, and the time, beside other packages.

A tenth of the edges is hidden; the measure is how often a hidden edge has a larger cosine than a
missing one (AUC). ``python -m benchmarks.applications.embeddings FILE [WAY ...]`` takes
some minutes.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.applications.peers import embeddings
from benchmarks.graphs import data_folder
from benchmarks.report import machine, spell_time, table


def auc(vectors, known, missing) -> float:
    """How often a known pair has a larger cosine than a missing one."""
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    near, far = (np.einsum("ij,ij->i", unit[u], unit[v]) for u, v in (known, missing))
    far = np.sort(far)
    below, upto = np.searchsorted(far, near), np.searchsorted(far, near, side="right")
    return float((below + upto).mean() / 2 / len(far))


def main(name: str) -> None:
    import edgewise as ew

    graph = ew.read(data_folder() / "graphs" / name).to_undirected()
    sources, targets, _ = graph.edges()
    hidden = np.random.default_rng(0).random(graph.num_edges) < 0.1
    rest = ew.Graph.from_edges(sources[~hidden], targets[~hidden], num_vertices=graph.num_vertices)
    known = sources[hidden], targets[hidden]
    ways = {
        "DeepWalk, one thread": lambda: ew.learning.node2vec(rest, dim=64),
        "DeepWalk, all threads": lambda: ew.learning.node2vec(rest, dim=64, deterministic=False),
        "node2vec, p 1, q 0.5": lambda: ew.learning.node2vec(
            rest, dim=64, q=0.5, deterministic=False
        ),
        "FastRP": lambda: ew.learning.fast_rp(rest, dim=64),
        "spectral": lambda: ew.spectral_embedding(rest, dim=32),
        **embeddings(rest, 64, 1.0, 1.0),
    }
    rows = []
    for way in sys.argv[2:] or ways:
        run = ways[way]
        begin = time.process_time()
        vectors = run()
        spent = time.process_time() - begin
        scores = [
            auc(vectors, known, ew.learning.sample_missing_edges(graph, known[0], method=method))
            for method in ("uniform", "degree")
        ]
        rows.append([way, spell_time(spent), *(f"{score:.3f}" for score in scores)])
        print(rows[-1], flush=True)
    print(f"\n{name}: {graph.num_vertices:,} vertices, {graph.num_edges:,} edges; {machine()}\n")
    print(table(["way", "processor time", "AUC", "AUC, targets by degree"], rows, words=1))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "facebook_combined.txt.gz")
