"""Traversal: breadth-first search and shortest paths."""
