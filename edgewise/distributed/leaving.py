"""The end of a rank's program: wait for the other ranks, then end MPI, and keep the exit code.

MPI ends on all ranks at once, so a rank that has left early would wait there with its exit code
untold. It waits here instead, where it sees the other ranks of its machine. If they go on and it
has a code, the job ends with that code. ``sys.exit`` notes its code. Another `SystemExit` is known
only by the outermost frame that it has ended; Python forgets the code before anybody can ask. Then
the process leaves without ending MPI, and its keeper sees the code (phase `LEFT`).
"""

from __future__ import annotations

import atexit
import contextlib
import dis
import os
import sys
import time
from types import FrameType
from typing import Any, NoReturn

from edgewise.distributed import board as boards
from edgewise.distributed.board import Board

__all__ = ["mind_finalizing", "mind_the_end", "pmi", "say"]

_EXIT_S = 2.0  # for the others to exit too, after one has
_UNKNOWN = -1


def mind_the_end(board: Board, rank: int, size: int) -> None:
    """Call this before mpi4py is imported; it ends MPI itself from then on."""
    with contextlib.suppress(ImportError):
        import mpi4py

        mpi4py.rc.finalize = False
    _note_exits(board)
    program = sys._getframe()
    while program.f_back is not None:
        program = program.f_back
    atexit.register(_returned, board, rank, size, program)


def mind_finalizing(board: Board, mpi: Any) -> None:
    """A program that ends MPI itself has returned, as far as the other ranks are concerned."""
    finalize = mpi.Finalize

    def ends() -> None:
        board.phase = boards.RETURNED
        finalize()

    mpi.Finalize = ends


def say(text: str) -> None:
    """Write one line to the messages of the job."""
    with contextlib.suppress(OSError):
        os.write(2, f"edgewise: {text}\n".encode())


def pmi(word: str) -> bool:
    """Say a word to MPICH's mpiexec for this rank; False under another one."""
    with contextlib.suppress(KeyError, OSError, ValueError):
        return os.write(int(os.environ["PMI_FD"]), f"cmd={word}\n".encode()) > 0
    return False


def _note_exits(board: Board) -> None:
    """``sys.exit`` notes its code. A collective afterwards clears the note: somebody caught it."""
    leave = sys.exit
    board.code = _UNKNOWN

    def noting(status: Any = None, /) -> NoReturn:
        board.code = status & 255 if isinstance(status, int) else status is not None
        leave(status)

    sys.exit = noting


def _returned(board: Board, rank: int, size: int, program: FrameType) -> None:
    """The program is at its end. MPI ends once all ranks are there."""
    mpi: Any = sys.modules.get("mpi4py.MPI")
    if mpi is None or not mpi.Is_initialized() or mpi.Is_finalized():
        return  # the program has done it itself
    if board.phase == boards.UP:
        board.phase = boards.RETURNED
        code = board.code if _thrown(program) else 0
        if not _wait_for_others(board, rank, size, code, mpi):
            board.phase = boards.LEFT
            return
    mpi.Finalize()


def _wait_for_others(board: Board, rank: int, size: int, code: int, mpi: Any) -> bool:
    """Wait for the ranks of this machine; may MPI end? Not after a rank that left without it."""
    end, pause = time.monotonic() + _EXIT_S + rank / size, 0.001
    while True:
        phases = [one.phase for one in boards.peers(board, size, rank).values()]
        if len(phases) < size - 1:  # on other machines, or nobody holds the boards
            return True
        if all(phase in (boards.RETURNED, boards.LEFT) for phase in phases):
            return boards.LEFT not in phases
        if code and time.monotonic() > end:
            if code == _UNKNOWN:
                return "PMI_FD" not in os.environ
            say(f"rank {rank} of {size} failed: sys.exit({code})")
            board.phase = boards.FAILED
            time.sleep(0.2)  # for mpiexec to take it
            mpi.COMM_WORLD.Abort(code)
        mpi.COMM_WORLD.Iprobe()  # what was sent goes on its way
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def _thrown(frame: FrameType) -> bool:
    """Did an exception end this frame? It keeps the last instruction that it came to."""
    last = dis.opname[frame.f_code.co_code[frame.f_lasti]]
    return last not in ("RETURN_VALUE", "RETURN_CONST")
