"""The operators on CUDA: the same names and contracts as in ``operators/cpu``."""
