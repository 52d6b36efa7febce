# Written by `make generate`: the public names, as type checkers see them.

from edgewise.networkx.call_log import explain as explain
from edgewise.networkx.dispatch import backend as backend
from edgewise.networkx.graph_classes import (
    DiGraph as DiGraph,
    Graph as Graph,
    MultiDiGraph as MultiDiGraph,
    MultiGraph as MultiGraph,
)
