"""Kernels of sparse algebra on CPU threads."""
