"""Distances: how far apart the vertices of a graph are, over all."""
