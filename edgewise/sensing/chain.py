"""Chains of stages over batches: ``read(files) | anonymizer | window(1 << 17)``.

A chain is a source, which is anything to iterate over, and stages to its right. A stage is

- a function of one batch, which gives the next stage's, or None to drop the batch; or
- `Stream` of a function of the iterator of all batches, which gives another iterator: for what
  carries something over from one batch to the next, as windows do that span two of them.

Nothing happens until a chain is iterated over, or run `into` folds. Then the source and each
function left of the first stream have a thread of their own, so that a batch is read while the one
before is anonymized and the one before that is analyzed; all else happens in the caller's thread.
Batches keep their order, and no stage sees two at once. No more than ``in_flight`` batches are
under way at any time: the source is asked for another when one is through. With 1 there are no
threads.

The first error in the order of batches ends it all, with a note that says where it happened; so
does an interrupt. Either way the threads are gone when it is raised.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from contextvars import copy_context
from typing import Any, NamedTuple, Protocol

from edgewise.base.checks import check_count
from edgewise.base.compiling import clock

__all__ = ["IN_FLIGHT", "Chain", "Fold", "Stream"]

#: How many batches are under way at a time, unless said otherwise.
IN_FLIGHT = 3
#: Seconds that an ending chain waits for a source that is stuck, as one that reads from a pipe.
PATIENCE = 2.0


class Fold(Protocol):
    """What a chain runs `into`: sees every item once, in order, and has a result in the end."""

    def add(self, item: Any) -> None:
        """Take in the next item."""

    def result(self) -> Any:
        """What has come of all of them; asked for once, when all went well."""


class Chain:
    """A source of batches and the stages that process them; see the module.

    Parameters
    ----------
    source : iterable
        The batches. If its iterator has a ``place``, such as the name of the file it reads, the
        errors of the stages include it.
    name : str
        The name of the source in errors and timings.

    Examples
    --------
    Any function can be a stage:

    >>> def doubled(batch):
    ...     return 2 * batch
    >>> chain = Chain([1, 2, 3]) | doubled | (lambda batch: batch if batch != 4 else None)
    >>> list(chain)
    [2, 6]

    What remembers something from batch to batch is a stream:

    >>> def running(batches):
    ...     total = 0
    ...     for batch in batches:
    ...         total += batch
    ...         yield total
    >>> list(chain | Stream(running))
    [2, 8]
    """

    def __init__(self, source: Iterable[Any], name: str = "read"):
        self.source, self.name = source, name
        self.stages: tuple[Callable | Stream, ...] = ()

    def __or__(self, stage: Any) -> Chain:
        """The chain with one more stage."""
        if not callable(stage) and not isinstance(stage, Stream):
            raise TypeError(f"a stage must be a function or a Stream of one, got {stage!r}")
        longer = Chain(self.source, self.name)
        longer.stages = (*self.stages, stage)
        return longer

    def __repr__(self) -> str:
        return " | ".join([self.name, *map(_name, self.stages)])

    def __iter__(self) -> Iterator[Any]:
        return self.run()

    def run(
        self, *, in_flight: int = IN_FLIGHT, seconds: dict[str, float] | None = None
    ) -> Iterator[Any]:
        """Return an iterator over the output of the last stage.

        Parameters
        ----------
        in_flight : int
            The maximum number of batches being processed at a time. More use more memory.
        seconds : dict, optional
            Filled with the working time of each stage in seconds. ``waiting`` is the time that the
            caller's thread waited for batches. Kernels of two stages do not run at the same time.
        """
        check_count(in_flight, "in_flight", 1)
        spent = {} if seconds is None else seconds
        first = next((i for i, s in enumerate(self.stages) if isinstance(s, Stream)), None)
        functions, rest = self.stages[:first], self.stages[len(self.stages[:first]) :]
        items: Iterator[Any]
        if in_flight == 1:
            items = _in_turn(self, functions, spent)
        else:
            items = _ahead(self, functions, spent, in_flight)
        for stage in rest:
            items = _next_stage(items, stage, spent)
        return items

    def into(self, *folds: Fold, **options: Any) -> tuple[Any, ...]:
        """Run the chain to its end and return the results of the folds; each fold gets every item.

        The options are those of `run`.

        Examples
        --------
        >>> class Sum:
        ...     total = 0
        ...     def add(self, item):
        ...         self.total += item
        ...     def result(self):
        ...         return self.total
        >>> Chain(range(5)).into(Sum())
        (10,)
        """
        spent = options.get("seconds")
        with closing(self.run(**options)) as items:  # type: ignore[type-var]
            for item in items:
                for fold in folds:
                    with _Timing(spent, _name(fold)):
                        fold.add(item)
        results = []
        for fold in folds:
            with _Timing(spent, _name(fold)):
                results.append(fold.result())
        return tuple(results)


class Stream:
    """A stage that takes the iterator of all batches and returns another iterator.

    See the example of `Chain`.
    """

    def __init__(self, function: Callable[[Iterator[Any]], Iterable[Any]], name: str | None = None):
        if not callable(function):
            raise TypeError(f"a Stream must be of a function, got {function!r}")
        self.function, self.name = function, name or _name(function)


class _Batch(NamedTuple):
    """A batch under way: which one it is, from where, and what it is by now."""

    number: int
    place: str | None
    item: Any


class _Failure(NamedTuple):
    """In place of a batch: what went wrong with it."""

    error: BaseException


class _Timing:
    """Adds the seconds of a block to those of a name, but for what is measured inside it."""

    def __init__(self, spent: dict[str, float] | None, name: str):
        self.spent, self.name = spent, name

    def __enter__(self) -> None:
        self.start = clock()

    def __exit__(self, *_: Any) -> None:
        if self.spent is not None:
            self.spent[self.name] = self.spent.get(self.name, 0.0) + clock() - self.start


_END = object()


def _numbered(chain: Chain, spent: dict[str, float]) -> Iterator[_Batch]:
    """The batches of the source."""
    batches = iter(chain.source)
    number = 0
    try:
        while True:
            with _Timing(spent, chain.name):
                item = next(batches, _END)
            if item is _END:
                return
            yield _Batch(number, getattr(batches, "place", None), item)
            number += 1
    finally:
        close = getattr(batches, "close", None)
        if close is not None:
            close()


def _apply(stage: Any, batch: _Batch, spent: dict[str, float]) -> _Batch:
    """One stage done to one batch."""
    if batch.item is None:
        return batch
    try:
        with _Timing(spent, _name(stage)):
            return batch._replace(item=stage(batch.item))
    except BaseException as error:
        where = "" if batch.place is None else f" of {batch.place}"
        error.add_note(f"in stage {_name(stage)}, batch {batch.number}{where}")
        raise


def _in_turn(chain: Chain, functions: Any, spent: dict[str, float]) -> Iterator[Any]:
    """Batch after batch, in the caller's thread."""
    with closing(_numbered(chain, spent)) as batches:  # type: ignore[type-var]
        for batch in batches:
            for stage in functions:
                batch = _apply(stage, batch, spent)
            if batch.item is not None:
                yield batch.item


def _ahead(chain: Chain, functions: Any, spent: dict[str, float], bound: int) -> Iterator[Any]:
    """The same with a thread for the source and for each function, ahead of the caller."""
    line = _Line(bound, len(functions) + 1)
    line.start(line.feed, _numbered(chain, spent))
    for i, stage in enumerate(functions):
        line.start(line.work, i, stage, spent)
    try:
        while True:
            with _Timing(spent, "waiting"):
                batch = line.queues[-1].get()
            if batch is _END:
                return
            if isinstance(batch, _Failure):
                raise batch.error
            if batch.item is not None:
                yield batch.item
            del batch
            line.free.release()
    finally:
        line.stop()


class _Line:
    """Threads with queues between them, and so many batches in all."""

    def __init__(self, bound: int, length: int):
        self.free = threading.Semaphore(bound)  # batches that may still be asked for
        self.queues: list[queue.SimpleQueue] = [queue.SimpleQueue() for _ in range(length)]
        self.threads: list[threading.Thread] = []
        self.stopped = False

    def start(self, work: Callable, *args: Any) -> None:
        context = copy_context()  # such as the number of threads that kernels may take
        name = f"edgewise-chain-{len(self.threads)}"
        thread = threading.Thread(target=context.run, args=(work, *args), name=name, daemon=True)
        self.threads.append(thread)
        thread.start()

    def feed(self, batches: Any) -> None:
        """Ask the source for batches, as many as may be under way."""
        last: Any = _END
        try:
            with closing(batches):
                while self.free.acquire() and not self.stopped:
                    batch = next(batches, _END)
                    if batch is _END:
                        break
                    self.queues[0].put(batch)
                    del batch
        except BaseException as error:
            last = _Failure(error)
        self.queues[0].put(last)

    def work(self, i: int, stage: Any, spent: dict[str, float]) -> None:
        """Take batches from the left, do one stage to them, hand them to the right."""
        last: Any = _END
        try:
            while not self.stopped:
                batch = self.queues[i].get()
                if not isinstance(batch, _Batch):
                    last = batch
                    break
                self.queues[i + 1].put(_apply(stage, batch, spent))
                del batch
        except BaseException as error:
            last = _Failure(error)
        self.queues[i + 1].put(last)

    def stop(self) -> None:
        """Let every thread end, and wait for that; a stuck source ends with what it waits for."""
        self.stopped = True
        self.free.release()
        for waiting in self.queues:
            waiting.put(_END)
        source, *functions = self.threads
        for thread in functions:
            thread.join()
        source.join(PATIENCE)


def _next_stage(items: Iterator[Any], stage: Any, spent: dict[str, float]) -> Iterator[Any]:
    """A stage in the caller's thread."""
    name, left = _name(stage), _Left(items)
    made = iter(stage.function(left) if isinstance(stage, Stream) else (stage(i) for i in left))
    try:
        while True:
            start, waited = clock(), left.seconds
            item = next(made, _END)
            spent[name] = spent.get(name, 0.0) + clock() - start - (left.seconds - waited)
            if item is _END:
                return
            if item is not None:
                yield item
    except Exception as error:
        if error is not left.error:
            error.add_note(f"in stage {name}")
        raise
    finally:
        for one in (made, items):
            if hasattr(one, "close"):
                one.close()


class _Left:
    """What comes to a stage from its left: knows how long that took, and whether it failed."""

    def __init__(self, items: Iterator[Any]):
        self.items, self.seconds = items, 0.0
        self.error: BaseException | None = None

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        start = clock()
        try:
            return next(self.items)
        except Exception as error:
            self.error = error
            raise
        finally:
            self.seconds += clock() - start


def _name(stage: Any) -> str:
    """What a stage is called."""
    known = getattr(stage, "name", None) or getattr(stage, "__name__", None)
    return known if isinstance(known, str) else type(stage).__name__
