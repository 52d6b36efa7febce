# Written by `make generate`: the public names, as type checkers see them.

from edgewise.algorithms.influence.contain import Containment as Containment, contain as contain
from edgewise.algorithms.influence.influence_maximization import (
    influence_maximization as influence_maximization,
)
from edgewise.algorithms.influence.seed_samples import Seeds as Seeds
from edgewise.algorithms.influence.sensors import Sensors as Sensors, sensors as sensors
from edgewise.algorithms.influence.simulate import Spread as Spread, simulate as simulate
