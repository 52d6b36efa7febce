"""Where the ranks of `edgewise.cluster` run: on this machine, on Dask workers, or on Ray nodes.

A starter starts one process per rank, which reads a line from standard input (see
`edgewise.distributed.rank`), and tells how it ended: an exit code and the last lines of its log.
The key travels in that line: through a pipe here, else through the channels of Dask or Ray.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlparse

from edgewise.distributed.launcher import environment

__all__ = ["DaskStarter", "End", "LocalStarter", "RayStarter", "Starter", "starter_for"]

_COMMAND = (sys.executable, "-m", "edgewise.distributed.rank")
_LOG_BYTES = 8000


class End(NamedTuple):
    """How a rank's process ended: its exit code, negative for a signal, and the end of its log."""

    code: int | None
    log: str


class Starter(Protocol):
    """Starts the processes of all ranks."""

    ranks: int
    #: The interface on which the caller listens.
    bind: str

    def start(self, lines: list[str]) -> None:
        """Start all ranks; each is given its line."""

    def ended(self, rank: int) -> End | None:
        """How a rank ended; None while it runs."""

    def log(self, rank: int) -> str:
        """The last lines that a rank has printed."""

    def stop(self, grace: float) -> None:
        """End all processes that still run after ``grace`` seconds."""


def starter_for(client: Any, ranks: int | None, threads: int | None) -> Starter:
    """The starter for a client: None, a Dask client, or the module ``ray``."""
    if client is None:
        return LocalStarter(4 if ranks is None else ranks, threads)
    home = type(client).__module__.partition(".")[0]
    if home == "distributed":
        return DaskStarter(client, ranks, threads)
    if getattr(client, "__name__", "") == "ray":
        return RayStarter(client, ranks, threads)
    raise TypeError(
        "client must be a distributed.Client of Dask or the module ray, "
        f"got {type(client).__name__}"
    )


class LocalStarter:
    """Ranks as processes of this machine; their logs are files of a temporary folder."""

    bind = "127.0.0.1"

    def __init__(self, ranks: int, threads: int | None) -> None:
        self.ranks, self.threads = ranks, threads
        self.folder: tempfile.TemporaryDirectory | None = None
        self.processes: list[subprocess.Popen] = []

    def start(self, lines: list[str]) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="edgewise-cluster-")
        for rank, line in enumerate(lines):
            with self._path(rank).open("wb") as log:
                self.processes.append(start_process(line, log, self.ranks, self.threads))

    def ended(self, rank: int) -> End | None:
        code = self.processes[rank].poll()
        return None if code is None else End(code, self.log(rank))

    def log(self, rank: int) -> str:
        return tail(self._path(rank))

    def stop(self, grace: float) -> None:
        end = time.monotonic() + grace
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))
            if process.poll() is None:
                process.kill()
                process.wait()
        if self.folder is not None:
            self.folder.cleanup()

    def _path(self, rank: int) -> Path:
        assert self.folder is not None
        return Path(self.folder.name) / f"{rank}.log"


class DaskStarter:
    """One rank per Dask worker, as a process of the worker; it leaves the worker's slots free."""

    def __init__(self, client: Any, ranks: int | None, threads: int | None) -> None:
        if getattr(client, "asynchronous", False):
            raise ValueError("client must be a synchronous Dask client, got an asynchronous one")
        workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
        if ranks is not None and ranks > len(workers):
            raise ValueError(
                f"ranks must be at most the number of Dask workers ({len(workers)}), got {ranks}"
            )
        if not workers:
            raise ValueError("client must have at least one worker, got none")
        self.client, self.threads = client, threads
        self.workers = workers[:ranks]
        self.ranks = len(self.workers)
        self.bind = interface_to(urlparse(client.scheduler.address).hostname)
        self.futures: list[Any] = []

    def start(self, lines: list[str]) -> None:
        self.futures = [
            self.client.submit(
                on_dask_worker, line, self.threads, workers=[worker], allow_other_workers=False,
                pure=False, retries=0, key=f"edgewise-rank-{rank}-{os.urandom(8).hex()}",
            )
            for rank, (line, worker) in enumerate(zip(lines, self.workers, strict=True))
        ]  # fmt: skip

    def ended(self, rank: int) -> End | None:
        future = self.futures[rank]
        if not future.done():
            return None
        if future.status == "finished":
            return End(*future.result())
        return End(None, f"the Dask task on worker {self.workers[rank]} was {future.status}")

    def log(self, rank: int) -> str:
        end = self.ended(rank)
        return "(on the worker, until the rank ends)" if end is None else end.log

    def stop(self, grace: float) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be gone, and with it the workers
            from distributed import wait

            wait(self.futures, timeout=grace)
        with contextlib.suppress(Exception):
            self.client.cancel(self.futures)


class RayStarter:
    """One rank per Ray node by default, or ``ranks`` spread over the nodes."""

    def __init__(self, ray: Any, ranks: int | None, threads: int | None) -> None:
        nodes = [node for node in ray.nodes() if node["Alive"]]
        self.ray, self.threads = ray, threads
        self.ranks = len(nodes) if ranks is None else ranks
        self.bind = ray.util.get_node_ip_address()
        self.tasks: list[Any] = []

    def start(self, lines: list[str]) -> None:
        rank = self.ray.remote(on_node)
        cores = 1 if self.threads is None else self.threads
        rank = rank.options(num_cpus=cores, max_retries=0, scheduling_strategy="SPREAD")
        self.tasks = [rank.remote(line, cores) for line in lines]

    def ended(self, rank: int) -> End | None:
        done, _ = self.ray.wait([self.tasks[rank]], timeout=0)
        if not done:
            return None
        try:
            return End(*self.ray.get(done[0]))
        except Exception as error:  # the node or the worker process is lost
            return End(None, f"the Ray task ended: {error}")

    def log(self, rank: int) -> str:
        end = self.ended(rank)
        return "(on the node, until the rank ends)" if end is None else end.log

    def stop(self, grace: float) -> None:
        self.ray.wait(self.tasks, num_returns=len(self.tasks), timeout=grace)
        for task in self.tasks:
            self.ray.cancel(task, force=True)


def on_dask_worker(line: str, threads: int | None) -> tuple[int, str]:
    """A Dask task that runs a rank to its end; the worker's slot is free meanwhile."""
    from distributed import get_worker, secede

    cores = get_worker().state.nthreads if threads is None else threads
    secede()
    return on_node(line, cores)


def on_node(line: str, threads: int | None) -> tuple[int, str]:
    """Run a rank as a process of this one, to its end: its exit code, and the end of its log."""
    with tempfile.NamedTemporaryFile(prefix="edgewise-rank-") as log:
        process = start_process(line, log, 1, threads)
        try:
            code = process.wait()
        finally:
            process.kill()
            process.wait()
        return code, tail(Path(log.name))


def start_process(line: str, log: Any, ranks: int, threads: int | None) -> subprocess.Popen:
    """Start a rank that prints to a file; it is given its line."""
    own = environment(ranks)
    if threads is not None:
        own["EDGEWISE_NUM_THREADS"] = str(threads)
    process = subprocess.Popen(
        _COMMAND, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, env=own,
        start_new_session=True,  # Ctrl-C reaches the caller alone
    )  # fmt: skip
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin as pipe:  # it has died: `ended` tells
        pipe.write(line.encode() + b"\n")
    return process


def tail(path: Path) -> str:
    """The end of a log."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _LOG_BYTES))
        return file.read().decode("utf-8", errors="replace").strip()
    return ""


def interface_to(host: str | None) -> str:
    """The address of this machine on the way to another; no packet is sent.

    >>> interface_to("127.0.0.1")
    '127.0.0.1'
    """
    if host is None:  # a scheduler inside this process
        return "127.0.0.1"
    family, kind, protocol, _, address = socket.getaddrinfo(host, 9, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.connect(address)
        return probe.getsockname()[0]
