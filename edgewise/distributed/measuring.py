"""Is a communicator right, and how fast is it? Part of ``python -m edgewise.distributed.check``.

`verify` compares every collective with answers that are known beforehand. `measure` times them for
arrays of several sizes. `fit` finds the latency and the bandwidth with which the formulas of
`edgewise.distributed.pricing` come closest to these times.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from edgewise.distributed import pricing
from edgewise.distributed.comm import Communicator
from edgewise.distributed.pricing import Cost

__all__ = ["Link", "doubts", "fit", "groups", "measure", "module_of", "verify"]

_BLOCKS, _STEPS = 3, 50
#: The bandwidth is known if this share of the longest time is bytes. Errors above are doubtful.
_KNOWN, _DOUBTFUL = 0.2, 0.3
_TYPES = ("int32", "int64", "float32", "float64")


class Link(NamedTuple):
    """The latency of one step and the bandwidth that explain some times, and how well they do."""

    latency_s: float
    #: None if bytes explain too little of the times: the messages were too short.
    bandwidth_bytes_per_s: float | None
    #: The median of |model / measured - 1|.
    error: float


def module_of(comm: Communicator, device: str) -> Any:
    """NumPy, or CuPy where arrays of this communicator belong on a GPU."""
    if type(comm).__name__ == "NcclCommunicator":
        import cupy

        cupy.cuda.Device(int(device.partition(":")[2] or 0)).use()
        return cupy
    return np


def verify(comm: Communicator, xp: Any = np) -> dict[str, str]:
    """Return "right", or what was wrong, for each collective; the same on all ranks.

    >>> from edgewise.distributed.rank_threads import run_threads
    >>> set(run_threads(verify, 2)[0].values())
    {'right'}
    """
    found = {}
    for name, test in _TESTS.items():
        wrong = [one for one in comm.gather_objects(test(comm, xp)) if one]
        found[name] = wrong[0] if wrong else "right"
    return found


def _differs(comm: Communicator, what: str, found: Any, wanted: np.ndarray) -> str:
    found = found if isinstance(found, np.ndarray) else found.get()
    if found.dtype == wanted.dtype and np.array_equal(found, wanted):
        return ""
    return f"rank {comm.rank}: {what} is {found[:4]}, not {wanted[:4]}"


def _allreduce(comm: Communicator, xp: Any) -> str:
    folds, wrong = {"sum": np.add, "min": np.minimum, "max": np.maximum}, ""
    for kind in _TYPES:
        rows = [(np.arange(1000) * 7 + 3 * rank).astype(kind) for rank in range(comm.size)]
        for op, fold in folds.items():  # all of them, so that all ranks make the same calls
            found, wanted = comm.allreduce(xp.asarray(rows[comm.rank]), op), reduce(fold, rows)
            wrong = wrong or _differs(comm, f"the {op} of {kind}", found, wanted)
    return wrong


def _broadcast(comm: Communicator, xp: Any) -> str:
    wrong = ""
    for root in (0, comm.size - 1):
        found = comm.broadcast(xp.full(1000, float(comm.rank)), root)
        wanted = np.full(1000, float(root))
        wrong = wrong or _differs(comm, f"what rank {root} sends", found, wanted)
    return wrong


def _allgatherv(comm: Communicator, xp: Any) -> str:
    found, counts = comm.allgatherv(xp.full(10 * comm.rank, comm.rank, np.int64))
    wanted = np.repeat(np.arange(comm.size), 10 * np.arange(comm.size))
    if counts != [10 * rank for rank in range(comm.size)]:
        return f"rank {comm.rank}: the lengths are {counts}"
    return _differs(comm, "what all ranks have", found, wanted)


def _alltoallv(comm: Communicator, xp: Any) -> str:
    ranks = np.arange(comm.size)
    mine = np.repeat(1000 * comm.rank + ranks, ranks + 1)
    found, counts = comm.alltoallv(xp.asarray(mine), (ranks + 1).tolist())
    if counts != [comm.rank + 1] * comm.size:
        return f"rank {comm.rank}: the lengths are {counts}"
    return _differs(
        comm, "what is sent to it", found, np.repeat(1000 * ranks + comm.rank, comm.rank + 1)
    )


def _split(comm: Communicator, xp: Any) -> str:
    part = comm.split(comm.rank % 2, -comm.rank)
    found = part.allreduce(xp.asarray(np.array([comm.rank])))
    return _differs(comm, "the sum of a half", found, np.array([sum(range(comm.rank % 2, comm.size,
                                                                          2))]))  # fmt: skip


def _barrier(comm: Communicator, xp: Any) -> str:
    comm.barrier()
    return ""


_TESTS: dict[str, Callable[[Communicator, Any], str]] = {
    "allreduce": _allreduce,
    "broadcast": _broadcast,
    "allgatherv": _allgatherv,
    "alltoallv": _alltoallv,
    "split": _split,
    "barrier": _barrier,
}


def groups(comm: Communicator, nodes: list[int]) -> dict[str, Communicator | None]:
    """The ranks of a node, and the first rank of every node; None where that is no group.

    A rank that is not the first of its node has no group "between nodes". Collective.
    """
    per_node = np.bincount(nodes)
    inside: Communicator | None = comm.split(nodes[comm.rank], comm.rank)
    first = nodes.index(nodes[comm.rank]) == comm.rank
    between: Communicator | None = comm.split(0 if first else 1, comm.rank)
    return {
        "inside a node": inside if per_node.max() > 1 else None,
        "between nodes": between if len(per_node) > 1 and first else None,
    }


def measure(comm: Communicator, sizes: list[int], xp: Any = np) -> list[dict[str, Any]]:
    """Return a row for each collective and each number of bytes that every rank brings. Collective.

    ``seconds`` is the mean of many calls, of the rank that took longest, in the best of three.
    """
    rows = []
    with comm.agreed():
        for nbytes in sizes:
            for name, (call, cost) in _TIMED.items():
                count = max(nbytes // 8, comm.size if name == "alltoallv" else 1)
                array, calls = xp.zeros(count), max(2, min(100, (1 << 21) // max(nbytes, 1)))
                seconds = _timed(comm, call, array, calls, xp)
                found = cost(comm.size, 8 * count)
                row = {"collective": name, "bytes": 8 * count, "seconds": seconds}
                rows.append({**row, "steps": found.steps, "bytes on the way": int(found.nbytes)})
    return rows


def _timed(comm: Communicator, call: Callable, array: Any, calls: int, xp: Any) -> float:
    call(comm, array)
    best = float("inf")
    for _ in range(_BLOCKS):
        comm.barrier()
        begin = time.perf_counter()
        for _ in range(calls):
            call(comm, array)
        if xp is not np:
            xp.cuda.get_current_stream().synchronize()
        best = min(best, (time.perf_counter() - begin) / calls)
    return float(comm.allreduce(np.array([best]), "max")[0])


def _shares(comm: Communicator, array: Any) -> list[int]:
    ends = [len(array) * k // comm.size for k in range(comm.size + 1)]
    return [high - low for low, high in zip(ends, ends[1:], strict=False)]


def _pairs(size: int, nbytes: int) -> Cost:
    return pricing.alltoallv(np.full((size, size), nbytes // size))


_TIMED: dict[str, tuple[Callable[[Communicator, Any], Any], Callable[[int, int], Cost]]] = {
    "allreduce": (lambda comm, array: comm.allreduce(array), pricing.allreduce),
    "broadcast": (
        lambda comm, array: comm.broadcast(array, 0),
        lambda size, nbytes: pricing.broadcast(size, nbytes, 0),
    ),
    "allgatherv": (
        lambda comm, array: comm.allgatherv(array, [len(array)] * comm.size),
        lambda size, nbytes: pricing.allgatherv([nbytes] * size),
    ),
    "alltoallv": (lambda comm, array: comm.alltoallv(array, _shares(comm, array)), _pairs),
}


def fit(rows: list[dict[str, Any]]) -> Link:
    """Return the link whose modeled times differ least, as factors, from those of some rows.

    >>> rows = [{"steps": s, "bytes on the way": b, "seconds": 1e-5 * s + 1e-9 * b}
    ...         for s in (2, 4) for b in (8, 10**6)]
    >>> link = fit(rows)
    >>> float(f"{link.latency_s:.6g}"), float(f"{link.bandwidth_bytes_per_s:.6g}")
    (1e-05, 1000000000.0)
    """
    terms = np.array([[row["steps"], row["bytes on the way"]] for row in rows], float)
    terms /= np.array([row["seconds"] for row in rows])[:, None]
    guess = np.log(0.5 / terms.max(axis=0))  # neither explains more than half of any time
    for _ in range(_STEPS):  # Gauss-Newton on the logarithms of latency and seconds per byte
        parts = terms * np.exp(guess)
        slope = parts / parts.sum(axis=1, keepdims=True)
        step = np.linalg.lstsq(slope, -np.log(parts.sum(axis=1)), rcond=1e-6)[0]
        guess += step.clip(-1, 1)
    latency, per_byte = np.exp(guess).tolist()
    parts = terms * [latency, per_byte]
    error = float(np.median(np.abs(parts.sum(axis=1) - 1)))
    known = (parts[:, 1] / parts.sum(axis=1)).max() >= _KNOWN
    return Link(latency, 1 / per_byte if known else None, error)


def doubts(link: dict[str, Any]) -> str:
    """What a reader should know of a fit that is not good; empty if it is.

    >>> doubts({"latency_s": 1e-6, "bandwidth_bytes_per_s": 1e9, "error": 0.1})
    ''
    """
    parts = []
    if link["bandwidth_bytes_per_s"] is None:
        parts.append("the bandwidth is not known, as the messages were too short to show it")
    if link["error"] > _DOUBTFUL:
        parts.append(f"the model fits badly (median error {link['error']:.0%}), as on a busy "
                     "machine: repeat the check")  # fmt: skip
    return "; ".join(parts)
