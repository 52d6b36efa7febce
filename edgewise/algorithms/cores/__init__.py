"""Cores: how deep inside the graph each vertex lies."""
