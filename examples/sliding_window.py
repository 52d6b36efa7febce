"""Messages in a sliding window: components, cores and ranks of the last hours, kept up to date.

A stream takes the messages of one hour after the other and forgets those that are a day old. Its
answers are compared with those of a graph that is built anew.

Run it: python examples/sliding_window.py
"""

from __future__ import annotations

import numpy as np

import edgewise as ew

HOUR, DAY = 3600, 24 * 3600


def messages(count, people, days, seed):
    """Random messages in the order of time: few people write most of them."""
    draw = np.random.default_rng(seed)
    senders, receivers = (draw.pareto(1.5, (2, count)) * 20).astype(np.int64) % people
    return senders, receivers, np.sort(draw.integers(0, days * DAY, count))


def main():
    people = 500
    senders, receivers, times = messages(20_000, people, days=3, seed=1)
    stream = ew.dynamic.Stream(ew.Graph.from_edges([], [], num_vertices=people), window=DAY)
    for now in range(0, 3 * DAY, HOUR):
        batch = slice(*np.searchsorted(times, [now, now + HOUR]))
        found = stream.update(add=(senders[batch], receivers[batch]), times=times[batch])
        largest = stream.components().sizes().max()
        if now % DAY == 0:
            top = stream.pagerank().rank.max()
            print(
                f"hour {now // HOUR:2}: {found.added} edges in, {found.removed} out, "
                f"largest component {largest}, top rank {top:.4f}"
            )
    last = times > times[-1] - DAY
    graph = ew.Graph.from_edges(senders[last], receivers[last], num_vertices=people)
    assert stream.graph == graph
    assert (stream.components() == ew.connected_components(graph)).all()
    assert (stream.core_number() == ew.core_number(graph)).all()
    assert abs(stream.pagerank().rank - ew.pagerank(graph)).sum() < 1e-6


if __name__ == "__main__":
    main()
