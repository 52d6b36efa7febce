"""Kernels of network sensing on CUDA."""
