"""Graphs on a GPU: moving there and back, and what they derive from their arrays there.

A graph on a device is the same frozen `Graph`, with CuPy arrays; `graph.xp` is CuPy then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.checks import check_one_device
from edgewise.base.errors import DeviceError
from edgewise.base.offsets import offsets
from edgewise.graph.csr import CSR, frozen
from edgewise.graph.kinds import Placed

__all__ = [
    "check_host",
    "edge_order",
    "host",
    "like",
    "move",
    "number_of",
    "on",
    "on_gpu",
    "row_ids",
    "rows_of",
    "transpose",
    "wrap",
]

_CUDA_MEMORY = (2, 13)  # DLPack's numbers: CUDA, CUDA managed
#: Up to so many rows, that of an entry is found by bisection.
_FEW_ROWS = 1 << 16
#: Bytes per arc while arcs are sorted by target: rows, keys twice, the order, what sorting takes.
_SORTED = 40


def move(graph: CSR, device: str) -> Any:
    """The graph on another device; itself if it is there already."""
    if isinstance(device, str) and device == "cpu":
        return graph if graph.device == "cpu" else _to_host(graph)
    from edgewise.base.cuda.device import array_module, check_memory, device_number

    number = device_number(device)
    if graph.device == f"cuda:{number}":
        return graph
    if graph.device != "cpu":
        graph = _to_host(graph)
    xp = array_module()
    with on(number):
        plain = _arrays(graph)  # those of a compressed graph are unpacked
        check_memory(sum(a.nbytes for a in plain if a is not None), "the graph")
        arrays = [None if a is None else xp.asarray(a) for a in plain]
        result = wrap(type(graph), *arrays, number=number, **graph._options())
        _bring_edge_ids(graph, result, xp.asarray)
    for name in ("num_self_loops", "longest_row", "max_degree"):
        if name in graph.__dict__:
            result._keep(**{name: graph.__dict__[name]})
    return result


def check_host(graph: Placed, name: str) -> None:
    """DeviceError if the graph is not in one host's memory, for what is done there alone."""
    check_one_device(graph, name)
    if graph.device != "cpu":
        raise DeviceError(
            f"{name} needs a graph in host memory, and this one is on {graph.device}: "
            'graph.to("cpu") brings it there'
        )


def like(graph: CSR, indptr: Any, indices: Any, weights: Any = None, **options: Any) -> Any:
    """A graph of the same kind around these arrays, which live where ``graph`` does."""
    if graph.device == "cpu":
        return type(graph)(indptr, indices, weights, **options)
    return wrap(type(graph), indptr, indices, weights, number=graph._device_number, **options)


def wrap(cls: Any, indptr: Any, indices: Any, weights: Any = None, *, number: int = 0,
         num_columns: int | None = None, **options: Any) -> Any:  # fmt: skip
    """A graph (or another kind of rows) around finished device arrays, which are trusted."""
    from edgewise.base.cuda.device import array_module

    result = object.__new__(cls)
    rows = len(indptr) - 1
    result._keep(
        indptr=frozen(indptr),
        indices=frozen(indices),
        weights=None if weights is None else frozen(weights),
        shape=(rows, rows if num_columns is None else num_columns),
        device=f"cuda:{number}",
        xp=array_module(),
        **options,
    )
    return result


def on_gpu(*arrays: Any) -> bool:
    """Does one of these live on a GPU, as its owner (CuPy, PyTorch, ...) says?"""
    for array in arrays:
        if hasattr(array, "__cuda_array_interface__"):
            return True
        place = None if isinstance(array, np.ndarray) else _place(array)
        if place is not None and place[0] in _CUDA_MEMORY:
            return True
    return False


def _place(array: Any) -> tuple[int, int] | None:
    """The kind of memory that holds an array, and the device's number, if its owner says so."""
    try:
        return array.__dlpack_device__()
    except (AttributeError, TypeError):  # Arrow 18 says so of numbers alone
        return None


def number_of(*arrays: Any) -> int:
    """The number of the GPU on which these live, as far as they do; the current one if none does.

    ValueError if they live on several.
    """
    numbers = sorted({_number(array) for array in arrays if on_gpu(array)})
    if len(numbers) > 1:
        places = " and ".join(f"cuda:{number}" for number in numbers)
        raise ValueError(f"all arrays must be on one GPU, got arrays on {places}")
    if numbers:
        return numbers[0]
    from edgewise.base.cuda.device import current_device

    return current_device()


def _number(array: Any) -> int:
    place = _place(array)
    if place is not None:
        return int(place[1])
    import cupy

    return int(cupy.asarray(array).device.id)


def host(array: Any) -> Any:
    """What lives on a GPU as a NumPy array; anything else as it is."""
    if not on_gpu(array):
        return array
    import cupy

    managed = hasattr(array, "__cuda_array_interface__")
    return (cupy.asarray(array) if managed else cupy.from_dlpack(array)).get()


def on(number: int) -> Any:
    """A context in which the device is the current one."""
    from contextlib import nullcontext

    from edgewise.base.cuda.device import simulated

    if simulated():
        return nullcontext()
    import cupy

    return cupy.cuda.Device(number)


def row_ids(csr: Any) -> Any:
    """The row of every arc, in the type of ``csr.indices``; wherever these rows are."""
    columns = csr.stored.indices if isinstance(csr, CSR) else csr.indices
    return rows_of(csr.indptr, len(columns), columns.dtype, csr.xp)


def rows_of(indptr: Any, count: int, dtype: Any, xp: Any) -> Any:
    """The row of each of ``count`` entries in rows that begin at ``indptr``."""
    if xp is np:
        return np.repeat(np.arange(len(indptr) - 1, dtype=dtype), np.diff(indptr))
    if len(indptr) <= 2:
        return xp.zeros(count, dtype)
    if len(indptr) <= _FEW_ROWS:
        found = xp.searchsorted(indptr[1:-1], xp.arange(count), side="right")
        return found.astype(dtype, copy=False)
    begun = xp.bincount(indptr[1:-1], minlength=count)[:count]  # rows that begin at each entry
    return xp.cumsum(begun, dtype=dtype)


def edge_order(csr: Any) -> Any:
    """The positions of the arcs, ordered by column and then by row."""
    from edgewise.base.cuda.device import check_memory

    check_memory(csr.num_arcs * _SORTED, "the order of the arcs by target")
    rows = row_ids(csr).astype(np.int64)
    return csr.xp.argsort(csr.indices.astype(np.int64) * max(csr.shape[0], 1) + rows)


def transpose(csr: Any) -> tuple[Any, Any, Any, Any]:
    """The arrays of the transpose, and each of its arcs' position before."""
    xp, order = csr.xp, edge_order(csr)
    indptr = offsets(xp.bincount(csr.indices, minlength=csr.shape[1]))
    weights = None if csr.weights is None else csr.weights[order]
    return indptr, row_ids(csr)[order], weights, order


def _to_host(graph: CSR) -> Any:
    arrays = [None if a is None else host(a) for a in _arrays(graph)]
    result = type(graph)(*arrays, **graph._options())
    _bring_edge_ids(graph, result, host)
    return result


def _bring_edge_ids(graph: CSR, result: Any, bring: Any) -> None:
    """What a transpose knows of the original goes along."""
    arc_ids = graph._arcs_before()
    if arc_ids is not None:
        result._keep(_arc_ids=frozen(bring(arc_ids)))


def _arrays(graph: CSR) -> tuple[Any, Any, Any]:
    return graph.indptr, graph.indices, graph.weights
