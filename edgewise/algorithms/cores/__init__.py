"""Cores and trusses: nested subgraphs of increasing density."""
