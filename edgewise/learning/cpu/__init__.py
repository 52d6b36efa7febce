"""Kernels of `edgewise.learning` on CPU threads."""
