"""Centrality: who stands between the others."""
