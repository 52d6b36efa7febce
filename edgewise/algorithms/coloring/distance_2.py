"""Distance-2 coloring: vertices at distance 1 or 2 have different colors.

The greedy method gives each vertex in an order the smallest color that is free, by a set of colors
per neighborhood (`nets`), on one CPU thread. The speculative method works in rounds on every
engine, see `rounds`.

[1] A. Gebremedhin, F. Manne, A. Pothen. What color is your Jacobian? Graph coloring for computing
    derivatives. SIAM Review 47(4), 2005.
[2] M. Tas, K. Kaya, E. Saule. Greed is good: parallel algorithms for bipartite-graph partial
    coloring on multicore architectures. ICPP 2017.
"""

from __future__ import annotations
