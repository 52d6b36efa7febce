"""Chains: order, bounds, errors and interrupts; whatever happens, no thread stays."""

from __future__ import annotations

import sys
import threading
import time
from itertools import count

import pytest

from edgewise.base.threads import get_threads, threads
from edgewise.sensing import Chain, Stream


class Counted:
    """A source that knows how many of its batches are still under way."""

    def __init__(self, many: int):
        self.many, self.alive, self.most, self.given = many, 0, 0, 0
        self.lock = threading.Lock()

    def __iter__(self):
        for i in range(self.many):
            with self.lock:
                self.given += 1
                self.alive += 1
                self.most = max(self.most, self.alive)
            yield i

    def done(self):
        with self.lock:
            self.alive -= 1


@pytest.fixture(autouse=True)
def no_thread_stays():
    yield
    assert chain_threads() == []


def chain_threads():
    return [one.name for one in threading.enumerate() if one.name.startswith("edgewise-chain")]


@pytest.mark.parametrize("in_flight", [1, 2, 3, 7])
def test_batches_keep_their_order_through_functions_and_streams(in_flight):
    def jittery(batch):
        time.sleep(0.001 * (batch % 3))
        return batch + 1

    def pairs(batches):
        for first in batches:
            yield first, next(batches, None)

    chain = Chain(range(20)) | jittery | (lambda b: 10 * b) | Stream(pairs) | (lambda pair: pair[0])
    assert list(chain.run(in_flight=in_flight)) == [10 * b for b in range(1, 21, 2)]


@pytest.mark.parametrize("in_flight", [1, 2, 5])
def test_no_more_batches_are_under_way_than_allowed(in_flight):
    source = Counted(40)
    items = (Chain(source) | (lambda b: b) | (lambda b: b)).run(in_flight=in_flight)
    for item in items:
        time.sleep(0.001)
        source.done()
        assert source.given <= item + in_flight + 1
    assert source.most <= in_flight
    assert source.given == 40


def test_dropped_batches_make_room_for_others():
    source = Counted(100)

    def few(batch):
        source.done()
        return batch if batch % 10 == 0 else None

    assert list((Chain(source) | few | (lambda b: b + 1)).run(in_flight=2)) == list(
        range(1, 100, 10)
    )


def test_reading_goes_on_while_the_caller_works():
    """With one in flight each step waits for the last; with three they overlap."""

    def source():
        for i in range(8):
            time.sleep(0.02)
            yield i

    def slow(batch):
        time.sleep(0.02)
        return batch

    def took(in_flight):
        start = time.perf_counter()
        for _ in (Chain(source()) | slow).run(in_flight=in_flight):
            time.sleep(0.02)
        return time.perf_counter() - start

    assert took(3) < 0.75 * took(1)


@pytest.mark.parametrize("in_flight", [1, 3])
def test_an_error_of_a_stage_stops_everything_and_says_where(in_flight):
    def fails(batch):
        if batch == 3:
            raise ValueError("no threes")
        return batch

    source = Counted(1000)
    seen = []
    with pytest.raises(ValueError, match="no threes") as caught:
        for item in (Chain(source) | fails | (lambda b: b)).run(in_flight=in_flight):
            seen.append(item)
    assert seen == [0, 1, 2]
    assert caught.value.__notes__ == ["in stage fails, batch 3"]
    assert source.given <= 3 + 1 + in_flight


@pytest.mark.parametrize("in_flight", [1, 3])
def test_the_first_error_in_the_order_of_batches_wins(in_flight):
    def source():
        yield from range(4)
        raise OSError("the source is out")

    def fails(batch):
        if batch == 3:
            time.sleep(0.02)  # the source has failed by now
            raise ValueError("the stage is out")
        return batch

    with pytest.raises(ValueError, match="the stage is out"):
        list((Chain(source()) | fails).run(in_flight=in_flight))
    with pytest.raises(OSError, match="the source is out"):
        list(Chain(source()).run(in_flight=in_flight))


def test_errors_name_the_place_that_the_source_is_at():
    class Files:
        def __iter__(self):
            return self

        place = "a.pcap"

        def __next__(self):
            return 1

    with pytest.raises(ZeroDivisionError) as caught:
        list(Chain(Files()) | (lambda b: b / 0))
    assert caught.value.__notes__ == ["in stage <lambda>, batch 0 of a.pcap"]


def test_errors_of_streams_and_of_what_is_left_of_them():
    def fails(batches):
        for batch in batches:
            if batch == 2:
                raise KeyError("two")
            yield batch

    def bad(batch):
        raise ValueError("at once")

    with pytest.raises(KeyError) as caught:
        list(Chain(range(9)) | Stream(fails))
    assert caught.value.__notes__ == ["in stage fails"]
    with pytest.raises(ValueError, match="at once") as caught:
        list(Chain(range(9)) | bad | Stream(fails))
    assert caught.value.__notes__ == ["in stage bad, batch 0"]


@pytest.mark.parametrize("in_flight", [1, 3])
def test_stop_iteration_of_a_stage_is_no_end(in_flight):
    def stops(batch):
        raise StopIteration

    for chain in (Chain(range(3)) | stops, Chain(range(3)) | Stream(lambda b: b) | stops):
        with pytest.raises(RuntimeError):
            list(chain.run(in_flight=in_flight))


@pytest.mark.parametrize("in_flight", [1, 3])
def test_whoever_stops_early_leaves_nothing_behind(in_flight):
    closed = []

    def endless():
        try:
            yield from count()
        finally:
            closed.append(True)

    items = (Chain(endless()) | (lambda b: b) | Stream(lambda b: b)).run(in_flight=in_flight)
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    items.close()
    assert closed == [True]


def test_an_interrupt_in_the_caller_ends_the_threads():
    class Fold:
        def add(self, item):
            raise KeyboardInterrupt

        def result(self):
            raise AssertionError("there is none")

    with pytest.raises(KeyboardInterrupt):
        (Chain(count()) | (lambda b: b)).into(Fold())


def test_a_stuck_source_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(sys.modules["edgewise.sensing.chain"], "PATIENCE", 0.05)
    go_on = threading.Event()

    def stuck():
        yield 1
        go_on.wait(20)

    items = Chain(stuck()).run()
    assert next(items) == 1
    start = time.perf_counter()
    items.close()
    assert time.perf_counter() - start < 5
    go_on.set()
    for thread in threading.enumerate():
        if thread.name.startswith("edgewise-chain"):
            thread.join(5)


def test_threads_of_a_chain_know_how_many_kernels_may_use():
    with threads(1):
        assert list(Chain([0]) | (lambda b: get_threads())) == [1]


def test_seconds_tell_who_worked():
    spent = {}

    def slow(batch):
        time.sleep(0.01)
        return batch

    def build(batches):
        for batch in batches:
            time.sleep(0.005)
            yield batch

    class Sum:
        name = "sum"
        value = 0

        def add(self, item):
            self.value += item

        def result(self):
            return self.value

    chain = Chain(range(4), "numbers") | slow | Stream(build)
    assert chain.into(Sum(), seconds=spent) == (6,)
    assert set(spent) == {"numbers", "slow", "build", "sum", "waiting"}
    assert spent["slow"] >= 0.04
    assert 0.02 <= spent["build"] < 0.04 + spent["waiting"]
    assert repr(chain) == "numbers | slow | build"


def test_misuse_is_told():
    with pytest.raises(TypeError, match="a stage must be a function or a Stream of one, got 3"):
        Chain([]) | 3
    with pytest.raises(TypeError, match="a Stream must be of a function, got None"):
        Stream(None)
    with pytest.raises(ValueError, match="in_flight must be at least 1, got 0"):
        Chain([]).run(in_flight=0)
