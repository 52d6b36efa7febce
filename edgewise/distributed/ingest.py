"""Three ways onto a grid, none of which has the whole graph on one rank.

`from_edges` takes each rank's share of the edges, `read` cuts a file into ranges of bytes, and
`generate` draws a random graph in shares; then one all-to-all brings every arc to its block.
"""

from __future__ import annotations

from edgewise.distributed.draws import generate
from edgewise.distributed.graph_files import read
from edgewise.distributed.shares import from_edges

__all__ = ["from_edges", "generate", "read"]
