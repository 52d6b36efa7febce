"""The stages of sensing: read packets, and build the matrices of windows.

They chain with ``|`` (see `edgewise.sensing.chain`); anonymizers, and functions of one's own, go
between them as they are::

    chain("day.pcap.gz") | permutation(read_key("key.txt")) | window(1 << 17)

`window` is one launch for all windows of a batch: their packets are sorted, links summed, and every
quantity and distribution counted. On GPUs, batches are dealt out to them in turn; records come out
in the order of the packets all the same.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from edgewise.sensing.captures import Tally, iter_packets
from edgewise.sensing.chain import Chain, Stream
from edgewise.sensing.cutting import Every, Piece, Span, grouped, pieces, window_of
from edgewise.sensing.folds import Total, WindowTable
from edgewise.sensing.matrix import TrafficMatrix
from edgewise.sensing.packets import Packets
from edgewise.sensing.quantities import Distributions, Quantities
from edgewise.sensing.windows import Windows, build_windows

__all__ = ["BATCH", "BATCH_ON_GPU", "chain", "devices_of", "is_files", "window", "windows_of"]

#: Packets at a time, if not said otherwise: in host memory, and on a GPU.
BATCH, BATCH_ON_GPU = 1 << 20, 1 << 24


def chain(files: Any, **options: Any) -> Chain:
    """Return a chain that starts with the packets of files, in batches.

    Parameters
    ----------
    files : path, open binary file, or a list of these
        Captures or packet records, read in order.
    options
        Those of `iter_packets`: ``family``, ``batch_size``, ``times``, ``ports``, ``addresses``,
        ``on_bad_file``, ``progress`` and ``tally``.

    Returns
    -------
    Chain
        A chain of `Packets`; IPv6 addresses are in their tables (``wide``).

    Examples
    --------
    A function of one's own between reading and counting:

    >>> import tempfile
    >>> from edgewise.sensing import Packets, write_records
    >>> ids = np.arange(6, dtype=np.uint32)
    >>> def from_low_addresses(packets):
    ...     return packets.where(packets.source < 4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = write_records(Packets(ids, ids[::-1]), f"{folder}/a.packets")
    ...     chain = chain(f"{folder}/a.packets") | from_low_addresses | window(2)
    ...     [windows.quantities.valid_packets.tolist() for windows in chain]
    [[2, 2]]
    """
    return Chain(_Files(files, options))


def window(window: Any = 1 << 17, *, partial: bool = True, device: Any = "cpu") -> Stream:
    """Return a stage that builds the traffic matrices of windows, from `Packets` to `Windows`.

    Parameters
    ----------
    window : int or str
        The number of packets per window, as ``1 << 17`` or ``"2^17"``, or a duration, as ``"60s"``.
        Time windows begin at whole multiples of the duration since 1970; empty ones are left out. A
        packet that arrives after a later window has begun counts in the current window.
    partial : bool
        Keep incomplete windows at the end; for time windows, also at the beginning.
    device : str or list of str
        Where to build windows: ``"cpu"``, ``"cuda"``, or several as ``"cuda:0,cuda:1"``.

    Returns
    -------
    Stream
    """
    window_of(window)  # an error now, not when it runs
    devices = devices_of(device)

    def build(batches: Iterator[Packets]) -> Iterator[Any]:
        return windows_of(batches, window_of(window), partial=partial, devices=devices)

    return Stream(build, "window")


def windows_of(
    batches: Iterable[Packets],
    cut: Every | Span,
    *,
    partial: bool = True,
    devices: list[str],
    batch_size: int | None = None,
    total: Total | None = None,
) -> Iterator[Windows | WindowTable]:
    """The windows of some packets, in records of about ``batch_size`` packets or whatever comes.

    With a ``total``, GPUs add links to it at once where they can; then records come without links.
    """
    least = (BATCH if devices == ["cpu"] else BATCH_ON_GPU) if batch_size is None else batch_size
    made = grouped(pieces(batches, cut, partial=partial), least)
    first = isinstance(cut, Span) and not partial  # is the next window the first, and unwanted?
    built: Iterator[tuple[Piece, Any]]
    if devices == ["cpu"]:
        built = _here(made)
    else:
        from edgewise.sensing import on_gpus

        built = on_gpus.built(made, devices, None if first else total)
    for windows in _completed(built):
        if first:
            windows, first = windows[1:], False
        if len(windows):
            yield windows


def devices_of(device: Any) -> list[str]:
    """The devices that are named, each of which is there.

    >>> devices_of("cpu")
    ['cpu']
    """
    names = device.replace(" ", "").split(",") if isinstance(device, str) else device
    if not isinstance(names, (list, tuple)) or not names:
        raise TypeError(f"device must be a name or a list of names, got {device!r}")
    if list(names) == ["cpu"]:
        return ["cpu"]
    if "cpu" in names:
        raise ValueError(f"device must be 'cpu' or GPUs, not both, got {device!r}")
    from edgewise.base.cuda.device import device_number

    numbers = [device_number(name) for name in names]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"device must name every GPU once, got {device!r}")
    return [f"cuda:{number}" for number in numbers]


def is_files(value: Any) -> bool:
    """Is this the name of a file, an open file, or a list of those?"""
    if isinstance(value, (list, tuple)) and not isinstance(value, Packets):
        return len(value) > 0 and all(map(_is_file, value))
    return _is_file(value)


def _is_file(value: Any) -> bool:
    return isinstance(value, (str, os.PathLike)) or hasattr(value, "read")


class _Files:
    """Files as a source of batches: every iteration reads them from the beginning."""

    def __init__(self, files: Any, options: dict[str, Any]):
        once = isinstance(files, Iterator) and not _is_file(files)  # such as Path.glob gives
        self.files, self.options = list(files) if once else files, options
        iter_packets(self.files, **options)  # an error now, not when it runs

    def __iter__(self) -> Iterator[Packets]:
        return _Reader(self.files, self.options)


class _Reader:
    """An iterator over the packets of files, which knows how far it is."""

    def __init__(self, files: Any, options: dict[str, Any]):
        options = {**options, "tally": options.get("tally") or Tally()}
        self._files, self._tally = [files] if _is_file(files) else list(files), options["tally"]
        self._before = self._tally.files
        self._batches: Any = iter_packets(self._files, **options)

    @property
    def place(self) -> str:
        """The file at which it is, for errors."""
        file = self._files[max(self._tally.files - self._before, 1) - 1]
        return str(getattr(file, "name", "a stream") if hasattr(file, "read") else file)

    def __iter__(self) -> Iterator[Packets]:
        return self

    def __next__(self) -> Packets:
        return next(self._batches)

    def close(self) -> None:
        """Close the file that is open."""
        self._batches.close()


def _here(cut: Iterator[Piece]) -> Iterator[tuple[Piece, Windows]]:
    """Windows built in host memory, by all threads."""
    for piece in cut:
        windows = build_windows(piece.packets(), piece.bounds)
        start, stop = piece.times()
        yield piece, replace(windows, start=start, stop=stop)


def _completed(built: Iterator[tuple[Piece, Any]]) -> Iterator[Any]:
    """Whole windows: parts of one are summed, up to the last."""
    summed: Total | None = None
    start: Any = None
    stop: Any = None
    for piece, windows in built:
        if summed is None and not piece.more:
            yield windows
            continue
        if summed is None:
            summed, start, stop = Total(), windows.start, windows.stop
        elif start is not None and windows.start is not None:
            if windows.stop >= piece.edges:  # not all of them came late
                start = np.minimum(start, windows.start)
            stop = np.maximum(stop, windows.stop)
        summed.add(windows)
        if not piece.more:
            yield _alone(summed.result(), start, stop)
            summed = None


def _alone(matrix: TrafficMatrix, start: Any, stop: Any) -> Windows:
    """One matrix as a record of windows."""
    return Windows(
        matrix.links,
        np.array([0, matrix.num_links]),
        Quantities(*(np.array([value]) for value in matrix.quantities())),
        Distributions(*(counts[None] for counts in matrix.distributions())),
        start,
        stop,
        matrix.device,
    )
