"""The pictures of learning: ``python -m docs.learning_pictures`` writes them again."""

from __future__ import annotations

from html import escape

import numpy as np

import edgewise as ew
from docs.app_pictures import ASSETS, curves, head
from docs.pictures import COLORS


def vectors() -> str:
    """Vectors of vertices in the two directions in which they vary most."""
    made = ew.generators.planted_partition(3, 80, p_in=0.15, p_out=0.02, seed=1)
    found = {
        "node2vec": ew.learning.node2vec(made.graph, dim=32, length=40, seed=1),
        "fast_rp": ew.learning.fast_rp(made.graph, dim=64, seed=1),
    }
    title = "Vectors of 240 vertices on a plane; colors are communities"
    return scatter(title, {name: _plane(one) for name, one in found.items()}, made.communities)


def convolutions() -> str:
    """Features before and after products with the adjacency matrix of graph convolutions."""
    made = ew.generators.planted_partition(4, 60, p_in=0.2, p_out=0.01, seed=1)
    matrix = ew.nn.Adjacency(made.graph, self_loops=True, normalization="symmetric").matrix
    corners = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]])[made.communities]
    features = corners + np.random.default_rng(1).normal(size=corners.shape) * 1.2
    panels = {"features": features}
    for name in ("one product", "two products"):
        features = ew.linalg.spmm(matrix, features)
        panels[name] = features
    title = "Noisy features of 240 vertices, and sums over neighbors; colors are communities"
    return scatter(title, panels, made.communities)


def kernels() -> str:
    """The normalized Gram matrix of rings, chains and stars of 5 to 12 vertices, as squares."""
    kinds = {
        "rings": ew.generators.cycle,
        "chains": ew.generators.path,
        "stars": ew.generators.star,
    }
    graphs = [make(n) for make in kinds.values() for n in range(5, 13)]
    gram = ew.learning.weisfeiler_lehman_kernel(graphs, depth=2, normalized=True)
    parts = [head(480, 330, "Similarity of 24 graphs by the Weisfeiler-Lehman kernel")]
    for i, j in np.ndindex(gram.shape):
        place = f'x="{80 + 10 * j}" y="{70 + 10 * i}"'
        parts.append(f'<rect {place} width="10" height="10" fill="{COLORS[0]}" '
                     f'fill-opacity="{gram[i, j]:.2f}"/>')  # fmt: skip
    for i, name in enumerate(kinds):
        parts.append(f'<text x="74" y="{114 + 80 * i}" text-anchor="end">{name}</text>')
        parts.append(f'<text x="{120 + 80 * i}" y="62" text-anchor="middle">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def ratings() -> str:
    """The error of the known entries after each round of both methods."""
    rng = np.random.default_rng(0)
    whole = rng.normal(size=(300, 4)) @ rng.normal(size=(4, 200))
    whole += 0.3 * rng.normal(size=whole.shape)
    shown = rng.random(whole.shape) < 0.2
    known = (*np.nonzero(shown), whole[shown])
    lines = {}
    for method in ("als", "sgd"):
        found = ew.learning.complete_matrix(known, rank=4, method=method, max_iter=12)
        lines[f'method="{method}"'] = np.array(found.errors)
    return curves("Error of the known ratings after each round; the noise is 0.3", lines)


def beliefs() -> str:
    """A picture, a noisy copy, and the most probable picture by belief propagation."""
    side, rng = 36, np.random.default_rng(1)
    x, y = np.indices((side, side)) / side
    truth = (((x - 0.5) ** 2 + (y - 0.4) ** 2 < 0.1) ^ (x > 0.8)).ravel()
    seen = truth ^ (rng.random(side * side) < 0.2)
    evidence = np.where(seen[:, None] == np.array([False, True]), 0.8, 0.2)
    grid = ew.generators.grid_2d(side, side)
    found = ew.learning.belief_propagation(
        grid, evidence, pairwise=[[2.0, 1.0], [1.0, 2.0]], method="max_product", damping=0.3,
        tol=1e-4,
    )  # fmt: skip
    panels = {"picture": truth, "a fifth of the pixels is wrong": seen, "restored": found.states}
    parts = [head(20 + 250 * len(panels), 300, "A picture restored by belief propagation")]
    for i, (name, states) in enumerate(panels.items()):
        left, size = 20 + 250 * i, 230 / side
        parts.append(f'<text x="{left}" y="52">{escape(name)}</text>')
        parts.append(f'<rect x="{left}" y="60" width="230" height="230" fill="none" '
                     f'stroke="#80808055"/>')  # fmt: skip
        path = "".join(
            f"M{left + size * (v % side):.1f} {60 + size * (v // side):.1f}"
            f"h{size:.1f}v{size:.1f}h-{size:.1f}z"
            for v in np.flatnonzero(states).tolist()
        )
        parts.append(f'<path d="{path}" fill="{COLORS[0]}"/>')
    return "\n".join([*parts, "</svg>", ""])


def _plane(points: np.ndarray) -> np.ndarray:
    """The two principal components."""
    centered = points - points.mean(0)
    left, size, _ = np.linalg.svd(centered, full_matrices=False)
    sides = np.sign(left[np.abs(left).argmax(0), np.arange(len(size))])  # the same for every LAPACK
    return (left * size * sides)[:, :2]


def scatter(title: str, panels: dict[str, np.ndarray], classes: np.ndarray) -> str:
    """Points in the plane, a square for each panel."""
    parts = [head(20 + 250 * len(panels), 300, title)]
    for i, (name, points) in enumerate(panels.items()):
        low, high = points.min(0), points.max(0)
        spots = (points - low) / (high - low) * 210 + (30 + 250 * i, 70)
        parts.append(f'<rect x="{20 + 250 * i}" y="60" width="230" height="230" fill="none" '
                     f'stroke="#80808055"/>')  # fmt: skip
        parts.append(f'<text x="{20 + 250 * i}" y="52">{escape(name)}</text>')
        for (x, y), one in zip(spots, classes, strict=True):
            color = COLORS[one % len(COLORS)]
            parts.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3" fill="{color}"/>')
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    for picture in (vectors, convolutions, kernels, ratings, beliefs):
        name = f"learning-{picture.__name__}.svg"
        (ASSETS / name).write_text(picture())
        print(f"{ASSETS / name} is written")
