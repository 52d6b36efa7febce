"""The largest links, sources and destinations, beside counters of plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from edgewise.sensing import Packets, TrafficMatrix, heavy_hitters


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@pytest.mark.parametrize("count", [1, 3, 1000])
def test_like_counters(dtype, count):
    rng = np.random.default_rng(count)
    ends = rng.integers(0, 40, (2, 500)).astype(dtype)
    found = heavy_hitters(TrafficMatrix.from_packets(Packets(*ends)), count)
    pairs = Counter(zip(*ends.tolist(), strict=True))
    expected = sorted(pairs.items(), key=lambda one: (-one[1], one[0]))[:count]
    assert list(zip(*(part.tolist() for part in found.links[:2]), strict=True)) == [
        pair for pair, _ in expected
    ]
    assert found.links.packets.tolist() == [packets for _, packets in expected]
    for side, part in ((0, found.sources), (1, found.destinations)):
        sums, fans = Counter(ends[side].tolist()), Counter(pair[side] for pair in pairs)
        order = sorted(sums, key=lambda one: (-sums[one], one))[:count]
        assert part.ids.tolist() == order
        assert part.packets.tolist() == [sums[one] for one in order]
        assert part.links.tolist() == [fans[one] for one in order]


def test_nothing_and_bad_counts():
    nothing = TrafficMatrix.from_links([], [], [])
    assert [len(column) for part in heavy_hitters(nothing) for column in part] == [0] * 9
    with pytest.raises(ValueError, match="k must"):
        heavy_hitters(nothing, 0)
