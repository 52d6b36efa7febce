"""Windows built on GPUs: pieces come over the bus while others are analyzed.

Where only the sum of all windows is wanted of their links, a piece is counted without sorting them
(`survey`), and they go into a table on the device (`Running`) then and there. Windows of which a
part went before, and ids of 64 bits, are built in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from edgewise.sensing.cutting import Piece
from edgewise.sensing.folds import Total, WindowTable
from edgewise.sensing.packets import Packets
from edgewise.sensing.windows import Windows, build_windows

__all__ = ["built"]


def built(
    cut: Iterator[Piece], devices: list[str], total: Total | None = None
) -> Iterator[tuple[Piece, Windows | WindowTable]]:
    """The windows of pieces, in their order; devices take them in turn.

    With a ``total``, links go there at once, and what comes out has none, if that can be.
    """
    from edgewise.sensing.cuda.stream import stream

    def batches() -> Iterator[tuple[list[Packets], _Job]]:
        parted = False  # has a part of the window that is open gone before?
        for turn, piece in enumerate(cut):
            light = not (piece.more or parted)
            yield piece.parts, _Job(piece, devices[turn % len(devices)], light)
            parted = piece.more

    def analyze(packets: Packets, job: _Job) -> tuple[Piece, Windows | WindowTable]:
        piece, device, light = job
        start, stop = piece.times()
        if total is not None and light and packets.source.itemsize == 4:
            from edgewise.sensing.cuda.windows import survey

            found = survey(packets.source, packets.destination, piece.bounds)
            total.running(device).add(found)
            return piece, WindowTable(found.quantities, found.distributions, start, stop)
        windows = build_windows(packets, piece.bounds, device=device)
        return piece, replace(windows, start=start, stop=stop)

    yield from stream(batches(), devices, analyze)


class _Job(NamedTuple):
    """A piece, and where it is analyzed."""

    piece: Piece
    device: str
    light: bool  #: need its links not be known window by window?
