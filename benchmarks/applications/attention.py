"""Softmax of edges and attention beside PyTorch's own gathers and sums, with gradients.

``python -m benchmarks.applications.attention [SCALE] [HEADS FEATURES]`` takes some seconds, on one
thread. Needs PyTorch.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from benchmarks.report import machine, spell_time, table


def main(scale: int = 14, heads: int = 8, width: int = 8) -> None:
    import torch

    import edgewise as ew

    torch.set_num_threads(1)
    ew.set_threads(1)
    torch.manual_seed(0)
    graph = ew.generators.rmat(scale, seed=1)
    adjacency = ew.nn.Adjacency(graph, weights=None, self_loops=True)
    n, rows, columns = adjacency.num_vertices, adjacency.rows, adjacency.columns
    x, left, right, scores = (
        torch.randn(*shape, heads, *rest).requires_grad_()
        for shape, rest in (((n,), (width,)), ((n,), ()), ((n,), ()), ((len(rows),), ()))
    )

    def softmax(scores: Any) -> Any:
        places = rows[:, None].expand(-1, heads)
        top = torch.full((n, heads), -torch.inf).scatter_reduce(0, places, scores.detach(), "amax")
        grown = (scores - top[rows]).exp()
        return grown / torch.zeros(n, heads).index_add(0, rows, grown)[rows]

    def attention() -> Any:
        weights = softmax(torch.nn.functional.leaky_relu(left[rows] + right[columns], 0.2))
        return torch.zeros(n, heads, width).index_add(0, rows, weights[:, :, None] * x[columns])

    ways = {
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
            forward = best(run)
        lines.append([name, spell_time(forward), spell_time(best(both))])
    for ours, theirs in zip(gradients["attention"], gradients["PyTorch, attention"], strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-3, atol=1e-3)
    print(f"{adjacency}, {heads} heads of {width} features; {machine()}\n")
    print(table(["way", "forward", "forward and backward"], lines, words=1))


def best(run: Any, turns: int = 5) -> float:
    """The least processor time of some runs, in seconds."""
    found = []
    for _ in range(turns):
        begin = time.process_time()
        run()
        found.append(time.process_time() - begin)
    return min(found)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
