"""Where windows begin: by count and by time, wherever batches end; against a loop over packets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from edgewise.sensing import Packets
from edgewise.sensing.cutting import Every, Span, grouped, pieces, window_of


def packets_at(times, first=0):
    ids = np.arange(first, first + len(times), dtype=np.uint32)
    return Packets(ids, ids + 1, np.array(times, np.int64))


def batched(packets, sizes):
    """The packets in batches of these sizes, in turn."""
    low, found = 0, []
    while low < packets.num_packets:
        size = sizes[len(found) % len(sizes)] if sizes else packets.num_packets
        found.append(packets.cut(low, low + size))
        low += size
    return found


def windows_in(cut):
    """The sources in every window, and when it began and ended."""
    found, opened = [], None
    for piece in cut:
        source, (start, stop) = piece.packets().source, piece.times()
        for i in range(len(piece.bounds) - 1):
            ids = source[piece.bounds[i] : piece.bounds[i + 1]].tolist()
            when = None if start is None else (int(start[i]), int(stop[i]))
            if opened is not None:
                ids, (first, last) = opened[0] + ids, opened[1]
                low, high = when or (first, last)
                low = low if high >= piece.edges[i] else first  # all of them came late
                when = min(first, low), max(last, high)
            opened = (ids, when) if piece.more else found.append((ids, when))
    return found


def by_time(times, size):
    """The oracle: packet by packet, windows never open again."""
    found, now = [], None
    for i, time in enumerate(times):
        number = time // size
        if now is None or number > now:
            now = number
            found.append([])
        found[-1].append(i)
    return found


def when_of(times, ids, size):
    """The earliest and the latest time of a window; late packets do not count."""
    edge = times[ids[0]] // size * size
    inside = [times[i] for i in ids if times[i] >= edge]
    return min(inside), max(inside)


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(0, 60),
    size=st.integers(1, 20),
    sizes=st.lists(st.integers(1, 15), min_size=1, max_size=4),
    held=st.integers(0, 30),
    least=st.integers(1, 40),
)
def test_windows_of_packets_are_those_of_the_whole(count, size, sizes, held, least):
    packets = packets_at(range(count))
    cut = grouped(pieces(batched(packets, sizes), Every(size), held=held), least)
    expected = [list(range(low, min(low + size, count))) for low in range(0, count, size)]
    found = windows_in(cut)
    assert [ids for ids, _ in found] == expected
    assert [when for _, when in found] == [(ids[0], ids[-1]) for ids in expected]
    whole = pieces(batched(packets, sizes), Every(size), partial=False, held=held)
    kept = [ids for ids, _ in windows_in(whole)]
    assert kept == [ids for ids in expected if len(ids) == size]


@settings(max_examples=100, deadline=None)
@given(
    times=st.lists(st.integers(0, 400), max_size=50),
    size=st.integers(1, 60),
    sizes=st.lists(st.integers(1, 15), min_size=1, max_size=4),
    held=st.integers(0, 30),
    far=st.sampled_from([1, 10**6]),
)
def test_windows_of_time_are_those_of_a_loop(times, size, sizes, held, far):
    """Times may jump ahead and come late."""
    times = [time * (far if i % 7 == 3 else 1) for i, time in enumerate(times)]
    window = Span(size)
    cut = pieces(batched(packets_at(times), sizes), window, held=held)
    expected = by_time(times, size)
    found = windows_in(cut)
    assert [ids for ids, _ in found] == expected
    assert [when for _, when in found] == [when_of(times, ids, size) for ids in expected]
    latest = np.maximum.accumulate(times) if times else []
    late = sum(a // size != b // size for a, b in zip(times, latest, strict=True))
    assert window.late == late
    spanned = max(times) // size - times[0] // size + 1 if times else 0
    assert window.empty(len(found)) == spanned - len(found)


def test_a_batch_that_fits_is_not_copied():
    packets = packets_at(range(8))
    [piece] = grouped(pieces([packets], Every(4)), 8)
    assert np.shares_memory(piece.packets().source, packets.source)


def test_packets_that_are_held_are_bounded():
    """A window of all packets goes on in parts."""
    batches = batched(packets_at(range(1000)), [10])
    parts = list(pieces(batches, Every(10**9), held=50))
    assert all(piece.size <= 60 for piece in parts)
    assert [piece.more for piece in parts] == [True] * (len(parts) - 1) + [False]


@pytest.mark.parametrize(
    ("said", "kind", "size"),
    [
        (1 << 17, Every, 131072), ("2^17", Every, 131072), ("2**17", Every, 131072),
        ("131072", Every, 131072), (" 10 s", Span, 10**10), ("60s", Span, 6 * 10**10),
        ("0.5ms", Span, 500_000), ("1.5 us", Span, 1500), ("7ns", Span, 7),
        ("2min", Span, 12 * 10**10), ("1m", Span, 6 * 10**10), ("1h", Span, 36 * 10**11),
        ("1D", Span, 864 * 10**11),
    ],
)  # fmt: skip
def test_how_windows_are_said(said, kind, size):
    made = window_of(said)
    assert type(made) is kind
    assert made.size == size


@pytest.mark.parametrize("said", ["", "0", "0s", "ten", "-5", "2^99", "5 parsecs", "s", "1e3"])
def test_what_is_no_window(said):
    with pytest.raises(ValueError, match="window must be"):
        window_of(said)


def test_what_is_no_window_either():
    with pytest.raises(TypeError, match="window must be a whole number, got 1.5"):
        window_of(1.5)
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        window_of(0)
    with pytest.raises(ValueError, match="these packets have no times"):
        list(pieces([Packets(np.uint32([1]), np.uint32([2]))], Span(5)))
