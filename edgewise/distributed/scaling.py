"""Six algorithms on more and more ranks, measured, and by the model that the links were fitted to.

Part of ``python -m edgewise.distributed.check``. Strong scaling keeps the graph, an R-MAT with
weights; weak scaling keeps the number of arcs per rank. The model takes the counts of
`simulate_grid` on a smaller graph, scaled to the size of the measured one, and the links that were
measured. How fast a rank computes is taken from the smallest measured grid; all other measured
times test the model.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from edgewise.distributed.comm import Communicator
from edgewise.distributed.cut import Cut
from edgewise.distributed.draws import generate
from edgewise.distributed.grid import Grid, check_shape
from edgewise.distributed.pricing import Model
from edgewise.distributed.simulation import simulate_grid
from edgewise.generators.kronecker import rmat
from edgewise.generators.weights import random_weights
from edgewise.graph.kinds import AnyGraph

__all__ = ["SIX", "by_model", "model_of", "modeled", "scaled", "sizes_up_to"]

_SEED, _HIGH = 1, 255
_CLOCKS = ("computing", "talking", "waiting")
_LINK = ("latency_s", "bandwidth_bytes_per_s")
_LEAST = 0.05  # the least share of a measured time that is taken for computation


def _sum(values: Any) -> float:
    whole = values.gather()
    whole = whole if isinstance(whole, np.ndarray) else whole.get()
    return float(whole[np.isfinite(whole)].astype(np.float64).sum())


#: The algorithms by name: whether they start at a vertex, and a number that stands for the answer.
SIX: dict[str, tuple[bool, Callable[[Any], float]]] = {
    "bfs": (True, lambda found: _sum(found[0])),
    "sssp": (True, lambda found: _sum(found[0])),
    "pagerank": (False, lambda found: _sum(found * found)),
    "connected_components": (False, _sum),
    "core_number": (False, _sum),
    "triangle_count": (False, float),
}


def sizes_up_to(ranks: int, *, quick: bool) -> list[int]:
    """The numbers of ranks that are measured.

    >>> sizes_up_to(24, quick=False), sizes_up_to(2, quick=True)
    ([1, 4, 16, 24], [1, 2])
    """
    powers = [1] if quick else [4**k for k in range(10) if 4**k < ranks]
    return sorted({*powers, ranks})


def scale_on(ranks: int, scale: int) -> int:
    """The scale of the graph of weak scaling: about as many arcs for each rank."""
    return scale + round(np.log2(ranks))


def scaled(
    comm: Communicator, device: str, scale: int, sizes: list[int], *, repeats: int
) -> list[dict[str, Any]]:
    """Return a row for each algorithm, number of ranks and kind of scaling. Collective."""
    rows: list[dict[str, Any]] = []
    for kind in ("strong", "weak"):
        for size in sizes:
            here = scale if kind == "strong" else scale_on(size, scale)
            part = comm.split(int(comm.rank >= size), comm.rank)
            if comm.rank < size:
                for row in _runs(part, device, here, repeats):
                    rows.append({"kind": kind, "ranks": size, "scale": here, **row})
            comm.barrier()
    return comm.gather_objects(rows)[0]


def _runs(comm: Communicator, device: str, scale: int, repeats: int) -> list[dict[str, Any]]:
    grid, rows = Grid(comm), []
    graph = generate("rmat", grid=grid, scale=scale, seed=_SEED, high=_HIGH).to(device)
    source = int(np.argmax(_host(graph.degrees().gather())))
    for name, (rooted, answer) in SIX.items():
        run = _call(name, graph, source if rooted else None)
        found, best = answer(run()), float("inf")  # the first call compiles
        for _ in range(repeats):
            comm.barrier()
            begin = time.perf_counter()
            run()
            comm.barrier()
            best = min(best, time.perf_counter() - begin)
        rows.append({"algorithm": name, "edges": graph.num_edges, "answer": found,
                     "seconds": float(comm.allreduce(np.array([best]), "max")[0])})  # fmt: skip
    return rows


def _call(name: str, graph: AnyGraph, source: int | None) -> Callable[[], Any]:
    function = getattr(sys.modules["edgewise"], name)  # public names; no layer to the right
    return lambda: function(graph) if source is None else function(graph, source)


def _host(array: Any) -> np.ndarray:
    return array if isinstance(array, np.ndarray) else array.get()


def modeled(
    comm: Communicator, model: Model, scale: int, sizes: list[int], *, most: int
) -> list[dict[str, Any]]:
    """Return the modeled times for each algorithm, number of ranks and kind. Collective.

    Each rank simulates some of them, on a graph of at most scale ``most``.
    """
    jobs = [(name, size, kind) for size in sizes for name in SIX for kind in ("strong", "weak")]
    small = min(scale, most)
    mine = jobs[comm.rank :: comm.size]
    rows = [_simulated(*job, model, scale, small) for job in reversed(mine)]
    every = [row for part in comm.gather_objects(rows) for row in part]
    return sorted(every, key=lambda row: (row["kind"], row["ranks"], list(SIX).index(row["name"])))


def _simulated(
    name: str, ranks: int, kind: str, model: Model, scale: int, small: int
) -> dict[str, Any]:
    stands = scale if kind == "strong" else scale_on(ranks, scale)
    graph = rmat(small, seed=_SEED)
    graph = random_weights(graph, "integer", high=_HIGH, seed=_SEED)
    shape = check_shape(None, ranks)
    cut = Cut(graph, shape)
    source = int(np.argmax(graph.degrees()))

    def program(comm: Communicator) -> None:
        with comm.phase("set-up"):
            block = cut.block(Grid(comm, shape))
        _call(name, block, source if SIX[name][0] else None)()

    report = simulate_grid(program, ranks, model=model.scaled(2.0 ** (stands - small))).report
    parts = np.array([report.per_rank(part) - report.per_rank(part, "set-up") for part in _CLOCKS])
    clocks = parts.sum(axis=0)
    last = int(np.argmax(clocks))
    computing = float(parts[0, last])
    return {"name": name, "ranks": ranks, "kind": kind, "scale": stands,
            "computing": computing, "talking": float(clocks[last] - computing)}  # fmt: skip


def by_model(
    measured: list[dict[str, Any]], modeled: list[dict[str, Any]]
) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """How much faster each algorithm computes than the model's rates, and all rows side by side.

    >>> measured = [dict(algorithm="bfs", kind="strong", ranks=k, seconds=s, scale=8)
    ...             for k, s in ((4, 3.0), (16, 1.5))]
    >>> model = [dict(name="bfs", kind="strong", ranks=k, scale=8, computing=c, talking=1.0)
    ...          for k, c in ((4, 4.0), (16, 1.0))]
    >>> speed, rows = by_model(measured, model)
    >>> speed["bfs"], [(row["model_s"], row["measured_s"]) for row in rows]
    (2.0, [(3.0, 3.0), (1.5, 1.5)])
    """
    seconds = {(row["algorithm"], row["kind"], row["ranks"]): row["seconds"] for row in measured}
    known = {(row["name"], row["kind"], row["ranks"]): row for row in modeled}
    speed: dict[str, float] = {}
    for name in dict.fromkeys(row["name"] for row in modeled):
        least = [one[2] for one in seconds if one[:2] == (name, "strong") and one in known]
        if least:
            base = (name, "strong", min(least))
            left = max(seconds[base] - known[base]["talking"], _LEAST * seconds[base])
            speed[name] = known[base]["computing"] / left
    rows = [
        {"algorithm": row["name"], "kind": row["kind"], "ranks": row["ranks"],
         "scale": row["scale"], "talking_s": row["talking"],
         "model_s": row["computing"] / speed[row["name"]] + row["talking"],
         "measured_s": seconds.get((row["name"], row["kind"], row["ranks"]))}
        for row in modeled if row["name"] in speed
    ]  # fmt: skip
    return speed, rows


def model_of(network: Model, links: dict[str, Any], ranks_per_node: int) -> Model:
    """The model of a machine whose links were measured; what was not is that of ``network``."""
    found = replace(network, name="measured", ranks_per_node=ranks_per_node)
    for group, prefix in (("between nodes", ""), ("inside a node", "node_")):
        if link := links.get(group):
            parts = {f"{prefix}{part}": getattr(link, part) for part in _LINK}
            known = {part: value for part, value in parts.items() if value is not None}
            found = replace(found, **known)
    return found
