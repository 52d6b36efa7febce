"""Nearest neighbors on CUDA."""
