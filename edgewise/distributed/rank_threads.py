"""Ranks as threads of one process: for tests, and for trying a program before it goes to a cluster.

A `Hub` is where the ranks of one group meet: each leaves its call and its value, the last to come
works out all answers while the others wait. A `World` knows where every rank waits, so it sees what
would be a hang elsewhere: ranks of a group in different calls, a rank that returned while others
wait for it, groups that wait for one another. Each becomes an error on every rank.
"""

from __future__ import annotations

import reprlib
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.distributed.comm import OPERATIONS, Communicator, RankError

__all__ = ["Call", "Hub", "HubCommunicator", "World", "cause", "differing", "run_threads"]

_FAILED = object()
_starting = threading.Lock()


def run_threads(program: Callable[[Communicator], Any], ranks: int) -> list[Any]:
    """Run ``program(comm)`` on ``ranks`` threads as ranks and return the results by rank.

    If a rank raises an error, all others get a `RankError` from the collective in which they wait.
    The original error is raised here, with a note that names the rank.

    >>> import numpy as np
    >>> run_threads(lambda comm: int(comm.allreduce(np.array([comm.rank]))[0]), 4)
    [6, 6, 6, 6]
    """
    return World(ranks).run(program)


def cause(error: BaseException) -> str:
    """An error in one line, as other ranks tell of it."""
    try:
        text = str(error)
    except Exception:  # of a class of the user's
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class Call(NamedTuple):
    """What a rank calls; the calls of all ranks of a group must be equal."""

    kind: str
    details: tuple[Any, ...] = ()

    def __str__(self) -> str:
        words = (word if isinstance(word, str) else reprlib.repr(word) for word in self.details)
        return f"{self.kind}({', '.join(words)})"


def differing(one: tuple[int, Any], other: tuple[int, Any]) -> str:
    """What two ranks call, in words."""
    (a, first), (b, second) = sorted([one, other])
    return f"rank {a} calls {first}, rank {b} calls {second}"


class Hub:
    """The ranks of a group, by their numbers in the world, and the calls of those that came."""

    def __init__(self, members: list[int]) -> None:
        self.members = members
        self.calls: dict[int, Call] = {}
        self.values: list[Any] = [None] * len(members)


class World:
    """All ranks of one program: where each of them waits, and who failed."""

    stack_bytes = 0  # of each thread; 0 is the system's default

    def __init__(self, size: int) -> None:
        if size < 1:
            raise ValueError(f"size must be at least 1, got {size!r}")
        self.size = size
        self.lock = threading.Lock()
        self.bells = [threading.Lock() for _ in range(size)]  # held; released to wake the rank
        for bell in self.bells:
            bell.acquire()
        self.waiting: dict[int, tuple[Hub, Call]] = {}
        self.ended: set[int] = set()
        self.answers: list[Any] = [None] * size
        self.results: list[Any] = [None] * size
        self.failed: int | None = None
        self.error: BaseException | None = None
        self.reason = ""

    def communicator(self, hub: Hub, rank: int) -> HubCommunicator:
        return HubCommunicator(self, hub, rank)

    def run(self, program: Callable[[Any], Any], timeout: float | None = None) -> list[Any]:
        """Run the program on all ranks; whatever fails first is raised here."""
        hub = Hub(list(range(self.size)))
        threads = [
            threading.Thread(
                target=copy_context().run,
                args=(self._live, rank, program, self.communicator(hub, rank)),
                name=f"edgewise-rank-{rank}",
                daemon=True,
            )
            for rank in range(self.size)
        ]
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            with _stack(self.stack_bytes):
                for thread in threads:
                    thread.start()
            self._begin()
            for thread in threads:
                thread.join(None if deadline is None else max(0, deadline - time.monotonic()))
        except BaseException as interrupt:  # Ctrl-C: every rank ends at its next collective
            self.fail(None, interrupt, f"the program was interrupted: {cause(interrupt)}")
            raise
        if any(thread.is_alive() for thread in threads):
            self._give_up(timeout)
        if self.error is not None:
            if self.failed is not None:
                self.error.add_note(f"raised on rank {self.failed} of {self.size}")
            raise self.error
        return self.results

    def meet(
        self, hub: Hub, rank: int, call: Call, value: Any, combine: Callable[[list], list]
    ) -> Any:
        """Wait for the group; ``combine`` makes the ranks' answers of their values, once."""
        me = hub.members[rank]
        with self.lock:
            if self.error is None:
                self._compare(hub, me, call)
            if self.error is not None:
                raise RankError(self.reason) from self.error
            hub.calls[me], hub.values[rank] = call, value
            last = len(hub.calls) == len(hub.members)
            if not last:
                self.waiting[me] = hub, call
                self._look_for_deadlock()
        if last:
            values, hub.values = hub.values, [None] * len(hub.members)
            hub.calls = {}
            answers = combine(values)
            with self.lock:
                for k, answer in zip(hub.members, answers, strict=True):
                    if k in self.waiting:
                        self.answers[k] = answer
                self._wake([k for k in hub.members if k in self.waiting])
            return answers[rank]
        self._rest(me)
        answer, self.answers[me] = self.answers[me], None
        if answer is _FAILED:
            raise RankError(self.reason) from self.error
        return answer

    def fail(self, rank: int | None, error: BaseException, reason: str) -> None:
        """Let every rank that waits, or comes to wait, raise a `RankError` for this reason."""
        with self.lock:
            self._fail(rank, error, reason)

    def _fail(self, rank: int | None, error: BaseException, reason: str) -> None:
        if self.error is None:
            self.failed, self.error, self.reason = rank, error, reason
            for k in self.waiting:
                self.answers[k] = _FAILED
            self._wake(list(self.waiting))

    def _live(self, rank: int, program: Callable[[Any], Any], comm: HubCommunicator) -> None:
        """The life of one rank's thread."""
        self._enter(rank)
        try:
            if self.error is None:
                self.results[rank] = program(comm)
        except BaseException as error:  # raised again by `run`
            known = isinstance(error, RankError)
            reason = str(error) if known else f"rank {rank} failed: {cause(error)}"
            self.fail(rank, error, reason)
        with self.lock:
            self.ended.add(rank)
            self._look_for_deadlock()
        self._leave(rank)

    def _compare(self, hub: Hub, me: int, call: Call) -> None:
        for other, said in hub.calls.items():
            if said != call:
                self._mistake(differing((other, said), (me, call)))
            return  # all that came before agree

    def _look_for_deadlock(self) -> None:
        if self.error is not None or len(self.waiting) + len(self.ended) < self.size:
            return
        pairs = [
            (me, call, other)
            for me, (hub, call) in sorted(self.waiting.items())
            for other in hub.members
            if other not in hub.calls
        ]
        for me, call, other in pairs:
            if other in self.ended:
                return self._mistake(f"rank {other} returned while rank {me} waits in {call}")
        for me, call, other in pairs:
            there = self.waiting[other][1]
            return self._mistake(
                f"rank {me} waits in {call} for rank {other}, which waits in {there} elsewhere"
            )

    def _mistake(self, text: str) -> None:
        self._fail(None, RankError(text), text)

    def _give_up(self, timeout: float | None) -> None:
        with self.lock:
            states = [
                f"rank {k} " + (f"waits in {self.waiting[k][1]}" if k in self.waiting else "runs")
                for k in range(self.size)
                if k not in self.ended
            ]
        text = f"not done after {timeout:g} s: {', '.join(states[:8])}"
        self.fail(None, RankError(text), text)

    # How ranks take turns: here all run at once. `simulate` has them run one after another.

    def _begin(self) -> None: ...

    def _enter(self, rank: int) -> None: ...

    def _leave(self, rank: int) -> None: ...

    def _rest(self, rank: int) -> None:
        self.bells[rank].acquire()

    def _wake(self, ranks: list[int]) -> None:
        """Called with the lock."""
        for rank in ranks:
            del self.waiting[rank]
            self.bells[rank].release()


class HubCommunicator(Communicator):
    """A rank of a group whose ranks are threads of this process."""

    def __init__(self, world: World, hub: Hub, rank: int) -> None:
        self.world, self.hub = world, hub
        self.rank, self.size = rank, len(hub.members)

    def barrier(self) -> None:
        self._meet(Call("barrier"), None, lambda values: values)

    def split(self, color: int, key: int) -> Communicator:
        hub, rank = self._meet(Call("split"), (int(color), int(key)), self._groups)
        return self.world.communicator(hub, rank)

    def fail(self, error: BaseException) -> None:
        me = self.hub.members[self.rank]
        self.world.fail(me, error, f"rank {me} failed: {cause(error)}")
        raise error

    def _meet(self, call: Call, value: Any, combine: Callable[[list], list]) -> Any:
        return self.world.meet(self.hub, self.rank, call, value, combine)

    def _groups(self, values: list[tuple[int, int]]) -> list[tuple[Hub, int]]:
        found: list[Any] = [None] * self.size
        for color in {color for color, _ in values}:
            ranks = [k for k in range(self.size) if values[k][0] == color]
            ranks.sort(key=lambda k: values[k][1])
            hub = Hub([self.hub.members[k] for k in ranks])
            for new, old in enumerate(ranks):
                found[old] = hub, new
        return found

    def _allreduce(self, array: Any, op: str) -> Any:
        def combine(arrays: list) -> list:
            total = arrays[0].copy()
            for other in arrays[1:]:
                total = OPERATIONS[op](total, other)
            return [total, *(total.copy() for _ in arrays[1:])]

        return self._meet(Call("allreduce", (op, str(array.dtype), len(array))), array, combine)

    def _broadcast(self, array: Any, root: int) -> Any:
        def combine(arrays: list) -> list:
            for rank, other in enumerate(arrays):
                if rank != root:
                    other[...] = arrays[root]
            return arrays

        call = Call("broadcast", (f"root {root}", str(array.dtype), len(array)))
        return self._meet(call, array, combine)

    def _counts(self, count: int) -> list[int]:
        return self._meet(Call("counts"), count, lambda counts: [list(counts) for _ in counts])

    def _allgatherv(self, array: Any, counts: list[int]) -> Any:
        def combine(arrays: list) -> list:
            whole = np.concatenate(arrays)
            return [whole, *(whole.copy() for _ in arrays[1:])]

        return self._meet(Call("allgatherv", (str(array.dtype), counts)), array, combine)

    def _alltoallv(self, array: Any, counts: list[int]) -> tuple[Any, list[int]]:
        def combine(values: list) -> list:
            cuts = [offsets(counts).tolist() for _, counts in values]
            answers: list[Any] = []
            for k in range(self.size):
                parts = [
                    data[cut[k] : cut[k + 1]] for (data, _), cut in zip(values, cuts, strict=True)
                ]
                answers.append((np.concatenate(parts), [len(part) for part in parts]))
            return answers

        return self._meet(Call("alltoallv", (str(array.dtype),)), (array, counts), combine)


@contextmanager
def _stack(nbytes: int) -> Iterator[None]:
    """Threads started in the block get stacks of this size."""
    with _starting:
        before = threading.stack_size(nbytes)
        try:
            yield
        finally:
            threading.stack_size(before)
