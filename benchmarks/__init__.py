"""Speed beside other libraries: one grid of graphs, tasks and peers, measured and checked.

``python -m benchmarks gap`` measures it, ``build`` and ``read`` are parts of it, and
``python -m benchmarks growth`` shows how time and memory grow with the size of the graph.

`graphs` makes the graphs and keeps them as plain arrays. Each of `peers` answers the tasks with one
library. `worker` is a process that holds one peer and one graph; `driver` lets the workers take
turns, so that their trials alternate in time and only one runs at any moment. `check` judges the
answers, `targets` the times; `report` writes the tables. `gap` runs the binaries of the GAP
Benchmark Suite beside the peers, where EDGEWISE_GAP names the folder that holds them.
"""
