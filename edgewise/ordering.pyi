# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.ordering.arrange import arrange as arrange
from edgewise.algorithms.ordering.arrangement import (
    bandwidth as bandwidth,
    linear_arrangement as linear_arrangement,
    log_arrangement as log_arrangement,
    profile as profile,
)
from edgewise.algorithms.ordering.bfs import bfs as bfs
from edgewise.algorithms.ordering.degree import degree as degree
from edgewise.algorithms.ordering.degree_groups import degree_groups as degree_groups
from edgewise.algorithms.ordering.dfs import dfs as dfs
from edgewise.algorithms.ordering.fill import fill as fill
from edgewise.algorithms.ordering.gaps import (
    line_span as line_span,
    linear_gap as linear_gap,
    log_gap as log_gap,
    page_span as page_span,
)
from edgewise.algorithms.ordering.gorder import gorder as gorder
from edgewise.algorithms.ordering.hubs import hub_cluster as hub_cluster, hub_sort as hub_sort
from edgewise.algorithms.ordering.layered_label_propagation import (
    layered_label_propagation as layered_label_propagation,
)
from edgewise.algorithms.ordering.nested_dissection import nested_dissection as nested_dissection
from edgewise.algorithms.ordering.rabbit import rabbit as rabbit
from edgewise.algorithms.ordering.random import random as random
from edgewise.algorithms.ordering.refine import refine as refine
from edgewise.algorithms.ordering.reverse_cuthill_mckee import (
    reverse_cuthill_mckee as reverse_cuthill_mckee,
)
from edgewise.algorithms.ordering.shingle import shingle as shingle
from edgewise.algorithms.ordering.spy import spy as spy
from edgewise.algorithms.ordering.suggest import suggest as suggest
