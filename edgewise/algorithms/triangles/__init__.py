"""Triangles and what is counted from them."""
