"""A faster simulator: the threads of a block take turns, each from one barrier to the next.

numba-cuda's own starts a thread of the host for every simulated one, lets them run as they like and
polls them until all wait at a barrier. Here one runs at a time, so nothing is polled, and a kernel
without barriers needs one thread of the host in all. Turns go forwards and backwards by turns, so
that nothing can lean on an order. Shared arrays are told apart by their lines, as there, and by
their size and type, without looking up the whole stack.
"""

from __future__ import annotations

import sys
import threading

import numpy as np

__all__ = ["install"]


def install() -> None:
    """Let simulated kernels run this way from now on."""
    from numba.cuda.simulator import kernel, kernelapi

    kernel.BlockManager = Block
    kernelapi.FakeCUDAShared.array = _shared_array


class Block:
    """The threads of one block at a time; stands for numba-cuda's ``BlockManager``."""

    def __init__(self, function, grid_dim, block_dim, debug):
        from numba.cuda.simulator.kernelapi import Dim3

        self._function, self._dim3, self._block_dim = function, Dim3, block_dim

    def run(self, grid_point, *args):
        lanes: list[_Lane] = []
        try:
            for number, point in enumerate(np.ndindex(*self._block_dim)):
                lane = next((one for one in lanes if not one.waits), None)
                if lane is None:
                    lane = _Lane(self)
                    lanes.append(lane)
                lane.thread_id, lane.threadIdx = number, self._dim3(*point)
                lane.blockIdx, lane.job = self._dim3(*grid_point), (self._function, args)
                lane.run_on()
            while waiting := [lane for lane in lanes if lane.waits]:
                self.votes = [lane.vote for lane in waiting]
                lanes.reverse()
                for lane in waiting[::-1]:
                    lane.run_on()
        finally:
            for lane in lanes:
                lane.job = None
                lane.go.release()


class _Lane(threading.Thread):
    """A thread of the host that plays simulated ones; it runs while the block waits for it."""

    def __init__(self, block):
        super().__init__(daemon=True)
        self.go, self.back = threading.Lock(), threading.Lock()
        self.go.acquire(), self.back.acquire()
        self.block, self.job, self.error, self.waits, self.vote = block, None, None, False, False
        self.start()

    def run_on(self):
        """Let the thread run to its next barrier, where it ``waits``, or to its end."""
        self.go.release()
        self.back.acquire()
        if self.error is not None:
            raise self.error

    def run(self):
        while True:
            self.go.acquire()
            if self.job is None:
                return
            function, args = self.job
            try:
                function(*args)
            except _Abandoned:
                return
            except BaseException as error:
                self.error = error
            self.waits = False
            self.back.release()

    def syncthreads(self):
        self.waits = True
        self.back.release()
        self.go.acquire()
        if self.job is None:
            raise _Abandoned

    def syncthreads_or(self, vote):
        self.vote = bool(vote)
        self.syncthreads()
        self.vote = False
        return 1 if any(self.block.votes) else 0


class _Abandoned(BaseException):
    """Another thread of the block has failed."""


def _shared_array(self, shape, dtype, alignment=None):
    caller = sys._getframe(1)
    key = caller.f_code, caller.f_lineno, shape, np.dtype(dtype)
    if key not in self._allocations:
        self._allocations[key] = np.empty(shape, dtype)
    return self._allocations[key]
