"""Links: the arrays of traffic matrices, where they live, and what is right for them.

Ids are uint32 where all are IPv4 addresses, else uint64. Arrays are NumPy's, or CuPy's on a GPU.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.ranges import check_whole, whole_sum

__all__ = [
    "Links",
    "addresses",
    "array_module",
    "checked",
    "columns_of",
    "ids_of",
    "moved",
    "named",
    "place",
]


class Links(NamedTuple):
    """Links of one matrix, or of many one after the other, sorted in each, none twice."""

    source: Any  #: ids, uint32 or uint64
    destination: Any  #: ids of the same type
    packets: Any  #: int64, 1 or more


def checked(source: Any, destination: Any, packets: Any, device: str) -> Links:
    """The links of a matrix as arrays; an error that names what is wrong with them."""
    links = columns_of(source, destination, packets, array_module(device))
    source, destination, packets = links
    same, less = source[1:] == source[:-1], source[1:] < source[:-1]
    wrong = less | (same & (destination[1:] <= destination[:-1]))
    if bool(wrong.any()):
        at = int(wrong.argmax()) + 1
        raise ValueError(
            "links must be sorted by (source, destination), none twice, got "
            f"({int(source[at])}, {int(destination[at])}) after "
            f"({int(source[at - 1])}, {int(destination[at - 1])}); from_links takes any"
        )
    return links


def columns_of(source: Any, destination: Any, packets: Any, xp: Any) -> Links:
    """Links in any order as arrays of the right types, each with a packet or more."""
    source, destination = ids_of(source, destination, xp)
    packets = xp.asarray(packets)
    if packets.dtype.kind not in "iu" and len(packets):
        raise TypeError(f"packets must be whole numbers, got dtype {packets.dtype}")
    check_whole(whole_sum(packets), "sums", "packets", hint="")
    packets = xp.ascontiguousarray(packets.astype(np.int64, copy=False))
    if not len(source) == len(destination) == len(packets):
        raise ValueError(
            "source, destination and packets must have one entry per link, got "
            f"{len(source)}, {len(destination)} and {len(packets)}"
        )
    if len(packets) and int(packets.min()) < 1:
        raise ValueError(f"packets must be 1 or more on every link, got {int(packets.min())}")
    return Links(source, destination, packets)


def ids_of(source: Any, destination: Any, xp: Any) -> tuple[Any, Any]:
    """Two columns of ids, as contiguous arrays of one type: uint32 if both are, else uint64."""
    ends = [_ids(end, name, xp) for end, name in ((source, "source"), (destination, "destination"))]
    kind = max((end.dtype for end in ends), key=lambda dtype: dtype.itemsize)
    return ends[0].astype(kind, copy=False), ends[1].astype(kind, copy=False)


def _ids(array: Any, name: str, xp: Any) -> Any:
    array = xp.ascontiguousarray(xp.asarray(array))
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    if array.dtype in (np.uint32, np.uint64):
        return array
    if len(array) == 0:
        return array.astype(np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be ids (integers), got dtype {array.dtype}")
    if array.dtype.kind == "i" and int(array.min()) < 0:
        raise ValueError(f"{name} must be ids of 0 or more, got {int(array.min())}")
    return array.astype(np.uint32 if int(array.max()) < 1 << 32 else np.uint64)


def place(array: Any) -> str:
    """The device on which an array lives."""
    from edgewise.graph.transfer import number_of, on_gpu

    return f"cuda:{number_of(array)}" if on_gpu(array) else "cpu"


def named(device: str) -> str:
    """The name of a device with its number; an error that says what is missing if it is not there.

    >>> named("cpu")
    'cpu'
    """
    if isinstance(device, str) and device == "cpu":
        return device
    from edgewise.base.cuda.device import device_number

    return f"cuda:{device_number(device)}"


def moved(arrays: Any, device: str) -> Any:
    """A record of arrays on another device, which is `named`."""
    from edgewise.graph.transfer import host, on

    kind = type(arrays)
    if device == "cpu":
        return kind(*(None if array is None else host(array) for array in arrays))
    xp = array_module(device)
    with on(int(device.partition(":")[2])):
        return kind(*(None if array is None else xp.asarray(host(array)) for array in arrays))


def array_module(device: str) -> Any:
    """NumPy, or CuPy for arrays on a GPU."""
    if device == "cpu":
        return np
    from edgewise.base.cuda.device import array_module

    return array_module()


def addresses(ids: np.ndarray) -> list[str]:
    """What ids are called: ``"10.0.0.1"``, or ``"ipv6-"`` and the id in hexadecimal digits.

    >>> addresses(np.array([0xC0A80001, 2**63 + 1], np.uint64))
    ['192.168.0.1', 'ipv6-8000000000000001']
    """
    return [
        ".".join(map(str, i.to_bytes(4, "big"))) if i < 1 << 32 else f"ipv6-{i:016x}"
        for i in ids.tolist()
    ]
