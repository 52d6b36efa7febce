# Written by `make generate`: the public names, as type checkers see them.

from edgewise.join.candidates import (
    Block as Block,
    Plan as Plan,
    blocks as blocks,
    candidates as candidates,
    plan as plan,
)
from edgewise.join.corpus import Corpus as Corpus, Sets as Sets, corpus as corpus
from edgewise.join.distinct import Distinct as Distinct, distinct as distinct, expand as expand
from edgewise.join.fuzzy import fuzzy_join as fuzzy_join
from edgewise.join.pairs import Clusters as Clusters, Pairs as Pairs
from edgewise.join.set_files import read_column as read_column
