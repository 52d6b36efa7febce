"""Runs the parts, keeps what they found, and writes the report."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import edgewise
from benchmarks.grid import ablation, counts, placement, scaling, shapes, wall
from benchmarks.report import machine, spell_time

__all__ = ["PARTS", "measure_grid"]

PARTS: dict[str, Any] = {
    "counts": counts,
    "ablation": ablation,
    "shapes": shapes,
    "placement": placement,
    "scaling": scaling,
    "wall": wall,
}


def measure_grid(
    parts: Iterable[str], trials: int, folder: Path, tell: Callable[[str], None], quick: bool
) -> tuple[str, list[Path]]:
    """Measure some parts; the report of all that ``folder`` has in Markdown, and its pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / "grid.json"
    found = json.loads(kept.read_text()) if kept.exists() and not quick else {}
    with edgewise.threads(1):
        for name in parts:
            start = time.perf_counter()
            rows = PARTS[name].measure(trials, tell, quick)
            took = time.perf_counter() - start
            found[name] = {"date": date.today().isoformat(), "machine": machine(), "rows": rows}
            kept.write_text(json.dumps(found, indent=1))
            tell(f"{name} is done in {spell_time(took)}")
    text = "\n\n".join(
        part.markdown(found[name]["rows"], found[name])
        for name, part in PARTS.items()
        if found.get(name, {}).get("rows")
    )
    (folder / "grid.md").write_text(f"# grid\n\n{text}\n")
    return text, _pictures(found, folder)


def _pictures(found: dict[str, Any], folder: Path) -> list[Path]:
    """The pictures of the parts that have one, where matplotlib is installed."""
    try:
        import matplotlib
    except ImportError:
        return []
    matplotlib.rcParams["svg.hashsalt"] = "grid"  # the same picture has the same bytes
    made = []
    for name, part in PARTS.items():
        if found.get(name, {}).get("rows") and hasattr(part, "draw"):
            made.append(folder / f"grid-{name}.svg")
            figure = part.draw(found[name]["rows"])
            figure.savefig(made[-1], metadata={"Date": None})
    return made
