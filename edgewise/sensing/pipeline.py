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
from edgewise.sensing.packets import WIDE, Packets, assign_ids, checked
from edgewise.sensing.quantities import Distributions, Quantities
from edgewise.sensing.records import count_records
from edgewise.sensing.stages import (
    BATCH,
    BATCH_ON_GPU,
    chain,
    devices_of,
    is_files,
    windows_of,
)

__all__ = ["Sensing", "sense"]

#: Packets to read at a time, at most; larger batches are joined where windows are built.
_MOST_READ = 1 << 22
#: Batches of more windows than this are of whole ones, also where their number is given.
_MANY = 8


class Sensing(NamedTuple):
    """Traffic statistics of each window and in total. All arrays are in host memory."""

    windows: WindowTable  #: the quantities, distributions and times of each window
    total: TrafficMatrix  #: the sum of all windows
    quantities: Quantities  #: the quantities of the sum
    distributions: Distributions  #: the distributions of the sum
    levels: list[Level]  #: windows of 1, 2, 4 ... times the length; empty without ``levels``
    tally: Tally  #: counts of the packets and files read
    late: int  #: the number of packets that arrived after the next time window had begun
    empty: int  #: the number of time windows without packets, which are left out
    seconds: dict[str, float]  #: the working time of each stage, and the total time

    def __repr__(self) -> str:
        return (
            f"Sensing({len(self.windows):,} windows, {self.quantities.valid_packets:,} packets, "
            f"{self.quantities.unique_links:,} links)"
        )

    def to_pandas(self) -> Any:
        """Return the windows as a pandas data frame: their times and the nine quantities."""
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
    batch_size: int | None = None,
    num_batches: int | None = None,
    in_flight: int = IN_FLIGHT,
    partial: bool = True,
    levels: bool = False,
    on_bad_file: str = "raise",
    folder: str | os.PathLike | None = None,
    progress: Callable[[int, int | None], Any] | None = None,
) -> Sensing:
    """Return traffic statistics of each window and in total.

    Parameters
    ----------
    packets : path, open binary file, list of these, Packets, or iterable of Packets
        Captures (pcap, pcapng, also compressed) or packet records, read in order; or packets
        themselves, also from a generator. Windows may span files and batches.
    window : int or str
        The number of packets per window, as ``1 << 17`` or ``"2^17"``, or a duration, as ``"60s"``.
        Time windows begin at whole multiples of the duration since 1970. Empty time windows are
        left out and counted in ``empty``. A packet that arrives after a later window has begun
        counts in the current window, and in ``late``.
    anonymize : callable, optional
        An anonymizer from `permutation` or `crypto_pan`, or any function from `Packets` to
        `Packets`. Anonymization does not change the quantities.
    family : {"ip", "ipv4", "ipv6"}
        Which packets are counted.
    addresses : {"outer", "inner"}
        Which addresses of tunneled packets (IP in IP, GRE, VXLAN, Geneve, GTP-U) are counted: those
        of the outermost IP header, which are the ends of the tunnel, or those of the innermost.
    device : str or list of str
        Where windows are built: ``"cpu"``, ``"cuda"``, or several as ``["cuda:0", "cuda:1"]``.
    batch_size : int, optional
        The approximate number of packets per batch; by default 2**20, and 2**24 for a GPU. Larger
        batches use more memory.
    num_batches : int, optional
        The number of batches, instead of ``batch_size``. It requires a known number of packets, as
        for `Packets` and uncompressed packet records.
    in_flight : int
        The maximum number of batches being processed at a time. With 1, no thread reads ahead.
    partial : bool
        Keep incomplete windows at the end; for time windows, also at the beginning.
    levels : bool
        Also compute the statistics of windows of 2, 4, 8 ... times as many packets.
    on_bad_file : {"raise", "skip"}
        What to do at a damaged file: raise an error, or keep the packets before the damage and
        continue with the next file. Packets that come from no file are not checked.
    folder : path, optional
        Write the matrix of each window to this new folder, which appears once all are written.
    progress : callable, optional
        Called at intervals, from another thread, as ``progress(done, total)`` with numbers of
        bytes; the total is None if a file is a stream.

    Returns
    -------
    Sensing
        The statistics of each window and in total.

    Raises
    ------
    FileFormatError
        If a file is damaged. A note on the error names the batch and the file.

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
    check_choice(on_bad_file, "on_bad_file", ("raise", "skip"))
    check_flag(partial, "partial")
    if check_flag(levels, "levels") and not isinstance(cut, Every):
        raise ValueError(f"levels must be of windows of packets; window={window!r} is a time")
    if anonymize is not None and not callable(anonymize):
        raise TypeError(f"anonymize must be a function of packets, got {type(anonymize).__name__}")
    tally = Tally()
    size = _batch(packets, batch_size, num_batches, cut, devices)
    if is_files(packets):
        stages = chain(
            packets, batch_size=min(size, _MOST_READ), family=family, addresses=addresses,
            on_bad_file=on_bad_file, tally=tally, progress=progress,
        )  # fmt: skip
    else:
        stages = Chain(_Parts(packets, size, family, tally), "packets")
    stages |= assign_ids if anonymize is None else _named(anonymize)
    whole, saved = Total(), folder is not None
    about: Any = {"partial": partial, "devices": devices, "batch_size": size * 3 // 4}
    about["total"] = None if levels or saved else whole
    stages |= Stream(lambda batches: windows_of(batches, cut, **about), "window")

    seconds: dict[str, float] = {}
    begun = clock()
    with _new_folder(folder) as draft:
        folds: list[Any] = [Table(), whole]
        folds += [Levels(cut.size)] if levels else []
        folds += [Save(draft)] if draft is not None else []
        table, total, *rest = stages.into(*folds, in_flight=in_flight, seconds=seconds)
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
            for low in range(0, part.num_packets, self.batch):
                yield part.cut(low, low + self.batch)


def _of_family(packets: Packets, family: str, tally: Tally) -> Packets:
    """Count packets, and leave out those of another family than is asked for."""
    six = packets.source >= WIDE if packets.source.dtype.itemsize == 8 else np.zeros(1, bool)
    far = int(np.count_nonzero(six))
    tally.packets += packets.num_packets
    tally.ipv6 += far
    tally.ipv4 += packets.num_packets - far
    if family == "ip" or (far == 0 and family == "ipv4"):
        return packets
    return packets.where(np.broadcast_to(six if family == "ipv6" else ~six, packets.source.shape))


def _batch(packets: Any, batch: Any, batches: Any, cut: Any, devices: list[str]) -> int:
    """How many packets to take at a time, by default whole windows, so that none is carried on."""
    if batches is not None:
        check_count(batches, "num_batches", 1)
        if batch is not None:
            raise ValueError(
                f"num_batches must not be given with batch_size, got {batches} and {batch}"
            )
        least, windows = max(-(-_number(packets) // batches), 1), _MANY
    elif batch is not None:
        return check_count(batch, "batch_size", 1, 1 << 30)
    else:
        least, windows = BATCH if devices == ["cpu"] else BATCH_ON_GPU, 1
    whole = isinstance(cut, Every) and windows * cut.size < least
    return -(-least // cut.size) * cut.size if whole else least


def _number(packets: Any) -> int:
    """How many packets there are, where that is known before they are read."""
    if isinstance(packets, Packets):
        return packets.num_packets
    files = packets if isinstance(packets, (list, tuple)) else [packets]
    counts = [count_records(file) for file in files] if is_files(packets) else [None]
    if any(count is None for count in counts):
        raise ValueError(
            "num_batches needs packets of a known number: Packets, or files of packet records "
            "that are not compressed; batch_size takes any"
        )
    return sum(counts)  # type: ignore[arg-type]


def _new_folder(folder: Any) -> Any:
    """A folder that appears when all is done; None if none is wanted."""
    if folder is None:
        return nullcontext(None)
    from edgewise.io.folders import atomic_folder

    return atomic_folder(folder)
