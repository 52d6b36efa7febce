"""Kernels of network sensing on CPU threads."""
