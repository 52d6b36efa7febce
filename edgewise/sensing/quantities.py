"""What is counted of a traffic matrix A: nine quantities and five distributions.

With A(i, j) the packets from i to j, and |A| the matrix of ones where A has links:

    ======================= ==================== ==========================
    valid packets           sum A                packets
    unique links            sum \\|A\\|            who talks to whom
    max link packets        max A                the busiest link
    unique sources          rows with links      who sends
    max source packets      max of rows of A     the busiest sender
    max source fan-out      max of rows of \\|A\\| the most links from one source
    unique destinations     columns with links   who is sent to
    max destination packets max of columns of A  the busiest receiver
    max destination fan-in  max of columns, \\|A\\| the most links to one destination
    ======================= ==================== ==========================

None of them depends on who is who: ids may be permuted at will, which is what lets them be taken of
anonymized traffic. Distributions are counted in bins of powers of two [1].

[1] J. Kepner et al. Multi-temporal analysis and scaling relations of 100,000,000,000 network
packets. HPEC 2020.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["BINS", "Distributions", "Quantities", "bin_edges", "bins"]

#: How many bins a distribution has: enough for every count of 63 bits.
BINS = 64


class Quantities(NamedTuple):
    """The nine traffic quantities: integers for one matrix, or arrays over windows.

    Examples
    --------
    >>> from edgewise.sensing import Packets, TrafficMatrix
    >>> packets = Packets(np.uint32([1, 1, 1, 2]), np.uint32([5, 5, 6, 5]))
    >>> found = TrafficMatrix.from_packets(packets).quantities()
    >>> found.valid_packets, found.unique_links, found.max_link_packets
    (4, 3, 2)
    >>> found.max_source_fan_out, found.max_destination_packets
    (2, 3)
    """

    valid_packets: Any
    unique_links: Any
    max_link_packets: Any
    unique_sources: Any
    max_source_packets: Any
    max_source_fan_out: Any
    unique_destinations: Any
    max_destination_packets: Any
    max_destination_fan_in: Any

    def window(self, i: int) -> Quantities:
        """Return the quantities of window i as integers, from arrays over windows."""
        return Quantities(*(int(values[i]) for values in self))


class Distributions(NamedTuple):
    """Histograms of links, sources and destinations by size, in bins of powers of two.

    Each is an int64 array whose last axis has `BINS` entries. Bin 0 counts the value 1, and bin i
    the values above ``2**(i - 1)`` up to ``2**i``. For several windows, there is one row per
    window.

    Examples
    --------
    >>> from edgewise.sensing import Packets, TrafficMatrix
    >>> packets = Packets(np.uint32([1, 1, 1, 2]), np.uint32([5, 5, 6, 5]))
    >>> found = TrafficMatrix.from_packets(packets).distributions()
    >>> found.source_packets[:4].tolist()  # one source sent 1 packet, one sent 3
    [1, 0, 1, 0]
    """

    source_packets: Any
    source_fan_out: Any
    link_packets: Any
    destination_fan_in: Any
    destination_packets: Any

    def window(self, i: int) -> Distributions:
        """Return the distributions of window i, from those of several windows."""
        return Distributions(*(rows[i] for rows in self))


def bins(values: Any) -> np.ndarray:
    """The bin of each of some counts, which are 1 or more.

    >>> bins([1, 2, 3, 4, 5, 2**62 + 1]).tolist()
    [0, 1, 2, 2, 3, 63]
    """
    return np.searchsorted(bin_edges(), np.asarray(values, np.int64).astype(np.uint64))


def bin_edges() -> np.ndarray:
    """The largest value of each bin, as uint64: 1, 2, 4, 8, ...

    >>> bin_edges()[:5].tolist(), len(bin_edges())
    ([1, 2, 4, 8, 16], 64)
    """
    return np.uint64(1) << np.arange(BINS, dtype=np.uint64)
