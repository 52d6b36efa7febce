"""A frozen sparse matrix in compressed rows: what graphs, blocks and products are.

Row u's columns are ``indices[indptr[u]:indptr[u + 1]]``, ascending, with ``weights`` at the same
positions; a position in ``indices`` is called an arc. The shape may be rectangular. Arrays are
taken as they are, without a copy where dtype and layout allow, and are kept as read-only views:
``indptr`` int64, ``indices`` int32 (int64 where there are 2**31 columns or more), ``weights`` None
or float32, float64, int32, int64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_count, check_unmasked, fitting_integers
from edgewise.base.once import cached_property
from edgewise.graph.memory_limit import check_arcs
from edgewise.graph.stored import Decoded, Stored, Unpacked, around

__all__ = ["CSR", "Rows", "as_weights", "frozen", "index_dtype"]

_WEIGHTS = tuple(map(np.dtype, ("float32", "float64", "int32", "int64")))


class Rows(NamedTuple):
    """A range of rows and the slices of the arrays that hold it, as passed to a kernel.

    Row i of the range is row ``first + i`` of the matrix. Its arcs are at positions ``indptr[i] -
    indptr[0]`` to ``indptr[i + 1] - indptr[0]`` (exclusive) of ``indices`` and ``weights``.
    ``indptr[i]`` is the position of its first arc in the matrix.
    """

    first: int
    indptr: np.ndarray
    indices: np.ndarray
    weights: np.ndarray | None


class CSR:
    """An immutable sparse matrix in compressed sparse row (CSR) format, possibly rectangular.

    Parameters
    ----------
    indptr, indices : arrays
        The start of each row, and the column of each arc, ascending within a row. The arrays are
        not checked here; `validate` checks them.
    weights : array, optional
        An array over arcs. None means that all weights are one.
    num_columns : int, optional
        The number of columns; by default the number of rows.

    Examples
    --------
    >>> block = CSR([0, 2, 3], [0, 4, 1], num_columns=5)
    >>> block.shape, block.num_arcs
    ((2, 5), 3)
    >>> block.transposed.indices.tolist(), block.transposed.arc_ids.tolist()
    ([0, 1, 0], [0, 2, 1])
    """

    shape: tuple[int, int]
    if TYPE_CHECKING:
        indptr: np.ndarray
        indices: np.ndarray
        weights: np.ndarray | None
    else:  # a graph that is not compressed has its own arrays of these names
        indptr, indices, weights = Unpacked(0), Unpacked(1), Decoded()

    device = "cpu"
    engine = "local"
    #: Has one device all of it? Then functions may read any row, by ``indptr`` and ``indices``.
    one_device = True
    #: Do functions in edge form run on it?
    edge_form = True
    xp = np
    #: The mapped pages of a graph with a memory limit; see `edgewise.graph.memory_limit`.
    _pages: Any = None

    def __init__(
        self, indptr: Any, indices: Any, weights: Any = None, *, num_columns: int | None = None
    ):
        indptr = _vector(indptr, "indptr")
        if len(indptr) == 0:
            raise ValueError("indptr must have one more entry than there are rows, got none")
        rows = len(indptr) - 1
        columns = rows if num_columns is None else num_columns
        indptr = fitting_integers(indptr, "indptr", np.dtype(np.int64))
        indices = fitting_integers(_vector(indices, "indices"), "indices", index_dtype(columns))
        if indptr[0] != 0 or indptr[-1] != len(indices):
            raise ValueError(
                f"indptr must run from 0 to the number of indices ({len(indices)}), "
                f"got {indptr[0]} to {indptr[-1]}"
            )
        if weights is not None:
            weights = as_weights(weights, len(indices), per="arc")
        self._keep(
            indptr=frozen(indptr),
            indices=frozen(indices),
            weights=None if weights is None else frozen(weights),
            shape=(rows, columns),
        )

    @classmethod
    def from_scipy(cls, matrix: Any) -> CSR:
        """Return the CSR of a SciPy sparse matrix or array of any shape.

        Duplicate entries are summed. The stored values become the weights. A boolean matrix gives a
        CSR without weights.

        >>> import scipy.sparse
        >>> CSR.from_scipy(scipy.sparse.coo_array([[0, 2, 1]]))
        CSR(1 x 3, 2 arcs, weights int64)
        """
        from scipy.sparse import csr_array, issparse

        if not issparse(matrix) or matrix.ndim != 2:
            raise TypeError(
                f"matrix must be a SciPy sparse array of two dimensions, got {matrix!r}"
            )
        rows = csr_array(matrix)
        if not rows.has_canonical_format:
            rows = rows.copy()
            rows.sum_duplicates()
        weights = None if rows.dtype == bool else rows.data
        return cls(rows.indptr, rows.indices, weights, num_columns=rows.shape[1])

    def _keep(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    @property
    def num_arcs(self) -> int:
        """The number of stored arcs."""
        return len(self.stored.indices)

    @property
    def nbytes(self) -> int:
        """The size of row starts, neighbors and weights in bytes, as they are stored.

        Labels and columns are not counted; ``graph.columns.edges.nbytes`` is the size of a table.
        """
        weights = 0 if self.stored_weights is None else self.stored_weights.nbytes
        return self.stored.indptr.nbytes + self.stored.indices.nbytes + weights

    @property
    def is_compressed(self) -> bool:
        """Whether the rows are stored in blocks of few bits; see `Graph.compress`."""
        return "_packed" in self.__dict__

    @property
    def stored(self) -> Stored:
        """The row starts and the columns as they are stored, for kernels: arrays or `Blocks`."""
        packed = self.__dict__.get("_packed")
        return Stored(self.indptr, self.indices) if packed is None else packed

    @property
    def stored_weights(self) -> Any:
        """The weights as they are stored, for kernels: None, an array or `Coded`."""
        coded = self.__dict__.get("_coded")
        return self.weights if coded is None else coded

    @property
    def id_dtype(self) -> np.dtype:
        """The integer type of the columns, which are vertex ids in a graph."""
        return self.stored.indices.dtype

    @property
    def arc_ids(self) -> np.ndarray | None:
        """On a transpose, the position of each arc in the original matrix; otherwise None."""
        return self._arcs_before()

    def _arcs_before(self) -> np.ndarray | None:
        kept = self.__dict__
        if "_origin" in kept and "_arc_ids" not in kept:  # of a compressed graph, when asked for
            from edgewise.graph.transpose import edge_order

            indptr, indices = map(np.asarray, kept["_origin"].stored)
            self._keep(_arc_ids=frozen(edge_order(indptr, indices, self.shape[0])))
        return kept.get("_arc_ids")

    @cached_property
    def transposed(self) -> CSR:
        """The transpose with its weights and ``arc_ids``, built at first use and cached."""
        return self._transposed(CSR, num_columns=self.shape[0])

    def _transposed(self, kind: Any, **options: Any) -> Any:
        if self.device != "cpu":
            from edgewise.graph import transfer

            *arrays, ids = transfer.transpose(self)
            result = transfer.wrap(kind, *arrays, number=self._device_number, **options)
        else:
            from edgewise.graph.transpose import transpose

            *arrays, ids = transpose(self.indptr, self.indices, self.weights, self.shape[1])
            result = kind(*arrays, **options)
        result._keep(_arc_ids=frozen(ids))
        return result

    @property
    def _device_number(self) -> int:
        return int(self.device.partition(":")[2] or 0)

    def to(self, device: str) -> Any:
        """Return the graph on another device, or the graph itself if it is there already.

        Parameters
        ----------
        device : str
            ``"cpu"``, ``"cuda"`` or ``"cuda:1"``.

        Raises
        ------
        DeviceError
            If there is no such device. The message names what is missing and how to install it.
        MemoryError
            If the device has too little memory. The message states the bytes needed and free.
        """
        from edgewise.graph.transfer import move

        return move(self, device)

    def rows(self, low: int = 0, high: int | None = None) -> Rows:
        """Return rows ``low`` to ``high - 1`` as slices (views, unless compressed), for a kernel.

        >>> CSR([0, 2, 3], [0, 4, 1], num_columns=5).rows(1, 2).indices.tolist()
        [1]
        """
        low = check_count(low, "low")
        high = self.shape[0] if high is None else check_count(high, "high")
        if not 0 <= low <= high <= self.shape[0]:
            raise ValueError(
                f"low and high must be a range within 0 to {self.shape[0]}, got {low} to {high}"
            )
        indptr, indices = self.stored
        arcs = slice(int(indptr[low]), int(indptr[high]))
        weights = None if self.stored_weights is None else self.stored_weights[arcs]
        return Rows(low, indptr[low : high + 1], indices[arcs], weights)

    def validate(self) -> None:
        """Check every rule of the format.

        Row starts must not decrease. Columns must be in range and ascending without repeats. In an
        undirected graph, each arc must have its reverse arc, with the same weight.

        Raises
        ------
        ValueError
            If a rule is broken. The message names the first violation.

        >>> CSR([0, 2], [1, 0], num_columns=2).validate()
        Traceback (most recent call last):
        ValueError: row 0 must be ascending without repeats, got column 0 after 1 at position 1
        """
        from edgewise.graph.validate import validate

        validate(self.to("cpu"))

    def copy(self) -> Any:
        """Return a copy with its own arrays.

        Later changes to arrays passed by the caller do not affect it.

        >>> CSR([0, 1], [0]).copy() == CSR([0, 1], [0])
        True
        """
        check_arcs(self, "copy")
        if self.is_compressed:
            import pickle

            return pickle.loads(pickle.dumps(self))
        from contextlib import nullcontext

        from edgewise.graph.transfer import like, on

        arrays = (self.indptr, self.indices, self.weights, self._arcs_before())
        with nullcontext() if self.device == "cpu" else on(self._device_number):
            *own, arc_ids = [None if array is None else array.copy() for array in arrays]
        result = like(self, *own, **self._options())
        return result if arc_ids is None else _with_arc_ids(result, arc_ids)

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def _same(self, other: Any) -> bool:
        if self.device != other.device:
            return self.to("cpu")._same(other.to("cpu"))
        return (
            self.shape == other.shape
            and bool(self.xp.array_equal(self.indptr, other.indptr))
            and bool(self.xp.array_equal(self.indices, other.indices))
            and _same_weights(self.weights, other.weights, self.xp)
        )

    def __eq__(self, other: object) -> bool:
        """Equal shape, arcs and weights (NaN equals NaN), wherever they are."""
        if type(other) is not type(self):
            return NotImplemented
        return self is other or self._same(other)

    def __hash__(self) -> int:
        return hash((type(self), self.shape, self.num_arcs))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} is frozen: cannot delete {name!r}")

    def __reduce__(self) -> Any:
        check_arcs(self, "pickle")
        here = self.to("cpu")
        arrays, arc_ids = (*here.stored, here.stored_weights), here._arcs_before()
        return _rebuild, (type(self), arrays, self._options(), arc_ids, self.device)

    def _options(self) -> dict[str, Any]:
        return {"num_columns": self.shape[1]}

    def __repr__(self) -> str:
        rows, columns = self.shape
        weights = "" if self.weights is None else f", weights {self.weights.dtype}"
        return f"CSR({rows:,} x {columns:,}, {self.num_arcs:,} arcs{weights})"


def index_dtype(n: int) -> np.dtype:
    """The integer type for ids below ``n``."""
    return np.dtype(np.int32 if n < 2**31 else np.int64)


def frozen(array: np.ndarray) -> np.ndarray:
    """A read-only view; the array itself stays as it was. One on a grid has no views."""
    view = array.view() if hasattr(array, "view") else array
    if isinstance(view, np.ndarray):  # device arrays know no such flag
        view.flags.writeable = False
    return view


def as_weights(
    weights: Any, count: int | None = None, name: str = "weights", xp: Any = np, per: str = "edge"
) -> Any:
    """``weights`` as a contiguous array of one of the four types, without a copy if it is one.

    Booleans and other integers become int64, float16 float32, other reals float64.
    """
    weights = _vector(weights, name, xp)
    if count is not None and len(weights) != count:
        raise ValueError(f"{name} must have one entry per {per} ({count}), got {len(weights)}")
    if weights.dtype in _WEIGHTS:
        return weights
    if weights.dtype.kind in "biu":
        if weights.dtype == np.uint64 and len(weights) and weights.max() > 2**63 - 1:
            raise ValueError(f"{name} must fit int64, got {weights.max()}")
        return weights.astype(np.int64)
    if weights.dtype.kind not in "fO":
        raise TypeError(f"{name} must be real numbers, got dtype {weights.dtype}")
    try:
        return weights.astype(np.float32 if weights.dtype == np.float16 else np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{name} must be real numbers: {error}") from None


def _vector(array: Any, name: str, xp: Any = np) -> Any:
    check_unmasked(array, name)
    try:
        array = xp.asarray(array)
    except TypeError as error:  # of a GPU, which NumPy may not fetch
        raise TypeError(f"{name} must be an array in host memory: {error}") from None
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    return xp.ascontiguousarray(array)


def _same_weights(a: Any, b: Any, xp: Any) -> bool:
    if a is None or b is None:
        return a is b
    return bool(xp.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f"))


def _rebuild(
    kind: Any, arrays: tuple, options: dict[str, Any], arc_ids: Any, device: str = "cpu"
) -> Any:
    if isinstance(arrays[1], np.ndarray):
        result = kind(*arrays, **options)
    else:  # of a compressed graph
        result = around(kind, Stored(*arrays[:2]), arrays[2], **options)
    return (result if arc_ids is None else _with_arc_ids(result, arc_ids)).to(device)


def _with_arc_ids(result: Any, arc_ids: Any) -> Any:
    result._keep(_arc_ids=frozen(arc_ids))
    return result
