"""What runs on NVIDIA GPUs: kernels and their launches, atomics, the barrier of a whole grid."""

import numpy as np

if not hasattr(np, "row_stack"):  # gone from NumPy; numba-cuda up to 0.30 names it when imported
    np.row_stack = np.vstack  # type: ignore[attr-defined]  # noqa: NPY201
