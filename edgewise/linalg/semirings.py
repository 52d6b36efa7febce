"""Semirings: what takes the place of plus and times in a product of matrices.

A semiring has a monoid ``add`` (an associative, commutative function and its identity, the zero)
and a function ``multiply(a, b)``. An entry that is not stored stands for zero; zero need not be 0.
The functions are plain Python, and every product compiles them into its own loop.

``first``, ``second`` and ``pair`` return ``a``, ``b`` and 1: products with them never read the
other values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from edgewise.base.checks import check_choice, check_dtype
from edgewise.base.monoids import ADD, AND, ANY, MAX, MIN, OR, Monoid
from edgewise.operators.functions import check_takes, plain_function

__all__ = ["SEMIRINGS", "Semiring", "as_function", "as_monoid", "as_semiring", "multiply_reads"]


class Semiring:
    """A semiring: two functions and a zero.

    Parameters
    ----------
    add : Monoid or callable
        A `Monoid`, or an associative and commutative function of two values. The sum of no values
        is ``zero``.
    multiply : callable
        A function ``multiply(a, b)`` of an entry of the left operand and one of the right.
    zero : number, tuple or str, optional
        The identity of ``add``, required if ``add`` is a function. The words ``"lowest"`` and
        ``"highest"`` stand for the limits of the type of the result. For values that are tuples it
        is a tuple.
    dtype : dtype or tuple of dtypes, optional
        The type of results. By default it follows from the types of the operands.
    name : str
        A name to print.

    Examples
    --------
    The widest path: the smallest capacity along a path, the largest over all paths.

    >>> import numpy as np
    >>> from edgewise.linalg import Matrix, Semiring, spmv
    >>> widest = Semiring(max, min, zero=0)
    Traceback (most recent call last):
    TypeError: add must be a plain Python function, got <built-in function max>
    >>> widest = Semiring(lambda a, b: max(a, b), lambda a, b: min(a, b), zero=0)
    >>> capacity = Matrix([0, 2, 3], [0, 1, 1], [5, 2, 7])
    >>> spmv(capacity, np.array([4, 9]), widest).tolist()
    [4, 7]
    """

    __slots__ = ("add", "dtype", "multiply", "name")

    add: Monoid
    multiply: Callable[..., Any]
    dtype: Any
    name: str

    def __init__(
        self, add: Any, multiply: Callable[..., Any], zero: Any = None, *, dtype: Any = None,
        name: str = "",
    ):  # fmt: skip
        if isinstance(add, Monoid):
            if zero is not None:
                raise TypeError(f"zero must be left out if add is a Monoid, got {zero!r}")
        else:
            check_takes(add, "add", 2)
            if zero is None:
                raise TypeError("zero must be given if add is a function: the sum of no values")
            add = Monoid(zero, add)
        check_takes(plain_function(multiply, "multiply"), "multiply", 2)
        for one in dtype if isinstance(dtype, tuple) else (dtype,):
            check_dtype(one)
        kept = {"add": add, "multiply": multiply, "dtype": dtype, "name": name}
        for key, value in kept.items():
            object.__setattr__(self, key, value)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Semiring is frozen: cannot set {name!r}")

    def zero_for(self, *dtypes: Any) -> Any:
        """Return the zero in the given type, or a tuple of zeros for several types.

        >>> float(SEMIRINGS["min_plus"].zero_for(np.float64))
        inf
        """
        return self.add.identity_for(*dtypes)

    def result_dtype(self, left: Any, right: Any) -> Any:
        """Return the type of products of these types; None stands for entries without values.

        It is ``dtype`` if that was given. ``first`` and ``second`` keep the type of their operand.
        `or_and`, `any_pair` and other logical semirings give booleans. Sums of booleans are int64.
        """
        return _result_dtype(self, left, right)

    def _result_dtype(self, left: Any, right: Any) -> Any:
        if self.dtype is not None:
            several = isinstance(self.dtype, tuple)
            return tuple(map(np.dtype, self.dtype)) if several else np.dtype(self.dtype)
        read = multiply_reads(self.multiply)
        kinds = [kind for kind, used in zip((left, right), read, strict=True) if used]
        if any(isinstance(kind, tuple) for kind in kinds):
            raise TypeError("a semiring of tuples must be given dtype=, a tuple of types")
        known = [np.dtype(kind) for kind in kinds if kind is not None]
        counts = self.add is ADD or (known and len(known) < len(kinds))  # None counts as ones
        if not known:
            return np.dtype(np.int64 if counts else np.bool_)
        kind = np.result_type(*known)
        return np.dtype(np.int64) if self.add is ADD and kind == np.bool_ else kind

    def __reduce__(self) -> Any:
        return _rebuild, (self.add, self.multiply, self.dtype, self.name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Semiring):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.add.combine, self.multiply))

    def _key(self) -> tuple:
        return self.add, self.multiply, self.dtype

    def __repr__(self) -> str:
        if self.name:
            return f"Semiring({self.name})"
        names = (getattr(one, "__name__", "?") for one in (self.add.combine, self.multiply))
        return f"Semiring({', '.join(names)}, zero={self.add.identity!r})"


@lru_cache(256)
def _result_dtype(ring: Semiring, left: Any, right: Any) -> Any:
    """`Semiring.result_dtype`, looked for once."""
    return ring._result_dtype(left, right)


def as_semiring(semiring: Any) -> Semiring:
    """The semiring of a name, or one that is given."""
    if isinstance(semiring, Semiring):
        return semiring
    if isinstance(semiring, str):
        return SEMIRINGS.get(semiring) or SEMIRINGS[check_choice(semiring, "semiring", SEMIRINGS)]
    if isinstance(semiring, tuple) and not isinstance(semiring, Monoid) and len(semiring) == 2:
        return Semiring(*semiring)
    raise TypeError(
        f"semiring must be a name, a Semiring or a pair (Monoid, function), got {semiring!r}"
    )


def as_monoid(add: Any, name: str = "reduce") -> Monoid:
    """The monoid of a name (``"plus"``, ``"min"``, ...), or one that is given."""
    if isinstance(add, Monoid):
        return add
    if isinstance(add, str):
        check_choice(add, name, _MONOIDS)
        return _MONOIDS[add]
    raise TypeError(f"{name} must be a name or a Monoid, got {add!r}")


def as_function(given: Any, name: str) -> Any:
    """A function of two values: one that is given, of a monoid, or of a name."""
    if isinstance(given, str):
        known = {**{name: one.combine for name, one in _MONOIDS.items()}, **_MULTIPLIES}
        return known[check_choice(given, name, known)]
    if isinstance(given, Monoid):
        return given.combine
    check_takes(given, name, 2)
    return given


def multiply_reads(multiply: Callable[..., Any]) -> tuple[bool, bool]:
    """Does a multiplication read the left value, and the right one?"""
    return _READS.get(multiply, (True, True))


def _times(a, b):
    return a * b


def _plus(a, b):
    return a + b


def _minus(a, b):
    return a - b


def _divide(a, b):
    return a / b


def _lower(a, b):
    return min(a, b)


def _higher(a, b):
    return max(a, b)


def _both(a, b):
    return (a != 0) and (b != 0)


def _either(a, b):
    return (a != 0) or (b != 0)


def _first(a, b):
    return a


def _second(a, b):
    return b


def _pair(a, b):
    return 1


def _differ(a, b):
    return a != b


def _rebuild(add, multiply, dtype, name) -> Semiring:
    return SEMIRINGS[name] if name in SEMIRINGS else Semiring(add, multiply, dtype=dtype, name=name)


def _alike(a, b):
    return a == b


def _one_of(a, b):
    return (a != 0) != (b != 0)


_READS = {_first: (True, False), _second: (False, True), _pair: (False, False)}
_XOR, _XNOR = Monoid("zeros", _differ), Monoid("ones", _alike)
_TIMES = Monoid(1, _times)
_MONOIDS = {"plus": ADD, "min": MIN, "max": MAX, "any": ANY, "or": OR, "times": _TIMES,
            "and": AND, "xor": _XOR, "xnor": _XNOR}  # fmt: skip
_MULTIPLIES = {"times": _times, "plus": _plus, "minus": _minus, "divide": _divide, "min": _lower,
               "max": _higher, "first": _first, "second": _second, "pair": _pair}  # fmt: skip


def _names() -> list[tuple[str, str]]:
    every = [(add, multiply) for add in ("plus", "min", "max", "any")
             for multiply in ("times", "plus", "first", "second", "pair")]  # fmt: skip
    return [*every, ("plus", "min"), ("plus", "max"), ("plus", "minus"), ("min", "max"),
            ("max", "min"), ("max", "minus"), ("times", "plus"), ("times", "times")]  # fmt: skip


#: Semirings of truths: an entry counts as true if it is not 0. "lor_land" is also called "or_and".
_LOGICAL = {
    "or_and": (OR, _both),
    **{f"{name}_{multiply}": (OR, function) for name in ("or", "lor")
       for multiply, function in (("first", _first), ("second", _second), ("pair", _pair))},
    "lor_land": (OR, _both), "land_lor": (AND, _either), "lxor_land": (_XOR, _both),
    "lxnor_lor": (_XNOR, _either),
}  # fmt: skip
#: All named semirings.
SEMIRINGS = {
    f"{add}_{multiply}": Semiring(_MONOIDS[add], _MULTIPLIES[multiply], name=f"{add}_{multiply}")
    for add, multiply in _names()
} | {
    name: Semiring(add, multiply, dtype=np.bool_, name=name)
    for name, (add, multiply) in _LOGICAL.items()
} | {
    name: Semiring(ADD, multiply, dtype=np.int64, name=name)
    for name, multiply in (("plus_land", _both), ("plus_lor", _either), ("plus_lxor", _one_of))
}  # fmt: skip
