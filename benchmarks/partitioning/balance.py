"""The balance of `partitioning.multilevel` over many seeds, for every graph and number of parts.

Nothing is timed, so the command may run beside other work. Rows are written as they come. A row
that has fewer seeds goes on with the others; remove its file to begin anew.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.partitioning.graphs import GRAPHS, arcs_of, quality
from benchmarks.partitioning.packages import IMBALANCE
from benchmarks.report import machine, table

__all__ = ["measure_balance"]

Row = dict[str, Any]


def measure_balance(
    names: list[str], parts: tuple[int, ...], seeds: int, folder: Path,
    tell: Callable[[str], None], budget: float,
) -> str:  # fmt: skip
    """Divide every graph by every seed, as long as a row is below its budget of seconds."""
    from edgewise import Graph, partitioning

    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "partitioning-balance.json"
    rows: list[Row] = json.loads(kept.read_text()) if kept.exists() else []
    for name in names:
        arcs = arcs_of(name)
        graph = Graph(arcs.indptr, arcs.indices)
        for k in parts:
            before = [row for row in rows if (row["graph"], row["k"]) == (name, k)]
            found: list[float] = [value for row in before for value in row["imbalance"]]
            if len(found) >= seeds:
                continue
            begin = time.monotonic()
            for seed in range(len(found), seeds):
                if found and time.monotonic() - begin > budget:
                    break
                labels = partitioning.multilevel(graph, k, imbalance=IMBALANCE, seed=seed)
                found.append(quality(arcs, labels, k).imbalance)
            tell(f"{name}, k {k}: {max(found):.4f} at most of {len(found)} seeds")
            rows = [row for row in rows if row not in before]
            rows.append({"graph": name, "k": k, "imbalance": found,
                         "date": time.strftime("%Y-%m-%d")})  # fmt: skip
            rows.sort(key=lambda row: ([*GRAPHS, row["graph"]].index(row["graph"]), row["k"]))
            kept.write_text(json.dumps(rows, indent=1) + "\n")
    text = _markdown(rows)
    (folder / "partitioning-balance.md").write_text(f"# partitioning-balance\n\n{text}\n")
    return text


def _markdown(rows: list[Row]) -> str:
    days = " and ".join(sorted({row["date"] for row in rows}))
    ks = sorted({row["k"] for row in rows})
    cells = {(row["graph"], row["k"]):
             f"{100 * max(row['imbalance']):.2f} % of {len(row['imbalance'])}"
             for row in rows}  # fmt: skip
    graphs = dict.fromkeys(row["graph"] for row in rows)
    values = [value for row in rows for value in row["imbalance"]]
    broken = sum(value > IMBALANCE + 1e-9 for value in values)
    return "\n\n".join([
        f"Measured {days} on {machine()}: `python -m benchmarks partitioning --balance`. Cells are "
        "the largest imbalance of `multilevel` with default effort, and the number of seeds. "
        f"Parts may be {100 * IMBALANCE:g} percent larger than the mean.",
        table(["graph", *(f"k = {k}" for k in ks)],
              [[graph, *(cells.get((graph, k), "") for k in ks)] for graph in graphs]),
        f"- {'MISS' if broken else 'PASS'}: {broken} of {len(values)} partitions have a part that "
        "is too large.",
    ])  # fmt: skip
