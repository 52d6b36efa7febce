"""Other programs that choose seeds or simulate, where environment variables say where they are.

``EDGEWISE_RIPPLES`` is a folder with Ripples' ``imm`` and ``opimc``; ``EDGEWISE_SUBSIM`` and
``EDGEWISE_OPIM`` are the programs of the authors of these methods; ``EDGEWISE_INFLUENCE_PYTHON`` is
a Python with pynetim, ndlib and cynetdiff. All that choose promise 1 - 1/e - epsilon of the best
with probability 1 - 1/n. Each answers in a process of its own with its seconds (by its own clock,
without reading the graph), its samples, its seeds, and the peak memory of that process; or with a
note that says why not. The limit of time is for the whole process.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.influence.problems import Asked, Files

__all__ = ["choosers", "simulators"]

#: Given a graph's files, a problem, and a limit of time in seconds, what a program has found.
Chooser = Callable[[Files, Asked, float], dict[str, Any]]
#: Given a graph's files, a task of `packages`, and a limit, how far the runs of a library spread.
Simulator = Callable[[Files, dict[str, Any], float], dict[str, Any]]

_HERE = Path(__file__).parent


def choosers() -> dict[str, Chooser]:
    """Those that are there, by name."""
    found: dict[str, Chooser] = {}
    if ripples := os.environ.get("EDGEWISE_RIPPLES"):
        found["Ripples IMM (1 thread)"] = partial(_ripples, ripples, "imm", 1)
        found["Ripples IMM"] = partial(_ripples, ripples, "imm", 2)
        found["Ripples OPIM-C"] = partial(_ripples, ripples, "opimc", 2)
    if opim := os.environ.get("EDGEWISE_OPIM"):
        found["OPIM-C"] = partial(_opim, opim)
    if subsim := os.environ.get("EDGEWISE_SUBSIM"):
        found["SUBSIM"] = partial(_subsim, subsim)
    if python := os.environ.get("EDGEWISE_INFLUENCE_PYTHON"):
        found["pynetim IMM"] = partial(_pynetim, python, "imm")
        found["pynetim OPIM-C"] = partial(_pynetim, python, "opim")
    return found


def simulators() -> dict[str, Simulator]:
    """The libraries that simulate, if there is a Python for them."""
    python = os.environ.get("EDGEWISE_INFLUENCE_PYTHON")
    names = ("pynetim", "cynetdiff", "ndlib") if python else ()
    return {name: partial(_simulate, python, name) for name in names}


def _simulate(
    python: str, library: str, files: Files, task: dict[str, Any], limit: float
) -> dict[str, Any]:
    return _package(python, files, {"do": "simulate", "library": library, **task}, limit)


def _ripples(
    folder: str, program: str, threads: int, files: Files, asked: Asked, limit: float
) -> dict[str, Any]:
    output = files.folder / "ripples.json"
    output.unlink(missing_ok=True)
    command = [f"{folder}/{program}", "-i", files.weighted(), "-w", "--disable-renumbering",
               "-d", asked.short, "-k", asked.k, "-e", asked.epsilon, "-o", output]  # fmt: skip
    if threads > 1:
        command += ["-p", "--streaming-cpu-teams", threads]
    if program == "opimc":
        command += ["--delta", 1 / files.num_vertices]
    found = _run(command, limit, OMP_NUM_THREADS=threads)
    if "note" in found:
        return found
    (record,) = json.loads(output.read_text())
    samples = sum(record["RRRSetsGenerated"]) if program == "opimc" else record["Theta"]
    return {
        "seconds": record["Total"] / 1000, "samples": samples, "seeds": record["Seeds"],
        "peak": found["peak"],
    }  # fmt: skip


def _subsim(program: str, files: Files, asked: Asked, limit: float) -> dict[str, Any]:
    if asked.short != "IC":
        return {"note": "it has no such model"}
    format = ["-func=format", "-pdist=wc"]
    return _published(program, "subsim", format, ["-func=im"], files, asked, limit)


def _opim(program: str, files: Files, asked: Asked, limit: float) -> dict[str, Any]:
    choose = ["-func=1", "-alg=opim-c", f"-model={asked.short}"]
    return _published(program, "opim", ["-func=0"], choose, files, asked, limit)


def _published(
    program: str, place: str, format: list[str], choose: list[str], files: Files, asked: Asked,
    limit: float,
) -> dict[str, Any]:  # fmt: skip
    """SUBSIM and OPIM-C, of one root: they read a form of the graph that they have made before."""
    path = files.listed(place)
    where = ["-gname=graph", f"-dir={path.parent}"]
    formed = path.with_name("graph.vec.rvs.graph")
    if not formed.exists():
        made = _run([program, *format, *where], limit)  # one of them ends with 1 when all is well
        if not formed.exists():
            return {"note": made.get("note", "it has formed no graph")}
    seeds = path.with_name("result") / "seed"
    for old in seeds.glob("*"):
        old.unlink()
    more = [f"-outpath={seeds.parent}", f"-seedsize={asked.k}", f"-eps={asked.epsilon}"]
    found = _run([program, *choose, *where, *more], limit)
    if "note" in found:
        return found
    (written,) = seeds.glob("*")
    told = dict(re.findall(r"\|([^:\n]+): (\S+)", found["text"]))
    return {
        "seconds": float(told["Time (sec)"]), "samples": int(told["#RR sets"]),
        "ratio": float(told["Approx."]), "seeds": [int(one) for one in written.read_text().split()],
        "peak": found["peak"],
    }  # fmt: skip


def _pynetim(python: str, method: str, files: Files, asked: Asked, limit: float) -> dict[str, Any]:
    task = {"do": "choose", "method": method, "model": asked.short, "k": asked.k}
    return _package(python, files, {**task, "epsilon": asked.epsilon}, limit)


def _package(python: str, files: Files, task: dict[str, Any], limit: float) -> dict[str, Any]:
    path = files.folder / "task.json"
    path.write_text(json.dumps({**task, "arrays": str(files.arrays())}))
    found = _run([python, str(_HERE / "packages.py"), path], limit)
    if "note" in found:
        return found
    return {**json.loads(found["text"].splitlines()[-1]), "peak": found["peak"]}


def _run(command: list[Any], limit: float, **environment: Any) -> dict[str, Any]:
    """What a program has printed and its peak memory, or a note."""
    words = [sys.executable, "-S", str(_HERE / "weigh.py"), str(limit)]
    settings = os.environ | {name: str(value) for name, value in environment.items()}
    done = subprocess.run(
        [*words, *map(str, command)], capture_output=True, text=True, env=settings, check=True
    )
    found = json.loads(done.stdout)
    if found["status"] is None:
        return {"note": f">{limit:g} s"}
    if found["status"]:
        lines = found["text"].strip().splitlines() or ["no word"]
        return {"note": f"ended with {found['status']}: {lines[-1][:100]}"}
    return found
