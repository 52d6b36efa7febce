"""Packets: who sent to whom, in the order of the capture, as flat arrays.

An address is an id. IPv4 addresses are their own 32 bits; IPv6 addresses have 128, and are hashed
to 63 with the top bit set, so that the two never meet (that some two of a billion IPv6 addresses
share an id has a chance of one in twenty). Between the reader and whoever names or anonymizes them,
IPv6 addresses stand whole in a table beside the packets (`wide`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.sensing.links import array_module, ids_of, place

__all__ = ["WIDE", "Packets", "assign_ids", "checked", "hashed", "spans"]

#: An id from here on is not an IPv4 address. With a table: ``WIDE`` and the row of the address.
WIDE = 1 << 63


class Packets(NamedTuple):
    """A batch of packets: arrays with one entry per packet.

    They are NumPy arrays, or CuPy arrays if the packets are on a GPU.
    """

    source: Any  #: ids, uint32 if all addresses are IPv4, else uint64
    destination: Any  #: ids of the same type
    time: Any = None  #: int64, nanoseconds since 1970; also datetime64, or float seconds
    wide: Any = None  #: uint64 of shape (k, 2): IPv6 addresses, or None if no id refers to one
    protocol: Any = None  #: uint8, the IP protocol number (6 TCP, 17 UDP)
    source_port: Any = None  #: uint16, 0 where there is none
    destination_port: Any = None  #: uint16, 0 where there is none

    @property
    def num_packets(self) -> int:  # type: ignore[override]
        """The number of packets; ``len`` gives the number of fields, as for any tuple."""
        return len(self.source)

    def cut(self, start: int, stop: int) -> Packets:
        """Return the packets from ``start`` to ``stop`` as views; the address table stays whole."""
        parts = (a if a is None or i == 3 else a[start:stop] for i, a in enumerate(self))
        return Packets(*parts)

    def where(self, chosen: Any) -> Packets:
        """Return the packets selected by a mask or by positions; the address table stays whole.

        >>> ids = np.arange(4, dtype=np.uint32)
        >>> Packets(ids, ids[::-1]).where(ids > 1).destination.tolist()
        [1, 0]
        """
        parts = (a if a is None or i == 3 else a[chosen] for i, a in enumerate(self))
        return Packets(*parts)


def checked(packets: Packets) -> Packets:
    """The packets, with ids and times of the right types; an error that names what is wrong.

    >>> ids, time = np.arange(2), np.array(["1970-01-01T00:00:01", "1970-01-01T00:00:02"])
    >>> checked(Packets(ids, ids, time.astype("datetime64[s]"))).time.tolist()
    [1000000000, 2000000000]
    >>> checked(Packets(ids, ids, [1.5, 2.25])).time.tolist()
    [1500000000, 2250000000]
    """
    xp = array_module(place(packets.source))
    source, destination = ids_of(packets.source, packets.destination, xp)
    sizes = {
        name: len(column)
        for name, column in packets._asdict().items()
        if column is not None and name != "wide"
    }
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
        raise ValueError(f"packets must have one entry each in every array, got {told}")
    time = None if packets.time is None else _nanoseconds(xp.asarray(packets.time), xp)
    return packets._replace(source=source, destination=destination, time=time)


def _nanoseconds(time: Any, xp: Any) -> Any:
    """Times since 1970 in nanoseconds, as int64; an error for any that is none."""
    if time.ndim != 1:
        raise ValueError(f"time must be one-dimensional, got shape {time.shape}")
    kind = time.dtype.kind
    if kind == "M":
        wrong = np.isnat(time)
        limits = time.astype("datetime64[us]").astype(np.int64) // 1000
    elif kind == "f":
        wrong = ~xp.isfinite(time)
        limits = time * 1000
    elif kind in "iu" or len(time) == 0:
        wrong = time > np.iinfo(np.int64).max if time.dtype == np.uint64 else xp.zeros(1, bool)
        limits = xp.zeros(1)
    else:
        raise TypeError(
            "time must be whole nanoseconds since 1970, float seconds or datetime64, got dtype "
            f"{time.dtype}"
        )
    wrong = wrong | (limits < -_MOST) | (limits > _MOST)
    if bool(wrong.any()):
        at = int(wrong.argmax())
        raise ValueError(f"time must be of the years 1678 to 2262, got {time[at]} for packet {at}")
    if kind == "M":
        return time.astype("datetime64[ns]").astype(np.int64)
    if kind != "f":
        return time.astype(np.int64, copy=False)
    whole = xp.floor(time)
    return whole.astype(np.int64) * 10**9 + xp.rint((time - whole) * 1e9).astype(np.int64)


_MOST = np.iinfo(np.int64).max // 10**6 - 1  # milliseconds that int64 has nanoseconds for


def assign_ids(packets: Packets) -> Packets:
    """Return the packets with IPv6 addresses replaced by ids: hashes without a key.

    This does not anonymize the addresses.

    Examples
    --------
    >>> table = np.array([[0x20010DB8 << 32, 1]], np.uint64)
    >>> ids = np.array([WIDE, 7], np.uint64)
    >>> named = assign_ids(Packets(ids, ids[::-1], wide=table))
    >>> named.wide is None, bool(named.source[0] == named.destination[1]), int(named.source[1])
    (True, True, 7)
    """
    if packets.wide is None:
        return packets
    known = hashed(packets.wide)
    source, destination = (_resolve(ids, known) for ids in (packets.source, packets.destination))
    return packets._replace(source=source, destination=destination, wide=None)


def hashed(addresses: np.ndarray) -> np.ndarray:
    """The ids of IPv6 addresses, each by its two halves: 63 bits of a hash, and the top bit."""
    high, low = addresses[:, 0], addresses[:, 1]
    return _mix(_mix(high) ^ low) | np.uint64(WIDE)


def spans(time: np.ndarray, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The earliest and the latest of the times in each window; those of an empty one are any.

    >>> spans(np.array([5, 3, 4, 9]), np.array([0, 3, 4]))
    (array([3, 9]), array([5, 9]))
    """
    some = bounds[1:] > bounds[:-1]
    at = bounds[:-1][some]  # reduceat would end the window before an empty one too early
    first, last = np.zeros((2, len(some)), time.dtype)
    first[some], last[some] = np.minimum.reduceat(time, at), np.maximum.reduceat(time, at)
    return first, last


def _resolve(ids: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Exchange rows of the table for ids."""
    whole = ids.astype(np.uint64)  # a copy
    far = whole >= WIDE
    whole[far] = known[(whole[far] ^ np.uint64(WIDE)).astype(np.int64)]
    return whole


def _mix(x: np.ndarray) -> np.ndarray:
    """Every bit of the result depends on every bit of the word: the finalizer of SplitMix64."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
