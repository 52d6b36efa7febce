"""Kernels of orders for CPU threads, each for a whole algorithm."""
