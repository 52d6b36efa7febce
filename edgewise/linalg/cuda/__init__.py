"""Kernels of sparse algebra on CUDA; the same names and contracts as in `edgewise.linalg.cpu`."""
