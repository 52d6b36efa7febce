"""``python -m edgewise.distributed.check``: is this cluster right, how fast is it, does it scale?

Under ``mpiexec`` or ``srun`` the ranks of the job are checked; without it, ranks that are started
on this machine. Each communicator that is there is verified and measured (see
`edgewise.distributed.measuring`), the best of them runs six algorithms on more and more ranks (see
`edgewise.distributed.scaling`), and all figures go to one file: a report in Markdown with the same
figures as JSON at its end.
"""

from __future__ import annotations

import argparse
import os
import platform
import secrets
import socket
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from edgewise.base.checks import check_choice
from edgewise.base.cuda.device import array_module, simulated
from edgewise.base.errors import DeviceError
from edgewise.base.memory import total_memory
from edgewise.base.threads import get_threads
from edgewise.distributed.cluster import cluster
from edgewise.distributed.comm import Communicator
from edgewise.distributed.handshake import listen
from edgewise.distributed.keeper import place
from edgewise.distributed.launcher import find_mpiexec, launch
from edgewise.distributed.measuring import doubts, fit, groups, measure, module_of, verify
from edgewise.distributed.mesh import join
from edgewise.distributed.nccl import best
from edgewise.distributed.pricing import MODELS
from edgewise.distributed.rank_tasks import own_device
from edgewise.distributed.rank_threads import cause
from edgewise.distributed.reporting import differing_answers, markdown
from edgewise.distributed.scaling import by_model, model_of, modeled, scaled, sizes_up_to
from edgewise.distributed.starters import interface_to
from edgewise.distributed.tcp import TcpCommunicator
from edgewise.io.files import atomic_write

__all__ = ["Settings", "main", "on_ranks"]

_PACKAGES = ("edgewise", "numpy", "numba", "mpi4py", "mpich", "cupy-cuda12x", "cupy-cuda13x")
_JOIN_S = 20.0


class Settings(NamedTuple):
    """What to measure, on all ranks alike."""

    quick: bool
    scale: int
    device: str
    network: str
    model_ranks: tuple[int, ...]

    @property
    def sizes(self) -> list[int]:
        """The bytes that a rank brings to a collective."""
        return [8, 1 << 12, 1 << 22] if self.quick else [8, 256, 1 << 12, 1 << 16, 1 << 20, 1 << 24]


def main(arguments: list[str] | None = None) -> int:
    """Check, write the report, and return the exit code: 1 if something was wrong."""
    given = _parser().parse_args(arguments)
    settings = _settings(given)
    under = place()
    if under is not None and under[1] > 1:
        found = _under_mpi(settings)
        if found is None:  # rank 0 writes
            return 0
    else:
        found = _here(settings, given.ranks)
    return _finish(found, Path(given.output))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m edgewise.distributed.check", description=(
        "Verify the communicators of a cluster, measure them and the scaling of six algorithms, "
        "and write one report."))  # fmt: skip
    add = parser.add_argument
    add("-o", "--output", default="edgewise-check.md", help="the report (edgewise-check.md)")
    add("--quick", action="store_true", help="small graphs, few sizes: seconds in place of minutes")
    add("--scale", type=int, help="strong scaling: an R-MAT graph of 2**SCALE vertices (20)")
    add("--device", default="auto", help="cpu, cuda, or auto: GPUs if every rank has one")
    add("--ranks", type=int, default=4, help="ranks to start where mpiexec did not (4)")
    add("--network", default="infiniband", help="the model of links that are not measured: "
        + " or ".join(MODELS))  # fmt: skip
    add("--model-ranks", help="ranks to predict, with commas (100,400)")
    return parser


def _settings(given: argparse.Namespace) -> Settings:
    check_choice(given.network, "--network", MODELS)
    check_choice(given.device, "--device", ("auto", "cpu", "cuda"))
    scale = given.scale if given.scale is not None else 8 if given.quick else 20
    words = (given.model_ranks or ("16" if given.quick else "100,400")).split(",")
    if not all(word.strip().isdigit() and 2 <= int(word) <= 4096 for word in words):
        raise ValueError(f"--model-ranks must be numbers from 2 to 4096, got {given.model_ranks!r}")
    for name, value, low, high in (("--scale", scale, 4, 40), ("--ranks", given.ranks, 1, 4096)):
        if not low <= value <= high:
            raise ValueError(f"{name} must lie in {low}..{high}, got {value}")
    return Settings(given.quick, scale, given.device, given.network, tuple(map(int, words)))


def on_ranks(comm: Communicator, settings: Settings, scaling: bool) -> dict[str, Any]:
    """Check one communicator on all its ranks; rank 0's answer is complete. Collective."""
    device = _device(comm, settings.device)
    fast = best(comm, device)
    names = comm.gather_objects(socket.gethostname())
    nodes = [list(dict.fromkeys(names)).index(name) for name in names]
    found: dict[str, Any] = {
        "ranks": comm.size, "nodes": nodes, "machines": comm.gather_objects(_machine(device)),
        "communicators": {}, "missing": {}, "tables": {},
    }  # fmt: skip
    links: dict[str, Any] = {}
    found["communicators"][_name(comm)] = about = _checked(comm, settings, nodes, "cpu", links)
    if fast is not comm:
        links.clear()
        found["communicators"]["NCCL"] = _checked(fast, settings, nodes, device, links)
    elif _name(comm) == "MPI":
        found["missing"]["NCCL"] = _why_no_nccl(device)
    if scaling and set(about["right"].values()) == {"right"}:
        found |= _scaling(fast, settings, device, nodes, links)
    return found


def _checked(
    comm: Communicator, settings: Settings, nodes: list[int], device: str, links: dict[str, Any]
) -> dict[str, Any]:
    """Verify a communicator and measure all its ranks, those of a node, and one rank per node."""
    xp = module_of(comm, device)
    found: dict[str, Any] = {"right": verify(comm, xp), "groups": {}}
    parts: dict[str, Communicator | None] = {"all ranks": comm}
    if len({*nodes}) > 1:
        parts |= groups(comm, nodes)
    for name, part in parts.items():
        if part is not None and part.size > 1:
            rows = measure(part, settings.sizes, xp)
            link = fit(rows)
            found["groups"][name] = {"ranks": part.size, "rows": rows, **link._asdict()}
        comm.barrier()
    for name in parts:
        fitted = comm.gather_objects(found["groups"].get(name))
        if (first := next((one for one in fitted if one), None)) is not None:
            found["groups"][name] = first
            links[name] = fit(first["rows"])
    if len({*nodes}) == 1 and "all ranks" in links:
        links["inside a node"] = links["all ranks"]
    return found


def _scaling(
    comm: Communicator, settings: Settings, device: str, nodes: list[int], links: dict[str, Any]
) -> dict[str, Any]:
    """The measured times of six algorithms, and those of the model."""
    sizes = sizes_up_to(comm.size, quick=settings.quick)
    rows = scaled(comm, device, settings.scale, sizes, repeats=1 if settings.quick else 3)
    most = max(nodes.count(node) for node in set(nodes))
    model = model_of(MODELS[settings.network], links, most)
    wanted = sorted({*(size for size in sizes if size > 1), *settings.model_ranks})
    times = modeled(comm, model, settings.scale, wanted, most=8 if settings.quick else 11)
    speed, compared = by_model(rows, times)
    return {"scaling": rows, "model": vars(model), "speed": speed, "compared": compared,
            "scaled with": _name(comm)}  # fmt: skip


def _under_mpi(settings: Settings) -> dict[str, Any] | None:
    """The report of the ranks that ``mpiexec`` has started, on rank 0."""
    if find_spec("mpi4py") is None:
        sys.exit("edgewise: this job has ranks, but MPI needs mpi4py: pip install 'edgewise[mpi]'")
    from edgewise.distributed.mpi import world

    comm = world()
    found = on_ranks(comm, settings, True)
    about, missing = _over_tcp(comm, settings, found["nodes"])
    found["communicators"] |= about
    found["missing"] |= missing
    found["started by"] = "mpiexec"
    return found if comm.rank == 0 else None


def _over_tcp(
    comm: Communicator, settings: Settings, nodes: list[int]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The same ranks over TCP, as `edgewise.cluster` connects them."""
    hosts = comm.gather_objects(socket.gethostname())
    key = comm.gather_objects(secrets.token_bytes(32) if comm.rank == 0 else None)[0]
    other = next((host for host in hosts if host != hosts[comm.rank]), None)
    server: Any = None
    try:
        server = listen(interface_to(other))
        failure = ""
    except OSError as error:
        failure = cause(error)
    addresses = comm.gather_objects(None if server is None else server.getsockname()[:2])
    mesh: Any = None
    if None not in addresses:
        try:
            mesh = join(comm.rank, server, addresses, key, _JOIN_S)
        except (OSError, EOFError) as error:
            failure = cause(error)
    if server is not None:
        server.close()
    failures = comm.gather_objects(failure)
    if wrong := next((f"rank {k}: {one}" for k, one in enumerate(failures) if one), ""):
        return {}, {"TCP": f"the ranks cannot connect: {wrong}"}
    about = _checked(TcpCommunicator(mesh), settings, nodes, "cpu", {})
    comm.barrier()
    mesh.close()
    return {"TCP": about}, {}


def _here(settings: Settings, ranks: int) -> dict[str, Any]:
    """The report of ranks that are started on this machine, with all that can start them."""
    tries: dict[str, Callable[[bool], dict[str, Any]]] = {
        "MPI": lambda scaling: launch(on_ranks, settings, scaling, ranks=ranks)[0],
        "TCP": lambda scaling: _on_cluster(settings, ranks, scaling),
        "threads": lambda scaling: launch(
            on_ranks, settings._replace(device="cpu"), scaling, ranks=ranks, backend="threads"
        )[0],
    }
    found: dict[str, Any] = {}
    missing: dict[str, str] = {}
    for name, start in tries.items():
        try:
            if name == "MPI":
                _check_mpi()
            one = start("scaling" not in found)
        except Exception as error:  # of many types: whatever it is, the report says it
            missing[name] = cause(error)
            continue
        about = {**found.get("communicators", {}), **one["communicators"]}
        missing |= one.pop("missing")
        found = {**one, **found, "communicators": about}
    if not found:
        sys.exit("edgewise: no ranks could be started: " + "; ".join(missing.values()))
    missing.setdefault("NCCL", "needs MPI, and a GPU for every rank")
    return found | {"missing": missing, "started by": "this command, on one machine"}


def _check_mpi() -> None:
    """ImportError or FileNotFoundError, which say how to get it, if there is no MPI."""
    if find_spec("mpi4py") is None:
        raise ImportError("MPI needs mpi4py: pip install 'edgewise[mpi]'")
    find_mpiexec()


def _on_cluster(settings: Settings, ranks: int, scaling: bool) -> dict[str, Any]:
    with cluster(ranks) as started:
        return started.run(on_ranks, settings._replace(device="cpu"), scaling)[0]


def _name(comm: Communicator) -> str:
    kinds = {"MpiCommunicator": "MPI", "NcclCommunicator": "NCCL", "TcpCommunicator": "TCP"}
    return kinds.get(type(comm).__name__, "threads")


def _device(comm: Communicator, wanted: str) -> str:
    """The device of this rank: a GPU if that is wanted, or if every rank has one. Collective."""
    if wanted == "cpu":
        return "cpu"
    try:
        found = own_device("cuda", comm) if _has_gpu() or wanted == "cuda" else "cpu"
    except (DeviceError, ImportError):
        found = "cpu"
    every = comm.gather_objects((socket.gethostname(), found))
    own = "cpu" not in {device for _, device in every} and len({*every}) == comm.size
    return found if own or (wanted == "cuda" and found != "cpu") else "cpu"


def _has_gpu() -> bool:
    try:
        return not simulated() and array_module().cuda.runtime.getDeviceCount() > 0
    except Exception:  # of CuPy and of the driver, of many types
        return False


def _why_no_nccl(device: str) -> str:
    if not _has_gpu():
        return "no GPU, or no CuPy: pip install 'edgewise[gpu]'"
    if find_spec("cupy") is not None and device == "cpu":
        return "not every rank has a GPU of its own"
    return "CuPy has no NCCL here: `import cupy.cuda.nccl` must work"


def _machine(device: str) -> dict[str, Any]:
    """What the machine of this rank is; not its name."""
    found: dict[str, Any] = {
        "system": platform.platform(), "python": platform.python_version(),
        "cores": os.cpu_count(), "threads": get_threads(), "memory": total_memory(),
        "device": device,
    }  # fmt: skip
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    if device != "cpu":
        facts = array_module().cuda.runtime.getDeviceProperties(int(device.partition(":")[2] or 0))
        found |= {"gpu": facts["name"].decode(), "gpu memory": int(facts["totalGlobalMem"])}
    if find_spec("mpi4py") is not None and "mpi4py.MPI" in sys.modules:
        found["MPI"] = sys.modules["mpi4py.MPI"].Get_library_version().splitlines()[0]
    return found


def _finish(found: dict[str, Any], path: Path) -> int:
    """Write the report and say in a few lines what is in it."""
    found["date"] = time.strftime("%Y-%m-%d %H:%M:%S")
    with atomic_write(path) as file:
        file.write(markdown(found).encode())
    wrong = False
    for row in differing_answers(found):
        wrong = True
        print(f"{row['algorithm']} on {row['ranks']} ranks: another answer than on fewer")
    for name, about in found["communicators"].items():
        faults = [f"{one}: {text}" for one, text in about["right"].items() if text != "right"]
        wrong = wrong or bool(faults)
        print(f"{name}: {'; '.join(faults) or 'right'}")
    for name, about in found["communicators"].items():
        for group, link in about["groups"].items():
            if text := doubts(link):
                print(f"{name}, {group}: {text}")
    for name, why in found["missing"].items():
        print(f"{name}: not checked: {why}")
    print(f"The report is in {path}")
    return int(wrong)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, OSError) as error:
        sys.exit(f"edgewise: {error}")
