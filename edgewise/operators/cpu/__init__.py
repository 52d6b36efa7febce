"""The operators on CPU threads: one file per operator, kernels from cached factories."""

from edgewise.base.cpu import atomics, bits, random  # noqa: F401  (what users' functions may call)
