"""The pictures of learning: ``python -m docs.learning_pictures`` writes them again."""

from __future__ import annotations

from html import escape

import numpy as np

import edgewise as ew
from docs.app_pictures import ASSETS, head
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
    for picture in (vectors, convolutions):
        name = f"learning-{picture.__name__}.svg"
        (ASSETS / name).write_text(picture())
        print(f"{ASSETS / name} is written")
