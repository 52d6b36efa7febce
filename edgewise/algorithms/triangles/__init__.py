"""Triangles, and the clustering coefficients that follow from them."""
