"""Cliques: sets of vertices that are pairwise adjacent."""
