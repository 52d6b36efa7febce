"""Run one group of `cases`: ``python -m tests.cuda.runner simulate|compile|run GROUP``.

The simulator is chosen when Numba is imported, so this is a process of its own. With ``simulate``
(and NUMBA_ENABLE_CUDASIM=1) kernels run in the simulator; with ``compile`` arrays are NumPy's, and
a launch compiles the kernel to PTX, for each of the capabilities named after the group, and then
does no more than the host needs to go on; ``run`` takes a GPU, and larger graphs. Either way every
kernel of the group's modules must have come up in the end.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import sys
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.operators.results import several

PACKAGE = Path(__file__).resolve().parents[2] / "edgewise"


def main(mode: str, name: str, *capabilities: str) -> None:
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 still names it
        np.row_stack = np.vstack  # noqa: NPY201
    seen: set[tuple[str, int]] = set()
    if mode == "simulate":
        _simulate(seen)
    elif mode == "run":
        _run(seen)
    else:
        _compile(seen, [(int(word[:-1]), int(word[-1])) for word in capabilities])
    from tests.cuda.cases import GROUPS

    for call in GROUPS[name].calls:
        call()
    missing = set().union(*map(kernels_of, GROUPS[name].modules)) - seen
    assert not missing, f"no case launches {sorted(missing)}"
    print(len(seen), "kernels")


def kernels_of(module: str) -> set[tuple[str, int]]:
    """The file and the line of every kernel in a module of the package."""
    path = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        for decorator in getattr(node, "decorator_list", ()):
            named = decorator.func if isinstance(decorator, ast.Call) else decorator
            if isinstance(named, ast.Name) and named.id == "kernel":
                found.add((str(path.relative_to(PACKAGE)), decorator.lineno))
    return found


def _place(kernel: Any) -> tuple[str, int]:
    code = kernel.function.__code__
    return str(Path(code.co_filename).relative_to(PACKAGE)), code.co_firstlineno


def _simulate(seen: set) -> None:
    """Threads in turns, and thresholds that small graphs reach."""
    from edgewise.algorithms.communities import hierarchy
    from edgewise.algorithms.partitioning import by_rounds
    from edgewise.base.cuda.kernels import Kernel
    from edgewise.operators.cuda import hot, rounds
    from tests.cuda import turns

    turns.install()
    _cut_short()
    hierarchy.SMALL = 0
    by_rounds.SMALL, by_rounds.FEW, by_rounds.PER_PART = 0, 8, 4
    hot.LEAST, hot.SKEW, hot.TURN = 1, 2, 2
    rounds.SHORT, rounds.HEAVY_DEGREE, rounds.BUFFER = 4, 10, 16
    simulate = Kernel._simulate

    def noted(self, blocks, threads, args):
        if blocks > 0:
            seen.add(_place(self))
        return simulate(self, blocks, threads, args)

    Kernel._simulate = noted


def _cut_short() -> None:
    """Let the rows of small matrices have several segments."""
    from edgewise.linalg.cuda import spmm, spmspv

    spmm._SEGMENT = 8
    spmspv._PIECE = 4


def _run(seen: set) -> None:
    """On the GPU that is there."""
    from edgewise.base.cuda.kernels import Kernel
    from tests.cuda import cases

    cases.enlarge()

    def noting(launch):
        def noted(self, *args, **options):
            seen.add(_place(self))
            return launch(self, *args, **options)

        return noted

    Kernel.__call__, Kernel.fill = noting(Kernel.__call__), noting(Kernel.fill)


def _compile(seen: set, capabilities: list[tuple[int, int]]) -> None:
    """Let a launch compile the kernel, and host code see something done."""
    from numba.cuda import cuda_paths
    from numba.cuda.cudadrv import nvrtc

    from edgewise.base.cuda import device, ptx
    from edgewise.base.cuda.kernels import Kernel, unpacked
    from edgewise.graph import transfer as moving

    # PTX does not take NVRTC, which is large; it would be asked for what it supports alone.
    cuda_paths._get_nvrtc_path, nvrtc.get_supported_ccs = (
        (lambda: None),
        (lambda: sorted(capabilities)),
    )
    device.array_module, device.device_number = _Arrays, (lambda name: 0)
    device.check_memory, device.free_memory = (lambda *args: None), (lambda: 1 << 30)
    device.current_device = device.current_stream = lambda: 0
    device.capability = lambda: max(capabilities)
    moving.on = lambda number: contextlib.nullcontext()
    _cut_short()

    compiled = set()

    def launch(self, args, threads):
        name = f"{Path(_place(self)[0]).stem}.{self.function.__name__}"
        case = _place(self), _types(unpacked(args)) if (name, threads) in _OF_ALL_TYPES else None
        if case not in compiled:  # once for each kernel, not for all it may be built around
            compiled.add(case)
            seen.add(_place(self))
            for capability in capabilities:
                code = ptx.bounded(ptx.ptx(self.function, unpacked(args), capability), self.bounds)
                assert ptx.entry_name(code)
                assert b".target sm_%d%d" % capability in code
        names = inspect.signature(self.function).parameters
        given = dict(zip(names, unpacked(args), strict=True))
        _EFFECTS.get(name, lambda given: None)(given)

    from edgewise.operators.cuda import batches
    from tests.cuda import cases

    cases.RUNNING = False
    batches.simulated = lambda: True  # no streams, no pinned memory
    Kernel.__call__ = lambda self, blocks, threads, *args: launch(self, args, threads)
    Kernel.fill = lambda self, threads, *args, most=None: launch(self, (*args, 1), threads)
    Kernel.resident = lambda self, threads, *args: 1


#: Kernels, with their threads, that are compiled for every type of arguments that comes up.
_OF_ALL_TYPES = {
    ("product_threads.multiply_by_threads", 128),
    ("product_rows.multiply_by_blocks", 64),
    ("spmspv.push_rows", 256),
}


def _types(argument: Any) -> str:
    """The types in an argument of a kernel."""
    from edgewise.base.cuda.ptx import _type_of

    return str([_type_of(one) for one in argument])


class _Arrays:
    """NumPy in the place of CuPy; what kernels would fill is zero."""

    def __getattr__(self, name):
        return getattr(np, "zeros" if name == "empty" else name)


def _end_rounds(given):
    given["told"].report[:] = 0


def _end_levels(given):
    given["work"].report[:] = 1


def _end_priority(given):
    from edgewise.operators.cuda import buckets

    given["data"].counts[buckets.STATE + buckets.DONE] = 1


def _end_matching(given):
    given["play"].state[:] = 0


def _one_row_of_every_kind(given):
    given["lists"][4][:] = 1


def _no_wrong_pointer(given):
    from edgewise.operators.cuda.state import WRONG

    report = given["report"] if "report" in given else given["work"].report
    report[WRONG] = len(given["mail"].at if "mail" in given else given["at"])


def _one_product_of_every_kind(given):
    given["words"][:10] = 1


def _all(given):
    for array in several(given["lists"][1]):
        array[:] = 1


def _all_kept(given):
    given["report"][0] = given["count"]


def _some_common(given):
    for name in ("control", "count"):
        given.get(name, np.zeros(1))[:4] = 1


#: What the host waits for, or what makes it go on to the next kernel.
_EFFECTS = {
    "traverse.traverse": _end_rounds,
    "levels.run": _end_levels,
    "buckets.run": _end_priority,
    "locally_dominant.run": _end_matching,
    "row_plan.sort": _one_row_of_every_kind,
    "product_plan.find_kinds": _one_product_of_every_kind,
    "look_up.read": _no_wrong_pointer,
    "deliver.give": _no_wrong_pointer,
    "filter.sift": _all_kept,
    "reduce_all.fold": _all,
    "intersect.run": _some_common,
    "intersect_marks.run": _some_common,
}

if __name__ == "__main__":
    main(*sys.argv[1:])
