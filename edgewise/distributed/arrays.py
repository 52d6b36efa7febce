"""Arrays over the vertices or the arcs of a graph on a grid: each rank holds its part.

They look like arrays of the whole: elementwise arithmetic runs on the parts, a single vertex is set
or read by its id, and what asks for the whole (`sum`, `max`, `all`, `gather`, reading an element)
is a collective: every rank calls it, every rank gets the answer.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from edgewise.base.checks import check_vertex
from edgewise.base.once import cached_property as kept
from edgewise.distributed.comm import OPERATIONS
from edgewise.distributed.gathering import edge_values
from edgewise.distributed.transposed import Transposed

if TYPE_CHECKING:
    from edgewise.distributed.graph import GridGraph

__all__ = ["ArcArray", "EdgeArray", "Ends", "GridModule", "VertexArray", "kept", "local",
           "local_state"]  # fmt: skip


class _Spread(NDArrayOperatorsMixin, ABC):
    """What the two kinds share: the parts, and reductions over what counts once."""

    def __init__(self, graph: GridGraph, part: Any):
        self.graph, self.local = graph, part

    @property
    def dtype(self) -> np.dtype:
        return self.local.dtype

    @property
    def ndim(self) -> int:
        return 1

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self),)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def alike(self) -> dict[str, Any]:
        """What all ranks must have in common."""
        return {"dtype": self.dtype.str, "columns": self.local.shape[1:],
                "graph": self.graph.number}  # fmt: skip

    @abstractmethod
    def _counted(self) -> Any:
        """The part of this rank's that no other rank counts too."""

    @abstractmethod
    def __len__(self) -> int: ...

    def _like(self, part: Any) -> Any:
        return type(self)(self.graph, part)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        given = options.get("out")
        if given is not None:
            options["out"] = tuple(self._part_of(one) for one in given)
        result = ufunc(*(self._part_of(one) for one in inputs), **options)
        if given is not None:
            return given[0] if len(given) == 1 else given
        return tuple(map(self._like, result)) if isinstance(result, tuple) else self._like(result)

    def _part_of(self, one: Any) -> Any:
        if isinstance(one, _Spread):
            if isinstance(one, VertexArray) is not isinstance(self, VertexArray):
                raise TypeError("arrays over vertices and over arcs do not go together on a grid")
            if one.graph.layout != self.graph.layout:
                raise ValueError("arrays of different graphs on a grid do not go together")
            return one.local
        ndim = getattr(one, "ndim", 0)
        return self._share(one) if ndim and ndim == self.ndim else one

    def _share(self, whole: Any) -> Any:
        raise TypeError("an array of the whole does not go with one over a grid's arcs")

    def copy(self) -> Any:
        return self._like(self.local.copy())

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        return self._like(self.local.astype(dtype, copy=copy))

    def fill(self, value: Any) -> None:
        self.local.fill(value)

    def _reduced(self, how: str, op: str, nothing: Any, dtype: Any = None) -> Any:
        part, xp = self._counted(), self.graph.block.xp
        kind = np.dtype(dtype or part.dtype)
        one = getattr(part, how)(**({} if dtype is None else {"dtype": dtype})) if part.size else (
            nothing(kind))  # fmt: skip
        function: Any = op
        if kind.kind == "f" and op != "sum":  # MPI's own may lose a NaN on the way
            function = OPERATIONS[op]
        return self.graph.grid.world.allreduce(xp.asarray([one], kind), function)[0].item()

    def sum(self, dtype: Any = None) -> Any:
        if dtype is None:
            dtype = np.float64 if self.dtype.kind == "f" else np.int64
        return np.dtype(dtype).type(self._reduced("sum", "sum", lambda kind: 0, dtype))

    def min(self) -> Any:
        return self.dtype.type(self._reduced("min", "min", _greatest))

    def max(self) -> Any:
        return self.dtype.type(self._reduced("max", "max", _least))

    def mean(self, dtype: Any = np.float64) -> Any:
        return self.sum(np.float64) / self.size

    def all(self) -> bool:
        return not self._like(~self.local).any()

    def any(self) -> bool:
        part = self._counted()
        found = self.graph.block.xp.asarray([bool(part.any()) if part.size else False], np.uint8)
        return bool(self.graph.grid.world.allreduce(found, "max")[0])

    def __getattr__(self, name: str) -> Any:
        if hasattr(np.ndarray, name) and not name.startswith("__"):
            raise AttributeError(f"an array on a grid has no {name!r}: each rank has its part")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self):,} x {self.dtype}, {len(self.local):,} here)"


class VertexArray(_Spread):
    """One value per vertex, or one row of values; a rank has those of its two blocks."""

    def __len__(self) -> int:
        return self.graph.num_vertices

    @property
    def ndim(self) -> int:
        return self.local.ndim

    @property
    def shape(self) -> tuple[int, ...]:
        return (len(self), *self.local.shape[1:])

    def _counted(self) -> Any:
        return self.local[self.graph.own]

    def _share(self, whole: Any) -> Any:
        return self.graph.share(whole).local

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == self.ndim == 2:
            vertices, columns = key
            if isinstance(vertices, slice) and isinstance(columns, (int, np.integer)):
                column = self.local[:, columns]
                return self._like(self.graph.block.xp.ascontiguousarray(column))[vertices]
            rows = self[vertices]
            return rows[np.arange(len(rows)), columns] if rows.ndim == 2 else rows[columns]
        if isinstance(key, slice) and key == slice(None):
            return self.copy()
        if isinstance(key, tuple) and key == (slice(None), None) and self.ndim == 1:
            return self._like(self.local[:, None])  # to go with every column of another
        if isinstance(key, Ends) and key.graph.layout == self.graph.layout:
            return ArcArray(key.graph, self.local[key.numbers])
        if getattr(key, "ndim", 0) == 1:
            if key.dtype.kind not in "iu" and key.size:
                raise TypeError(
                    "an array over the vertices of a graph on a grid is read at vertex ids, got "
                    f"an index of dtype {key.dtype}"
                )
            if isinstance(key, VertexArray):  # as `contract` gives: over that graph's vertices
                return key._like(self.graph.block.xp.asarray(self.gather())[key.local])
            return self.graph.values_at(self.local, key)
        if not isinstance(key, (int, np.integer)):
            raise TypeError(
                "an array over the vertices of a graph on a grid is read one vertex at a time, or "
                f"as a whole by gather(), got {type(key).__name__} as index"
            )
        vertex = check_vertex(self.graph, key, "index")
        return self.graph.values_at(self.local, np.array([vertex]))[0]

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, tuple) and len(key) == self.ndim == 2:
            self._set_columns(*key, value)
            return
        if isinstance(key, slice) and key == slice(None):
            self.local[:] = self._part_of(value)
            return
        self.graph.grid.check_alike("setting by vertex", vertices=key, value=value)
        if getattr(value, "ndim", 0) or isinstance(value, (list, tuple)):
            raise TypeError(
                "vertices on a grid are set to one number; where() chooses among arrays"
            )
        if getattr(key, "dtype", None) == np.bool_ and key.ndim == 1:
            self.local[self.graph.full(False)._part_of(key)] = value
        elif isinstance(key, VertexArray):
            raise TypeError(f"an array over a grid as index must be a mask, got {key.dtype}")
        else:
            self.local[self.graph.local_ids(key)] = value

    def put(self, vertices: Any, values: Any) -> None:
        """Set one vertex, or some to one value each; every rank has all ids and all values."""
        self.graph.grid.check_alike("setting by vertex", vertices=vertices, value=values)
        at_hand, places = self.graph.at_hand(vertices)
        values = self.graph.block.xp.asarray(values)
        self.local[places] = values[at_hand] if np.ndim(vertices) else values

    def _set_columns(self, vertices: Any, columns: Any, value: Any) -> None:
        """All vertices of some columns, or one column of each of some vertices.

        Values for some vertices are one number, or one each, which every rank has.
        """
        if isinstance(vertices, slice) and vertices == slice(None):
            self.local[:, columns] = local(value)
            return
        self.graph.grid.check_alike("setting", vertices=vertices, columns=columns, value=value)
        vertices = np.atleast_1d(np.asarray(vertices))
        at_hand, rows = self.graph.at_hand(vertices)
        columns, values = (
            self.graph.block.xp.asarray(np.broadcast_to(one, vertices.shape))[at_hand]
            for one in (columns, value)
        )
        self.local[rows, columns] = values

    @property
    def T(self) -> Transposed:  # noqa: N802 - NumPy's name
        """The transpose of a table: a column for every vertex."""
        return Transposed(self)

    def gather(self) -> np.ndarray:
        """The whole array, in the order of the ids, in the host memory of every rank."""
        return self.graph.gather(self)

    def tolist(self) -> list:
        return self.gather().tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return self.gather().astype(dtype or self.dtype, copy=False)


class ArcArray(_Spread):
    """One value per arc; a rank has those of its block."""

    def __len__(self) -> int:
        return int(self.graph.grid.world.allreduce(np.array([len(self.local)]), "sum")[0])

    def _counted(self) -> Any:
        return self.local

    def gather(self) -> np.ndarray:
        """One value per edge, in the order of `Graph.edges`, in the host memory of every rank.

        Of an undirected edge it is the value of the arc from its smaller end.
        """
        found = edge_values(self)
        assert found is not None
        return found[2]

    def per_edge(self) -> EdgeArray:
        """The same values, each undirected edge counted once."""
        return EdgeArray(self.graph, self.local)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, ArcArray):
            return self._like(self.local[key.local])
        raise TypeError("arcs on a grid have no numbers; choose them by a mask")


class EdgeArray(ArcArray):
    """One value per edge; of an undirected one, both arcs have it, and it counts once."""

    def __len__(self) -> int:
        return self.graph.num_edges

    def _counted(self, chosen: Any = True) -> Any:
        once = self.graph.directed | (self.graph.sources.local <= self.graph.indices.local)
        return self.local[once & chosen]

    def __getitem__(self, key: Any) -> ArcArray:
        if not isinstance(key, ArcArray):
            return super().__getitem__(key)
        return ArcArray(self.graph, self._counted(key.local))


class Ends(ArcArray):
    """The sources or the targets of a rank's arcs as ids, looked up once somebody asks for more
    than the type; ``numbers`` gives their local numbers. They index arrays over vertices."""

    def __init__(self, graph: GridGraph, numbers: Any):
        self.graph, self._numbers = graph, numbers

    @property
    def dtype(self) -> np.dtype:
        return self.graph.layout.dtype

    @kept
    def numbers(self) -> Any:
        return self._numbers()

    @kept
    def local(self) -> Any:  # type: ignore[override]
        return self.graph.ids[self.numbers]

    def _like(self, part: Any) -> ArcArray:
        return ArcArray(self.graph, part)


class GridModule:
    """NumPy (or CuPy) for algorithms on a grid: arrays as long as the graph are spread over it."""

    def __init__(self, graph: GridGraph):
        self._graph, self._xp = graph, graph.block.xp

    def __getattr__(self, name: str) -> Any:
        return getattr(self._xp, name)

    def _made(self, maker: Any, shape: Any, *args: Any) -> Any:
        first, *columns = shape if isinstance(shape, tuple) and shape else (shape,)
        if first == self._graph.num_vertices and len(columns) <= 1:
            part = (self._graph.numbering.size, *columns)
            return VertexArray(self._graph, maker(part, *args))
        return maker(shape, *args)

    def empty(self, shape: Any, dtype: Any = np.float64) -> Any:
        return self._made(self._xp.empty, shape, dtype)

    def zeros(self, shape: Any, dtype: Any = np.float64) -> Any:
        return self._made(self._xp.zeros, shape, dtype)

    def ones(self, shape: Any, dtype: Any = np.float64) -> Any:
        return self._made(self._xp.ones, shape, dtype)

    def full(self, shape: Any, fill: Any, dtype: Any = None) -> Any:
        return self._made(self._xp.full, shape, fill, dtype)

    def arange(self, stop: Any, *more: Any, dtype: Any = None) -> Any:
        if not more and stop == self._graph.num_vertices:
            return VertexArray(self._graph, self._graph.ids.astype(dtype or np.int64))
        return self._xp.arange(stop, *more, dtype=dtype)

    def asarray(self, given: Any, dtype: Any = None) -> Any:
        if isinstance(given, _Spread):
            return given if dtype is None else given.astype(dtype, copy=False)
        array = np.asarray(given, dtype)
        if array.ndim in (1, 2) and len(array) == self._graph.num_vertices:
            return self._graph.share(array)
        return self._xp.asarray(array)

    def ascontiguousarray(self, given: Any) -> Any:
        return given if isinstance(given, _Spread) else self._xp.ascontiguousarray(given)

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        given = (condition, yes, no)
        spread = next((one for one in given if isinstance(one, _Spread)), None)
        if spread is None:
            return self._xp.where(*given)
        return spread._like(self._xp.where(*map(spread._part_of, given)))


def local(value: Any) -> Any:
    """The part of an array that this rank has; numbers stay what they are."""
    return value.local if isinstance(value, _Spread) else value


def local_state(graph: GridGraph, values: Any, name: str) -> Any:
    """The parts of an array over the graph's vertices, or of a tuple of them, checked."""
    if isinstance(values, tuple):
        return tuple(local_state(graph, one, f"{name}[{i}]") for i, one in enumerate(values))
    if not isinstance(values, VertexArray):
        raise TypeError(
            f"{name} must be an array over the vertices of a graph on a grid, which graph.full and "
            f"graph.share(array) make, got {type(values).__name__}"
        )
    if values.graph.layout != graph.layout:
        raise ValueError(f"{name} belongs to another graph")
    return values.local


def _greatest(kind: np.dtype) -> Any:
    return np.inf if kind.kind == "f" else True if kind.kind == "b" else np.iinfo(kind).max


def _least(kind: np.dtype) -> Any:
    return -np.inf if kind.kind == "f" else False if kind.kind == "b" else np.iinfo(kind).min
