"""``edgewise run ... --grid 2x2`` under ``mpiexec``: all ranks run the command, rank 0 speaks.

Every rank reads its part of the file and runs the algorithm on it. A rank that fails ends all of
them with one message.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import typer

from edgewise.base.compiling import clock
from edgewise.base.threads import set_threads
from edgewise.cli.reading import GraphFile
from edgewise.cli.result_files import Result, check_suffix, write_result
from edgewise.cli.result_tables import result_of
from edgewise.cli.streams import is_stream
from edgewise.cli.terminal import steps
from edgewise.cli.usage_errors import said
from edgewise.graph.kinds import AnyGraph

if TYPE_CHECKING:
    from edgewise.distributed.comm import Communicator

__all__ = [
    "COMPARE",
    "DEVICE",
    "DISTRIBUTION",
    "DISTRIBUTIONS",
    "GRID",
    "IN_ONE_ARRAY",
    "CHECKPOINT",
    "TIMEOUT",
    "Distribution",
    "Outcome",
    "Placement",
    "check_output",
    "run_on_grid",
]

PANEL = "Where it runs"
DISTRIBUTIONS = ("striped", "block", "random")
IN_ONE_ARRAY = ("vertices", "members", "order")  # what a .npy file takes
Distribution = Literal[DISTRIBUTIONS]  # type: ignore[valid-type]

GRID = Annotated[
    str | None,
    typer.Option(
        metavar="RxC",
        help="Run on R x C ranks of mpiexec. All ranks write -o FILE.npy; ids other than 0, 1, "
        "... are written to FILE.ids.npy.",
        rich_help_panel=PANEL,
    ),
]
DISTRIBUTION = Annotated[
    Distribution | None,
    typer.Option(
        metavar="|".join(DISTRIBUTIONS),
        help="How vertices are assigned to the ranks of a grid (default: striped).",
        rich_help_panel=PANEL,
    ),
]
DEVICE = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The device: cpu, cuda or cuda:N. On a grid, cuda shares the GPUs of each machine "
        "among its ranks.",
        rich_help_panel=PANEL,
    ),
]
TIMEOUT = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="The time that ranks of a grid wait for a stopped rank; 0 means no limit (default: "
        "$EDGEWISE_GRID_TIMEOUT, or 300).",
        rich_help_panel=PANEL,
    ),
]
CHECKPOINT = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Save the state of a long job on a grid every minute, and continue from there if the "
        "same command is started again after a crash.",
        rich_help_panel=PANEL,
    ),
]
COMPARE = Annotated[
    Literal["samples", "all"] | None,
    typer.Option(
        metavar="samples|all",
        help="Compare samples or all bytes of the file across ranks (default: samples).",
        rich_help_panel=PANEL,
    ),
]


class Placement(NamedTuple):
    """The options about where it runs, and the threads that were asked for."""

    grid: str | None
    distribution: str | None
    device: str
    threads: int | None
    timeout: float | None = None
    compare: str | None = None
    checkpoint: Path | None = None

    def check_alone(self) -> None:
        """ValueError for options that mean nothing without a grid."""
        for name in ("distribution", "timeout", "compare", "checkpoint"):
            if getattr(self, name) is not None:
                raise ValueError(f"--{name} requires --grid")


class Outcome(NamedTuple):
    """What rank 0 has to present; nothing on the others."""

    graph: AnyGraph
    result: Result | None
    seconds: float


def run_on_grid(
    name: str,
    row: Any,
    file: GraphFile,
    converters: dict[str, Callable],
    values: dict[str, Any],
    where: Placement,
    output: Path | None,
    *,
    quiet: bool,
) -> Outcome:
    """Run an algorithm on all ranks; the result is on rank 0."""
    from edgewise.distributed.mpi import world

    if is_stream(file.given_path) or is_stream(output):
        raise ValueError("--grid takes files that all ranks see, not standard input or output")
    if file.drops_directions:
        raise ValueError(f"--undirected: a grid reads {file.format} files as they are")
    comm = world(where.timeout)
    command = (name, str(file.path), file.format, file.options, values, where, str(output))

    def program() -> Outcome:
        comm.check_same("the command line", command)
        return _run(comm, name, row, file, converters, values, where, output, quiet)

    if comm.size == 1:
        return program()
    try:
        return program()
    except BaseException as error:
        comm.fail(_told(comm, error))
        os._exit(1)  # where the job outlives its end for a moment, say nothing more


def _run(
    comm: Communicator, name: str, row: Any, file: GraphFile, converters: dict, values: dict,
    where: Placement, output: Path | None, quiet: bool,
) -> Outcome:  # fmt: skip
    from edgewise.cli.run import columns_in, take
    from edgewise.distributed import checkpoint, read
    from edgewise.distributed.labels import whole_labels
    from edgewise.distributed.nccl import best
    from edgewise.distributed.output import collect, write_array, write_labels

    if "grid" not in row.engines:
        raise ValueError(f"{name} runs on one device alone; leave --grid out")
    if output is not None:
        check_output(name, row, output)
    file.keep_columns(columns_in(values))
    neighbors = _share_machine(comm, where.threads)
    device = _own_device(where.device, neighbors)
    with steps(3, quiet=quiet or comm.rank > 0) as step, ExitStack() as saving:
        step("reading")
        grid = _grid(best(comm, device), where.grid)
        chosen = {"distribution": where.distribution, "compare": where.compare}
        chosen = {key: value for key, value in chosen.items() if value is not None}
        options = {"format": file.format, "device": device, "algorithm": name, **chosen,
                   **file.options}  # fmt: skip
        with file.listening():
            graph = read(file.path, grid=grid, **options)
        file.tell(quiet=quiet or comm.rank > 0)
        given = take(graph, converters, values)
        if where.checkpoint is not None:  # until the result is written
            saving.enter_context(checkpoint(grid, where.checkpoint))
        step(name)
        comm.barrier()
        start = clock()
        found = row.load()(graph, **given)
        comm.barrier()
        took = min(comm.gather_objects(clock() - start))  # less the longest wait for a compiler
        step("writing")
        about: Any = _Told(graph, whole_labels(graph.labels), _ends_of(found))
        whole = collect(found)
        result = result_of(about, name, row.returns, whole) if comm.rank == 0 else None
        if output is not None and output.suffix == ".npy":
            write_array(found, output)
            if graph.labels is not None:
                write_labels(graph, output.with_suffix(".ids.npy"))
        elif output is not None and result is not None:
            write_result(result, output)
        comm.barrier()  # nobody leaves before the result is written
    return Outcome(about, result, took)


class _Told:
    """What rank 0 says about a graph: its sizes, all its labels, and its edges if needed."""

    def __init__(self, graph: AnyGraph, labels: Any, ends: Any) -> None:
        self.num_vertices, self.num_edges = graph.num_vertices, graph.num_edges
        self.directed, self.labels, self._ends = graph.directed, labels, ends

    def edges(self) -> tuple[Any, Any, None]:
        return *self._ends[:2], None

    def label(self, ids: Any) -> Any:
        return ids if self.labels is None else self.labels.label(ids)


def _ends_of(found: Any) -> Any:
    """On rank 0 the ends of all edges, if the result has a value for each. Collective."""
    from edgewise.distributed.arrays import ArcArray
    from edgewise.distributed.gathering import edge_values

    return edge_values(found, 0) if isinstance(found, ArcArray) else None


def _grid(comm: Communicator, shape: str | None) -> Any:
    from edgewise.distributed import Grid

    try:
        return Grid(comm, shape)
    except ValueError as error:
        if comm.size == 1 and "takes" in str(error):
            raise ValueError(f"{error}; start them as mpiexec -n RANKS edgewise run ...") from None
        raise


def check_output(name: str, row: Any, output: Path) -> None:
    """ValueError if a result of the algorithm cannot go to the file."""
    if output.suffix != ".npy":
        check_suffix(output)
    elif row.returns not in IN_ONE_ARRAY:
        raise ValueError(f"a .npy file takes one value per vertex, {name} gives more: use .npz")


def _share_machine(comm: Communicator, threads: int | None) -> tuple[int, int]:
    """Share the cores among the ranks of a machine; this rank's number among them, and theirs."""
    hosts = comm.gather_objects(socket.gethostname())
    here = [rank for rank, host in enumerate(hosts) if host == hosts[comm.rank]]
    if threads is None and "EDGEWISE_NUM_THREADS" not in os.environ:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        set_threads(max(1, (cores or 1) // len(here)))
    return here.index(comm.rank), len(here)


def _own_device(device: str, neighbors: tuple[int, int]) -> str:
    """The GPU of this rank, if ``cuda`` names none: they are dealt out in turn."""
    if device != "cuda":
        return device
    from edgewise.base.cuda.device import array_module, simulated

    if simulated():
        return device
    return f"cuda:{neighbors[0] % array_module().cuda.runtime.getDeviceCount()}"


def _told(comm: Communicator, error: BaseException) -> BaseException:
    """The error as the last line of a command: without a traceback, unless one is wanted."""
    from edgewise.distributed.comm import RankError

    plain = isinstance(error, (ValueError, TypeError, OSError, RuntimeError, ImportError))
    if isinstance(error, RankError) or not plain:
        return error
    what = f"{type(error).__name__}: {said(str(error))}"
    return RankError(f"rank {comm.rank} of {comm.size} failed: {what}")
