"""Sensing as one call: from captures to what their windows and their whole say.

`sense` is the chain ``read | anonymize | window`` run into folds: a table of all windows, their
sum, and on request sums of 2, 4, 8 ... windows, and every matrix in a file. A few batches are under
way at a time, so that captures may be larger than memory; what must fit are the distinct links of
the sum. Results do not depend on batches, threads or devices.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.checks import check_choice, check_count, check_flag
from edgewise.base.compiling import clock
from edgewise.sensing.captures import ADDRESSES, Tally
from edgewise.sensing.chain import IN_FLIGHT, Chain, Stream
from edgewise.sensing.cutting import Every, window_of
from edgewise.sensing.folds import Level, Levels, Save, Table, Total, WindowTable, narrow
from edgewise.sensing.matrix import TrafficMatrix
from edgewise.sensing.packets import WIDE, Packets, checked, identify
from edgewise.sensing.quantities import Distributions, Quantities
from edgewise.sensing.records import count_records
from edgewise.sensing.stages import (
    BATCH,
    BATCH_ON_GPU,
    devices_of,
    is_files,
    read,
    windows_of,
)

__all__ = ["Sensing", "sense"]

#: Packets to read at a time, at most; larger batches are joined where windows are built.
_MOST_READ = 1 << 22
#: Batches of more windows than this are of whole ones, also where their number is given.
_MANY = 8


class Sensing(NamedTuple):
    """What traffic says: of each window, and in total. All arrays are in host memory."""

    windows: WindowTable  #: quantities, distributions and times of each window
    total: TrafficMatrix  #: the sum of all windows
    quantities: Quantities  #: of the sum
    distributions: Distributions  #: of the sum
    levels: list[Level]  #: windows of 1, 2, 4 ... times the length; empty unless asked for
    tally: Tally  #: what was read
    late: int  #: packets that came after a later window of time had begun
    empty: int  #: windows of time without packets, which are left out
    seconds: dict[str, float]  #: that each stage worked, and in total

    def __repr__(self) -> str:
        return (
            f"Sensing({len(self.windows):,} windows, {self.quantities.valid_packets:,} packets, "
            f"{self.quantities.unique_links:,} links)"
        )

    def to_frame(self) -> Any:
        """The windows as a pandas DataFrame: when they were, and the nine quantities."""
        import pandas as pd

        columns = dict(self.windows.quantities._asdict())
        times = {
            name: pd.to_datetime(when, unit="ns", utc=True)
            for name, when in (("start", self.windows.start), ("stop", self.windows.stop))
            if when is not None
        }
        return pd.DataFrame({**times, **columns}).rename_axis("window")


def sense(
    packets: Any,
    *,
    window: Any = 1 << 17,
    anonymize: Callable[[Packets], Packets] | None = None,
    family: str = "ip",
    addresses: str = "outer",
    device: Any = "cpu",
    batch: int | None = None,
    batches: int | None = None,
    in_flight: int = IN_FLIGHT,
    partial: bool = True,
    levels: bool = False,
    on_damage: str = "raise",
    folder: str | os.PathLike | None = None,
    progress: Callable[[int], Any] | None = None,
) -> Sensing:
    """Count what there is in traffic, window by window and in total.

    Parameters
    ----------
    packets : path, open binary file, list of these, Packets, or iterable of Packets
        Captures (pcap, pcapng, also compressed) or packet records, one after the other; or packets
        themselves, also from a generator. Windows run on across files and batches.
    window : int or str
        Packets in each window, as ``1 << 17`` or ``"2^17"``; or a time, as ``"60s"``: such windows
        begin at whole multiples of it since 1970. Windows of a time without packets are left out,
        and counted (``empty``); a packet that comes after a later window has begun counts in the
        window that is open then, and as ``late``.
    anonymize : callable, optional
        What gives packets other addresses: `permutation` or `crypto_pan` of a key, or any function
        from `Packets` to `Packets`. The quantities are the same without.
    family : {"ip", "ipv4", "ipv6"}
        Which packets count.
    addresses : {"outer", "inner"}
        Of packets of captures that are in tunnels (IP in IP, GRE, VXLAN, Geneve, GTP-U): those of
        the outermost IP header, which are the ends of the tunnel, or of the innermost one.
    device : str or list of str
        Where windows are built: ``"cpu"``, ``"cuda"``, or several as ``["cuda:0", "cuda:1"]``.
    batch : int, optional
        Packets at a time, about; by default 2**20, and 2**24 for a GPU.
    batches : int, optional
        In how many parts to take the packets, in place of ``batch``: where their number is known,
        as that of `Packets` and of packet records that are not compressed.
    in_flight : int
        How many batches are under way at a time; 1 does without threads that read ahead.
    partial : bool
        Keep windows that are cut by the end of the packets (those of a time also by their
        beginning).
    levels : bool
        Also sum windows to ones of 2, 4, 8 ... times as many packets, and count in those.
    on_damage : {"raise", "keep"}
        What to do at a damaged file: stop, or keep what came before and go on with the next.
        Packets that come from no file are not looked into.
    folder : path, optional
        Save the matrix of every window here, in a new folder that appears when all is done.
    progress : callable, optional
        Called with the number of bytes of files read so far, now and then, from another thread.

    Returns
    -------
    Sensing

    Raises
    ------
    FileFormatError
        At a damaged file. Errors of a stage carry a note that says at which batch of which file.

    Examples
    --------
    >>> import numpy as np
    >>> from edgewise.sensing import Packets
    >>> packets = Packets(np.uint32([1, 1, 2, 3, 3, 3]), np.uint32([2, 3, 3, 1, 1, 1]))
    >>> found = sense(packets, window=3)
    >>> found
    Sensing(2 windows, 6 packets, 4 links)
    >>> found.windows.quantities.unique_links.tolist(), found.quantities.max_link_packets
    ([3, 1], 3)
    >>> found.total
    TrafficMatrix(4 links, 6 packets, 2**32 x 2**32, 64 B)
    """
    cut, devices = window_of(window), devices_of(device)
    check_choice(family, "family", ("ip", "ipv4", "ipv6"))
    check_choice(addresses, "addresses", ADDRESSES)
    check_choice(on_damage, "on_damage", ("raise", "keep"))
    check_flag(partial, "partial")
    if check_flag(levels, "levels") and not isinstance(cut, Every):
        raise ValueError(f"levels must be of windows of packets; window={window!r} is a time")
    if anonymize is not None and not callable(anonymize):
        raise TypeError(f"anonymize must be a function of packets, got {type(anonymize).__name__}")
    tally = Tally()
    size = _batch(packets, batch, batches, cut, devices)
    if is_files(packets):
        chain = read(
            packets, batch=min(size, _MOST_READ), family=family, addresses=addresses,
            on_damage=on_damage, tally=tally, progress=progress,
        )  # fmt: skip
    else:
        chain = Chain(_Parts(packets, size, family, tally), "packets")
    chain |= identify if anonymize is None else _named(anonymize)
    whole, saved = Total(), folder is not None
    about: Any = {"partial": partial, "devices": devices, "batch": size * 3 // 4}
    about["total"] = None if levels or saved else whole
    chain |= Stream(lambda batches: windows_of(batches, cut, **about), "window")

    seconds: dict[str, float] = {}
    begun = clock()
    with _new_folder(folder) as draft:
        folds: list[Any] = [Table(), whole]
        folds += [Levels(cut.size)] if levels else []
        folds += [Save(draft)] if draft is not None else []
        table, total, *rest = chain.into(*folds, in_flight=in_flight, seconds=seconds)
    seconds["in all"] = clock() - begun
    return Sensing(
        table, narrow(total), total.quantities(), total.distributions(),
        rest[0] if levels else [], tally, cut.late, cut.empty(len(table)), seconds,
    )  # fmt: skip


def _named(anonymize: Callable[[Packets], Packets]) -> Callable[[Packets], Packets]:
    """An anonymizer under the name that timings and errors have for it."""

    def anonymized(packets: Packets) -> Packets:
        found = anonymize(packets)
        if not isinstance(found, Packets):
            raise TypeError(f"anonymize must return Packets, got {found!r:.80}")
        return found

    return anonymized


class _Parts:
    """Packets that are there, or come from an iterable, in parts of at most so many."""

    def __init__(self, packets: Any, batch: int, family: str, tally: Tally):
        if not isinstance(packets, Iterable):
            raise TypeError(
                f"packets must be files or Packets or an iterable of them, got {packets!r}"
            )
        self.packets, self.batch, self.family, self.tally = packets, batch, family, tally

    def __iter__(self) -> Iterator[Packets]:
        for one in [self.packets] if isinstance(self.packets, Packets) else self.packets:
            if not isinstance(one, Packets):
                raise TypeError(f"packets must be Packets one after the other, got {one!r:.80}")
            if not isinstance(one.source, np.ndarray):
                raise TypeError(
                    "packets must be of NumPy arrays; build_windows takes those on a GPU, got "
                    f"{type(one.source).__name__}"
                )
            part = _of_family(checked(one), self.family, self.tally)
            for low in range(0, part.count, self.batch):
                yield part.cut(low, low + self.batch)


def _of_family(packets: Packets, family: str, tally: Tally) -> Packets:
    """Count packets, and leave out those of another family than is asked for."""
    six = packets.source >= WIDE if packets.source.dtype.itemsize == 8 else np.zeros(1, bool)
    far = int(np.count_nonzero(six))
    tally.packets += packets.count
    tally.ipv6 += far
    tally.ipv4 += packets.count - far
    if family == "ip" or (far == 0 and family == "ipv4"):
        return packets
    return packets.where(np.broadcast_to(six if family == "ipv6" else ~six, packets.source.shape))


def _batch(packets: Any, batch: Any, batches: Any, cut: Any, devices: list[str]) -> int:
    """How many packets to take at a time, by default whole windows, so that none is carried on."""
    if batches is not None:
        check_count(batches, "batches", 1)
        if batch is not None:
            raise ValueError(f"batches must not be given with batch, got {batches} and {batch}")
        least, windows = max(-(-_number(packets) // batches), 1), _MANY
    elif batch is not None:
        return check_count(batch, "batch", 1, 1 << 30)
    else:
        least, windows = BATCH if devices == ["cpu"] else BATCH_ON_GPU, 1
    whole = isinstance(cut, Every) and windows * cut.size < least
    return -(-least // cut.size) * cut.size if whole else least


def _number(packets: Any) -> int:
    """How many packets there are, where that is known before they are read."""
    if isinstance(packets, Packets):
        return packets.count
    files = packets if isinstance(packets, (list, tuple)) else [packets]
    counts = [count_records(file) for file in files] if is_files(packets) else [None]
    if any(count is None for count in counts):
        raise ValueError(
            "batches needs packets of a known number: Packets, or files of packet records that are "
            "not compressed; batch takes any"
        )
    return sum(counts)  # type: ignore[arg-type]


def _new_folder(folder: Any) -> Any:
    """A folder that appears when all is done; None if none is wanted."""
    if folder is None:
        return nullcontext(None)
    from edgewise.io.folders import atomic_folder

    return atomic_folder(folder)
