"""Something to report: generated traffic with a scan and a flood in it, sensed."""

from __future__ import annotations

from edgewise.sensing import Event, Packets, generate_traffic, sense

SIZE = 1 << 10


def sensed(count=24, *, last=0, times=True, **options):
    """What there is in ``count`` windows, and ``last`` more packets, of seeded traffic."""
    events = [Event("scan", 7 * SIZE, SIZE, 0.5), Event("flood", 11 * SIZE, SIZE, 0.5)]
    batches = generate_traffic(
        count * SIZE + last,
        sources=2000,
        destinations=1500,
        rate=1e4,
        start=1_700_000_000_000_000_000,
        times=times,
        events=events if count > 11 else (),
        seed=5,
    )
    return sense(batches, window=SIZE, **options)


def nothing():
    """What there is in no packets at all."""
    import numpy as np

    return sense(Packets(np.empty(0, np.uint32), np.empty(0, np.uint32)), window=SIZE)
