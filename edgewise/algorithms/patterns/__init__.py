"""Patterns: matches of a small graph in a large one, and motif counts."""
