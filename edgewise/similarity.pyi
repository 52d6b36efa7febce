# The names of edgewise.similarity, as type checkers see them; tests/test_import.py holds them
# equal to those that are there.

from edgewise.algorithms.similarity.pairwise import (
    adamic_adar as adamic_adar,
    cosine as cosine,
    jaccard as jaccard,
    overlap as overlap,
)
from edgewise.algorithms.similarity.top_k import Similar as Similar, top_k as top_k
