"""The operators on CUDA: the same names and contracts as in ``operators/cpu``."""

from edgewise.base.cuda import atomics, bits, random  # noqa: F401  (what users' functions may call)
