"""Small NetworkX scripts with and without the backend: does any of them become slower?

Every script of `networkx_scripts` runs in a process of its own, by turns without the backend, with
the backend installed, and with NX_EDGEWISE_AUTOCONFIG. The processor time of the whole process
counts, with all imports.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["SCRIPTS", "environments", "measure_scripts", "register"]

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = {path.stem: path for path in sorted((ROOT / "benchmarks/networkx_scripts").glob("*.py"))}


def register(folder: Path) -> None:
    """Write metadata of a package into a folder, so that NetworkX finds the backend there."""
    info = folder / "edgewise_entry_points-0.dist-info"
    info.mkdir(exist_ok=True)
    about = "Metadata-Version: 2.1\nName: edgewise-entry-points\nVersion: 0\n"
    (info / "METADATA").write_text(about)
    (info / "entry_points.txt").write_text(
        "[networkx.backends]\nedgewise = edgewise.networkx:backend\n"
        "[networkx.backend_info]\nedgewise = _edgewise_networkx:get_info\n"
    )


#: A module that hides an installed backend from NetworkX.
_HIDE = """
import importlib.metadata as metadata
_all = metadata.entry_points
metadata.entry_points = lambda **chosen: [
    one for one in _all(**chosen) if one.name != "edgewise"
]
"""


def environments(folder: Path) -> dict[str, dict[str, str]]:
    """Variables for a process that lacks the backend, has it switched off, and switched on."""
    register(folder)
    left_out = ("NX_", "NETWORKX_", "PYTHONDONTWRITEBYTECODE")
    plain = {name: one for name, one in os.environ.items() if not name.startswith(left_out)}
    plain["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    plain["PYTHONHASHSEED"] = "0"  # the order of sets, and so the work of some functions
    paths = os.pathsep.join([str(ROOT), str(folder)])
    hidden = folder / "hidden"
    hidden.mkdir(exist_ok=True)
    (hidden / "sitecustomize.py").write_text(_HIDE)
    return {
        "absent": plain | {"PYTHONPATH": str(hidden)},
        "off": plain | {"PYTHONPATH": paths},
        "on": plain | {"PYTHONPATH": paths, "NX_EDGEWISE_AUTOCONFIG": "True"},
    }


def measure_scripts(
    trials: int, folder: Path | None, tell: Callable[[str], Any], names: Any = tuple(SCRIPTS)
) -> dict[str, dict[str, Any]]:
    """Measure scripts; the least and the median processor time of each, and what it printed."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as where:
        ways = environments(Path(where))
        for name in names:
            seconds: dict[str, list[float]] = {way: [] for way in ways}
            output = {way: _run(name, ways[way])[1] for way in ways}  # kernels are compiled
            for _ in range(trials):
                for way in ways:
                    seconds[way].append(_run(name, ways[way])[0])
            found[name] = {
                **{way: min(seconds[way]) for way in ways},
                "ratio": min(seconds["on"]) / min(seconds["off"]),
                "median ratio": median(seconds["on"]) / median(seconds["off"]),
                "same": output["on"] == output["off"] == output["absent"],
            }
            tell(f"{name}: {found[name]}")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "networkx-scripts.json").write_text(json.dumps(found, indent=1) + "\n")
        (folder / "networkx-scripts.md").write_text(report(found))
    return found


def _run(name: str, environment: dict[str, str]) -> tuple[float, str]:
    """The processor time of a script, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(SCRIPTS[name])],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, done.stdout


def report(found: dict[str, dict[str, Any]]) -> str:
    """A table of the scripts."""
    lines = [
        "# NetworkX scripts with the backend",
        "",
        "Processor seconds of whole processes, least of several by turns: the backend is absent,",
        "installed, and switched on by NX_EDGEWISE_AUTOCONFIG=True. The ratio is that of the last",
        "two. With any backend installed, NetworkX takes longer for each call.",
        "",
        "| script | absent | off | on | ratio |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, row in found.items():
        times = " | ".join(f"{row[way]:.3f} s" for way in ("absent", "off", "on"))
        lines.append(f"| {name} | {times} | {row['ratio']:.3f} |")
    return "\n".join(lines) + "\n"
