"""Kernels of matchings for CPU threads, each for a whole algorithm."""
