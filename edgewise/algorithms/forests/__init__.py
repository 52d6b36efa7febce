"""Forests: minimum spanning trees, and roots of trees given by parents."""
