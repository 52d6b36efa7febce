"""The kernels of fuzzy joins on CPU threads."""
