"""One rank of `launch`: ``mpiexec -n 4 python -m edgewise.distributed.worker FOLDER``."""

from __future__ import annotations

import pickle
import runpy
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from edgewise.distributed.comm import RankError
from edgewise.distributed.keeper import place
from edgewise.distributed.mpi import world
from edgewise.distributed.rank_threads import cause

__all__: list[str] = []


def _main(folder: Path) -> None:
    comm = None
    try:
        comm = world()
        main, task = pickle.loads((folder / "task").read_bytes())
        if main is not None:  # the function is in the script that called `launch`
            sys.modules["__mp_main__"] = sys.modules["__main__"]
            sys.modules["__main__"].__dict__.update(runpy.run_path(main, run_name="__mp_main__"))
        function, args, kwargs = pickle.loads(task)
        result = function(comm, *args, **kwargs)
        _write(folder / f"{comm.rank}.result", pickle.dumps(result))
    except BaseException as error:
        story: Any = error if isinstance(error, RankError) else cause(error)
        trace = "".join(traceback.format_exception(error))
        rank = (place() or (0,))[0] if comm is None else comm.rank
        _write(folder / f"{rank}.error", pickle.dumps((time.time(), story, trace)))
        if comm is None:  # MPI has not started: the launcher ends all
            raise
        comm.fail(error)


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all, as the launcher may look at any time."""
    draft = path.with_suffix(".draft-" + path.suffix[1:])
    draft.write_bytes(data)
    draft.replace(path)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
