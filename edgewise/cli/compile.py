"""``edgewise compile``: prepare the kernels ahead, so that no later run waits for the compiler.

Every algorithm of the table runs on small graphs of the usual kinds, every file format is written
and read, and a graph is profiled; what that compiles is kept on disk and found by every later
process. With ``--device cuda``, the algorithms that run on a GPU run there.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated

import typer

from edgewise.algorithms import ALGORITHMS, Algorithm
from edgewise.cli.sample import run_on_sample, sample_graph
from edgewise.cli.terminal import number, seconds, show, steps
from edgewise.cli.usage_errors import suggestion
from edgewise.io import FORMATS

__all__ = ["compile"]

_WEIGHTS = (None, "float64", "float32", "int64", "int32")


def compile(
    algorithms: Annotated[
        list[str] | None,
        typer.Argument(metavar="ALGORITHM...", help="The algorithms to compile (default: all)."),
    ] = None,
    device: Annotated[
        str, typer.Option(metavar="NAME", help="The device: cpu, cuda or cuda:N.")
    ] = "cpu",
    quiet: bool = False,
) -> None:
    """Compile the kernels of all algorithms ahead of time, for the usual kinds of graphs."""
    from edgewise.base.cache import cache_directory

    sample_graph(False).to(device)  # an error before anything is compiled
    kind = device.partition(":")[0]
    names = [_checked(name, kind) for name in algorithms or _names(kind)]
    jobs = [job for name in names for job in _algorithm_jobs(ALGORITHMS[name], device)]
    if not algorithms and kind == "cpu":
        jobs += [(f"{name} files", partial(_files, name)) for name in FORMATS]
        jobs += [("profile", _profile)]
    start = time.perf_counter()
    with steps(len(jobs), quiet=quiet, get_time=time.perf_counter) as step:
        for text, job in jobs:
            step(text)
            job()
    if not quiet:
        kept = sum(1 for _ in cache_directory().glob("*.kernel"))
        took = seconds(time.perf_counter() - start)
        show(f"{number(kept)} kernels in {cache_directory()}, ready after {took}")


def _names(kind: str) -> list[str]:
    """The algorithms that run on this kind of device."""
    return [name for name, row in ALGORITHMS.items() if kind in row.engines]


def _checked(name: str, kind: str) -> str:
    if name in ALGORITHMS:
        if kind not in ALGORITHMS[name].engines:
            raise ValueError(f"{name} does not run on {kind}; it needs the graph in host memory")
        return name
    near = suggestion(name, ALGORITHMS)
    hint = f"did you mean {near}?" if near else "edgewise run --help lists them"
    raise ValueError(f"there is no algorithm {name!r}; {hint}")


def _algorithm_jobs(row: Algorithm, device: str) -> list[tuple[str, Callable[[], None]]]:
    """One job per direction and weight type that the algorithm tells apart."""
    directions = (False,) if "undirected" in row.needs else (False, True)
    weights = _WEIGHTS if "weights" in row.needs else (None,)
    jobs: list[tuple[str, Callable[[], None]]] = []
    for directed, kind in product(directions, weights):
        text = f"{row.name}, {'directed' if directed else 'undirected'}"
        job = partial(run_on_sample, row, directed, kind, lambda graph: graph.to(device))
        jobs.append((f"{text}, {kind}" if kind else text, job))
    return jobs


def _files(name: str) -> None:
    """Write and read a small graph; a format whose library is not installed is left out."""
    from edgewise.io import read, write

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of weights that the format has no place for
        for weights in (None, "int32"):
            path = Path(folder) / f"graph{FORMATS[name].suffixes[-1 if weights else 0]}"
            try:
                write(sample_graph(False, weights), path, format=name)
                read(path, format=name)
            except ImportError:
                return


def _profile() -> None:
    from edgewise.cli.profile import measure

    for directed in (False, True):
        measure(sample_graph(directed, None), samples=2)
