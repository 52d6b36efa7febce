"""How keys are rated on CPU threads, see `edgewise.operators.rating`."""

from __future__ import annotations

import numpy as np

from edgewise.base.cache import inner
from edgewise.base.compiler import overload
from edgewise.base.cpu.random import first_half, step
from edgewise.operators import choices, rating

__all__ = ["at_key", "key_of", "noise", "ranked", "stay_of", "staying_at", "word_of"]

_gumbel = inner(choices.gumbel)


@inner
def noise(word, key):
    """The noise of a key."""
    return _gumbel(step(word, np.uint64(key) + np.uint64(1)))


at_key, staying_at, stay_of, key_of, word_of, ranked = rating.ratings(overload, noise, first_half)
