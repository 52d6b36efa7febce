# Written by `make generate`: the public names, as type checkers see them.

from edgewise.linalg.dense_products import spmm as spmm, spmv as spmv
from edgewise.linalg.elementwise import (
    intersection as intersection,
    masked as masked,
    union as union,
)
from edgewise.linalg.entrywise import (
    apply as apply,
    reduce as reduce,
    reduce_columns as reduce_columns,
    reduce_rows as reduce_rows,
    sddmm as sddmm,
    select as select,
)
from edgewise.linalg.matrix import Matrix as Matrix
from edgewise.linalg.semirings import SEMIRINGS as SEMIRINGS, Semiring as Semiring
from edgewise.linalg.size_estimate import spgemm_sizes as spgemm_sizes
from edgewise.linalg.spgemm import spgemm as spgemm, spgemm_batches as spgemm_batches
from edgewise.linalg.spmspv import spmspv as spmspv
from edgewise.linalg.structure import (
    assign as assign,
    diagonal as diagonal,
    extract as extract,
    from_diagonal as from_diagonal,
    kron as kron,
    power as power,
    transpose as transpose,
)
from edgewise.linalg.vectors import SparseVector as SparseVector
