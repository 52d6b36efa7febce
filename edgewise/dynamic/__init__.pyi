# Written by `make generate`: the public names, as type checkers see them.

from edgewise.dynamic.changing import Update as Update
from edgewise.dynamic.graph_stream import Stream as Stream
from edgewise.dynamic.rank_repair import StreamRank as StreamRank
from edgewise.dynamic.temporal_paths import (
    earliest_arrival as earliest_arrival,
    temporally_reachable as temporally_reachable,
)
