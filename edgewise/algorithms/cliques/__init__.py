"""Cliques: vertices that all know each other."""
