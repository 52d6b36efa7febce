"""Joins on CUDA."""
