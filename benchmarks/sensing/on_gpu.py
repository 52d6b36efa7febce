"""Network sensing on a GPU: the analysis of packets that are there, and of those that stream to it.

Streaming is compared with the bare copy of the same columns from pinned host memory: windows are
counted as they come, and their links summed in a table on the device. `sense` does the same, and
then sorts the sum, measures it and brings it to host memory, which is a copy of its own.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.report import machine, spell_time, table
from benchmarks.sensing.given import WINDOW

__all__ = ["measure_sensing_on_gpu"]

_RATE, _SHARE = 1000, 1.2
_BATCHES = (1, 5, 10, 20)


def measure_sensing_on_gpu(
    count: int, trials: int, folder: Path, tell: Callable[[str], None], *, device: str = "cuda"
) -> str:
    """Measure ``count`` packets; the report in Markdown, also written to ``folder``."""
    rows: dict[str, dict[str, Any]] = {}
    for name, run in _stages(count, device).items():
        run()  # compiles, and fills the pools
        spent = [_timed(run, device) for _ in range(trials)]
        rows[name] = {"seconds": median(spent), "least": min(spent)}
        tell(f"{name}: {spell_time(median(spent))}, {count / median(spent) / 1e6:,.0f} million "
             "packets a second")  # fmt: skip
    found = {"packets": count, "trials": trials, "device": device, "rows": rows}
    text = _markdown(rows, count, trials)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sensing-cuda.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / "sensing-cuda.md").write_text(f"# sensing-cuda\n\n{text}\n")
    return text


def _stages(count: int, device: str) -> dict[str, Callable[[], Any]]:
    """What is timed; the packets are made, and brought to where they are to be, before."""
    from edgewise.sensing import Packets, build_windows, generate_traffic, sense

    xp = _module(device)
    (made,) = generate_traffic(count, seed=1, batch_size=count, times=False)
    host = Packets(*(_pinned(xp, column) for column in made[:2]))
    there = Packets(*(xp.asarray(column) for column in host[:2]))
    _compare(host.cut(0, 8 * WINDOW), there.cut(0, 8 * WINDOW))
    windows = build_windows(there, WINDOW)

    def analysis() -> Any:
        found = build_windows(there, WINDOW)
        return found.total().quantities()

    targets = [xp.empty_like(column) for column in there[:2]]

    def copy() -> Any:
        for target, column in zip(targets, host[:2], strict=True):
            if device == "cpu":
                target[:] = column
            else:
                target.set(column, stream=xp.cuda.get_current_stream())

    stages: dict[str, Callable[[], Any]] = {
        "windows, their quantities and distributions": lambda: build_windows(there, WINDOW),
        "sum of the windows": windows.total,
        "analysis: windows, sum, all statistics": analysis,
        "copy to the device alone": copy,
    }
    for parts in _BATCHES:
        some = f"in {parts} {'batch' if parts == 1 else 'batches'}"
        if device != "cpu":
            stages[f"streamed {some}"] = partial(_stream, host, parts, device)
        stages[f"`sense` {some}"] = partial(
            sense, host, window=WINDOW, num_batches=parts, device=device
        )
    return stages


def _stream(packets: Any, parts: int, device: str) -> list[Any]:
    """Count windows as they come over the bus; their sum stays in a table on the device."""
    from edgewise.sensing.cuda.running import Running
    from edgewise.sensing.cuda.stream import stream
    from edgewise.sensing.cuda.windows import survey

    sums, size = Running(), -(-packets.num_packets // (parts * WINDOW)) * WINDOW
    batches = [packets.cut(at, at + size) for at in range(0, packets.num_packets, size)]

    def analyze(batch: Any) -> Any:
        found = survey(
            batch.source, batch.destination,
            np.append(np.arange(0, batch.num_packets, WINDOW), batch.num_packets),
        )  # fmt: skip
        sums.add(found)
        return found.quantities, found.distributions

    return [[values.get() for record in found for values in record]
            for found in stream(batches, device, analyze)]  # fmt: skip


def _compare(host: Any, there: Any) -> None:
    """An error if the device counts otherwise than CPU threads do."""
    from edgewise.sensing import build_windows

    ours, theirs = (build_windows(packets, WINDOW).to("cpu") for packets in (there, host))
    pairs = [(ours, theirs), (ours.total(), theirs.total())]
    for name in ("quantities", "distributions"):
        for pair in pairs:
            found = (getattr(one, name) for one in pair)
            counts = (one() if callable(one) else one for one in found)
            if not all(map(np.array_equal, *counts)):
                raise AssertionError(f"the {name} are not those of the CPU")


def _module(device: str) -> Any:
    if device == "cpu":
        return np
    import cupy

    return cupy


def _pinned(xp: Any, column: Any) -> Any:
    """A copy in memory that a GPU reads by itself."""
    if not hasattr(xp, "cuda"):
        return column
    import cupyx

    copy = cupyx.empty_pinned(column.shape, column.dtype)
    copy[:] = column
    return copy


def _timed(run: Callable[[], Any], device: str) -> float:
    begin = time.perf_counter()
    run()
    if device != "cpu":
        import cupy

        cupy.cuda.Device().synchronize()
    return time.perf_counter() - begin


def _markdown(rows: dict[str, dict[str, Any]], count: int, trials: int) -> str:
    lines = [
        [name, spell_time(row["seconds"]), f"{count / row['seconds'] / 1e6:,.0f}"]
        for name, row in rows.items()
    ]
    copy = rows["copy to the device alone"]["seconds"]
    rate = count / rows["analysis: windows, sum, all statistics"]["seconds"] / 1e6
    streamed = min((name for name in rows if name.startswith(("streamed", "`sense`"))),
                   key=lambda name: rows[name]["seconds"])  # fmt: skip
    share = rows[streamed]["seconds"] / copy
    return "\n\n".join([
        f"Measured {time.strftime('%Y-%m-%d')} on {_gpu()}, {machine()}: `python -m benchmarks "
        f"sensing --device cuda`. {count:,} synthetic packets, windows of {WINDOW:,}, ids of 4 "
        f"bytes, no times; medians of {trials} calls.",
        f"- {'PASS' if rate >= _RATE else 'MISS'}: the analysis of packets on the device takes in "
        f"{rate:,.0f} million a second, at least {_RATE:,}.\n"
        f"- {'PASS' if share <= _SHARE else 'MISS'}: {streamed} takes {share:.2f} of the time of "
        f"the copy alone, at most {_SHARE}.",
        table(["stage", "time", "million packets a second"], lines, words=1),
    ])  # fmt: skip


def _gpu() -> str:
    """The name of the GPU, if there is one."""
    try:
        import cupy

        return cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    except Exception:  # none, or no CuPy: then this was a trial on the CPU
        return "no GPU"
