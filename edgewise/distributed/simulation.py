"""Hundreds of ranks in one process, one running at a time, with all that they send counted.

Ranks are threads that hand a baton on: a rank runs until it waits in a collective, then the lowest
rank that can go on does. A run is the same every time. Every rank counts its messages and bytes by
phase (`Communicator.phase`; the innermost name holds), its edges and vertices (`work`), and keeps a
modeled clock: work advances it by the `Model`'s rates; a collective starts when the last rank of
the group arrives, and takes the time that `edgewise.distributed.pricing` gives. Beside it stands
the processor time that the ranks really took between their collectives.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np

from edgewise.distributed import pricing
from edgewise.distributed.comm import Communicator
from edgewise.distributed.pricing import MODELS, Cost, Model
from edgewise.distributed.rank_threads import Call, Hub, HubCommunicator, World

__all__ = ["RankTally", "Report", "Simulation", "simulate_grid"]


class Simulation(NamedTuple):
    """The results of all ranks, and what they counted."""

    results: list[Any]
    report: Report


def simulate_grid(
    program: Callable[[Communicator], Any], ranks: int, *, model: str | Model = "infiniband"
) -> Simulation:
    """Run ``program(comm)`` on ``ranks`` simulated ranks and return their counts and modeled times.

    Ranks run one at a time. ``model`` is a name in `edgewise.distributed.pricing.MODELS`, or a
    `Model`.

    >>> import numpy as np
    >>> run = simulate_grid(lambda comm: comm.allreduce(np.ones(1000)).sum(), 16)
    >>> float(run.results[0]), run.report.total("messages"), run.report.max("sent")
    (16000.0, 30, 15000)
    """
    if isinstance(model, str):
        if model not in MODELS:
            raise ValueError(f"model must be one of {', '.join(MODELS)}, got {model!r}")
        model = MODELS[model]
    world = _World(ranks, model)
    results = world.run(program)
    tallies = [account.tallies for account in world.accounts]
    return Simulation(results, Report(model, tallies, world.collectives))


@dataclass
class RankTally:
    """What one rank counted in one phase; times in seconds, sizes in bytes.

    ``computing``, ``talking`` and ``waiting`` (for the last rank of the group) are modeled, and
    add up to the clock; ``measured`` is processor time between collectives.
    """

    collectives: int = 0
    messages: int = 0
    sent: int = 0
    received: int = 0
    edges: int = 0
    vertices: int = 0
    computing: float = 0.0
    talking: float = 0.0
    waiting: float = 0.0
    measured: float = 0.0


_FIELDS = [field.name for field in fields(RankTally)]


@dataclass(frozen=True)
class Report:
    """What all ranks counted: ``ranks[k][phase]`` is a `RankTally`.

    ``collectives`` has the number of collectives by kind, where each counts once for its group.
    """

    model: Model
    ranks: list[dict[str, RankTally]]
    collectives: dict[str, int]

    @property
    def size(self) -> int:
        """The number of ranks."""
        return len(self.ranks)

    @property
    def phases(self) -> list[str]:
        """The names of all phases, in the order in which they came up."""
        return list(dict.fromkeys(phase for tallies in self.ranks for phase in tallies))

    def per_rank(self, field: str, phase: str | None = None) -> np.ndarray:
        """A field of `RankTally` for each rank, of one phase or of all together."""
        if field not in _FIELDS:
            raise ValueError(f"field must be one of {', '.join(_FIELDS)}, got {field!r}")
        names = self.phases if phase is None else [phase]
        none = RankTally()
        return np.array(
            [sum(getattr(own.get(name, none), field) for name in names) for own in self.ranks]
        )

    def total(self, field: str, phase: str | None = None) -> Any:
        """The sum of a field over the ranks."""
        return self.per_rank(field, phase).sum().item()

    def max(self, field: str, phase: str | None = None) -> Any:
        """The largest value of a field among the ranks."""
        return self.per_rank(field, phase).max().item()

    def mean(self, field: str, phase: str | None = None) -> float:
        """The mean of a field over the ranks."""
        return float(self.per_rank(field, phase).mean())

    @property
    def time_s(self) -> float:
        """The modeled time of the whole run: the clock of the last rank."""
        clocks = sum(self.per_rank(name) for name in ("computing", "talking", "waiting"))
        return float(np.max(clocks))

    @property
    def computation_s(self) -> float:
        """The modeled computing time of the rank that has most of it."""
        return self.max("computing")

    @property
    def communication_s(self) -> float:
        """The modeled time in collectives, without waiting, of the rank that has most of it."""
        return self.max("talking")

    def rows(self) -> list[dict[str, Any]]:
        """A table: a row for each phase, then one for all of them."""
        return [self._row(phase) for phase in (*self.phases, None)]

    def _row(self, phase: str | None) -> dict[str, Any]:
        return {
            "phase": phase or "all",
            "messages": self.total("messages", phase),
            "bytes": self.total("sent", phase),
            "bytes per rank (max)": self.max("sent", phase),
            "bytes per rank (mean)": self.mean("sent", phase),
            "edges per rank (max)": self.max("edges", phase),
            "computation_s": self.max("computing", phase),
            "communication_s": self.max("talking", phase),
            "waiting_s": self.max("waiting", phase),
            "measured_s": self.max("measured", phase),
        }


class _Account:
    """The counters of one rank, shared by all its communicators."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.clock = 0.0
        self.tallies: dict[str, RankTally] = {}
        self.names = ["other"]
        self.together: set[Hub] | None = None  # hubs with a broadcast in this `grouped` block
        self.mark = 0.0

    @property
    def tally(self) -> RankTally:
        return self.tallies.setdefault(self.names[-1], RankTally())

    def resume(self) -> None:
        self.mark = time.process_time()  # kernels run on other threads, so not thread_time

    def pause(self) -> None:
        self.tally.measured += time.process_time() - self.mark

    def compute(self, edges: int, vertices: int) -> None:
        tally, model = self.tally, self.model
        seconds = edges / model.edges_per_second + vertices / model.vertices_per_second
        tally.edges += int(edges)
        tally.vertices += int(vertices)
        tally.computing += seconds
        self.clock += seconds

    def join(self, start: float, seconds: float, messages: int, sent: int, received: int) -> None:
        """Take part in a collective that starts when its last rank is there."""
        tally = self.tally
        tally.collectives += 1
        tally.messages += messages
        tally.sent += sent
        tally.received += received
        tally.waiting += start - self.clock
        tally.talking += seconds
        self.clock = start + seconds


class _World(World):
    """Ranks that run one at a time."""

    stack_bytes = 16 << 20  # compilers need some; only what is touched takes memory

    def __init__(self, size: int, model: Model) -> None:
        super().__init__(size)
        self.model = model
        self.accounts = [_Account(model) for _ in range(size)]
        self.collectives: dict[str, int] = {}
        self.ready: list[int] = []

    def communicator(self, hub: Hub, rank: int) -> HubCommunicator:
        return _SimulatedCommunicator(self, hub, rank)

    def _begin(self) -> None:
        self.ready = list(range(self.size))
        self._hand_on()

    def _enter(self, rank: int) -> None:
        self.bells[rank].acquire()
        self.accounts[rank].resume()

    def _leave(self, rank: int) -> None:
        self.accounts[rank].pause()
        self._hand_on()

    def _rest(self, rank: int) -> None:
        self._hand_on()
        self.bells[rank].acquire()

    def _wake(self, ranks: list[int]) -> None:
        for rank in ranks:
            del self.waiting[rank]
            heapq.heappush(self.ready, rank)

    def _hand_on(self) -> None:
        with self.lock:
            if self.ready:
                self.bells[heapq.heappop(self.ready)].release()


class _SimulatedCommunicator(HubCommunicator):
    """A rank whose collectives are counted and priced."""

    world: _World
    priced = True

    @property
    def account(self) -> _Account:
        return self.world.accounts[self.hub.members[self.rank]]

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        account = self.account
        account.pause()
        account.names.append(name)
        account.resume()
        try:
            yield
        finally:
            account.pause()
            account.names.pop()
            account.resume()

    def work(self, *, edges: int = 0, vertices: int = 0) -> None:
        self.account.compute(edges, vertices)

    @contextmanager
    def grouped(self) -> Iterator[None]:
        """Of the broadcasts in the block, the first of a group pays the latency for all."""
        account = self.account
        before = account.together
        account.together = set() if before is None else before
        try:
            yield
        finally:
            account.together = before

    def _meet(self, call: Call, value: Any, combine: Callable[[list], list]) -> Any:
        account = self.account
        together = account.together if call.kind == "broadcast" else None
        paid = together is not None and self.hub in together

        def count(values: list) -> list:
            self._charge(call.kind, _cost(call, values), paid, _grows(call, values))
            return combine(values)

        account.pause()
        try:
            return self.world.meet(self.hub, self.rank, call, value, count)
        finally:
            if together is not None:
                together.add(self.hub)
            account.resume()

    def _charge(self, kind: str, cost: Cost, paid: bool, grows: bool) -> None:
        world, members = self.world, self.hub.members
        with world.lock:
            world.collectives[kind] = world.collectives.get(kind, 0) + 1
        accounts = [world.accounts[k] for k in members]
        start = max(account.clock for account in accounts)
        steps = 0 if paid else cost.steps
        seconds = world.model.seconds(members, steps, cost.nbytes, grows=grows)
        shares = (cost.messages.tolist(), cost.sent.tolist(), cost.received.tolist())
        for account, *share in zip(accounts, *shares, strict=True):
            account.join(start, seconds, *share)


def _cost(call: Call, values: list) -> Cost:
    """The cost of a collective, from what its ranks brought."""
    size = len(values)
    if call.kind == "allreduce":
        return pricing.allreduce(size, values[0].nbytes)
    if call.kind == "broadcast":
        return pricing.broadcast(size, values[0].nbytes, int(call.details[0].split()[1]))
    if call.kind == "allgatherv":
        return pricing.allgatherv([array.nbytes for array in values])
    if call.kind == "alltoallv":
        item = values[0][0].dtype.itemsize
        return pricing.alltoallv(np.array([counts for _, counts in values]) * item)
    if call.kind == "barrier":
        return pricing.barrier(size)
    return pricing.allgatherv([{"counts": 8, "split": 16}[call.kind]] * size)


def _grows(call: Call, values: list) -> bool:
    """Does what the ranks bring grow with the graph, or is it control?"""
    if call.kind in ("barrier", "counts", "split"):
        return False
    arrays = [array for array, _ in values] if call.kind == "alltoallv" else values
    return max(array.nbytes for array in arrays) > pricing.CONTROL
