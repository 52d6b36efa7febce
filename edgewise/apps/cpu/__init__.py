"""Nearest neighbors on CPU threads."""
