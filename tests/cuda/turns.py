"""A faster simulator: the threads of a block take turns, each from one barrier to the next.

numba-cuda's own starts a thread of the host for every simulated one, lets them run as they like and
polls them until all wait at a barrier. Here each is a greenlet: one runs at a time, nothing is
polled, and a switch costs less than a microsecond. Turns go forwards and backwards by turns, so
that nothing can lean on an order. Kernels get NumPy's arrays as they are, without copies and
wrappers. Shared arrays are told apart by their lines, as there, and by their size and type, without
looking up the whole stack.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
from greenlet import getcurrent, greenlet

__all__ = ["install"]


def install() -> None:
    """Let simulated kernels run this way from now on."""
    from numba.cuda.simulator import kernel, kernelapi

    as_device_function = kernel.FakeCUDAKernel.__call__

    def launch(self, *args):
        if self._device or kernel._kernel_context:
            return as_device_function(self, *args)
        grid, block = kernel.normalize_kernel_dimensions(self.grid_dim, self.block_dim)
        module = kernel.FakeCUDAModule(grid, block, self.dynshared_size)
        with kernel._push_kernel_context(module), kernel.swapped_cuda_module(self.fn, module):
            for point in np.ndindex(*grid):
                _run(self.fn, args, kernelapi.Dim3(*point), block)
        return None

    kernel.FakeCUDAKernel.__call__ = launch
    kernelapi.threading = SimpleNamespace(current_thread=getcurrent)
    kernelapi.FakeCUDAShared.array = _shared_array


def _run(function, args, block, shape):
    """Run the threads of one block, each from barrier to barrier, until all have ended."""
    lanes, votes = [], []
    for number, point in enumerate(np.ndindex(*shape)):
        lane = _Lane(function)
        lane.thread_id, lane.threadIdx, lane.blockIdx = number, type(block)(*point), block
        lane.votes, lane.vote = votes, False
        lane.switch(*args)
        if not lane.dead:
            lanes.append(lane)
    while lanes:
        votes[:] = [lane.vote for lane in lanes]
        lanes.reverse()
        for lane in lanes:
            lane.switch()
        lanes = [lane for lane in lanes if not lane.dead]


class _Lane(greenlet):
    """A simulated thread; what it raises is raised in the host's."""

    def syncthreads(self):
        self.parent.switch()

    def syncthreads_or(self, vote):
        self.vote = bool(vote)
        self.syncthreads()
        self.vote = False
        return 1 if any(self.votes) else 0


def _shared_array(self, shape, dtype, alignment=None):
    caller = sys._getframe(1)
    key = caller.f_code, caller.f_lineno, shape, np.dtype(dtype)
    if key not in self._allocations:
        self._allocations[key] = np.empty(shape, dtype)
    return self._allocations[key]
