# Written by `make generate`: the public names, as type checkers see them.

from edgewise.nn.adjacency import Adjacency as Adjacency
from edgewise.nn.attention import Attention as Attention, attention as attention
from edgewise.nn.edge_softmax import edge_softmax as edge_softmax
from edgewise.nn.message_products import sddmm as sddmm, spmm as spmm
