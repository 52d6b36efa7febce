"""Products, softmax of edges and attention beside PyTorch's own gathers and sums, with gradients.

``python -m benchmarks.applications.attention [SCALE] [HEADS FEATURES] [--device cuda]`` takes some
seconds. On the CPU it measures processor time of one thread. On a GPU it measures wall time until
the GPU is done, and writes ``benchmarks/results/learning-cuda.md``. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from benchmarks.report import machine, spell_time, table

RESULTS = Path(__file__).resolve().parents[1] / "results"


def main(scale: int = 14, heads: int = 8, width: int = 8, device: str = "cpu") -> None:
    import torch

    import edgewise as ew

    torch.set_num_threads(1)
    ew.set_threads(1)
    torch.manual_seed(0)
    torch.set_default_device(device)
    graph = ew.generators.rmat(scale, seed=1).to(device)
    adjacency = ew.nn.Adjacency(graph, weights=None, self_loops=True)
    n, rows, columns = adjacency.num_vertices, adjacency.rows, adjacency.columns
    shapes = ((n, heads, width), (n, heads), (n, heads), (len(rows), heads))
    x, left, right, scores = (torch.randn(*shape).requires_grad_() for shape in shapes)
    wait = torch.cuda.synchronize if device != "cpu" else lambda: None
    clock = time.perf_counter if device != "cpu" else time.process_time

    def softmax(scores: Any) -> Any:
        places = rows[:, None].expand(-1, heads)
        top = torch.full((n, heads), -torch.inf).scatter_reduce(0, places, scores.detach(), "amax")
        grown = (scores - top[rows]).exp()
        return grown / torch.zeros(n, heads).index_add(0, rows, grown)[rows]

    def attention() -> Any:
        weights = softmax(torch.nn.functional.leaky_relu(left[rows] + right[columns], 0.2))
        return torch.zeros(n, heads, width).index_add(0, rows, weights[:, :, None] * x[columns])

    def sums() -> Any:
        return torch.zeros(n, heads, width).index_add(0, rows, scores[:, :, None] * x[columns])

    ways = {
        "spmm": (lambda: ew.nn.spmm(adjacency, x, scores), (x, scores)),
        "PyTorch, spmm": (sums, (x, scores)),
        "sddmm": (lambda: ew.nn.sddmm(adjacency, x, x), (x,)),
        "PyTorch, sddmm": (lambda: (x[rows] * x[columns]).sum(2), (x,)),
        "edge_softmax": (lambda: ew.nn.edge_softmax(adjacency, scores), (scores,)),
        "PyTorch, softmax": (lambda: softmax(scores), (scores,)),
        "attention": (lambda: ew.nn.attention(adjacency, x, left, right)[0], (x, left, right)),
        "PyTorch, attention": (attention, (x, left, right)),
    }
    lines, gradients = [], {}
    for name, (run, inputs) in ways.items():
        given = torch.ones_like(run())

        def both(run: Any = run, inputs: Any = inputs, given: Any = given) -> Any:
            return torch.autograd.grad(run(), inputs, given)

        gradients[name] = both()
        with torch.no_grad():
            forward = best(run, clock, wait)
        lines.append([name, spell_time(forward), spell_time(best(both, clock, wait))])
    for name in ("spmm", "sddmm", "attention"):
        for ours, theirs in zip(gradients[name], gradients[f"PyTorch, {name}"], strict=True):
            torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-3)
    place = machine() if device == "cpu" else torch.cuda.get_device_name()
    kind = "processor time of one thread" if device == "cpu" else "wall time"
    place = f"{place}, PyTorch {torch.__version__}, {time.strftime('%Y-%m-%d')}"
    about = f"{adjacency}, {heads} heads of {width} features; {kind}; {place}"
    text = f"{about}\n\n{table(['way', 'forward', 'forward and backward'], lines, words=1)}"
    print(text)
    if device != "cpu":
        (RESULTS / "learning-cuda.md").write_text(f"# learning-cuda\n\n{text}\n")


def best(run: Any, clock: Any, wait: Any, turns: int = 5) -> float:
    """The least time of some runs, in seconds."""
    found = []
    for _ in range(turns):
        wait()
        begin = clock()
        run()
        wait()
        found.append(clock() - begin)
    return min(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", nargs="*", type=int, help="scale, heads, features")
    parser.add_argument("--device", default="cpu")
    given = parser.parse_args()
    main(*given.sizes, device=given.device)
