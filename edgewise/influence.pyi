# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.influence.contain import Containment as Containment, contain as contain
from edgewise.algorithms.influence.maximize import maximize as maximize
from edgewise.algorithms.influence.place_sensors import (
    Sensors as Sensors,
    place_sensors as place_sensors,
)
from edgewise.algorithms.influence.seed_samples import Seeds as Seeds
from edgewise.algorithms.influence.simulate import Spread as Spread, simulate as simulate
