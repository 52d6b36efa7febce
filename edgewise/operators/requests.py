"""What the contract modules hand to an engine: one record per call, its arguments checked.

An engine's function of an operator's name takes ``(graph, request)``. Functions are `Function`
records; a None stands for what nobody asked for.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

from edgewise.base.random import hashed
from edgewise.operators.adjacency import ALL
from edgewise.operators.functions import Function
from edgewise.operators.monoids import Monoid

__all__ = [
    "COMMON_NAMES",
    "SOURCE",
    "Delivery",
    "Duplicates",
    "Exploration",
    "Intersection",
    "LookUp",
    "Members",
    "Neighborhood",
    "Reduction",
    "Rows",
    "Splitting",
    "Sweep",
    "Traversal",
    "Unwinding",
    "Visit",
]


class Traversal(NamedTuple):
    """`propagate`, or with one round and ``sources`` the message form of `advance`."""

    frontier: Any
    message: Function
    values: Any
    reduce: Monoid
    sources: Any = None
    where: Function | None = None
    wake: Function | None = None
    levels: Any = None
    mode: str = "out"
    weights: Any = "weight"
    depths: Any = None
    direction: str = "auto"
    priority: float | None = None
    schedule: str = "bucketed"
    max_iter: int | None = None


class Visit(NamedTuple):
    """The edge form of `advance`: of every member's neighbor list the slice ``first..last``."""

    frontier: Any
    function: Any  # of (source, target, edge, *state)
    state: tuple
    mode: str = "out"
    first: int = 0
    last: int = ALL
    output: str | None = "vertices"


class Exploration(NamedTuple):
    """`explore`; ``along``: visits are of edges."""

    sources: Any  # in host memory
    visit: Any
    state: tuple
    paths: bool
    along: bool
    sums: Any
    mode: str
    max_depth: int


#: The key that stands for the vertex that is reached in two steps.
SOURCE = "source"


class Neighborhood(NamedTuple):
    """`reduce_neighbors`; ``choose`` is None, "max", "min", "absent" or a score."""

    frontier: Any
    message: Any  # a Function; None where "absent" needs none
    values: Any
    reduce: Any  # a Monoid; None where "absent" needs none
    own: Any = None  # None: values
    key: Any = None  # an array, or `SOURCE`
    choose: Any = None
    by_key: Any = MappingProxyType({})  # the arrays that a score reads at a key, by name
    stay: Any = None
    via: Any = None
    mode: str = "in"
    weights: Any = "weight"
    dtype: Any = None
    out: Any = None
    draw: Any = None  # a `Drawing` of the key by its score; None: the best one
    skip_empty: bool = False  # is a key whose total is the identity no candidate?
    sort: bool = True  # do the keys of each row ascend?
    finishing: Any = None  # a `Finishing` of the totals by key

    @property
    def keys(self) -> Any:
        """The array of keys; None where the vertex that is reached is the key."""
        return None if isinstance(self.key, str) else self.key


class Sweep(NamedTuple):
    """`sweep`."""

    message: Function
    values: Any
    finish: Function
    state: tuple
    reduce: Monoid
    out: Any
    mode: str = "in"
    weights: Any = "weight"
    sums: int = 1


#: What a message of `intersect` may name, beside params.
COMMON_NAMES = ("weight_u", "weight_v", "source")


class Intersection(NamedTuple):
    """`intersect`; ``dtype`` is that of the totals of ``message``."""

    pairs: Any  # None: the ends of all edges; two arrays; on a grid as given
    function: Any  # the user's, of (u, v, common, *state)
    state: tuple
    message: Any  # a Function, or None
    reduce: Any  # the Monoid of its totals
    weights: Any
    dtype: Any
    each: bool
    lists: bool
    ordered: bool
    vertices: bool = False  # the function counts by vertex, in the only array of the state


class Unwinding(NamedTuple):
    """`unwind`."""

    depths: Any
    message: Function
    values: Any
    reduce: Monoid
    own: Any = None  # None: values, as they were
    finish: Function | None = None
    mode: str = "out"
    weights: Any = "weight"


class Members(NamedTuple):
    """`compute`, or `filter` by a predicate; the engine checks what the function takes.

    ``work`` is about how many items all calls touch: one each where it is None. With ``items``
    it is `for_each`: the members are the numbers below, and the graph is only a place.
    """

    frontier: Any
    function: Any
    state: tuple
    work: int | None = None
    items: int | None = None


class Splitting(NamedTuple):
    """`multisplit` into so many buckets."""

    frontier: Any
    bucket: Any
    state: tuple
    buckets: int
    work: int | None = None


class Reduction(NamedTuple):
    """`reduce_all`, in these types."""

    values: tuple
    reduce: Monoid
    dtypes: tuple
    frontier: Any = None
    function: Any = None

    @property
    def single(self) -> bool:
        """Is it one number that is reduced, not a tuple?"""
        return not isinstance(self.reduce.identity, tuple)


class LookUp(NamedTuple):
    """`look_up`."""

    values: Any
    at: Any
    frontier: Any = None
    out: Any = None


class Delivery(NamedTuple):
    """`deliver`."""

    values: Any
    at: Any
    messages: Any
    reduce: Monoid
    frontier: Any = None


class Duplicates(NamedTuple):
    """`mark_duplicates`."""

    frontier: Any
    key: Any
    rank: Any = None  # None: the ids
    closed: bool = False
    mode: str = "out"
    out: Any = None


class Rows(NamedTuple):
    """`for_rows`."""

    frontier: Any
    message: Function
    finish: Function
    state: tuple
    reduce: Monoid
    dtypes: tuple  # of the total's numbers
    values: Any = None
    own: Any = None  # None: the member's id
    mode: str = "out"
    weights: Any = "weight"
    key: Any = None  # with it, finish gets the best key and how it is rated
    choose: Any = None
    by_key: Any = MappingProxyType({})
    stay: Any = None
    draw: Any = None
    skip_empty: bool = False

    @property
    def choice(self) -> Neighborhood:
        """By key: the call of `reduce_neighbors` whose result goes to ``finish``."""
        dtype, own = self.dtypes[0], self.own
        return Neighborhood(self.frontier, self.message, self.values, self.reduce, own, self.key,
                            self.choose, self.by_key, self.stay, None, self.mode, self.weights,
                            dtype, None, self.draw, self.skip_empty)  # fmt: skip


class Settling(NamedTuple):
    """`settle`: what `for_rows` is asked for with a key, and how often."""

    rows: Rows
    active: Any
    passes: int
    tol: float
    parts: Any  # a number, or a function of the turn and the active members
    seed: int
    phase: str
    masses: tuple = ()  # an array of totals by key, what each vertex adds to it, and so on
    synchronous: bool = False  # do those of a part see what there was before it?

    def draw(self, turn: int) -> Any:
        """The draw of a pass."""
        draw = self.rows.draw
        return draw and draw._replace(seed=hashed(draw.seed, turn, 1))
