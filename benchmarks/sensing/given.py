"""The packets that all libraries are given: in files, and in memory."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["WINDOW", "Given"]

#: Packets in a window, as in the challenge.
WINDOW = 1 << 17


class Given:
    """So many synthetic packets, the same each time."""

    def __init__(self, count: int, folder: Path):
        self.count, self.folder = count, folder

    @property
    def records(self) -> Path:
        return self.folder / "traffic.packets"

    @property
    def pcap(self) -> Path:
        return self.folder / "traffic.pcap"

    def batches(self) -> Any:
        """The packets as they are made."""
        from edgewise.sensing import generate_traffic

        return generate_traffic(self.count, seed=1)

    def write(self) -> None:
        """Make the files."""
        from edgewise.sensing import write_pcap, write_records

        write_records(self.batches(), self.records)
        write_pcap(self.batches(), self.pcap)

    @cached_property
    def packets(self) -> Any:
        """All packets in memory."""
        from edgewise.sensing import Packets, iter_records

        parts = list(iter_records(self.records))
        columns = (np.concatenate([part[i] for part in parts]) for i in range(3))
        return Packets(*columns)

    @cached_property
    def apart(self) -> Given:
        """As many packets whose ends are drawn apart: hardly two are of the same link."""
        from edgewise.sensing import generate_traffic

        other = Given(self.count, self.folder)
        (other.packets,) = generate_traffic(self.count, links=0, seed=1, batch_size=self.count)
        return other

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Sources and destinations as 64-bit numbers, which GraphBLAS takes as they are."""
        return tuple(ids.astype(np.uint64) for ids in self.packets[:2])

    @property
    def bounds(self) -> list[tuple[int, int]]:
        """Where windows begin and end."""
        return [(low, min(low + WINDOW, self.count)) for low in range(0, self.count, WINDOW)]
