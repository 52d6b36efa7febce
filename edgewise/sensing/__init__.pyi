# The names of edgewise.sensing, as type checkers see them; tests/test_import.py holds them equal to
# those that are there.

from edgewise.sensing.packets import Packets as Packets, identify as identify
from edgewise.sensing.records import (
    open_records as open_records,
    write_records as write_records,
)
