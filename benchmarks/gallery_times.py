"""The scripts of NetworkX's gallery with and without the backend: do they print the same?

The gallery is the folder ``examples`` of NetworkX's sources; none of it is kept here. Every script
runs in a process and a copy of its folder of its own, without a display: twice without the backend
and twice with NX_EDGEWISE_AUTOCONFIG. What differs between the first two is random. Scripts that
fail without the backend need packages or a network that are missing.
"""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.script_times import environments

__all__ = ["measure_gallery"]

#: Seconds after which a script is given up, and how its rows are told.
_LIMIT = 300
_TOLD = {True: "same", False: "DIFFERENT", None: "random"}


def measure_gallery(gallery: Path, folder: Path | None, tell: Callable[[str], Any]) -> str:
    """Run all scripts below a folder; a table, which is also written to ``folder``."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as where:
        ways = environments(Path(where))
        for path in sorted(gallery.rglob("*.py")):
            runs = [_run(path, ways[way], Path(where)) for way in ("absent", "absent", "on", "on")]
            name = str(path.relative_to(gallery))
            if any(run is None for run in runs[:2]):
                tell(f"{name}: does not run without the backend")
                continue
            seconds, printed = zip(*(run or (None, None) for run in runs), strict=True)
            found[name] = {
                "absent": min(seconds[:2]),
                "on": None if None in seconds[2:] else min(seconds[2:]),
                "same": printed[1] == printed[2] if printed[0] == printed[1] else None,
                "printed": [printed[1], printed[2]],
            }
            tell(_line(name, found[name]))
    text = _report(found)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "networkx-gallery.json").write_text(json.dumps(found, indent=1) + "\n")
        (folder / "networkx-gallery.md").write_text(text)
    return text


def _run(path: Path, environment: dict[str, str], where: Path) -> tuple[float, str] | None:
    """The processor seconds of a script and what it printed; None if it failed."""
    copy = where / "copy"
    shutil.copytree(path.parent, copy)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", path.name],
            env=environment | {"MPLBACKEND": "Agg"}, cwd=copy, capture_output=True, text=True,
            check=True, timeout=_LIMIT,
        )  # fmt: skip
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        return None
    finally:
        shutil.rmtree(copy)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def _line(name: str, row: dict[str, Any]) -> str:
    if row["on"] is None:
        return f"| {name} | {row['absent']:.2f} s | fails | | DIFFERENT |"
    cells = f"{row['absent']:.2f} s", f"{row['on']:.2f} s", f"{row['on'] / row['absent']:.3f}"
    return f"| {name} | {' | '.join(cells)} | {_TOLD[row['same']]} |"


def _report(found: dict[str, dict[str, Any]]) -> str:
    """A table of the scripts that run, and how many print the same."""
    kinds = [_line(name, row).split(" | ")[-1].strip(" |") for name, row in found.items()]
    counts = ", ".join(f"{kinds.count(one)} {one}" for one in sorted({*kinds}))
    absent, on = (sum(row[way] or 0.0 for row in found.values()) for way in ("absent", "on"))
    lines = [
        "# NetworkX's gallery with the backend",
        "",
        f"{len(found)} scripts run: {counts}. They take {absent:.1f} s without the backend and",
        f"{on:.1f} s with it (processor time of whole processes).",
        "",
        "| script | absent | on | ratio | prints |",
        "|---|---:|---:|---:|---|",
        *(_line(name, row) for name, row in found.items()),
    ]
    return "\n".join(lines) + "\n"
