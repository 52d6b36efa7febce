"""The observer hook: who hears what, and when it ends."""

from __future__ import annotations

import threading

import pytest

from edgewise.base.observe import Trace, notify, observe, observed


def test_nobody_listens():
    assert not observed()
    notify(0, anything=1)


def test_the_observer_hears_every_round_inside_the_block_alone():
    heard = []
    with observe(lambda iteration, **counts: heard.append((iteration, counts))):
        assert observed()
        notify(0, frontier=3)
        notify(1)
    notify(2)
    assert heard == [(0, {"frontier": 3}), (1, {})]
    assert not observed()


def test_the_innermost_observer_hears():
    with observe(Trace()) as outer:
        notify(0)
        with observe(Trace()) as inner:
            notify(1)
        notify(2)
    assert [row["iteration"] for row in outer.rows] == [0, 2]
    assert [row["iteration"] for row in inner.rows] == [1]


def test_an_observer_may_raise_to_stop():
    def stop(iteration, **counts):
        raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"), observe(stop):
        notify(0)
    assert not observed()


def test_other_python_threads_do_not_hear():
    heard = []

    def elsewhere():
        heard.append(observed())
        notify(5)

    with observe(Trace()) as trace:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
    assert heard == [False] and trace.rows == []


def test_trace_keeps_counts_and_rising_times():
    with observe(Trace()) as trace:
        for i in range(3):
            notify(i, frontier=10 * i, error=0.5)
    assert [row["frontier"] for row in trace.rows] == [0, 10, 20]
    seconds = [row["seconds"] for row in trace.rows]
    assert seconds == sorted(seconds) and seconds[0] >= 0
    assert trace.rows[0].keys() == {"iteration", "seconds", "frontier", "error"}
