"""What one round of PageRank sends, for more and more ranks, beside a 1D distribution.

On a square grid of p ranks, s = sqrt(p), a dense round is an allreduce in each of s groups, a
broadcast in each of s others, and one sum over all ranks, of two numbers: by the trees of
`edgewise.distributed.pricing` 2 s (s - 1) + s (s - 1) + 2 (p - 1) messages, and from the busiest
rank 2 n (s - 1) / s + n bytes, where n = b N / s are those of a group's values. In 1D a rank owns
N / p vertices with all their arcs, and every round fetches each value that an arc of its names from
its owner: a message for each pair of ranks where there is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.grid.looks import BLUE, GRAY, RED, finish
from benchmarks.grid.runs import fixed_pagerank, priced, sizes, square
from benchmarks.growth import exponent
from benchmarks.report import spell_bytes, table
from edgewise import generators

__all__ = ["draw", "markdown", "measure", "one_dimension", "theory"]

_SIDES = (2, 3, 4, 5, 8, 10, 16, 20)
_FEW, _MORE = 1, 6  # rounds: the difference has no start and no end in it


def measure(trials: int, tell: Callable[[str], None], quick: bool) -> list[dict[str, Any]]:
    scale, item = (9, 8) if quick else (16, 4)  # PageRank starts in float32 on larger graphs
    graph = generators.rmat(scale, seed=1)
    found = []
    for side in sizes(_SIDES, quick):
        cut = square(graph, side)
        few, more = (
            priced(cut, lambda block, k=k: fixed_pagerank(block, k)) for k in (_FEW, _MORE)
        )
        row = {key: (more[key] - few[key]) / (_MORE - _FEW) for key in ("messages", "bytes")}
        found.append(
            {
                "ranks": side * side,
                "vertices": graph.num_vertices,
                "edges": int(graph.num_edges),
                "item": item,
                **row,
                **theory(graph.num_vertices, side, item),
                **one_dimension(graph, side * side, item),
            }
        )
        tell(f"{side * side} ranks: {row['messages']:.0f} messages, {row['bytes']:.0f} bytes")
    return found


def theory(vertices: int, side: int, item: int) -> dict[str, float]:
    """Messages, and bytes of the busiest rank, of one dense round with a sum of two numbers."""
    ranks, part = side * side, item * -(-vertices // side)
    return {
        "theory_messages": 3 * side * (side - 1) + 2 * (ranks - 1),
        "theory_bytes": part * (3 - 2 / side) + 2 * 16 * (ranks - 1) / ranks,
    }


def one_dimension(graph: Any, ranks: int, item: int) -> dict[str, int]:
    """Messages, and bytes of the busiest rank, that one round takes if vertices are dealt out."""
    n = graph.num_vertices
    rows = np.repeat(np.arange(n) % ranks, np.diff(graph.indptr))
    needed = np.unique(rows * n + graph.indices)  # of each rank, the vertices its arcs name
    reader, owner = needed // n, needed % n % ranks
    away = reader != owner
    reader, owner = reader[away], owner[away]
    pairs = np.unique(reader * ranks + owner)
    sent = np.bincount(owner, minlength=ranks) * item
    return {"messages_1d": len(pairs), "bytes_1d": int(sent.max())}


def markdown(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    lines = []
    for row in rows:
        ranks, root = row["ranks"], row["ranks"] ** 0.5
        unit = row["item"] * row["vertices"] / root
        lines.append(
            [
                f"{ranks}",
                f"{row['messages']:,.0f}",
                f"{row['theory_messages']:,.0f}",
                f"{row['messages'] / ranks:.2f}",
                spell_bytes(row["bytes"]),
                spell_bytes(row["theory_bytes"]),
                f"{row['bytes'] / unit:.2f}",
                f"{row['messages_1d']:,}",
                spell_bytes(row["bytes_1d"]),
            ]
        )
    head = ["Ranks", "Messages", "theory", "per rank", "Bytes of a rank", "theory",
            "times sqrt(p) / bN", "1D: messages", "bytes of a rank"]  # fmt: skip
    return "\n\n".join(
        [
            "## What a round sends",
            f"One round of PageRank on R-MAT: {rows[0]['vertices']:,} vertices, "
            f"{rows[0]['edges']:,} edges, values of b = {rows[0]['item']} bytes, dense; counted "
            f"{about['date']}. Bytes are those of the rank that sends the most.",
            table(head, lines),
            _slopes(rows),
            "![What a round sends](grid-counts.svg)",
        ]
    )


def _slopes(rows: list[dict[str, Any]]) -> str:
    """Exponents over the number of ranks, of all rows and of the larger half."""
    later = rows[len(rows) // 2 :]
    words = []
    for key, name, law in (
        ("messages", "messages", "1"),
        ("bytes", "bytes of a rank", "-1/2"),
        ("messages_1d", "messages in 1D", "2"),
        ("bytes_1d", "bytes of a rank in 1D", None),
    ):
        all_of, late = (
            exponent([row["ranks"] for row in some], [row[key] for row in some])
            for some in (rows, later)
        )
        text = f"- {name}: p^{all_of:.2f}, from {later[0]['ranks']} ranks on p^{late:.2f}"
        words.append(text + (f" (theory: p^{law})" if law else ""))
    worst = max(
        abs(row[key] / row[f"theory_{key}"] - 1) for row in rows for key in ("messages", "bytes")
    )
    words.append(f"- the largest difference from the theory's constants is {worst:.1%}")
    return "\n".join(words)


def draw(rows: list[dict[str, Any]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    ranks = [row["ranks"] for row in rows]
    for axes, key, scale, law, title in (
        (left, "messages", 1, 1.0, "messages per round"),
        (right, "bytes", 1e3, -0.5, "kilobytes per round, busiest rank"),
    ):
        last = rows[-1][key] / scale
        line = [last * (p / ranks[-1]) ** law for p in ranks]
        axes.loglog(ranks, line, ls="--", color=GRAY, label="p" if law == 1 else "1/sqrt(p)")
        for name, color, field in (("2D", BLUE, key), ("1D", RED, f"{key}_1d")):
            values = [row[field] / scale for row in rows]
            axes.loglog(ranks, values, marker="o", ms=4, color=color, label=name)
        theory = [row[f"theory_{key}"] / scale for row in rows]
        axes.loglog(ranks, theory, "x", color="black", label="2D, theory")
        finish(axes, title, ranks)
        axes.legend(frameon=False, fontsize=9)
    return figure
