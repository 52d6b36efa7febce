"""Sets of vertices that no edge joins, or that reach all others."""
