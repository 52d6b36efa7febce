"""Results out of a grid: one file written by all ranks, or all of it gathered on one rank.

For a ``.npy`` file each rank gets the values of a range of ids in one all-to-all and writes them
at their place in a draft (see `edgewise.io.drafts`), which takes its name when all are done.
"""

from __future__ import annotations

import io
import math
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np

from edgewise.distributed.arrays import ArcArray, VertexArray
from edgewise.distributed.columns import gathered_columns
from edgewise.distributed.comm import Communicator
from edgewise.distributed.gathering import edge_values, own_values, range_of_ids
from edgewise.distributed.graph import GridGraph
from edgewise.distributed.labels import GridLabels, share_of, whole_labels
from edgewise.distributed.shares import together
from edgewise.distributed.transposed import Transposed
from edgewise.distributed.walking import WalkRows
from edgewise.graph import Graph
from edgewise.io.drafts import drop, new_draft, rename
from edgewise.io.files import naming

__all__ = ["collect", "write_array", "write_labels"]


def write_array(array: VertexArray, path: str | os.PathLike) -> None:
    """Write an array over vertices to one ``.npy`` file, in the order of the vertex ids.

    All ranks write; the file appears only once it is complete. If the graph has labels, as for a
    file whose ids have gaps or begin at 1, `write_labels` writes them in the same order.

    Parameters
    ----------
    array : VertexArray
        The array to write.
    path : path
        The file, in a folder that all ranks can access; the same on all ranks.

    Raises
    ------
    RankError
        On every rank, if any rank cannot write. On a grid of one rank, the original error is
        raised.

    Examples
    --------
    >>> import tempfile
    >>> from edgewise.distributed.grid import Grid
    >>> from edgewise.distributed.ingest import generate
    >>> from edgewise.distributed.rank_threads import run_threads
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "degrees.npy"
    ...     program = lambda comm: write_array(
    ...         generate("rmat", grid=Grid(comm), scale=4).degrees(), path)
    ...     _ = run_threads(program, 4)
    ...     np.load(path).shape
    (16,)
    """
    if not isinstance(array, VertexArray):
        raise TypeError(f"array must be one over the vertices, got {type(array).__name__}")
    _write(path, array.graph.grid.world, len(array), *range_of_ids(array))


def write_labels(graph: GridGraph, path: str | os.PathLike) -> None:
    """Write the integer labels of the vertices to one ``.npy`` file, in vertex order.

    Without labels, the vertex ids 0, 1, ... are written. All ranks write, as for `write_array`.
    """
    world, n, labels = graph.grid.world, graph.num_vertices, graph.labels
    low, high = share_of(world, n)
    if isinstance(labels, GridLabels):
        values = labels.values
    else:
        values = np.arange(low, high) if labels is None else labels.label(np.arange(low, high))
    if values.dtype.kind not in "iu":
        raise ValueError(f"labels must be integers to go to a .npy file, got {values.dtype}")
    _write(path, world, n, low, np.ascontiguousarray(values))


def _write(
    path: str | os.PathLike, world: Communicator, count: int, low: int, values: np.ndarray
) -> None:
    """One file of ``count`` values, of which this rank has those from ``low`` on."""
    world.check_same("path", str(path))
    with together(world, f"writing {path}"):
        target = _target(path)
    draft, first = None, _npy_header(values.dtype, (count, *values.shape[1:]))
    each = values.itemsize * math.prod(values.shape[1:])
    try:
        with together(world, f"writing {path}"), naming(path):
            if world.rank == 0:
                draft = new_draft(target)
                draft.write(first)
                draft.truncate(len(first) + count * each)
                draft.flush()
        hidden = world.gather_objects(draft and str(draft.name))[0]
        with together(world, f"writing {path}"), naming(path), open(hidden, "r+b") as file:
            file.seek(len(first) + low * each)
            file.write(values.data)
            file.flush()
            os.fsync(file.fileno())
        with together(world, f"writing {path}"):
            if draft is not None:
                if target.exists():
                    os.chmod(hidden, stat.S_IMODE(target.stat().st_mode))
                rename(draft, target)
    except BaseException:
        if draft is not None:
            drop(draft)
        raise
    finally:
        if draft is not None:
            draft.close()


def collect(found: Any, root: int = 0) -> Any:
    """What an algorithm returned, with all arrays and graphs gathered whole on one rank.

    All ranks call it. Numbers stay as they are, tuples are gone through; on the other ranks an
    array or a graph becomes None. Arrays over arcs become arrays over edges.
    """
    if isinstance(found, VertexArray):
        return _collected(found, root)
    if isinstance(found, Transposed):
        table = _collected(found.T, root)
        return None if table is None else table.T
    if isinstance(found, ArcArray):
        edges = edge_values(found, root)
        return None if edges is None else edges[2]
    if isinstance(found, WalkRows):
        return found.gather(root)
    if isinstance(found, GridGraph):
        return _whole_graph(found, root)
    if isinstance(found, tuple):
        parts = [collect(one, root) for one in found]
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    return found


def _collected(array: VertexArray, root: int) -> np.ndarray | None:
    graph = array.graph
    world, layout = graph.grid.world, graph.layout
    mine = own_values(array)
    counts = [mine.size if rank == root else 0 for rank in range(world.size)]
    with world.phase("gather"):
        whole, _ = world.alltoallv(mine.reshape(-1), counts)
    if world.rank != root:
        return None
    return whole.reshape(-1, *mine.shape[1:])[layout.position(np.arange(layout.n))]


def _whole_graph(graph: GridGraph, root: int) -> Graph | None:
    """All of a graph on one rank; None on the others."""
    found = edge_values(graph.full_arcs(0, np.int8) if graph.weights is None else graph.weights,
                        root)  # fmt: skip
    labels = whole_labels(graph.labels, root)
    us, vs, weights = (None, None, None) if found is None else found
    columns = gathered_columns(graph, us, vs, root)
    if found is None:
        return None
    whole = Graph.from_edges(
        us, vs, None if graph.weights is None else weights, directed=graph.directed,
        num_vertices=graph.num_vertices,
    ).with_labels(labels)  # fmt: skip
    if columns is not None:
        whole._keep(columns=columns)
    return whole


def _target(path: str | os.PathLike) -> Path:
    target = Path(os.path.realpath(path))
    if target.suffix != ".npy":
        raise ValueError(f"an array over vertices goes to a .npy file, not to {path}")
    if target.is_dir():
        raise IsADirectoryError(f"cannot write {path}: it is a folder")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"cannot write {path}: there is no folder {target.parent}")
    return target


def _npy_header(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    file = io.BytesIO()
    about = np.lib.format.header_data_from_array_1_0(np.empty(0, dtype))
    np.lib.format.write_array_header_1_0(file, about | {"shape": shape})
    return file.getvalue()
