"""Distances: diameter, radius, eccentricities and the distribution of distances."""
