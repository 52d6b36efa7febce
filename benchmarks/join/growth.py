"""How the search for candidates grows with the number of titles, at two thresholds.

Hits are entries of lists of the index, those read are in the range of sizes that can match. Both
are exact, whatever else the machine does; seconds are those of one run each.
"""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.driver import use_threads
from benchmarks.join.titles import titles
from benchmarks.peer import Peer
from benchmarks.report import machine, spell_bytes, spell_time, table

__all__ = ["measure_join_growth"]

_COUNTS, _THRESHOLDS = (550_000, 1_100_000, 2_200_000), (0.8, 0.7)
_STAGES = ("tokens", "index", "candidates", "verification")


def measure_join_growth(
    limit: float, folder: Path, tell: Callable[[str], None], *, quick: bool = False
) -> str:
    """Measure every number of titles; the report in Markdown, also written to ``folder``."""
    use_threads(2)
    rows: list[dict[str, Any]] = []
    folder.mkdir(parents=True, exist_ok=True)
    for threshold in _THRESHOLDS:
        for count in (1000, 2000) if quick else _COUNTS:
            with Peer(_joined, count) as peer:
                found = peer.ask({"threshold": threshold}, limit)
            row = {"note": found} if isinstance(found, str) else found
            rows.append({"titles": count, "threshold": threshold} | row)
            tell(f"{rows[-1]}")
            (folder / "join-growth.json").write_text(json.dumps(rows, indent=1) + "\n")
    text = _markdown(rows)
    (folder / "join-growth.md").write_text(f"# join-growth\n\n{text}\n")
    return text


def _joined(count: int) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """In a process of its own: the titles, and the join of them."""
    from edgewise.join import fuzzy_join

    made = titles(count)

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        fuzzy_join(made[:200], separator=" ", **asked)  # compiles
        found = fuzzy_join(made, separator=" ", **asked)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return {"tally": found.tally, "seconds": found.seconds, "peak": peak}

    return answer


def _markdown(rows: list[dict[str, Any]]) -> str:
    lines = []
    for row in rows:
        named = [f"{row['threshold']:g}", f"{row['titles']:,}"]
        if "note" in row:
            lines.append([*named, row["note"], *[""] * 9])
            continue
        tally, seconds = row["tally"], row["seconds"]
        lines.append([
            *named, f"{tally['prefix']:,}", f"{tally['prefix'] / row['titles']:.1f}",
            f"{tally['length']:,}", f"{tally['pairs']:,}",
            *(spell_time(seconds[name]) for name in (*_STAGES, "in all")),
            spell_bytes(row["peak"]),
        ])  # fmt: skip
    head = ["threshold", "titles", "hits", "hits a title", "read", "pairs", *_STAGES]
    return (
        f"Measured on {machine()}, 2 threads: `python -m benchmarks join --growth`. Hits "
        "are exact; seconds are those of one run on a machine that others used too.\n\n"
        + table([*head, "in all", "peak memory"], lines)
    )
