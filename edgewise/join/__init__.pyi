# The names of edgewise.join, as type checkers see them; tests/test_import.py holds them equal to
# those that are there.

from edgewise.join.corpus import Corpus as Corpus, Sets as Sets, corpus as corpus
from edgewise.join.files import read_column as read_column
