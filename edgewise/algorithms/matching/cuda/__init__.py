"""Kernels of matchings for CUDA, each for a whole algorithm."""
