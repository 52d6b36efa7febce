# Written by `make generate`: the public names, as type checkers see them.

from edgewise.join.corpus import Corpus as Corpus, StringSets as StringSets, corpus as corpus
from edgewise.join.fuzzy import fuzzy_join as fuzzy_join
from edgewise.join.pairs import Clusters as Clusters, Pairs as Pairs
from edgewise.join.set_files import read_column as read_column
