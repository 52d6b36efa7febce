"""Arrays of one value, filled by several threads where they are large."""

from __future__ import annotations

import numpy as np
import pytest

from edgewise.base.parallel import arange, full
from edgewise.base.threads import threads


@pytest.mark.parametrize("size", [0, 1, 7, 1 << 19, (1 << 20) + 3])
@pytest.mark.parametrize(
    "fill, dtype",
    [(-1, np.int32), (2.5, np.float32), (np.nan, np.float64), (True, bool), (7, np.uint16),
     (1j, np.complex128), (3, None), (0.5, None)],
)  # fmt: skip
def test_as_numpy_does(size, fill, dtype):
    expected = np.full(size, fill, dtype)
    for count in (1, 2, 5):
        with threads(count):
            found = full(size, fill, dtype)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("size", [0, 1, 7, (1 << 19) + 1])
@pytest.mark.parametrize("dtype", [None, np.int32, np.uint64, np.float64])
def test_numbers_in_order(size, dtype):
    for count in (1, 5):
        with threads(count):
            found = arange(size, dtype)
        np.testing.assert_array_equal(found, np.arange(size), strict=dtype is None)
        assert found.dtype == (dtype or np.int64)


def test_values_that_do_not_fit():
    with pytest.raises(OverflowError):
        full(1 << 20, 300, np.int8)
