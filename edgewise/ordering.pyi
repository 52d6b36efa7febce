# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.ordering.arrangement import (
    bandwidth as bandwidth,
    linear_arrangement as linear_arrangement,
    log_arrangement as log_arrangement,
    profile as profile,
)
from edgewise.algorithms.ordering.bfs_order import bfs_order as bfs_order
from edgewise.algorithms.ordering.degree_based_grouping import (
    degree_based_grouping as degree_based_grouping,
)
from edgewise.algorithms.ordering.degree_order import degree_order as degree_order
from edgewise.algorithms.ordering.dfs_order import dfs_order as dfs_order
from edgewise.algorithms.ordering.fill_in import fill_in as fill_in
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
from edgewise.algorithms.ordering.rabbit_order import rabbit_order as rabbit_order
from edgewise.algorithms.ordering.random_order import random_order as random_order
from edgewise.algorithms.ordering.refine import refine as refine
from edgewise.algorithms.ordering.reorder import reorder as reorder
from edgewise.algorithms.ordering.reverse_cuthill_mckee import (
    reverse_cuthill_mckee as reverse_cuthill_mckee,
)
from edgewise.algorithms.ordering.shingle import shingle as shingle
from edgewise.algorithms.ordering.smallest_last import smallest_last as smallest_last
from edgewise.algorithms.ordering.spy import spy as spy
from edgewise.algorithms.ordering.suggest_method import suggest_method as suggest_method
