"""Partitions on a GPU: the time for 100 million edges, and the cut beside one CPU thread's.

The large graphs are a cube with the 27-point stencil and R-MAT 22. One CPU thread takes minutes
for them, so cuts are compared on smaller graphs of the same kinds. The recorded cut of one thread
on the large cube is that of a run by hand; a row without a time has none.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.partitioning.packages import IMBALANCE
from benchmarks.report import machine, spell_time, table

__all__ = ["measure_partitioning_on_gpu"]

_K = 64
#: Goals: seconds for a large graph, and the cut over that of one CPU thread.
_SECONDS, _SHARE = 1.0, 1.05


def measure_partitioning_on_gpu(
    trials: int, folder: Path, tell: Callable[[str], None], *, device: str = "cuda",
    quick: bool = False,
) -> str:  # fmt: skip
    """Measure all graphs; the report in Markdown, also written to ``folder``."""
    begin, rows = time.perf_counter(), []
    for name, (make, beside) in _graphs(quick).items():
        graph = make()
        tell(f"{name}: {graph}, after {time.perf_counter() - begin:.0f} s")
        row = {"graph": name, "m": graph.num_edges, "k": _K, **_measured(graph, device, trials)}
        if beside:
            row["cpu"] = _measured(graph, "cpu", 0)
        tell(f"  {row}")
        rows.append(row)
    text = _markdown(rows)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "partitioning-cuda.json").write_text(json.dumps(rows, indent=1) + "\n")
    (folder / "partitioning-cuda.md").write_text(f"# partitioning-cuda\n\n{text}\n")
    return text


def _graphs(quick: bool) -> dict[str, tuple[Callable[[], Any], bool]]:
    """How to make each graph, and whether to partition it on the CPU, too."""
    from edgewise import generators

    def cube(side: int) -> Callable[[], Any]:
        return lambda: generators.grid_3d(side, side, layers=side, diagonals=True)

    def web(scale: int) -> Callable[[], Any]:
        return lambda: generators.rmat(scale, seed=27)

    small, large = ((8, 7), (10, 8)) if quick else ((50, 17), (200, 22))
    return {f"cube {small[0]}": (cube(small[0]), True), f"R-MAT {small[1]}": (web(small[1]), True),
            f"cube {large[0]}": (cube(large[0]), False),
            f"R-MAT {large[1]}": (web(large[1]), False)}  # fmt: skip


def _measured(graph: Any, device: str, trials: int) -> dict[str, Any]:
    """The least seconds of a call after one that warms up; the cut and the imbalance."""
    from edgewise import partitioning

    there, spent, method = graph.to(device), [], "searches" if trials == 0 else "rounds"
    for _ in range(trials + 1):
        begin = time.perf_counter()
        parts = partitioning.multilevel(there, _K, imbalance=IMBALANCE, method=method)
        if device != "cpu":
            there.xp.cuda.Device().synchronize()
        spent.append(time.perf_counter() - begin)
    cut = float(partitioning.edge_cut(there, parts))
    heaviest = int(there.xp.bincount(there.xp.asarray(parts), minlength=_K).max())
    least = -(-graph.num_vertices // _K)
    return {"seconds": min(spent[1:] or spent), "cut": cut, "imbalance": heaviest / least - 1}


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines, verdicts = [], []
    for row in rows:
        beside = row.get("cpu")
        share = row["cut"] / max(beside["cut"], 1.0) if beside else None
        lines.append([
            row["graph"], f"{row['m']:,}", spell_time(row["seconds"]), f"{row['cut']:,.0f}",
            f"{100 * row['imbalance']:.1f} %",
            spell_time(beside["seconds"]) if beside and "seconds" in beside else "",
            f"{beside['cut']:,.0f}" if beside else "",
        ])  # fmt: skip
        if share is not None:
            verdicts.append(f"- {_mark(share <= _SHARE)}: on {row['graph']} the cut is {share:.3f} "
                            f"of that of one CPU thread, at most {_SHARE:g}.")  # fmt: skip
        if beside is None or "seconds" not in beside:
            verdicts.append(f"- {_mark(row['seconds'] <= _SECONDS)}: {row['graph']} takes "
                            f"{spell_time(row['seconds'])}, at most {_SECONDS:g} s.")  # fmt: skip
        kept = row["imbalance"] <= IMBALANCE + 1e-9
        verdicts.append(f"- {_mark(kept)}: the parts of {row['graph']} are balanced.")
    about = (f"Measured {time.strftime('%Y-%m-%d')} beside {machine()}, {_K} parts: "
             "`python -m benchmarks partitioning --device cuda`.")  # fmt: skip
    head = ["graph", "edges", "GPU", "cut", "imbalance", "one CPU thread", "its cut"]
    return "\n\n".join([about, table(head, lines), "\n".join(verdicts)])


def _mark(met: bool) -> str:
    return "PASS" if met else "MISS"
