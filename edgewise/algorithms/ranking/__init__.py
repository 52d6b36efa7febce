"""Ranking: how much each vertex matters."""
