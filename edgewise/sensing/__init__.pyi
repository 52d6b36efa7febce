# The names of edgewise.sensing, as type checkers see them; tests/test_import.py holds them equal to
# those that are there.

from edgewise.sensing.packets import Packets as Packets, identify as identify
