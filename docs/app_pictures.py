"""The pictures of applications: ``python -m docs.app_pictures`` writes them again.

Each shows what the example of the page finds, on data of the same kind. They are drawn by hand, so
that the same numbers give the same bytes; the grays can be read on white and on black.
"""

from __future__ import annotations

import runpy
from collections.abc import Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow

import edgewise as ew
from docs.pictures import COLORS

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "docs" / "assets"
_TEXT, _FAINT = "#808080", "#80808055"


def anonymity() -> str:
    """The share of suppressed cells, by method, and with one k for all."""
    from edgewise.apps import anonymize

    rng = np.random.default_rng(1)
    centers = rng.integers(0, 8, (60, 20))
    cells = centers[rng.integers(0, 60, 3000)]
    cells = np.where(rng.random(cells.shape) < 0.1, rng.integers(0, 8, cells.shape), cells)
    table = pyarrow.table({f"c{i}": column for i, column in enumerate(cells.T)})
    wishes = np.where(rng.random(3000) < 0.1, 10, 4)
    ways: dict[str, Any] = {
        "Cover, own k (the default)": (wishes, "cover"),
        "Cover, k = 10 for all": (10, "cover"),
        "Groups of equal rows, own k": (wishes, "groups"),
        "Groups of equal rows, k = 10 for all": (10, "groups"),
    }
    rows = []
    for name, (k, method) in ways.items():
        found = anonymize(table, k, method=method)
        rows.append((name, 100 * found.fraction, f"{100 * found.fraction:.0f} %"))
    return bars("Cells that are suppressed, in percent: 3,000 records of 20 columns", rows)


def alignment() -> str:
    """The share of vertices found, by the share of edges removed from the copy."""
    from edgewise.apps import align_graphs

    graph = ew.generators.barabasi_albert(1000, 5, seed=1)
    sources, targets, _ = graph.edges()
    rows = []
    for noise in (0.0, 0.1, 0.2, 0.3, 0.4):
        rng = np.random.default_rng(2)
        order, kept = rng.permutation(1000), rng.random(len(sources)) >= noise
        other = ew.Graph.from_edges(order[sources[kept]], order[targets[kept]], num_vertices=1000)
        share = 100 * (align_graphs(graph, other).vertices == order).mean()
        rows.append((f"{100 * noise:.0f} % of the edges removed", share, f"{share:.1f} %"))
    return bars("Vertices that are found again in a renumbered copy, in percent", rows)


def tasks() -> str:
    """The load of each worker, in descending order, for each way to assign the tasks."""
    example = runpy.run_path(str(ROOT / "examples" / "fock_tasks.py"))
    workers = example["WORKERS"]
    costs, pairs = example["tasks"](example["ATOMS"])
    owner = pairs * workers // (int(pairs.max()) + 1)
    anywhere = ew.matching.assign_tasks(costs, workers)
    chance = np.random.default_rng(2).integers(0, workers, len(costs))
    loads = {
        "assign_tasks": anywhere.loads,
        "owner of the first shell": np.bincount(owner[0], costs, minlength=workers),
        "random": np.bincount(chance, costs, minlength=workers),
    }
    lines = {name: np.sort(one)[::-1] / anywhere.lower_bound for name, one in loads.items()}
    return curves("Load of each of 64 workers beside the bound, the largest first", lines)


def power_grid() -> str:
    """The areas of the synthetic grid; buses that the reduced model keeps are larger."""
    streets = ew.generators.road(30, 30, removals=0.3, seed=4)
    grid = streets.with_weights(1 / np.maximum(streets.edges()[2], 0.05))
    areas = np.asarray(ew.communities.leiden(grid, deterministic=True))
    areas = np.unique(areas, return_inverse=True)[1]
    sources, targets, _ = grid.edges()
    between = areas[sources] != areas[targets]
    left = np.zeros(grid.num_vertices, bool)
    left[sources[between]] = left[targets[between]] = True
    x, y = np.divmod(np.arange(grid.num_vertices), 30)
    x, y = 20 + 18 * x, 44 + 18 * y
    parts = [head(562, 590, f"{left.sum()} of {len(left)} buses are left in the reduced model")]
    for crossing, color, width in ((False, _TEXT, 1.0), (True, "#c94f5d", 2.2)):
        chosen = between == crossing
        path = "".join(
            f"M{x[u]} {y[u]}L{x[v]} {y[v]}"
            for u, v in zip(sources[chosen], targets[chosen], strict=True)
        )
        parts.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="{width}"/>')
    for v in range(grid.num_vertices):
        color = COLORS[areas[v] % len(COLORS)]
        parts.append(f'<circle cx="{x[v]}" cy="{y[v]}" r="{6 if left[v] else 3}" fill="{color}"/>')
    return "\n".join([*parts, "</svg>", ""])


def mesh_parts() -> bytes:
    """A mesh around a hole in eight parts, as `partitioning.draw` shows it, in PNG."""
    from PIL import Image
    from scipy.spatial import Delaunay

    rng = np.random.default_rng(3)
    radius, angle = 1 + 2.2 * rng.random(1500) ** 1.6, 2 * np.pi * rng.random(1500)
    for where, count in ((1.0, 80), (3.25, 60)):  # the borders
        radius = np.append(radius, np.full(count, where))
        angle = np.append(angle, np.linspace(0, 2 * np.pi, count, endpoint=False))
    places = np.stack([1.3 * radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    corners = Delaunay(places).simplices
    centers = places[corners].mean(axis=1)
    corners = corners[np.hypot(centers[:, 0] / 1.3, centers[:, 1]) > 1]
    edges = np.unique(np.sort(corners[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)), axis=0)
    mesh = ew.Graph.from_edges(*edges.T, num_vertices=len(places))
    parts = ew.partitioning.multilevel(mesh, 8, seed=1)
    ax = ew.partitioning.draw(mesh, parts, coordinates=places)
    ax.figure.set_size_inches(7, 5.6)
    drawn, made = BytesIO(), BytesIO()
    ax.figure.savefig(drawn, format="png", dpi=100)
    Image.open(drawn).convert("RGB").quantize(128).save(made, "png", optimize=True)
    return made.getvalue()


def queries() -> str:
    """The pattern of a query, and its matches in the graph of the page."""
    ages, cities = [30, 25, 41, 38], ["Rome", "Oslo", "Rome", "Oslo"]
    friends = ew.Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 0]).with_columns(
        vertices={"age": ages, "city": cities}
    )
    query = "(a)-(b)-(c), (a)-(c), a.age < b.age, b.age < c.age"
    found = ew.query_matches(friends, query)
    parts = [head(760, 270, query)]
    spots = [(70, 70), (190, 70), (190, 200), (70, 200)]
    people = [f"{age}, {city}" for age, city in zip(ages, cities, strict=True)]
    sources, targets, _ = friends.edges()
    edges = list(zip(sources.tolist(), targets.tolist(), strict=True))
    for place, match in enumerate(found.vertices.tolist()):
        names = dict(zip(match, found.names, strict=True))
        parts += _panel(260 * place + 240, spots, edges, people, names)
    parts += _panel(0, [(60, 90), (130, 190), (200, 90)], [(0, 1), (1, 2), (0, 2)], [""] * 3,
                    dict(enumerate(found.names)))  # fmt: skip
    return "\n".join([*parts, "</svg>", ""])


def _panel(
    left: int,
    spots: Sequence[tuple[int, int]],
    edges: Sequence[tuple[int, int]],
    texts: Sequence[str],
    names: dict[int, str],
) -> list[str]:
    """A small graph in which the vertices with names, and edges between them, have a color."""
    parts = []
    for u, v in edges:
        (a, b), (c, d) = spots[u], spots[v]
        color, width = (COLORS[0], 3) if u in names and v in names else (_FAINT, 1.5)
        parts.append(f'<path d="M{left + a} {b}L{left + c} {d}" stroke="{color}" '
                     f'stroke-width="{width}"/>')  # fmt: skip
    for v, (x, y) in enumerate(spots):
        color = COLORS[0] if v in names else _TEXT
        parts.append(f'<circle cx="{left + x}" cy="{y}" r="13" fill="{color}"/>')
        parts.append(f'<text x="{left + x}" y="{y + 5}" text-anchor="middle" fill="#fff" '
                     f'font-weight="600">{names.get(v, "")}</text>')  # fmt: skip
        below = y + (32 if y > 100 else -20)
        parts.append(f'<text x="{left + x}" y="{below}" text-anchor="middle">{texts[v]}</text>')
    return parts


def solver_orders() -> str:
    """Where a factor of the matrix of a mesh has entries, in three orders."""
    from scipy.sparse import identity
    from scipy.sparse.linalg import splu

    mesh = ew.generators.grid_2d(45, 45, diagonals=True)
    mesh = mesh.permute(ew.ordering.random_order(mesh, seed=1))
    orders = {
        "shuffled": np.arange(mesh.num_vertices),
        "reverse Cuthill-McKee": ew.ordering.reverse_cuthill_mckee(mesh),
        "nested dissection": ew.ordering.nested_dissection(mesh, seed=1),
    }
    parts = [
        head(760, 310, "Entries of a factor of the Laplacian matrix of a mesh, in three orders")
    ]
    blocks, side = 45, 5
    for place, (name, order) in enumerate(orders.items()):
        matrix = ew.laplacian_matrix(mesh.permute(order)) + identity(mesh.num_vertices)
        factor = splu(matrix.tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0,
                      options={"SymmetricMode": True}).L.tocoo()  # fmt: skip
        found = np.zeros((blocks, blocks))
        size = mesh.num_vertices / blocks
        np.add.at(found, ((factor.row / size).astype(int), (factor.col / size).astype(int)), 1)
        left = 20 + 250 * place
        parts.append(f'<text x="{left}" y="52">{name}</text>')
        parts.append(f'<text x="{left}" y="306">{factor.nnz:,} entries</text>')
        parts.append(f'<rect x="{left}" y="62" width="{side * blocks}" height="{side * blocks}" '
                     f'fill="none" stroke="{_FAINT}"/>')  # fmt: skip
        for low, high, shade in ((0, 0.05, 0.25), (0.05, 0.3, 0.5), (0.3, 1.01, 0.9)):
            share = found / size**2
            rows, columns = np.nonzero((share > low) & (share <= high))
            path = "".join(
                f"M{left + side * c} {62 + side * r}h{side}v{side}h-{side}z"
                for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
            )
            parts.append(f'<path d="{path}" fill="{COLORS[0]}" opacity="{shade}"/>')
    return "\n".join([*parts, "</svg>", ""])


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    """Horizontal bars from 0 to 100, a row each."""
    parts = [head(720, 44 + 26 * len(rows), title)]
    for i, (name, value, text) in enumerate(rows):
        y, width = 40 + 26 * i, 340 * value / 100
        parts.append(f'<text x="270" y="{y + 13}" text-anchor="end">{escape(name)}</text>')
        parts.append(f'<rect x="280" y="{y}" width="340" height="18" fill="{_FAINT}"/>')
        parts.append(f'<rect x="280" y="{y}" width="{width:.1f}" height="18" fill="{COLORS[0]}"/>')
        parts.append(f'<text x="630" y="{y + 13}">{escape(text)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def curves(title: str, lines: dict[str, np.ndarray]) -> str:
    """A line for each name, over equal steps, with 1 as a grid line."""
    top = max(float(one.max()) for one in lines.values())
    parts = [head(760, 300, title)]
    for tick in np.arange(0, top + 0.25, 0.25):
        y = 270 - 210 * tick / top
        parts.append(f'<path d="M60 {y:.1f}L560 {y:.1f}" stroke="{_FAINT}"/>')
        parts.append(f'<text x="50" y="{y + 4:.1f}" text-anchor="end">{tick:.2f}</text>')
    for i, (name, values) in enumerate(lines.items()):
        x = 60 + 500 * np.arange(len(values)) / max(len(values) - 1, 1)
        y = 270 - 210 * values / top
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[i]}" '
                     'stroke-width="2.5"/>')  # fmt: skip
        parts.append(f'<text x="575" y="{70 + 20 * i}" fill="{COLORS[i]}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def head(width: int, height: int, title: str) -> str:
    """The opening of a picture with its title."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="system-ui, sans-serif" font-size="13" '
        f'fill="{_TEXT}" role="img">\n<title>{escape(title)}</title>\n'
        f'<text x="20" y="22" font-size="15" font-weight="600">{escape(title)}</text>'
    )


if __name__ == "__main__":
    for picture in (anonymity, alignment, tasks, power_grid, queries, solver_orders):
        name = f"app-{picture.__name__.replace('_', '-')}.svg"
        (ASSETS / name).write_text(picture())
        print(f"{ASSETS / name} is written")
    (ASSETS / "mesh-parts.png").write_bytes(mesh_parts())
