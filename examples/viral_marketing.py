"""Viral marketing: whom to give a product to, so that most hear of it.

Who has heard of it tells each of those to whom an edge leads, with a chance of 1 / in-degree of the
one told (the weighted cascade). Fifty seeds are chosen in wiki-Vote and soc-Slashdot0902: by
influence maximization, which knows how good they are at least, and for comparison by degree, by
PageRank against the edges, and by chance. Simulations tell how many hear of it.

Run it: python examples/viral_marketing.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import edgewise as ew

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "graphs"
K = 50


def choices(graph):
    """Seeds by each method."""
    rank = ew.pagerank(graph.transposed)
    yield "degree", np.argsort(-graph.degrees(), kind="stable")[:K]
    yield "PageRank", np.argsort(-rank, kind="stable")[:K]
    yield "chance", np.random.default_rng(0).choice(graph.num_vertices, K, replace=False)


def campaign(name):
    graph = ew.read(FOLDER / f"{name}.txt.gz", directed=True).without_self_loops()
    best = ew.influence.maximize(graph, K, epsilon=0.3)
    heard = ew.influence.simulate(graph, best.chosen, runs=2_000)
    print(f"{name}: {graph.num_vertices:,} people, {K} seeds")
    print(f"  {'influence maximization':>22} {heard.mean:8,.0f} (from {heard.low:,.0f} to "
          f"{heard.high:,.0f}), by {best.samples:,} samples")  # fmt: skip
    half = ew.influence.simulate(graph, best.chosen[: K // 2], runs=2_000)
    print(f"  {'the first half of them':>22} {half.mean:8,.0f}")
    assert half.mean > heard.mean / 2  # each further seed adds less
    for method, seeds in choices(graph):
        found = ew.influence.simulate(graph, seeds, runs=2_000)
        print(f"  {method:>22} {found.mean:8,.0f}")
        assert found.high < heard.low


def main():
    for name in ("wiki-Vote", "soc-Slashdot0902"):
        if (FOLDER / f"{name}.txt.gz").exists():
            campaign(name)
        else:
            print(f"{name}: left out, as there is no file {FOLDER / name}.txt.gz")


if __name__ == "__main__":
    main()
