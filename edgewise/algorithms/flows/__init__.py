"""Flows: a file per algorithm."""
