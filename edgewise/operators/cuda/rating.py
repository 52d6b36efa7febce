"""How keys are rated on CUDA, see `edgewise.operators.rating`."""

from __future__ import annotations

import numpy as np

from edgewise.base.cuda.kernels import device
from edgewise.base.cuda.random import first_half, step, twin
from edgewise.operators import choices, rating
from edgewise.operators.cuda.inner import overload

__all__ = ["at_key", "key_of", "ranked", "stay_of", "staying_at", "word_of"]

_gumbel = twin(choices.gumbel)


@device
def noise(word, key):
    """The noise of a key."""
    return _gumbel(step(word, np.uint64(key) + np.uint64(1)))


at_key, staying_at, stay_of, key_of, word_of, ranked = rating.ratings(overload, noise, first_half)
