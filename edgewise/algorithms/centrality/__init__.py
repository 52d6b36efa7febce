"""Centrality: how important each vertex or edge is for paths and walks."""
