"""``edgewise doctor``: what this installation has, what is missing, and how to get it."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from edgewise import __version__
from edgewise.base.memory import free_memory, total_memory
from edgewise.cli.terminal import number, print_json, say_bytes, show, table

__all__ = ["doctor"]

#: Extras that users install; the others are for work on Edgewise itself.
_EXTRAS = ("gpu", "mpi", "plot", "sensing")
#: A line of the package's own metadata: numba-cuda[cu13]>=0.30; extra == "gpu".
_REQUIREMENT = re.compile(
    r"(?P<name>[\w.-]+)(\[[\w,]+\])?\s*>=(?P<least>[\w.]+)[^;]*(;.*extra == ['\"](?P<extra>\w+))?"
)


class Finding(NamedTuple):
    """One check: what was looked at, what was found, is that good (None: optional and missing)."""

    group: str
    name: str
    found: str
    good: bool | None
    remedy: str = ""


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Check the installation: versions, threads, GPU, MPI, kernel cache and missing parts."""
    findings = [*_system(), *_packages(), *_threads(), *_kernels(), *_gpu(), *_mpi()]
    broken = [one for one in findings if one.good is False]
    if json:
        print_json({"good": not broken, "findings": [one._asdict() for one in findings]})
    else:
        for group in dict.fromkeys(one.group for one in findings):
            rows = [(one.name, _said(one)) for one in findings if one.group == group]
            show(table(group, rows))
        show("", "Everything that Edgewise needs is here." if not broken else
             f"{number(len(broken))} of {number(len(findings))} checks failed.")  # fmt: skip
    if broken:
        raise typer.Exit(1)


def _said(one: Finding) -> str:
    text = f"{one.found}: {one.remedy}" if one.remedy else one.found
    return f"FAILED: {text}" if one.good is False else text


def _system() -> Iterator[Finding]:
    folder = Path(__file__).parents[1]
    yield Finding("System", "Edgewise", f"{__version__} in {folder}", True)
    yield Finding("System", "Python", f"{platform.python_version()}, {sys.executable}", True)
    yield Finding("System", "machine", f"{platform.platform()}, {platform.machine()}", True)
    memory = f"{say_bytes(total_memory())}, {say_bytes(free_memory())} free"
    yield Finding("System", "memory", memory, True)


def _packages() -> Iterator[Finding]:
    """The packages that Edgewise needs, and those of its extras."""
    try:
        wanted = requires("edgewise") or []
    except PackageNotFoundError:
        found = "not checked, as Edgewise runs from a folder without being installed"
        yield Finding("Packages", "versions", found, None, "pip install --editable FOLDER")
        return
    for line in sorted(wanted, key=lambda line: "extra ==" in line):
        one = _REQUIREMENT.match(line)
        extra = one["extra"] if one else None
        left_out = re.search(r"platform_system != ['\"](\w+)", line)
        if left_out and left_out[1] == platform.system():
            continue
        if one and (extra is None or extra in _EXTRAS) and one["name"] != "edgewise":
            yield _package(one["name"], one["least"], extra)


def _package(name: str, least: str, extra: str | None) -> Finding:
    """Is it there, and new enough? What an extra brings may be missing."""
    group = f"Packages of the extra {extra}" if extra else "Packages"
    remedy = f"pip install 'edgewise[{extra}]'" if extra else f"pip install '{name}>={least}'"
    try:
        there = version(name)
    except PackageNotFoundError:
        return Finding(group, name, "not installed", None if extra else False, remedy)
    if _parts(there) < _parts(least):
        return Finding(group, name, f"{there}, older than {least}", False, remedy)
    return Finding(group, name, there, True)


def _parts(text: str) -> list[int]:
    """The numbers of a version.

    >>> _parts("2.10.0rc1") > _parts("2.9")
    True
    """
    return [int(part) for part in re.findall(r"\d+", text)]


def _threads() -> Iterator[Finding]:
    from edgewise.base.threads import get_threads

    asked = os.environ.get("EDGEWISE_NUM_THREADS")
    given = f", by EDGEWISE_NUM_THREADS={asked}" if asked else ""
    found = f"{number(get_threads())} of {number(os.cpu_count() or 1)} cores{given}"
    yield Finding("Threads", "in use", found, True)


def _kernels() -> Iterator[Finding]:
    """The folder of compiled kernels, and whether one compiles and runs."""
    from edgewise.base.store import cache_directory

    folder = cache_directory()
    files = list(folder.glob("*.kernel")) if folder.is_dir() else []
    held = f"{number(len(files))} kernels, {say_bytes(sum(one.stat().st_size for one in files))}"
    nearest = next(one for one in (folder, *folder.parents) if one.exists())
    writable = os.access(nearest, os.W_OK)
    remedy = "" if writable else "set EDGEWISE_CACHE_DIR to a folder that you may write to"
    yield Finding("Compiler", "kernel folder", f"{folder}, {held}", writable, remedy)
    yield _trial()


def _trial() -> Finding:
    from edgewise.algorithms.traversal import bfs
    from edgewise.generators import path

    try:
        distance = bfs.bfs(path(4), 0).distance.tolist()
    except Exception as error:  # whatever it is, the user is to see it
        return Finding("Compiler", "trial run", f"{type(error).__name__}: {error}", False)
    good = distance == [0, 1, 2, 3]
    return Finding("Compiler", "trial run", "works" if good else f"found {distance}", good)


def _gpu() -> Iterator[Finding]:
    from edgewise.base.cuda import device
    from edgewise.base.errors import DeviceError

    try:
        device.device_number("cuda")
        import cupy
    except (DeviceError, ImportError) as error:
        yield Finding("GPU", "CUDA", str(error), None)
        return
    if device.simulated():
        yield Finding("GPU", "CUDA", "simulated on the CPU (NUMBA_ENABLE_CUDASIM)", None)
        return
    for number_of in range(cupy.cuda.runtime.getDeviceCount()):
        facts = cupy.cuda.runtime.getDeviceProperties(number_of)
        name, memory = facts["name"].decode(), say_bytes(facts["totalGlobalMem"])
        yield Finding("GPU", f"cuda:{number_of}", f"{name}, {memory}", True)


def _mpi() -> Iterator[Finding]:
    from edgewise.distributed.launcher import find_mpiexec

    try:
        found = find_mpiexec()
    except (ImportError, OSError) as error:
        yield Finding("MPI", "mpiexec", str(error), None)
        return
    yield Finding("MPI", "mpiexec", str(found), True)
