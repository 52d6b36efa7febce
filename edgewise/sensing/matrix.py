"""Traffic matrices: how many packets went from whom to whom, of 2**32 or 2**64 addresses.

A matrix is hypersparse: it holds its links alone, sorted by (source, destination), each once, with
its packets; no side of it is ever laid out. Matrices add up, so that windows of packets sum to
longer ones. The same record lives in host memory or on a GPU; an engine for each (`engine`) has
the three things that are done to many matrices at once: ``build``, ``summed`` and ``measure``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from edgewise.base.checks import check_choice
from edgewise.base.offsets import offsets
from edgewise.base.ranges import check_whole, whole_sum
from edgewise.graph.csr import frozen
from edgewise.graph.transfer import host
from edgewise.sensing.links import (
    Links,
    addresses,
    array_module,
    checked,
    columns_of,
    ids_of,
    moved,
    named,
    place,
)
from edgewise.sensing.packets import Packets
from edgewise.sensing.quantities import Distributions, Quantities

if TYPE_CHECKING:
    from edgewise.sensing.windows import Windows

__all__ = ["TrafficMatrix", "engine", "one_of", "reduced", "total", "trusted"]


class TrafficMatrix:
    """An immutable, hypersparse matrix of packet counts from sources to destinations.

    Most matrices come from `from_packets` or `build_windows`. The constructor takes finished links;
    `from_links` takes links in any order.

    Parameters
    ----------
    source, destination : arrays of uint32 or uint64
        The ids of the two ends of each link, distinct and sorted by (source, destination).
    packets : array of int64
        The number of packets on each link, at least 1.
    start, stop : int, optional
        The times of the first and the last packet, in nanoseconds since 1970.

    Examples
    --------
    >>> from edgewise.sensing import Packets
    >>> packets = Packets(np.uint32([7, 7, 1]), np.uint32([9, 9, 7]))
    >>> matrix = TrafficMatrix.from_packets(packets)
    >>> matrix
    TrafficMatrix(2 links, 3 packets, 2**32 x 2**32, 32 B)
    >>> matrix.source.tolist(), matrix.destination.tolist(), matrix.packets.tolist()
    ([1, 7], [7, 9], [1, 2])
    >>> (matrix + matrix).num_packets
    6
    """

    source: Any
    destination: Any
    packets: Any
    start: int | None
    stop: int | None
    device: str

    def __init__(self, source: Any, destination: Any, packets: Any, *,
                 start: int | None = None, stop: int | None = None):  # fmt: skip
        device = place(source)
        links = checked(source, destination, packets, device)
        self._keep(**_fields(links, start, stop, device))

    @classmethod
    def from_packets(cls, packets: Packets) -> TrafficMatrix:
        """Return the traffic matrix of packets, as one window.

        >>> from edgewise.sensing import Packets
        >>> TrafficMatrix.from_packets(Packets(np.uint32([]), np.uint32([]))).num_links
        0
        """
        from edgewise.sensing.windows import build_windows

        windows = build_windows(packets, max(packets.num_packets, 1))
        return windows[0] if len(windows) else trusted(windows.links, device=windows.device)

    @classmethod
    def from_links(cls, source: Any, destination: Any, packets: Any, *,
                   start: int | None = None, stop: int | None = None) -> TrafficMatrix:  # fmt: skip
        """Return the matrix of links in any order; packets of duplicate links are summed.

        >>> TrafficMatrix.from_links([3, 1, 3], [4, 2, 4], [10, 20, 30]).packets.tolist()
        [20, 40]
        """
        device = place(source)
        if device != "cpu":
            here = (host(column) for column in (source, destination, packets))
            return cls.from_links(*here, start=start, stop=stop).to(device)
        from edgewise.sensing.cpu.ranks import ordered

        links = ordered(columns_of(source, destination, packets, np))
        return trusted(links, start, stop)

    @property
    def links(self) -> Links:
        """The three arrays as one record."""
        return Links(self.source, self.destination, self.packets)

    @property
    def num_links(self) -> int:
        """The number of links."""
        return len(self.source)

    @property
    def num_packets(self) -> int:
        """The number of packets."""
        return whole_sum(self.packets)

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns, which are the number of possible ids."""
        side = 1 << 8 * self.source.dtype.itemsize
        return side, side

    @property
    def span(self) -> tuple[int | None, int | None]:
        """The times of the first and the last packet, if known."""
        return self.start, self.stop

    def _sizes(self) -> Any:
        return array_module(self.device).asarray([self.num_links], np.int64)

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(array.nbytes for array in self.links)

    def quantities(self) -> Quantities:
        """The nine quantities as integers; see `edgewise.sensing.quantities`."""
        return self._measures()[0]

    def distributions(self) -> Distributions:
        """The five distributions in bins of powers of two, as arrays in host memory.

        >>> matrix = TrafficMatrix.from_links([1, 1, 1], [2, 3, 4], [1, 8, 7])
        >>> matrix.distributions().link_packets[:5].tolist()
        [1, 0, 0, 2, 0]
        """
        return self._measures()[1]

    def _measures(self) -> tuple[Quantities, Distributions]:
        if "_found" not in self.__dict__:
            bounds = array_module(self.device).asarray([0, self.num_links], np.int64)
            quantities, distributions = engine(self.device).measure(self.links, bounds)
            self._keep(_found=one_of(quantities, distributions, 0))
        return self.__dict__["_found"]

    def permuted(self, function: Callable[[Any], Any]) -> TrafficMatrix:
        """Return the matrix with its ids mapped by ``function``, from arrays to arrays.

        Raises
        ------
        ValueError
            If two ids are mapped to the same id.

        Examples
        --------
        >>> matrix = TrafficMatrix.from_links([1, 2], [2, 3], [10, 20])
        >>> turned = matrix.permuted(lambda ids: 10 - ids)
        >>> turned.source.tolist(), turned.destination.tolist(), turned.packets.tolist()
        ([8, 9], [7, 8], [20, 10])
        >>> turned.quantities() == matrix.quantities()
        True
        """
        xp = array_module(self.device)
        known, ends = self._ranked()
        ids = ids_of(function(known), (), xp)[0]
        if len(ids) != len(known) or len(xp.unique(ids)) != len(known):
            raise ValueError(
                f"function must give each of {len(known)} ids one of its own, got {len(ids)} ids, "
                f"{len(xp.unique(ids))} of them distinct"
            )
        source, destination = (ids[end] for end in ends)
        order = xp.lexsort(xp.stack((destination, source)))
        links = Links(source[order], destination[order], self.packets[order])
        return trusted(links, self.start, self.stop, self.device)

    def to_graph(self, *, labels: str = "id") -> Any:
        """Return a directed `Graph` of the sources and destinations, with packet counts as weights.

        Parameters
        ----------
        labels : {"id", "address"}
            The labels of the vertices: ids, or addresses such as ``"10.0.0.1"``. Ids that are not
            IPv4 addresses become ``"ipv6-..."`` with the id in hexadecimal digits.

        Examples
        --------
        >>> graph = TrafficMatrix.from_links([10, 30], [30, 20], [5, 6]).to_graph()
        >>> graph.num_vertices, graph.edge_weight(graph.vertex(10), graph.vertex(30))
        (3, 5)
        >>> matrix = TrafficMatrix.from_links([0x0A000001], [0x0A000002], [1])
        >>> matrix.to_graph(labels="address").label(0)
        '10.0.0.1'
        """
        from edgewise.graph import Graph, Labels

        check_choice(labels, "labels", ("id", "address"))
        if self.device != "cpu":
            return self.to("cpu").to_graph(labels=labels).to(self.device)
        known, (source, destination) = self._ranked()
        indptr = offsets(np.bincount(source, minlength=len(known)))
        names = Labels.ascending(known) if labels == "id" else Labels(addresses(known))
        return Graph(indptr, destination, self.packets, directed=True, labels=names)

    def _ranked(self) -> tuple[Any, list[Any]]:
        """The ids that occur, ascending, and the links' ends as positions among them."""
        xp = array_module(self.device)
        known = xp.unique(xp.concatenate((self.source, self.destination)))
        return known, [xp.searchsorted(known, end) for end in (self.source, self.destination)]

    def to(self, device: str) -> TrafficMatrix:
        """Return the matrix on another device, or itself if it is there already.

        The devices are ``"cpu"``, ``"cuda"`` and ``"cuda:1"``.
        """
        device = named(device)
        if device == self.device:
            return self
        matrix = trusted(moved(self.links, device), self.start, self.stop, device)
        if "_found" in self.__dict__:
            matrix._keep(_found=self.__dict__["_found"])
        return matrix

    def __add__(self, other: TrafficMatrix) -> TrafficMatrix:
        """Both matrices' packets, link by link."""
        return total((self, other)) if isinstance(other, TrafficMatrix) else NotImplemented

    def __eq__(self, other: object) -> bool:
        """Equal links with equal packets, wherever they are; times do not count."""
        if not isinstance(other, TrafficMatrix):
            return NotImplemented
        if self.device != other.device:
            return self.to("cpu") == other.to("cpu")
        xp = array_module(self.device)
        pairs = zip(self.links, other.links, strict=True)
        return self is other or all(bool(xp.array_equal(a, b)) for a, b in pairs)

    def __hash__(self) -> int:
        return hash((TrafficMatrix, self.num_links))

    def _keep(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a TrafficMatrix is frozen: cannot set {name!r}")

    def __reduce__(self) -> Any:
        here = self.to("cpu")
        return _rebuild, (here.links, self.start, self.stop, self.device)

    def __repr__(self) -> str:
        side = f"2**{8 * self.source.dtype.itemsize}"
        where = "" if self.device == "cpu" else f", {self.device}"
        return (
            f"TrafficMatrix({self.num_links:,} links, {self.num_packets:,} packets, "
            f"{side} x {side}, {self.nbytes:,} B{where})"
        )


def total(matrices: Iterable[TrafficMatrix | Windows]) -> TrafficMatrix:
    """Return the sum of several traffic matrices, including those in `Windows`.

    Examples
    --------
    >>> one = TrafficMatrix.from_links([1, 2], [2, 3], [10, 20])
    >>> two = TrafficMatrix.from_links([2], [3], [5])
    >>> total([one, two, one]).packets.tolist()
    [20, 45]
    >>> total([]).num_links
    0
    """
    parts = list(matrices)
    if not parts:
        return TrafficMatrix.from_links([], [], [])
    devices = sorted({part.device for part in parts})
    if len(devices) > 1:
        raise ValueError(f"matrices must be on one device, got some on {' and '.join(devices)}")
    device = devices[0]
    xp = array_module(device)
    sizes = xp.concatenate([part._sizes() for part in parts])
    columns = zip(*(part.links for part in parts), strict=True)
    links = parts[0].links if len(parts) == 1 else Links(*map(xp.concatenate, columns))
    check_whole(whole_sum(links.packets), "sums", "packets", hint="")
    starts, stops = zip(*(part.span for part in parts), strict=True)
    start = min((time for time in starts if time is not None), default=None)
    stop = max((time for time in stops if time is not None), default=None)
    return trusted(reduced(links, offsets(sizes), device), start, stop, device)


def reduced(links: Links, bounds: Any, device: str) -> Links:
    """The sum of all matrices of which links are given, and where each one's begin."""
    if len(bounds) == 2:
        return links
    return engine(device).summed(links, bounds, np.array([0, len(bounds) - 1]))[0]


def engine(device: str) -> Any:
    """Where matrices on a device are worked on: a module with three functions.

    ``build(source, destination, bounds)``
        Packets of windows, which begin at ``bounds`` (one more than there are windows): the links
        of all, where each window's begin, the `Quantities` and the `Distributions`.
    ``summed(links, bounds, groups)``
        Sums of matrices that follow each other: those from ``groups[g]`` to ``groups[g + 1] - 1``
        make one (``groups``, in host memory, goes from 0 to their number); links and bounds.
    ``measure(links, bounds)``
        The `Quantities` and the `Distributions` of each.
    """
    if device == "cpu":
        from edgewise.sensing.cpu import windows
    else:
        from edgewise.sensing.cuda import windows  # type: ignore[no-redef]
    return windows


def one_of(
    quantities: Quantities, distributions: Distributions, i: int
) -> tuple[Quantities, Distributions]:
    """Those of one window: whole numbers, and arrays in host memory."""
    return quantities.window(i), Distributions(*map(host, distributions.window(i)))


def _fields(links: Links, start: Any, stop: Any, device: str) -> dict[str, Any]:
    source, destination, packets = map(frozen, links)
    return {
        "source": source,
        "destination": destination,
        "packets": packets,
        "start": None if start is None else int(start),
        "stop": None if stop is None else int(stop),
        "device": device,
    }


def trusted(
    links: Links, start: Any = None, stop: Any = None, device: str = "cpu", found: Any = None
) -> TrafficMatrix:
    """A matrix around links that are known to be right."""
    matrix = object.__new__(TrafficMatrix)
    matrix._keep(**_fields(links, start, stop, device))
    if found is not None:
        matrix._keep(_found=found)
    return matrix


def _rebuild(links: Links, start: Any, stop: Any, device: str) -> TrafficMatrix:
    return trusted(links, start, stop).to(device)
