"""Ranks that stay alive between calls, for a notebook or a script: `edgewise.cluster`.

The caller starts one process per rank (see `edgewise.distributed.starters`) and talks to each over
a socket, after both sides have proven a key that is made for this cluster. Ranks talk to each
other over TCP. Graphs live on the ranks; the caller holds a `ClusterGraph`, and an algorithm that
is called on it runs on all ranks and returns gathered results.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import secrets
import select
import selectors
import socket
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from edgewise.base.checks import check_count
from edgewise.distributed.cluster_graph import ClusterGraph, numbers_of
from edgewise.distributed.comm import RankError
from edgewise.distributed.cut import Cut
from edgewise.distributed.estimating import needs, shortage
from edgewise.distributed.grid import check_shape
from edgewise.distributed.handshake import accept, listen, receive, send, send_bytes
from edgewise.distributed.keeper import signal_name
from edgewise.distributed.rank import PEER_LOST
from edgewise.distributed.rank_tasks import GraphInfo
from edgewise.distributed.rank_threads import cause
from edgewise.distributed.starters import End, Starter, starter_for
from edgewise.graph.foreign import as_graph

__all__ = ["Cluster", "cluster"]

_GRACE_S = 3.0  # for ranks to end by themselves
_POLL_S = 0.2


def cluster(
    ranks: int | None = None,
    *,
    client: Any = None,
    grid: Any = None,
    device: str = "cpu",
    threads: int | None = None,
    timeout: float | None = None,
    start_timeout: float = 120.0,
) -> Cluster:
    """Return a cluster: ranks that are started now and stay alive until the ``with`` block ends.

    Parameters
    ----------
    ranks : int, optional
        The number of ranks: by default 4 processes on this machine, or one per worker of
        ``client``.
    client : distributed.Client or the module ray, optional
        A Dask or Ray cluster whose workers run the ranks. Edgewise must be installed there.
    grid : "2x3" or pair of int, optional
        The rows and columns of the grid; by default as square as possible.
    device : str
        The device of the ranks: "cpu", or "cuda" for one GPU per rank.
    threads : int, optional
        Threads of each rank; by default the cores of the machine or worker are shared.
    timeout : float, optional
        The time limit of each call in seconds; a call that exceeds it ends the cluster.
    start_timeout : float
        The time limit in seconds for all ranks to start.

    Returns
    -------
    Cluster

    Raises
    ------
    RankError
        If a rank does not start, with the end of its log as a note.

    Examples
    --------
    >>> import edgewise as ew
    >>> with ew.cluster(ranks=2) as c:
    ...     graph = c.distribute(ew.generators.path(5))
    ...     ew.bfs(graph, 0).distance.tolist()
    [0, 1, 2, 3, 4]
    """
    if not hasattr(select, "poll"):
        raise OSError("edgewise.cluster runs on Linux and macOS alone")
    if ranks is not None:
        check_count(ranks, "ranks", 1)
    if threads is not None:
        check_count(threads, "threads", 1)
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout must be positive, got {timeout!r}")
    if not start_timeout > 0:
        raise ValueError(f"start_timeout must be positive, got {start_timeout!r}")
    starter = starter_for(client, ranks, threads)
    shape = check_shape(grid, starter.ranks)
    return Cluster(starter, f"{shape[0]}x{shape[1]}", device, timeout, start_timeout)


class Cluster:
    """The ranks that `edgewise.cluster` has started; a context manager."""

    def __init__(
        self, starter: Starter, grid: str, device: str, timeout: float | None, limit: float
    ) -> None:
        self.ranks, self.grid, self.device = starter.ranks, grid, device
        self._starter, self._timeout = starter, timeout
        self._controls: list[socket.socket] = []
        self._dropped: list[int] = []  # graphs that nobody refers to any more
        self._lock = threading.RLock()
        self._over = ""  # why the cluster has ended
        self._end = weakref.finalize(self, _end, starter, self._controls, os.getpid())
        try:
            self.pids, self.hosts = self._start(limit)
        except BaseException:
            self.close()
            raise

    def distribute(
        self, graph: Any, *, distribution: str = "striped", seed: int = 0
    ) -> ClusterGraph:
        """Return a graph spread over the ranks; each is sent its own edges alone.

        MemoryError is raised before anything is sent if the graph cannot fit into the free memory
        of the ranks' machines (see `edgewise.distributed.estimate`).

        Parameters
        ----------
        graph : Graph
            A graph in host memory, or one of another library.
        distribution : {"striped", "block", "random"}
            How vertices are assigned to ranks; ``seed`` determines the random assignment.
        """
        graph = as_graph(graph)
        if isinstance(graph, ClusterGraph) or graph.engine != "local":
            raise TypeError(f"graph must be a Graph, got {type(graph).__name__}")
        graph = graph.to("cpu")
        places: dict[str, Any] = {"distribution": distribution, "seed": seed}
        shape = check_shape(self.grid, self.ranks)
        error, warning = shortage(self._same("free"), needs(graph, shape))
        if error:
            raise MemoryError(error)
        if warning:
            warnings.warn(warning, stacklevel=2)
        cut = Cut(graph, shape, **places)
        known = graph.num_vertices, graph.directed, places, graph.labels
        parts = [(*known, cut.part(rank), cut.part_of_columns(rank)) for rank in range(self.ranks)]
        return self._made(self._call("assemble", parts))

    def read(self, path: str | os.PathLike, **options: Any) -> ClusterGraph:
        """Return a graph read from a file by all ranks, each its own range.

        The ranks must see the file at the same path. The options are those of
        `edgewise.distributed.read`.
        """
        for name in ("grid", "device"):
            if name in options:
                raise TypeError(f"{name} belongs to the cluster: edgewise.cluster({name}=...)")
        place = str(path) if "://" in str(path) or "filesystem" in options else str(
            Path(path).absolute())  # fmt: skip
        return self._made(self._same("read", place, options))

    def run(self, function: Callable[..., Any], *args: Any, **options: Any) -> list[Any]:
        """Run ``function(comm, *args, **options)`` on all ranks and return the results by rank.

        A `ClusterGraph` in the arguments is each rank's graph on the grid. Functions of a notebook
        or script, and lambdas, require the package ``cloudpickle``.
        """
        load, packed = _portable((function, numbers_of(args, self), numbers_of(options, self)))
        return self._same("program", load, packed)

    def log(self, rank: int) -> str:
        """Return the end of what a rank has printed; on Dask and Ray, once the rank has ended."""
        check_count(rank, "rank", 0)
        if rank >= self.ranks:
            raise ValueError(f"rank must lie in 0..{self.ranks - 1}, got {rank}")
        return self._starter.log(rank)

    def close(self) -> None:
        """End all ranks. Graphs on them are lost."""
        self._over = self._over or "it was closed"
        self._end()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = f"ended: {self._over}" if self._over else "alive"
        return f"Cluster({self.ranks} ranks, {self.grid}, {self.device}, {state})"

    def _start(self, limit: float) -> tuple[list[int], list[str]]:
        """Start the ranks and introduce them to one another."""
        end, key = time.monotonic() + limit, secrets.token_bytes(32)
        with listen(self._starter.bind) as server:
            told = {"address": server.getsockname()[:2], "key": key.hex(), "limit": limit,
                    "grid": self.grid, "device": self.device}  # fmt: skip
            self._starter.start([json.dumps(told | {"rank": k}) for k in range(self.ranks)])
            found: dict[int, tuple] = {}
            while len(found) < self.ranks:
                try:
                    control = accept(server, key, _POLL_S)
                except TimeoutError:
                    self._look(set(range(self.ranks)) - {*found}, end, limit)
                    continue
                rank, *about = receive(control)
                found[rank] = (control, *about)
        self._controls += [found[rank][0] for rank in range(self.ranks)]
        for control in self._controls:
            send(control, [found[rank][1] for rank in range(self.ranks)])
        self._answers(end - time.monotonic())
        return [found[k][2] for k in range(self.ranks)], [found[k][3] for k in range(self.ranks)]

    def _look(self, missing: set[int], end: float, limit: float) -> None:
        """RankError if one of the ranks that are not there yet will not come."""
        for rank in sorted(missing):
            if (how := self._starter.ended(rank)) is not None:
                raise _death(rank, how)
        if time.monotonic() > end:
            raise RankError(f"rank {min(missing)} has not started after {limit:g} s")

    def _made(self, infos: list[GraphInfo]) -> ClusterGraph:
        return ClusterGraph(self, infos[0])

    def _same(self, task: str, *arguments: Any) -> list[Any]:
        """The same call on all ranks."""
        return self._call(task, [arguments] * self.ranks)

    def _call(self, task: str, arguments: list[tuple]) -> list[Any]:
        """Have every rank perform a task with its arguments; the answers by rank."""
        with self._lock:
            if self._over:
                raise RankError(f"the cluster has ended: {self._over}")
            dropped = [self._dropped.pop() for _ in range(len(self._dropped))]
            same = all(one is arguments[0] for one in arguments)
            packed = _request(task, dropped, arguments[0]) if same else b""
            try:
                for control, one in zip(self._controls, arguments, strict=True):
                    with contextlib.suppress(OSError):  # it has died: `_answers` tells
                        send_bytes(control, packed or _request(task, dropped, one))
                outcomes = self._answers(self._timeout)
            except BaseException as error:
                self._over = cause(error)
                self.close()
                raise
        _raise_failure(outcomes)
        return [pickle.loads(answer) for _, answer in outcomes]

    def _answers(self, limit: float | None) -> list[Any]:
        """One answer of each rank; RankError if one dies or all take too long."""
        end = None if limit is None else time.monotonic() + limit
        found: dict[int, Any] = {}
        with selectors.DefaultSelector() as waiting:
            for rank, control in enumerate(self._controls):
                waiting.register(control, selectors.EVENT_READ, rank)
            while len(found) < self.ranks:
                for ready, _ in waiting.select(_POLL_S):
                    try:
                        found[ready.data] = receive(self._controls[ready.data])
                    except (EOFError, OSError):
                        raise self._first_death(ready.data) from None
                    waiting.unregister(ready.fileobj)
                if end is not None and time.monotonic() > end:
                    missing = min(set(range(self.ranks)) - {*found})
                    raise RankError(f"rank {missing} has not answered after {limit:g} s")
        if any(one[0] == "failed" and one[3] for one in found.values()):
            raise self._first_death(0)
        return [found[rank] for rank in range(self.ranks)]

    def _first_death(self, suspect: int) -> RankError:
        """The rank that died first: not one that ended because another did."""
        end = time.monotonic() + 2 * _GRACE_S
        ends: dict[int, End] = {}
        while time.monotonic() < end:
            for rank in range(self.ranks):
                if (how := self._starter.ended(rank)) is not None:
                    ends[rank] = how
            for rank, how in ends.items():
                if how.code not in (0, PEER_LOST):
                    return _death(rank, how)
            time.sleep(0.02)
        how = ends.get(suspect, End(None, self._starter.log(suspect)))
        return _death(suspect, how)


def _request(task: str, dropped: list[int], arguments: tuple) -> bytes:
    inner = pickle.dumps((dropped, *arguments), protocol=5)
    return pickle.dumps((task, inner), protocol=5)


def _raise_failure(outcomes: list[Any]) -> None:
    """Raise the error of the ranks: itself if all have it, else which rank failed first."""
    failures = {rank: one for rank, one in enumerate(outcomes) if one[0] == "failed"}
    if not failures:
        return
    errors = {rank: pickle.loads(one[1]) for rank, one in failures.items()}
    own = {rank: error for rank, error in errors.items() if not isinstance(error, RankError)}
    rank, error = min((own or errors).items())
    if len({cause(one) for one in errors.values()}) == 1 and len(errors) == len(outcomes):
        error.add_note(f"raised on all {len(outcomes)} ranks; on rank {rank}:\n{failures[rank][2]}")
        raise error
    failure = RankError(f"rank {rank} failed: {cause(error)}" if own else str(error))
    failure.add_note(failures[rank][2])
    raise failure from error


def _death(rank: int, how: End) -> RankError:
    why = f"ended with code {how.code}"
    if how.code is None:
        why = "its connection was lost"
    elif how.code < 0:
        why = f"killed by {signal_name(-how.code)}"
    error = RankError(f"rank {rank} failed: {why}")
    error.add_note(f"the end of its log:\n{how.log}" if how.log else "its log is empty")
    return error


def _portable(thing: tuple) -> tuple[Callable[[bytes], Any], bytes]:
    """How to load a function and its arguments elsewhere, and what to load."""
    function = thing[0]
    try:
        if getattr(function, "__module__", None) == "__main__":
            raise ValueError("it is defined in the notebook or script itself")
        return pickle.loads, pickle.dumps(thing, protocol=5)
    except Exception as error:  # of many types, as objects pickle themselves
        try:
            import cloudpickle
        except ImportError:
            name = getattr(function, "__qualname__", repr(function))
            raise ValueError(
                f"{name} must be a function of a module for other processes to import: "
                f"{cause(error)}; or pip install cloudpickle"
            ) from error
        return cloudpickle.loads, cloudpickle.dumps(thing, protocol=5)


def _end(starter: Starter, controls: list[socket.socket], owner: int) -> None:
    """End all ranks: they leave when their connections close. Not from a forked child."""
    if os.getpid() != owner:
        return
    for control in controls:
        with contextlib.suppress(OSError):
            control.shutdown(socket.SHUT_RDWR)
        control.close()
    starter.stop(_GRACE_S)
